"""What is equal but for rounding is chosen alike: no result hangs on the last bit of a number."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opchar
from opchar.reject.options import error_reject_curve
from opchar.spaces.compare import compare_cost, compare_f, compare_roc
from opchar.spaces.cost import lower_envelope
from opchar.spaces.det import equal_error_rate
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import operating_points
from opchar.statistics.areas import areas
from opchar.statistics.cross_fitting import cross_fitted
from opchar.statistics.ranking import rank_scores
from opchar.statistics.rate_curves import near_thresholds, rate_curves
from opchar.ties import at_most, first_largest, first_least

SETTINGS = settings(max_examples=40, deadline=None)
PRIORS = np.array([0.0, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.8, 1.0])
SCALES = (1 / 7, 0.1, 1 / 3, 0.7, 1e-3)

# Every public function of labels, scores and weights.
OF_WEIGHTS: dict[str, list[dict[str, Any]]] = {
    "best_f": [{"prior": PRIORS, "alpha": alpha} for alpha in (0.0, 0.3, 0.5, 1.0)],
    "best_threshold": [
        {},
        {"prior": PRIORS},
        {"prior": PRIORS, "criterion": "cost"},
        {"criterion": "cost", "cost_fn": 3.0},
    ],
    "brier_curve": [{"pc": PRIORS}],
    "brier_score": [{}, {"prior": 0.3}],
    "cost_curve": [{"pc": PRIORS}],
    "det_curve": [{}],
    "equal_error_rate": [{}],
    "f_curve": [{"prior": PRIORS}],
    "least_cost": [{"prior": PRIORS}, {"cost_fp": 2.0}],
    "mean_pr_auc": [{"low": 0.1, "high": 0.7}],
    "neyman_pearson": [{"max_fpr": limit} for limit in (0.0, 0.1, 0.25, 0.3, 0.6)],
    "pr_auc": [{"method": method} for method in ("exact", "trapezoid", "steps")],
    "precision_recall_curve": [{}, {"prior": 0.3}],
    "roc_auc": [{}, {"low": 0.1, "high": 0.3}],
    "roc_curve": [{}, {"hull": True}],
}


def test_every_function_of_scores_is_in_the_table() -> None:
    assert OF_WEIGHTS.keys() == set(opchar._SCORED) - {"points_of"} | {
        *("best_threshold", "neyman_pearson")
    }


@st.composite
def samples(draw: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Draw labels, tied scores, small whole weights, and a number that makes rounding of them."""
    n = draw(st.integers(4, 24))
    y = np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))])
    score = np.array(draw(st.lists(st.integers(0, 10), min_size=n, max_size=n))) / 10
    weight = np.array(draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)))
    return y, score, weight, draw(st.sampled_from(SCALES))


def parts(found: Any) -> list[np.ndarray]:
    return [np.asarray(each, float) for each in (found if isinstance(found, tuple) else (found,))]


def assert_alike(one: Any, two: Any) -> None:
    for first, second in zip(parts(one), parts(two), strict=True):
        np.testing.assert_allclose(first, second, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", OF_WEIGHTS)
@SETTINGS
@given(samples())
def test_rounded_weights_are_whole_ones(name: str, sample: Any) -> None:
    y, score, weight, scale = sample
    for options in OF_WEIGHTS[name]:
        function = getattr(opchar, name)
        whole = function(y, score, sample_weight=weight, **options)
        assert_alike(whole, function(y, score, sample_weight=weight * scale, **options))


@SETTINGS
@given(samples())
def test_choices_are_those_of_whole_weights(sample: Any) -> None:
    y, score, weight, scale = sample
    one, two = (operating_points(y, score, each) for each in (weight, weight * scale))
    assert equal_error_rate(one).threshold == equal_error_rate(two).threshold
    for make in (lower_envelope, lambda points: upper_envelope(points, 0.3)):
        whole, rounded = make(one), make(two)
        np.testing.assert_allclose(whole.breakpoints, rounded.breakpoints, atol=1e-12)
        np.testing.assert_array_equal(whole.points.thresholds, rounded.points.thresholds)
    data = [rank_scores(y, score, each.astype(float)) for each in (weight, weight * scale)]
    found = [
        near_thresholds(each.points(), lambda t, f: 0.5 * (1 - t) + 0.5 * f, numbers=(9.0, 9.0))
        for each in data
    ]
    np.testing.assert_array_equal(*found)
    curves = [error_reject_curve(y == 1, score, each) for each in (weight, weight * scale)]
    assert_alike(curves[0].errors, curves[1].errors)


@SETTINGS
@given(samples(), samples())
def test_comparisons_are_those_of_whole_weights(first: Any, second: Any) -> None:
    """Envelopes that touch at a point, or along a range, do so whatever was rounded."""
    found = []
    for scale in (1, first[3]):
        points = [operating_points(each[0], each[1], each[2] * scale) for each in (first, second)]
        costs, f = (
            [make(each) for each in points]
            for make in (lower_envelope, lambda each: upper_envelope(each, 0.5))
        )
        found.append([compare_roc(*points), compare_cost(*costs), compare_f(*f)])
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one.better, two.better)
        np.testing.assert_allclose(one.edges, two.edges, atol=1e-9)


