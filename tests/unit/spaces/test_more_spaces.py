import numpy as np
import pytest
from scipy.stats import norm

from opchar.spaces.brier import brier_score, rates_at
from opchar.spaces.compare import Ranges, compare_cost, compare_f, compare_roc
from opchar.spaces.cost import lower_envelope
from opchar.spaces.det import equal_error_rate, normal_deviate
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import from_rates, operating_points
from opchar.spaces.precision_recall import auprec, auprg, average_precision, iauprec
from opchar.spaces.roc import auc, partial_auc, resolve_ties


def sample(seed=0, n=500):
    rng = np.random.default_rng(seed)
    is_positive = rng.random(n) < 0.3
    return is_positive, np.round(1 / (1 + np.exp(-rng.normal(is_positive * 1.5))), 2)


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.2), (0.1, 0.4), (0.5, 1.0)])
def test_standardised_partial_auc_is_one_half_by_chance_and_one_if_perfect(low, high):
    chance, perfect = from_rates([0.0, 1.0], [0.0, 1.0]), from_rates([1.0], [0.0])
    assert partial_auc(chance, low, high, standardised=True) == pytest.approx(0.5)
    assert partial_auc(perfect, low, high, standardised=True) == pytest.approx(1.0)


@pytest.mark.parametrize("is_positive", [True, False])
def test_nothing_is_made_up_for_a_sample_of_one_class(is_positive):
    points = operating_points([is_positive] * 3, [0.2, 0.2, 0.9])
    areas = [
        auc(points),
        auc(resolve_ties(points, "optimistic")),
        partial_auc(points, 0, 0.3),
        auprec(points, 0.4),
        iauprec(points, 0.1, 0.4),
        average_precision(points, 0.4),
        auprg(points, 0.4),
        equal_error_rate(points).rate,
        brier_score(points, 0.5),
    ]
    assert np.isnan(areas).all(), areas
    for envelope in (lower_envelope, lambda points: upper_envelope(points, 0.5)):
        with pytest.raises(ValueError, match="both classes"):
            envelope(points)


def test_det_scale_is_the_normal_quantile():
    np.testing.assert_allclose(normal_deviate([0.1, 0.5, 0.9]), norm.ppf([0.1, 0.5, 0.9]))
    assert normal_deviate([0.0, 1.0]).tolist() == [-np.inf, np.inf]


def test_equal_error_rate_and_its_threshold():
    is_positive = np.repeat([True, False], 10)
    score = np.array(
        [10, 9, 8, 7, 6, 5.5, 5, 4.5, 4, 1.5, 7.5, 5.2, 3, 2.9, 2.8, 2, 1, 0.9, 0.8, 0]
    )
    error = equal_error_rate(operating_points(is_positive, score))
    assert error.rate == pytest.approx(0.2)
    accepted = score >= error.threshold
    assert accepted[~is_positive].mean() == pytest.approx(0.2)
    assert equal_error_rate(operating_points([True, False], [1.0, 0.0])).rate == 0
    assert np.isnan(equal_error_rate(operating_points([True], [1.0])).rate)


def test_rates_at_a_threshold_count_the_scores_that_reach_it():
    is_positive, score = sample()
    points = operating_points(is_positive, score)
    for threshold in (-1.0, 0.0, 0.31, 0.315, 0.99, 2.0):
        tpr, fpr = rates_at(points, threshold)
        accepted = score >= threshold
        assert tpr == accepted[is_positive].mean()
        assert fpr == accepted[~is_positive].mean()


def test_ties_put_corners_where_no_threshold_reaches():
    points = operating_points([True, False, True, False], [2.0, 1.0, 1.0, 0.0])
    best = resolve_ties(points, "optimistic")
    assert list(zip(best.fpr, best.tpr, strict=True)) == [
        (0, 0),
        (0, 0.5),
        (0, 1),
        (0.5, 1),
        (1, 1),
    ]
    assert np.isnan(best.thresholds).tolist() == [False, False, True, False, False]


def test_a_range_of_equality_is_no_crossing():
    edges = np.array([0.0, 0.2, 0.4, 0.7, 1.0])
    assert Ranges(edges, np.array([1, 0, -1, 1])).crossings.tolist() == [0.7]
    assert Ranges(edges, np.array([1, -1, 1, 0])).crossings.tolist() == [0.2, 0.4]


def test_dominance_and_crossings():
    better, worse = from_rates([0, 0.8, 1], [0, 0.1, 1]), from_rates([0, 0.6, 1], [0, 0.3, 1])
    assert compare_roc(better, worse).dominates()
    assert not compare_roc(worse, better).dominates()
    assert compare_cost(lower_envelope(better), lower_envelope(worse)).dominates()
    same = compare_f(upper_envelope(better, 0.5), upper_envelope(better, 0.5))
    assert same.better.tolist() == [0]
    assert not same.dominates()
    crossing = compare_f(
        upper_envelope(from_rates([0.55], [0.08]), 0.5),
        upper_envelope(from_rates([0.5], [0.03]), 0.5),
    )
    assert crossing.crossings.tolist() == pytest.approx([0.0235 / 0.0735])
    assert crossing.where(-1) == [(0.0, crossing.crossings[0])]
    with pytest.raises(ValueError, match="share alpha"):
        compare_f(upper_envelope(better, 0.5), upper_envelope(better, 0.4))
