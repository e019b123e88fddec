"""No public function gives numbers alone when a number given to it is NaN, nor fails unclearly.

Right arguments and what they become at the edge are in `edges`.
"""

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from edges import BESIDES, WITHOUT_PART, at_the_edge, functions, right_arguments, with_numbers

FUNCTIONS = functions()
WITH_NUMBERS = with_numbers()
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


def asked(address: str, name: str, value: Any) -> list[np.ndarray]:
    """Return the floats of a function with one argument changed."""
    arguments = right_arguments(address, FUNCTIONS[address]) or {}
    with np.errstate(all="ignore"):
        found = FUNCTIONS[address](**{**arguments, name: value})
        return list(numbers(list(found) if inspect.isgenerator(found) else found))


def test_the_table_names_functions_that_are_there() -> None:
    assert BESIDES.keys() <= FUNCTIONS.keys()
    assert BESIDES.keys() <= WITH_NUMBERS.keys()
    assert len(WITH_NUMBERS) > 120


@pytest.mark.parametrize("address", WITH_NUMBERS)
def test_right_arguments_have_a_value(address: str) -> None:
    arguments = right_arguments(address, FUNCTIONS[address]) or {}
    found = FUNCTIONS[address](**arguments)
    found = list(found) if inspect.isgenerator(found) else found
    floats = list(numbers(found))
    has_a_value = found is not None and (
        not floats or any(not np.isnan(each).all() for each in floats)
    )
    assert has_a_value == (address not in NO_VALUE)


@pytest.mark.parametrize("address", WITH_NUMBERS)
def test_nan_gives_nan_or_one_clear_error(address: str) -> None:
    arguments = right_arguments(address, FUNCTIONS[address]) or {}
    for name, value in arguments.items():
        for what, changed in at_the_edge(value):
            if what != "NaN" or (address, name) in FREE:
                continue
            try:
                found = asked(address, name, changed)
            except (ValueError, TypeError) as error:
                assert str(error)
                assert "\n" not in str(error)
                continue
            assert not found or not all(np.isfinite(part).all() for part in found), name
