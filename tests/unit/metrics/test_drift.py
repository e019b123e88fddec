import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from opchar.metrics.drift import (
    drift,
    equal_error_points,
    least_error_points,
    mean_weighted_error,
    reweighted_points,
    sample_points,
)
from opchar.spaces.points import from_rates, operating_points

SHIFT = 1.5
PRIORS = np.array([0.1, 0.5, 0.9])


def gaussians(scale=1.0, n=200_000):
    """Log odds of two unit Gaussians `SHIFT` apart, times `scale`."""
    rng = np.random.default_rng(0)
    is_positive = np.repeat([True, False], n // 2)
    x = rng.normal(size=n) + SHIFT * is_positive
    return operating_points(is_positive, scale * SHIFT * (x - SHIFT / 2))


@pytest.fixture(scope="module")
def points():
    return gaussians()


def rates(bound):
    return norm.sf(bound - SHIFT), norm.sf(bound)


def test_least_error_is_found_by_brute_force():
    rng = np.random.default_rng(0)
    found = from_rates(np.sort(rng.random(30)), np.sort(rng.random(30)))
    tpr, fpr = least_error_points(found, PRIORS)
    for prior, t, f in zip(PRIORS, tpr, fpr, strict=True):
        errors = prior * (1 - found.tpr) + (1 - prior) * found.fpr
        assert prior * (1 - t) + (1 - prior) * f == pytest.approx(errors.min())


def test_equal_errors_balance_the_weighted_errors(points):
    tpr, fpr = equal_error_points(points, PRIORS)
    for prior, t, f in zip(PRIORS, tpr, fpr, strict=True):
        bound = brentq(lambda x, p=prior: p * norm.cdf(x - SHIFT) - (1 - p) * norm.sf(x), -9, 9)
        assert (t, f) == pytest.approx(rates(bound), abs=0.005)
        assert prior * (1 - t) == pytest.approx((1 - prior) * f, abs=2e-5)


def test_posteriors_weighted_anew_agree_with_least_errors_only_if_they_are_posteriors(points):
    flat = gaussians(scale=0.2)
    truth = drift(points, least_error_points, 0.1, 0.9).sens
    assert drift(points, reweighted_points, 0.1, 0.9).sens == pytest.approx(truth, abs=0.03)
    assert drift(flat, reweighted_points, 0.1, 0.9).sens > truth + 0.1


def test_drift_in_closed_form(points):
    low, high = (SHIFT / 2 - np.log(p / (1 - p)) / SHIFT for p in (0.1, 0.9))
    (t0, f0), (t1, f1) = rates(low), rates(high)
    found = drift(points, least_error_points, 0.1, 0.9)
    assert found.sens == pytest.approx(np.hypot(t1 - t0, f1 - f0) / np.sqrt(2), abs=0.02)
    assert found.fnr_range == pytest.approx(t1 - t0, abs=0.03)
    assert found.fpr_range == pytest.approx(f1 - f0, abs=0.03)
    grid = np.linspace(f0, f1, 10_001)
    assert found.auc == pytest.approx(norm.sf(norm.isf(grid) - SHIFT).mean(), abs=0.01)
    assert found.auc_exchanged == pytest.approx(found.auc, abs=0.01)
    assert found.acc_sens == pytest.approx(np.sqrt(((1 - found.auc) ** 2 + found.sens**2) / 2))
    assert found.error == pytest.approx(norm.sf(SHIFT / 2), abs=0.005)


def test_exchanging_classes_exchanges_both_areas():
    rng = np.random.default_rng(1)
    is_positive = rng.random(300) < 0.4
    score = rng.normal(size=300) + is_positive * rng.exponential(2, size=300)
    one = drift(operating_points(is_positive, score), equal_error_points, 0.1, 0.9)
    other = drift(operating_points(~is_positive, -score), equal_error_points, 0.1, 0.9)
    assert one.auc_exchanged == pytest.approx(other.auc, abs=1e-9)
    assert one.sens == pytest.approx(other.sens, abs=1e-9)


def test_a_point_that_stays_has_its_own_height():
    crisp = from_rates([0, 0.9, 1], [0, 0.2, 1])
    found = drift(crisp, least_error_points, 0.4, 0.6)
    assert (found.sens, found.auc, found.auc_exchanged) == (0, 0.9, 0.8)
    assert found.error == pytest.approx(0.15)


def test_sampled_points_are_those_of_rounded_posteriors():
    rng = np.random.default_rng(2)
    is_positive = rng.random(500) < 0.5
    log_odds = rng.normal(size=500) + 2 * is_positive
    few = sample_points(operating_points(is_positive, log_odds), 10)
    posterior = 1 / (1 + np.exp(-log_odds))
    assert len(few) == 11
    for threshold, tpr in zip(np.linspace(1, 0, 11), few.tpr, strict=True):
        assert tpr == pytest.approx((posterior[is_positive] >= threshold).mean())
    with pytest.raises(ValueError, match="at least two steps"):
        sample_points(few, 1)


def test_the_mean_error_over_a_range_is_that_of_bayes(points):
    priors = np.linspace(0.1, 0.9, 801)
    tpr, fpr = rates(SHIFT / 2 - np.log(priors / (1 - priors)) / SHIFT)
    bayes = np.mean(priors * (1 - tpr) + (1 - priors) * fpr)
    found = mean_weighted_error(points, least_error_points, 0.1, 0.9)
    assert found == pytest.approx(bayes, abs=0.003)
    few = gaussians(n=2000)
    least = mean_weighted_error(few, least_error_points, 0.1, 0.9)
    assert mean_weighted_error(few, equal_error_points, 0.1, 0.9) > least