def bounds(is_positive: np.ndarray, scores: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """Return all ends of intervals of expected costs of two models, and of their difference."""
    pc = np.array([0.25, 0.5, 0.75])

    def cost(tpr: np.ndarray, fpr: np.ndarray) -> np.ndarray:
        return (1 - tpr) * pc + fpr * (1 - pc)

    fold = np.arange(len(is_positive)) % 3
    models = [rank_scores(is_positive, row, weight) for row in scores]
    chosen = [
        cross_fitted(model, fold, lambda points: lower_envelope(points).threshold(pc))
        for model in models
    ]
    near = [near_thresholds(model.points(), cost, numbers=(12.0, 18.0)) for model in models]
    curves = rate_curves(models, chosen, near, fold)
    bands = curves.band(cost, np.random.default_rng(1))
    apart = curves.differences(cost, [(0, 1)], np.random.default_rng(2))
    return np.concatenate(
        [
            np.ravel(each)
            for band in (bands, apart)
            for each in (band.low, band.high, band.band_low, band.band_high)
        ]
    )


@pytest.mark.parametrize("seed", range(4))
def test_intervals_do_not_hang_on_directions_of_eigenvectors(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LAPACK may turn any eigenvector round, and rotate those of one eigenvalue."""
    rng = np.random.default_rng(seed)
    is_positive = np.arange(30) < 12
    scores = rng.integers(0, 8, (2, 30)) + 2.0 * is_positive
    usual = bounds(is_positive, scores, None)
    np.testing.assert_allclose(bounds(is_positive, scores, np.full(30, 0.1)), usual, atol=1e-9)
    eigh = np.linalg.eigh

    def turned(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values, vectors = eigh(matrix)
        return values, vectors * rng.choice([-1.0, 1.0], len(values))

    monkeypatch.setattr(np.linalg, "eigh", turned)
    np.testing.assert_allclose(bounds(is_positive, scores, None), usual, atol=1e-9)


@SETTINGS
@given(samples())
def test_areas_are_those_of_whole_weights(sample: Any) -> None:
    y, score, weight, scale = sample
    if min((y == 1).sum(), (y == 0).sum()) < 2:
        return
    one, two = (areas(y == 1, score, each) for each in (weight, weight * scale))
    np.testing.assert_allclose(one.areas, two.areas, atol=1e-12)
    np.testing.assert_allclose(one.interval(), two.interval(), atol=1e-9)


def test_equals_up_to_rounding_tie() -> None:
    assert first_least([0.3, 0.1 + 0.2 - 1e-16]) == 0
    assert first_largest([[0.3, 1.0], [0.1 + 0.2, 2.0]]).tolist() == [0, 1]
    assert first_least([[1.0, 0.9], [np.inf, 5.0]], axis=1).tolist() == [1, 1]
    assert first_least([1e-20, 0.0, 1.0]) == 0
    assert at_most([0.1 + 0.2, 0.3001], 0.3).tolist() == [True, False]
