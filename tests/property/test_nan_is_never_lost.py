"""No public function gives numbers alone when a number given to it is NaN, nor fails unclearly.

Right arguments and what they become at the edge are in `edges`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from edges import BESIDES, at_the_edge, functions, right_arguments

FUNCTIONS = functions()
WITH_NUMBERS = {
    address: function
    for address, function in FUNCTIONS.items()
    if right_arguments(address, function)
}
# Counts that take no part in an index, whatever they are.
APART = {
    **{f"combined:{name}": ("tn",) for name in ("f_beta", "f1", "f_alpha", "jaccard", "aurpc")},
    **{f"rates:{name}": ("fp", "tn") for name in ("tpr", "fnr")},
    **{f"rates:{name}": ("tp", "fn") for name in ("tnr", "fpr")},
    **{f"rates:{name}": ("fn", "tn") for name in ("precision", "false_discovery_rate")},
    **{f"rates:{name}": ("tp", "fp") for name in ("npv", "false_omission_rate")},
}
FREE = {(f"metrics.indices.{address}", name) for address, names in APART.items() for name in names}
# Classifiers whose index is NaN are left out, as it says; the crossings come from the library.
FREE |= {("metrics.distortion:rank_stability", "values"), ("spaces.envelope:between", "crossings")}


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
    asked(address, next(iter(arguments)), next(iter(arguments.values())))


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
