import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.metrics import roc_auc_score

from opchar.spaces.points import from_rates, operating_points
from opchar.spaces.precision_recall import auprec, iauprec, precision
from opchar.spaces.roc import auc, partial_auc


def sample(seed, n=300, levels=40):
    rng = np.random.default_rng(seed)
    is_positive = rng.random(n) < 0.3
    return is_positive, np.round(rng.normal(is_positive, 1.0) * levels / 6) / levels


def test_auc_is_the_probability_of_a_right_order_with_ties_one_half():
    is_positive, score = sample(1)
    difference = score[is_positive][:, None] - score[~is_positive][None, :]
    expected = (difference > 0).mean() + (difference == 0).mean() / 2
    area = auc(operating_points(is_positive, score))
    assert area == pytest.approx(expected, abs=1e-14)
    assert area == pytest.approx(roc_auc_score(is_positive, score), abs=1e-14)


def test_auc_of_one_class_is_nan():
    assert np.isnan(auc(operating_points([True, True], [1.0, 2.0])))


def test_precision_is_undefined_where_nothing_is_accepted():
    assert np.isnan(precision(0.0, 0.0, 0.3))
    assert precision(0.0, 0.2, 0.3) == 0
    assert precision(0.3, 0.3, 0.3) == pytest.approx(0.3)


def test_precision_of_a_sample_is_the_share_of_positives_among_the_accepted():
    is_positive, score = sample(2)
    points = operating_points(is_positive, score)
    values = precision(points.tpr, points.fpr, is_positive.mean())
    for threshold, value in zip(points.thresholds[1:], values[1:], strict=True):
        assert value == pytest.approx(is_positive[score >= threshold].mean(), abs=1e-14)


@pytest.mark.parametrize("prior", [0.01, 0.3, 0.5, 1.0])
def test_auprec_is_the_loop_of_the_thesis(prior):
    points = operating_points(*sample(3))
    skew = (1 - prior) / prior
    area = 0.0
    for i in range(1, len(points)):
        now = points.tpr[i] / (points.tpr[i] + skew * points.fpr[i]) if i else 0
        before = (
            points.tpr[i - 1] / (points.tpr[i - 1] + skew * points.fpr[i - 1]) if i > 1 else now
        )
        area += (points.tpr[i] - points.tpr[i - 1]) * (now + before) / 2
    assert auprec(points, prior) == pytest.approx(area, abs=1e-13)


def test_the_first_point_rule_changes_only_the_first_step():
    points = from_rates([0, 0.4, 1], [0, 0.1, 1])
    first = float(precision(0.4, 0.1, 0.5))
    assert auprec(points, 0.5, "one") - auprec(points, 0.5) == pytest.approx(0.2 * (1 - first))
    assert auprec(points, 0.5) - auprec(points, 0.5, "zero") == pytest.approx(0.2 * first)


@pytest.mark.parametrize(("low", "high"), [(0.01, 0.5), (0.0, 1.0), (0.4, 0.400001), (0.1, 0.9)])
def test_iauprec_is_the_mean_of_auprec_over_priors(low, high):
    points = operating_points(*sample(4, n=60))
    expected = quad(lambda prior: auprec(points, prior), low, high, epsabs=1e-12, limit=500)[0]
    assert iauprec(points, low, high) == pytest.approx(expected / (high - low), abs=1e-9)


def test_iauprec_of_points_near_the_diagonal_does_not_cancel():
    tpr = np.array([0.3, 0.5, 1.0])
    points = from_rates(tpr, tpr * (1 - 1e-9))
    assert iauprec(points, 0.2, 0.6) == pytest.approx(0.4 * 0.7, rel=1e-8)


def test_iauprec_refuses_a_range_that_is_none():
    with pytest.raises(ValueError, match="low < high"):
        iauprec(from_rates([0.5], [0.1]), 0.5, 0.5)


def test_a_standardised_area_is_a_half_on_the_diagonal_and_one_at_best():
    for tpr, fpr, expected in ((0.5, 0.5, 0.5), (1.0, 0.0, 1.0)):
        found = partial_auc(from_rates([tpr], [fpr]), 0.2, 0.6, standardised=True)
        assert found == pytest.approx(expected)
