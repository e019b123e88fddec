"""Models whose scores have the same ratios pass through the same operating points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opchar.multiclass.roc.bounds import pair_areas
from opchar.multiclass.score_ratios import log_ratio_gap


def drawn(seed: int, classes: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(classes), 40) + 1e-3


@given(st.integers(0, 1000), st.floats(0.2, 4), st.integers(2, 4))
def test_powers_and_factors_leave_no_gap_and_the_same_areas(seed, power, classes):
    scores = drawn(seed, classes)
    changed = scores**power * np.arange(1, classes + 1)
    assert log_ratio_gap(changed, scores) < 1e-9
    y = np.arange(40) % classes
    before, after = ([area for area, _, _ in pair_areas(y, one)] for one in (scores, changed))
    assert after == pytest.approx(before)


def test_other_scores_have_a_gap():
    assert log_ratio_gap(drawn(1), drawn(2)) > 0.1


def test_the_gap_is_the_largest_residual_of_a_line():
    theirs = np.array([0.0, 1.0, 2.0, 3.0])
    ours = np.array([0.0, 1.0, 2.0, 4.0])
    slope, shift = np.polyfit(theirs, ours, 1)
    first, second = (np.stack([np.ones(4), np.exp(log)], axis=1) for log in (ours, theirs))
    assert log_ratio_gap(first, second) == pytest.approx(
        np.abs(ours - slope * theirs - shift).max()
    )


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (np.ones((3, 2)), np.ones((2, 2)), "one shape"),
        (-np.ones((3, 2)), np.ones((3, 2)), "negative"),
        (np.ones((3, 2)), np.ones((3, 2)), "do not vary"),
    ],
)
def test_impossible_scores_are_refused(first, second, why):
    with pytest.raises(ValueError, match=why):
        log_ratio_gap(first, second)


def test_scores_that_vary_little_are_compared():
    rng = np.random.default_rng(0)
    scores = 0.5 + 1e-4 * rng.random((20, 3))
    assert log_ratio_gap(scores**2, scores) < 1e-12
