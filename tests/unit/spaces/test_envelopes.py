import numpy as np
import pytest

from opchar.spaces.cost import crossing_pc, lower_envelope, probability_cost
from opchar.spaces.f_measure import crossing_prior, f_measure, upper_envelope
from opchar.spaces.points import from_rates

GRID = np.linspace(0, 1, 2001)


@pytest.mark.parametrize(
    ("tpr", "fpr", "prior", "alpha", "expected"),
    [
        (0.8, 0.1, 0.0, 0.5, 0.0),
        (0.8, 0.0, 0.0, 0.5, 0.8 / 0.9),
        (0.8, 0.1, 0.0, 0.0, 0.8),
        (0.8, 0.1, 1.0, 0.5, 0.8 / 0.9),
        (0.0, 0.0, 0.3, 0.5, 0.0),
        (0.0, 0.0, 0.3, 1.0, 0.0),
        (0.8, 0.1, 1.0, 1.0, 1.0),
    ],
)
def test_f_measure_at_the_ends_is_its_limit(tpr, fpr, prior, alpha, expected):
    assert f_measure(tpr, fpr, prior, alpha) == pytest.approx(expected, abs=1e-15)


def test_broadcasting_keeps_the_shape():
    assert f_measure([[0.5], [0.6]], 0.1, [0.0, 0.5, 1.0], 0.5).shape == (2, 3)
    assert f_measure(0.5, [0.0, 0.1], 0.0, [[0.2], [0.5]]).shape == (2, 2)
    assert crossing_prior(0.5, 0.1, [0.6, 0.7], 0.2, 0.5).shape == (2,)
    assert probability_cost([0.1, 0.2], [[0.0], [1.0]]).tolist() == [[1, 1], [0, 0]]


@pytest.mark.parametrize(("alpha", "tpr"), [(0.0, [1.0]), (1.0, [0.5])])
def test_recall_and_precision_alone_need_one_point_for_all_priors(alpha, tpr):
    envelope = upper_envelope(from_rates([0, 0.5, 0.8, 1], [0, 0.05, 0.2, 1]), alpha)
    assert envelope.points.tpr.tolist() == tpr
    assert envelope.breakpoints.tolist() == [0, 1]


def test_crisp_points_need_no_corners():
    points = from_rates([0.9, 0.6, 0.5], [0.1, 0.3, 0.8])
    assert upper_envelope(points, 0.5).points.tpr.tolist() == [0.9]
    assert lower_envelope(points).points.tpr.tolist() == [0.9]


def test_accepting_nothing_alone_has_f_zero_everywhere():
    envelope = upper_envelope(from_rates([0], [0]), 0.5)
    assert envelope(GRID).max() == 0
    assert envelope.breakpoints.tolist() == [0, 1]


def test_no_crossing_is_nan():
    assert np.isnan(crossing_prior(0.98, 0.5, 0.93, 0.6, 0.5))
    assert np.isnan(crossing_prior(0.3, 0.2, 0.9, 0.3, 0.5))
    assert np.isnan(crossing_pc(0.98, 0.5, 0.93, 0.6))
    assert crossing_pc(0.55, 0.08, 0.5, 0.03) == pytest.approx(0.5)


def test_probability_cost_is_that_of_the_two_costs():
    false_negative, false_positive, prior = 3.0, 2.0, 0.2
    expected = prior * false_negative / (prior * false_negative + (1 - prior) * false_positive)
    m = false_positive / (false_positive + false_negative)
    assert probability_cost(prior, m) == pytest.approx(expected)
    assert probability_cost([0.0, 1.0], [0.0, 1.0]).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("slope", np.arange(0.05, 1, 0.07))
def test_equal_precision_at_all_recalls_is_the_f_envelope_of_precision_alone(slope):
    """Points on a line through the origin, but for the last bits of a float."""
    points = from_rates(rates := np.array([0.14, 0.43, 0.9, 0.99]), slope * rates)
    envelope = upper_envelope(points, 1)
    assert np.isfinite(envelope.breakpoints).all()
    prior = np.linspace(0.05, 0.95, 7)
    np.testing.assert_allclose(envelope(prior), prior / (prior + (1 - prior) * slope))
