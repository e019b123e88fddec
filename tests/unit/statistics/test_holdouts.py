"""Means over hold-outs that share objects."""

import numpy as np
import pytest
from scipy.stats import t, ttest_1samp

from opchar.statistics.resampling import mean_of_holdouts


def test_without_shared_objects_the_interval_is_students():
    values = np.array([0.3, -0.1, 0.4, 0.2, 0.05])
    mean, low, high = mean_of_holdouts(values, 1e-12, 0.9)
    expected = ttest_1samp(values, 0.0).confidence_interval(0.9)
    assert (mean, low, high) == pytest.approx((values.mean(), *expected))


def test_the_variance_is_that_of_the_definition():
    values = np.arange(10.0)
    _, low, high = mean_of_holdouts(values, 0.25)
    error = np.sqrt((1 / 10 + 0.25) * np.var(values, ddof=1))
    assert (high - low) / 2 == pytest.approx(t.ppf(0.975, 9) * error)
    assert mean_of_holdouts(np.full(4, 2.0), 0.25) == (2.0, 2.0, 2.0)


def test_over_hold_outs_of_few_objects_the_interval_covers_what_the_plain_one_does_not():
    rng = np.random.default_rng(0)
    kept = {0.25: 0, 1e-12: 0}
    for _ in range(300):
        objects = rng.normal(size=50)
        values = [rng.permutation(objects)[:10].mean() for _ in range(25)]
        for ratio in kept:
            _, low, high = mean_of_holdouts(values, ratio)
            kept[ratio] += low <= 0 <= high
    assert kept[0.25] > 0.93 * 300
    assert kept[1e-12] < 0.8 * 300


@pytest.mark.parametrize(
    ("values", "ratio", "level"),
    [
        ([1.0], 0.25, 0.95),
        ([1.0, np.nan], 0.25, 0.95),
        ([1.0, 2.0], 0.0, 0.95),
        ([1.0, 2.0], 0.25, 1.0),
    ],
)
def test_what_gives_no_interval_is_refused(values, ratio, level):
    with pytest.raises(ValueError, match=r"hold-outs|training object|level"):
        mean_of_holdouts(values, ratio, level)
