"""Printed thresholds accept the same objects, and are as short as can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opchar.spaces.printing import printed_thresholds, shortest_number

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(scores=st.lists(FINITE, min_size=1, max_size=20), at=FINITE)
def test_what_is_printed_accepts_the_same_scores(scores: list[float], at: float) -> None:
    ordered = np.unique(scores)
    told = float(repr(float(printed_thresholds(at, ordered))))
    np.testing.assert_array_equal(ordered >= told, ordered >= at)


@given(scores=st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=20, unique=True))
def test_the_middle_of_a_gap_is_printed_near_the_middle(scores: list[float]) -> None:
    ordered = np.sort(scores)
    middle = ordered[:-1] + np.diff(ordered) / 2
    inside = middle > ordered[:-1]
    told = printed_thresholds(middle, ordered)
    off = np.abs(told - middle)[inside]
    assert (off <= np.diff(ordered)[inside] * 0.25 * (1 + 1e-9) + 1e-300).all()


def test_minus_zero_is_printed_as_zero() -> None:
    assert str(shortest_number(-1.0, -0.0, -0.0)) == "0.0"


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("near", "told"), [(0.53, 0.5), (0.58, 0.6), (0.5321, 0.5)])
def test_of_numbers_as_short_the_nearest_is_told(near: float, told: float, sign: int) -> None:
    assert shortest_number(sign * near - 0.4, sign * near + 0.4, sign * near) == sign * told


@pytest.mark.parametrize("width", [1, 2, 7, 10, 30, 90])
def test_no_number_with_fewer_digits_lies_between(width: int) -> None:
    for whole in range(-110, 320):
        check_shortest((whole - width) / 100, whole / 100)


def check_shortest(low: float, high: float) -> None:
    near = (2 * low + 3 * high) / 5
    found = shortest_number(low, high, near)
    assert low < found <= high
    digits = len(f"{abs(found):.15g}".replace(".", "").strip("0"))
    # All decimals with fewer digits: none lies between, but zero, which is told as -0.01 or so.
    for places in range(1, digits):
        for exponent in range(-4, 2):
            step = 10.0**exponent
            numbers = np.round(np.arange(-(10**places) + 1, 10**places) * step, 6)
            numbers = numbers[numbers != 0]
            assert not ((numbers > low) & (numbers <= high)).any()
