"""Intervals of areas cover, and differences are paired."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr, ndtri

import opchar


def drawn(rng: np.random.Generator, n: int = 120) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    y = (np.arange(n) < n // 3).astype(int)
    shared = rng.normal(size=n)
    return y, shared + y, shared + 0.5 * rng.normal(size=n) + 1.4 * y


def test_a_difference_is_that_of_both_areas() -> None:
    y, first, second = drawn(np.random.default_rng(0))
    drawn_anew = partial(opchar.pr_auc_difference, resamples=200)
    for difference, area in (
        (opchar.roc_auc_difference, opchar.roc_auc),
        (drawn_anew, opchar.pr_auc),
    ):
        found = difference(y, first, second)
        assert found.difference == pytest.approx(area(y, first) - area(y, second))
        assert found.low < found.difference < found.high
        other = difference(y, second, first)
        assert (other.low, other.p) == pytest.approx((-found.high, found.p))
        same = difference(y, first, first)
        assert tuple(same) == (0.0, 0.0, 0.0, 1.0)
    error = (found.high - found.low) / 2 / ndtri(0.975)
    assert found.p == pytest.approx(2 * ndtr(-abs(found.difference) / error))
    assert found == drawn_anew(y, first, second, random_state=0)
    interval = partial(opchar.pr_auc_interval, y, first, resamples=200)
    assert interval() == interval(random_state=0)


def test_an_interval_excludes_zero_if_and_only_if_p_is_small() -> None:
    rng = np.random.default_rng(3)
    excluded = 0
    for _ in range(300):
        y = np.repeat([0, 1], rng.integers(2, 9, size=2))
        found = opchar.roc_auc_difference(y, rng.random(len(y)) + y, rng.random(len(y)))
        away = found.low > 0 or found.high < 0
        assert away == (found.p < 0.05)
        excluded += away
    assert excluded > 10


@pytest.mark.parametrize(
    ("first", "second", "change"),
    [
        ([1, 2, 3, 4], [4, 3, 2, 1], 1.0),
        ([1, 3, 2, 4], [2, 4, 1, 3], 0.5),
        ([1, 3, 2, 4], [1, 3, 2, 5], 0.0),
        ([1, 2, 3, 4], [2, 1, 3, 4], 0.0),
    ],
)
def test_a_difference_that_does_not_vary_is_known_as_far_as_a_share_not_seen(
    first: list[int], second: list[int], change: float
) -> None:
    """Of n pairs none shows a share q with probability (1 - q)^n: 5 % for 1 - 0.05^(1/n)."""
    for n in (2, 4, 16):
        y = np.repeat([0, 0, 1, 1], n // 2)
        scores = [np.repeat(np.array(each, float), n // 2) for each in (first, second)]
        found = opchar.roc_auc_difference(y, *scores)
        reach = 2 * (1 - 0.05 ** (1 / n))
        if n == 2 or change in (0.0, 1.0):
            ends = max(change - reach, -1.0), min(change + reach, 1.0)
            assert found == pytest.approx((change, *ends, (1 - change / 2) ** n))
        assert found.low < found.high
        assert (found.low > 0) == (found.p < 0.05)
    assert opchar.roc_auc_difference(y, scores[0], scores[0])[1:3] == (0.0, 0.0)


def test_equal_resamples_are_no_proof_of_an_area() -> None:
    """All resamples of a perfect order are perfect, and so is a share of 0 errors in 4."""
    for n in (2, 4):
        y = np.repeat([0, 1], n)
        perfect = opchar.pr_auc_interval(y, np.arange(2.0 * n), resamples=200)
        assert perfect == pytest.approx((1.0, 0.05 ** (1 / n), 1.0))
        worst = opchar.pr_auc_interval(y, -np.arange(2.0 * n), resamples=200)
        assert worst.low < worst.area < worst.high
        scores = np.arange(2.0 * n), -np.arange(2.0 * n)
        found = opchar.pr_auc_difference(y, *scores, resamples=200)
        assert found.low < found.difference < found.high == 1.0
        assert (found.low > 0) == (found.p < 0.05)


def test_the_bootstrap_of_precision_is_as_wide_as_samples_scatter() -> None:
    areas = [opchar.pr_auc(*drawn(np.random.default_rng(s))[:2], prior=0.1) for s in range(200)]
    y, first, _ = drawn(np.random.default_rng(1))
    found = opchar.pr_auc_interval(y, first, prior=0.1, resamples=200)
    assert 0.6 < (found.high - found.low) / (3.92 * np.std(areas)) < 1.6


def test_rows_of_one_patient_widen_the_interval() -> None:
    y, first, second = drawn(np.random.default_rng(2))
    thrice = [np.repeat(each, 3) for each in (y, first, second, np.arange(len(y)))]
    for interval in (opchar.roc_auc_interval, opchar.pr_auc_interval):
        once = interval(y, first)
        grouped = interval(*thrice[:2], groups=thrice[3])
        alone = interval(*thrice[:2])
        assert grouped.high - grouped.low == pytest.approx(once.high - once.low, rel=0.25)
        assert alone.high - alone.low < 0.8 * (grouped.high - grouped.low)


@pytest.mark.parametrize("interval", [opchar.roc_auc_interval, opchar.pr_auc_interval])
def test_what_cannot_be_is_refused(interval) -> None:
    y, first, _ = drawn(np.random.default_rng(3))
    with pytest.raises(ValueError, match="both classes"):
        interval(y, first, groups=np.zeros(len(y), dtype=int))
    with pytest.raises(ValueError, match="one for each"):
        interval(y, first, groups=[1, 2])
    with pytest.raises(ValueError, match="level"):
        interval(y, first, confidence=1.0)
    with pytest.raises(ValueError, match="indices"):
        interval(pd.Series(y), pd.Series(first, index=range(1, len(y) + 1)))
    with pytest.raises(ValueError, match="two or more"):
        opchar.pr_auc_interval(y, first, resamples=1)
    weighted = interval(y, first, sample_weight=np.r_[np.full(60, 2.0), np.full(60, 0.5)])
    assert weighted.low < weighted.area < weighted.high
