"""What every public function of numbers makes of the edges: a value, or one clear line.

The edges are empty, one class, NaN, infinite, 10^18, 10^30, 1e-300, constant, tied, masked, and
negative and zero weights; `edges` makes them of right arguments. A function enters by being public.
Where a number is NaN, no function gives numbers alone.
"""

import inspect
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import opchar
from edges import (
    BESIDES,
    COUNTABLE,
    ELSEWHERE,
    SIZES,
    TRUSTING,
    UNMASKED,
    WITHOUT_PART,
    at_the_edge,
    functions,
    is_asked,
    right_arguments,
    with_numbers,
)

FUNCTIONS = functions()
WITH_NUMBERS = with_numbers()
# What takes the library's own results, or more than a table has: tests of their own.
NOT_HERE = ELSEWHERE | {
    "decisions.smooth_curves:share_reached",
    "statistics.calibration:calibration",
    # Cells, spreads and correlations that the comparison of variants has checked.
    "statistics.joint_likelihood:joint_log_likelihood",
    "metrics.counts:scaled_counts",
    "metrics.counts:enlarge_negatives",
    "metrics.distortion:sampling_of",
    "metrics.distortion:spread_over_test_sets",
    "metrics.distortion:power",
    "statistics.resampling:resample_objects",
    "combination.selection:apply_rules",
    "reject.analytic:regions_above",
    "reject.analytic:target_regions",
    "reject.analytic:reject_rates",
    "multiclass.cost_weights.problem:losses",
    "multiclass.cost_weights.problem:mean_subjective_utilities",
    "multiclass.neyman_pearson:neyman_pearson",
    "multiclass.neyman_pearson:confusion_at",
    "multiclass.roc.hypersurface:lowest_losses",
    *(
        f"multiclass.gaussians:{name}"
        for name in (
            "decision_regions",
            "confusion_rates",
            "class_rates",
            "diagonal_lattice",
            "threshold_rates",
            "three_class_surface",
            "densities",
            "drawn_posteriors",
        )
    ),
}


# Arguments that take no part; one whose crossings come from the library; one in which NaN is a
# value that a variant does not give.
FREE = WITHOUT_PART | {
    ("spaces.envelope:inner_breakpoints", "crossings"),
    ("statistics.joint_likelihood:cell_log_likelihood", "values"),
}
# The right arguments are equal lines or points, which cross nowhere; a check returns nothing.
NO_VALUE = {
    "spaces.scored.sample:check_one_score",
    *("spaces.cost:crossing_pc", "spaces.cost:operating_range"),
    *("spaces.f_measure:crossing_prior", "combination.formulas:prior_crossing"),
}


def numbers(found: Any) -> Iterator[np.ndarray]:
    """Yield the floats of a result, wherever in it they are."""
    if isinstance(found, tuple | list):
        for part in found:
            yield from numbers(part)
    elif isinstance(found, float | np.floating):
        yield np.asarray(found)
    elif isinstance(found, np.ndarray) and found.dtype.kind == "f":
        yield found
    elif hasattr(found, "__dataclass_fields__"):
        for name in found.__dataclass_fields__:
            yield from numbers(getattr(found, name))


