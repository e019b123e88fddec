"""Maps from scores to probabilities are the likeliest ones, as other programs find them."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from opchar.statistics.calibration import NEAREST, calibration


def _sample(seed: int, n: int, distance: float, *, whole: bool = False):
    rng = np.random.default_rng(seed)
    positive = np.append([False, True], rng.random(n - 2) < 0.3)
    weight = rng.integers(1, 9, n) if whole else rng.random(n) + 0.01
    return positive, rng.normal(distance * positive), weight


def _targets(positive, weight):
    n_positive, n_negative = weight[positive].sum(), weight[~positive].sum()
    return np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))


def _columns(scores):
    u = np.clip(scores, NEAREST, 1 - NEAREST)
    return np.column_stack([np.log(u), -np.log1p(-u)])


def _loss(columns, target, weight, parameters):
    odds = columns @ parameters[:-1] + parameters[-1]
    return (weight * (np.logaddexp(0, odds) - target * odds)).sum() / weight.sum()


@pytest.mark.parametrize("n", [40, 400, 30_000])
def test_a_sigmoid_is_the_logistic_regression_of_smoothed_targets(n):
    positive, scores, weight = _sample(n, n, 1.5)
    target = _targets(positive, weight)
    fitted = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000, solver="newton-cg").fit(
        np.tile(scores, 2)[:, None],
        np.repeat([1, 0], n),
        np.concatenate([weight * target, weight * (1 - target)]),
    )
    slope, intercept = calibration(positive, scores, "sigmoid", weight).coefficients
    assert slope == pytest.approx(fitted.coef_[0, 0], rel=1e-6)
    assert intercept == pytest.approx(fitted.intercept_[0], rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("seed", range(30))
def test_no_map_of_the_same_form_is_likelier(seed):
    distance = [-1.0, -0.1, 0.0, 0.2, 2.0, 9.0][seed % 6]
    positive, scores, weight = _sample(seed, [6, 30, 400][seed % 3], distance, whole=seed % 2 == 0)
    scores = expit(scores if seed % 4 else np.round(scores))
    target, columns = _targets(positive, weight), _columns(scores)
    found = calibration(positive, scores, "beta", weight).coefficients
    assert (found[:-1] >= 0).all()
    loss = _loss(columns, target, weight, found)
    for start in ([0.5, 0.5, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, -1.0], [0.0, 0.0, 1.0]):
        other = minimize(
            lambda given: _loss(columns, target, weight, given),
            start,
            method="L-BFGS-B",
            bounds=[(0, None), (0, None), (None, None)],
            options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 2000},
        )
        assert loss <= other.fun + 1e-12


def test_objects_in_any_order_or_counted_once_have_one_map():
    positive, scores, weight = _sample(5, 25_000, 1.0, whole=True)
    scores = np.round(scores, 3)
    order = np.lexsort((scores, positive))
    given = calibration(positive, scores, "beta", weight)
    sorted_ = calibration(positive[order], scores[order], "beta", weight[order])
    repeated = calibration(np.repeat(positive, weight), np.repeat(scores, weight), "beta")
    places = np.linspace(-3, 4, 50)
    for other in (sorted_, repeated):
        np.testing.assert_allclose(other.log_odds(places), given.log_odds(places), atol=1e-7)


@pytest.mark.parametrize("scores", [[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0, 1e150, 0, 1]])
def test_few_distinct_or_endless_scores_have_a_map(scores):
    for method in ("sigmoid", "beta"):
        assert np.isfinite(calibration([0, 0, 1, 1], scores, method).coefficients).all()
