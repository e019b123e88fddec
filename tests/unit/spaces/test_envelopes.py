import numpy as np
import pytest

from opchar.spaces.compare import Ranges
from opchar.spaces.cost import crossing_pc, expected_cost, lower_envelope, probability_cost
from opchar.spaces.f_measure import crossing_prior, f_measure, upper_envelope
from opchar.spaces.points import from_rates, operating_points

GRID = np.linspace(0, 1, 2001)


def sample(seed, n=400, levels=None):
    rng = np.random.default_rng(seed)
    is_positive = rng.random(n) < 0.3
    score = rng.normal(is_positive, 1.0)
    return is_positive, score if levels is None else np.round(score * levels) / levels


def test_f_measure_is_the_weighted_harmonic_mean_of_counts():
    tp, fp, fn, tn = 22, 3, 3, 72
    for alpha in (0.1, 0.5, 0.9):
        harmonic = 1 / (alpha * (tp + fp) / tp + (1 - alpha) * (tp + fn) / tp)
        value = f_measure(tp / (tp + fn), fp / (fp + tn), 0.25, alpha)
        assert value == pytest.approx(harmonic, abs=1e-15)


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


@pytest.mark.parametrize("alpha", [0.05, 0.5, 0.85])
@pytest.mark.parametrize("levels", [None, 3])
def test_f_envelope_is_the_best_of_all_curves(alpha, levels):
    points = operating_points(*sample(5, levels=levels))
    envelope = upper_envelope(points, alpha)
    best = f_measure(points.tpr[:, None], points.fpr[:, None], GRID, alpha).max(axis=0)
    np.testing.assert_allclose(envelope(GRID), best, atol=1e-14)
    assert (np.diff(envelope.breakpoints) > 0).all()


@pytest.mark.parametrize("levels", [None, 3])
def test_cost_envelope_is_the_least_of_all_lines(levels):
    points = operating_points(*sample(6, levels=levels))
    envelope = lower_envelope(points)
    least = expected_cost(points.tpr[:, None], points.fpr[:, None], GRID).min(axis=0)
    np.testing.assert_allclose(envelope(GRID), least, atol=1e-14)


def test_neighbours_on_an_envelope_are_equal_at_their_breakpoint():
    points = operating_points(*sample(7))
    envelope = upper_envelope(points, 0.3)
    at, best = envelope.breakpoints[1:-1], envelope.points
    left = f_measure(best.tpr[:-1], best.fpr[:-1], at, 0.3)
    right = f_measure(best.tpr[1:], best.fpr[1:], at, 0.3)
    assert len(at) > 3
    np.testing.assert_allclose(left, right, rtol=1e-14)
    np.testing.assert_allclose(
        at,
        crossing_prior(best.tpr[:-1], best.fpr[:-1], best.tpr[1:], best.fpr[1:], 0.3),
        rtol=1e-9,
    )


def test_optimal_threshold_reaches_the_envelope():
    is_positive, score = sample(8)
    envelope = upper_envelope(operating_points(is_positive, score), 0.5)
    for prior in (0.03, 0.3, 0.8):
        accepted = score >= envelope.threshold(prior)
        tpr, fpr = accepted[is_positive].mean(), accepted[~is_positive].mean()
        assert f_measure(tpr, fpr, prior, 0.5) == pytest.approx(float(envelope(prior)), abs=1e-15)


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


def test_conditions_outside_the_unit_interval_are_refused():
    with pytest.raises(ValueError, match="alpha"):
        upper_envelope(from_rates([0.5], [0.1]), 1.5)
    with pytest.raises(ValueError, match="conditions"):
        lower_envelope(from_rates([0.5], [0.1])).best(-0.1)


def test_a_range_of_equality_is_no_crossing():
    edges = np.array([0, 0.3, 0.6, 1])
    assert Ranges(edges, np.array([1, 0, -1])).crossings.tolist() == []
    assert Ranges(edges, np.array([1, -1, 0])).crossings.tolist() == [0.3]


def test_huge_counts_have_the_f_envelope_of_small_ones():
    rng = np.random.default_rng(2)
    positive, score = rng.random(40) < 0.3, rng.integers(0, 15, 40)
    whole = upper_envelope(operating_points(positive, score), 0.4)
    huge = operating_points(positive, score, sample_weight=np.full(40, 10**15))
    found = upper_envelope(huge, 0.4)
    assert huge.coordinates[0].dtype == object
    np.testing.assert_allclose(found.breakpoints, whole.breakpoints, rtol=1e-12)
    assert found.points.tpr.tolist() == whole.points.tpr.tolist()