def edges_of(address: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield parameter, edge and arguments for every edge of every argument."""
    arguments = right_arguments(address, FUNCTIONS[address]) or {}
    for name, value in arguments.items():
        for what, changed in at_the_edge(value):
            if not (name in SIZES and what in COUNTABLE):
                yield name, what, {**arguments, name: changed}


def value(address: str, arguments: dict[str, Any]) -> Any:
    found = FUNCTIONS[address](**arguments)
    return list(found) if inspect.isgenerator(found) else found


def test_every_public_function_of_data_has_its_edges() -> None:
    for address, function in FUNCTIONS.items():
        asked = inspect.signature(function).parameters.values()
        of_data = any("ArrayLike" in str(each.annotation) for each in asked)
        required = [each for each in asked if is_asked(each)]
        if of_data and required and address not in WITH_NUMBERS:
            arrays = [each for each in required if "ArrayLike" in str(each.annotation)]
            assert not arrays or address in NOT_HERE, f"{address} needs right arguments in edges.py"
    homes = {f"{home.removeprefix('opchar.')}:{name}" for name, home in opchar._HOMES.items()}
    public = {address.split(":")[1] for address in WITH_NUMBERS}
    for address in homes:
        name = address.split(":")[1]
        elsewhere = name[0].isupper() or name in ("analyse", "check", "make_scorers")
        assert name in public or elsewhere, address


def test_the_lists_name_functions_that_are_there() -> None:
    assert FUNCTIONS.keys() >= NOT_HERE | BESIDES.keys()
    assert WITH_NUMBERS.keys() >= BESIDES.keys()
    assert len(WITH_NUMBERS) > 120
    assert WITH_NUMBERS.keys() >= UNMASKED.keys()
    assert not NOT_HERE & WITH_NUMBERS.keys()


@pytest.mark.parametrize("address", sorted(WITH_NUMBERS.keys() - TRUSTING.keys()))
def test_an_edge_has_a_value_or_one_clear_line(address: str) -> None:
    for name, what, arguments in edges_of(address):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", "only accepting|the unlabelled scores")
            try:
                value(address, arguments)
            except (ValueError, TypeError) as error:
                assert str(error), (name, what)
                assert "\n" not in str(error), (name, what)
            except Exception as error:
                raise AssertionError(f"{name} {what}: {error!r}") from error


@pytest.mark.parametrize("address", sorted(WITH_NUMBERS.keys() - UNMASKED.keys()))
def test_no_mask_is_overlooked(address: str) -> None:
    for name, what, arguments in edges_of(address):
        if what == "masked" and (address, name) not in WITHOUT_PART:
            with pytest.raises((ValueError, TypeError), match=r"masked|must|one of|Rational"):
                value(address, arguments)


@pytest.mark.parametrize("name", [name for name in opchar._SCORED if name != "points_of"])
def test_weights_at_the_edge(name: str) -> None:
    """Zero takes an object away, one factor changes nothing, and a negative weight is refused."""
    address = next(each for each in WITH_NUMBERS if each.endswith(f":{name}") and "scored" in each)
    arguments = right_arguments(address, FUNCTIONS[address]) or {}
    weight = np.arange(1.0, 13.0)

    def with_weights(given: Any, **more: Any) -> list[np.ndarray]:
        found = value(address, {**arguments, **more, "sample_weight": given})
        return [np.asarray(part) for part in (found if isinstance(found, tuple) else (found,))]

    usual = with_weights(weight)
    for factor in (1e18, 1e290, 1e-290, 10**40):
        scaled = with_weights([int(w) * factor for w in weight])
        for one, two in zip(usual, scaled, strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-12)
    kept = np.arange(12) % 4 > 0
    rest = {key: part[kept] for key, part in arguments.items() if np.shape(part) == (12,)}
    for one, two in zip(
        with_weights(weight * kept), with_weights(weight[kept], **rest), strict=True
    ):
        np.testing.assert_array_equal(one, two)
    with pytest.raises(ValueError, match="not negative"):
        with_weights(-weight)
    with pytest.raises(ValueError, match="all weights are zero"):
        with_weights(0 * weight)


@pytest.mark.parametrize("address", WITH_NUMBERS)
def test_right_arguments_have_a_value(address: str) -> None:
    found = value(address, right_arguments(address, FUNCTIONS[address]) or {})
    floats = list(numbers(found))
    has_a_value = found is not None and (
        not floats or any(not np.isnan(each).all() for each in floats)
    )
    assert has_a_value == (address not in NO_VALUE)


@pytest.mark.parametrize("address", WITH_NUMBERS)
def test_nan_gives_nan_or_one_clear_error(address: str) -> None:
    for name, what, arguments in edges_of(address):
        if what != "NaN" or (address, name) in FREE:
            continue
        try:
            with np.errstate(all="ignore"):
                found = list(numbers(value(address, arguments)))
        except (ValueError, TypeError) as error:
            assert str(error)
            assert "\n" not in str(error)
            continue
        assert not found or not all(np.isfinite(part).all() for part in found), name
