"""Counts at operating points, and of enlarged negative classes."""

import numpy as np
import pytest

from opchar.metrics import counts_at, enlarge_negatives, fpr, precision, tpr
from opchar.metrics.counts import Counts
from opchar.spaces.points import from_rates, operating_points


def test_counts_are_those_of_counting_at_each_threshold():
    rng = np.random.default_rng(1)
    labels, scores = rng.random(60) < 0.3, rng.integers(0, 15, 60)
    points = operating_points(labels, scores)
    counts = counts_at(points)
    for place, threshold in enumerate(points.thresholds):
        called = scores >= threshold
        assert counts.tp[place] == (called & labels).sum()
        assert counts.fn[place] == (~called & labels).sum()
        assert counts.fp[place] == (called & ~labels).sum()
        assert counts.tn[place] == (~called & ~labels).sum()


def test_rates_without_a_sample_have_no_counts():
    with pytest.raises(ValueError, match="n_positive"):
        counts_at(from_rates([0.8], [0.2]))


def test_an_enlarged_class_keeps_its_rates():
    before = Counts(*np.array([70.0, 30.0, 20.0, 80.0]))
    after = enlarge_negatives(before, np.array([0.5, 10.0]))
    np.testing.assert_allclose(tpr(*after), 0.7)
    np.testing.assert_allclose(fpr(*after), 0.2)
    np.testing.assert_allclose(precision(*after), [70 / 80, 70 / 270])


def test_a_class_cannot_be_emptied():
    with pytest.raises(ValueError, match="positive factors"):
        enlarge_negatives(Counts(1.0, 1.0, 1.0, 1.0), 0)
