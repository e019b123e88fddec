"""Counts at operating points, and of enlarged negative classes."""

from fractions import Fraction

import numpy as np
import pytest

import opchar
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


def test_counts_of_10_to_the_18_keep_the_few_missed():
    points = operating_points([1, 0, 1, 0], [4, 3, 2, 1], [10**18, 10**18, 2, 3])
    counts = counts_at(points)
    assert counts.fn.tolist() == [1e18 + 2, 2, 2, 0, 0]
    assert counts.tn.tolist() == [1e18 + 3, 1e18 + 3, 3, 3, 0]
    curve = opchar.det_curve([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[10**18, 10**18, 2, 3])
    np.testing.assert_allclose(curve.fnr[1:], [2e-18, 2e-18, 0, 0], rtol=1e-12)


def test_counts_of_fractional_weights_are_never_negative():
    rng = np.random.default_rng(5)
    for _ in range(200):
        labels, weight = np.arange(12) < 4, rng.integers(1, 9, 12) / 10
        counts = counts_at(operating_points(labels, rng.integers(0, 9, 12), weight))
        assert min(part.min() for part in counts) >= 0
        assert counts.fn[-1] == counts.tn[-1] == 0


def test_missed_shares_of_many_objects_are_rounded_once() -> None:
    rng = np.random.default_rng(7)
    y, score = rng.integers(2, size=5000), rng.random(5000)
    found, positives = np.append(0, np.cumsum(y[np.argsort(-score)])).tolist(), int(y.sum())
    missed = [float(Fraction(positives - each, positives)) for each in found]
    assert opchar.det_curve(y, score).fnr.tolist() == missed
