"""Systems of a detector and a classifier designed from scores."""

from itertools import product

import numpy as np
import pytest

from opchar.reject.two_stage.design import TwoStageScores, even_thresholds
from opchar.reject.two_stage.weight_search import weight_grid

ONES = [1.0, 1.0, 1.0]


def drawn(number=300, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    label = np.append(np.arange(-1, n_classes), rng.integers(-1, n_classes, number))
    detector = rng.normal(size=len(label)) + 1.5 * (label >= 0)
    outputs = rng.dirichlet(np.ones(n_classes), len(label))
    outputs[np.arange(len(label)), np.maximum(label, 0)] += 0.5
    return TwoStageScores(label, detector, outputs / outputs.sum(axis=1, keepdims=True))


def test_posteriors_and_their_log_odds_are_one_system():
    system = drawn()
    odds = TwoStageScores(system.label, system.detector, system.score)
    by_outputs, by_odds = system.holistic([2, 3, 10], ONES), odds.holistic([2, 3, 10], ONES)
    assert by_outputs.loss == by_odds.loss
    theta = by_outputs.theta_c
    weights = np.array([1, np.exp(theta - 1e-9)])
    assert system.rates(0.3, theta)[0] == pytest.approx(system.rates(0.3, weights)[0])


def test_the_outliers_scores_of_the_classifier_do_not_matter():
    system = drawn()
    noisy = np.where(system.is_target[:, None], system.classifier, np.nan)
    other = TwoStageScores(system.label, system.detector, noisy)
    assert other.holistic([2, 3, 10]).loss == system.holistic([2, 3, 10]).loss
    three = drawn(n_classes=3)
    noisy = np.where(three.is_target[:, None], three.classifier, np.nan)
    other = TwoStageScores(three.label, three.detector, noisy)
    assert other.holistic([1, 8, 1, 10]).loss == three.holistic([1, 8, 1, 10]).loss


def test_designs_on_a_grid_are_the_best_of_the_grid():
    system = drawn(number=120)
    theta_ds, theta_cs = even_thresholds(system.detector, 10), even_thresholds(system.score, 20)
    grid, costs = (theta_ds, theta_cs), [1, 1, 4]
    holistic, alone = system.holistic(costs, grid=grid), system.independent(costs, grid=grid)
    assert holistic.loss == pytest.approx(system.loss_surface(*grid, costs).min())
    assert alone.theta_d in theta_ds and alone.theta_c in theta_cs
    assert system.holistic(costs).loss <= holistic.loss <= alone.loss
    every = np.unique(system.detector), np.unique(system.score)
    whole = system.holistic(costs, grid=every).loss
    assert whole == pytest.approx(system.holistic(costs).loss)
    assert system.independent(costs, grid=every).theta_d == system.independent(costs).theta_d


def test_designs_of_three_classes_on_a_grid():
    system = drawn(number=60, n_classes=3)
    grid = even_thresholds(system.detector, 10), weight_grid(3, 4)
    costs = [1, 8, 1, 10]
    losses = [system.design(d, w, costs).loss for d in grid[0] for w in grid[1]]
    assert system.holistic(costs, grid=grid).loss == pytest.approx(min(losses))
    for accepted in (False, True):
        alone = system.independent(costs, grid=grid, accepted_only=accepted)
        assert alone.loss >= min(losses) - 1e-12
    assert system.holistic(costs, steps=4, refine=False).loss <= min(losses) + 1e-12


def test_three_classes_have_a_bound_below_what_the_search_finds():
    system = drawn(number=200, n_classes=3)
    for costs in ([1, 8, 1, 10], [1, 1, 1, 3]):
        bound, found = system.lower_bound(costs), system.holistic(costs, steps=5).loss
        assert 0 < bound < found <= system.design(np.inf, np.ones(3), costs).loss
        assert bound <= system.independent(costs, steps=4).loss
    sharp = TwoStageScores(system.label, system.detector, np.eye(3)[system.label])
    assert sharp.lower_bound([1, 8, 1, 10]) == pytest.approx(sharp.holistic([1, 8, 1, 10]).loss)


def test_what_was_set_on_one_sample_is_judged_on_another():
    trained, fresh = drawn(seed=1), drawn(seed=2)
    best = trained.holistic([2, 3, 10], ONES)
    judged = fresh.design(best.theta_d, best.theta_c, [2, 3, 10], ONES)
    assert judged.theta_d == best.theta_d
    assert judged.loss == pytest.approx(
        2 * judged.misses[0] + 3 * judged.misses[1] + 10 * judged.fpr
    )
    assert judged.loss >= fresh.holistic([2, 3, 10], ONES).loss


def test_rejecting_all_may_be_best_and_has_its_cost_beside_it():
    hopeless = TwoStageScores([0, 1, -1], [1, 2, 3], [5, 1, 0])
    best = hopeless.holistic([2, 3, 10], ONES)
    assert best.rejects_all and best.theta_d == np.inf
    assert best.loss == best.loss_of_rejecting_all == 5
    fair = drawn().holistic([2, 3, 1], ONES)
    assert not fair.rejects_all
    assert fair.loss < fair.loss_of_rejecting_all == 5


def test_criteria_of_the_detector_differ_as_their_costs_do():
    """One target each at 2 and at 1, an outlier at 1.5: below 1 is worth c_t1 more misses."""
    system = TwoStageScores([1, 0, -1], [2, 1, 1.5], [0, 1, 0])
    theta = {
        name: system.independent([4, 2, 3.5], ONES, criterion=name).theta_d
        for name in ("summed", "single", "each")
    }
    assert theta == {"summed": 1, "single": 2, "each": 1}
    with pytest.raises(ValueError, match="unknown criterion"):
        system.independent(ONES, criterion="other")


def test_no_single_weight_improves_a_refined_design():
    system = drawn(number=40, n_classes=3, seed=3)
    costs = [1, 1, 1, 3]
    best = system.holistic(costs)
    for axis, factor in product(range(3), np.exp(np.linspace(-4, 4, 81))):
        changed = np.array(best.theta_c)
        changed[axis] *= factor
        losses = [system.design(d, changed, costs).loss for d in system.detector]
        assert min(losses) >= best.loss - 1e-12


def test_three_classes_nearly_reach_brute_force():
    """Over a fine grid of weights and all thresholds; the search is only promised along axes."""
    system = drawn(number=25, n_classes=3, seed=4)
    costs = [1, 2, 1, 3]
    best = system.holistic(costs).loss
    least = min(
        system.design(d, w, costs).loss for w in weight_grid(3, 25, 1.5) for d in system.detector
    )
    assert best <= least + 1e-12


def test_columns_of_a_score_table():
    system = TwoStageScores.from_labels(
        ["3", "no", "8"], [1, 2, 3], [[0.9, 0.1]] * 3, classes=["3", "8"], outlier="no"
    )
    assert system.label.tolist() == [0, -1, 1]
    with_column = TwoStageScores.from_labels(
        ["3", "no", "8"], [1, 2, 3], [[0.9, 0.0, 0.1]] * 3, classes=["3", "no", "8"], outlier="no"
    )
    assert with_column.label.tolist() == [0, -1, 1]
    assert with_column.classifier.tolist() == system.classifier.tolist()
    with pytest.raises(ValueError, match="as many columns"):
        TwoStageScores.from_labels(["3"], [1], [[1]], classes=["3", "8"], outlier="no")
    with pytest.raises(ValueError, match="'5' is neither"):
        TwoStageScores.from_labels(["5"], [1], [[1, 0]], classes=["3", "8"], outlier="no")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (([0, 1], [1, 2], [1, 2]), "no outliers"),
        (([0, 0, -1], [1, 2, 3], [1, 2, 3]), "no objects of target class 1"),
        (([0, 1, -1], [1, 2], [1, 2, 3]), "equally long"),
        (([0, -1], [1, 2], [[1], [1]]), "two target classes"),
        (([0, 1, 2, -1], [1, 2, 3, 4], [1, 2, 3, 4]), "labels must lie"),
        (([0, 1, -1], [1, np.nan, 2], [1, 2, 3]), "detector"),
        (([0, 1, -1], [1, np.inf, 2], [1, 2, 3]), "detector"),
        (([0, 1, -1], [1, 2, 3], [1, np.nan, 2]), "finite"),
        (([0, 1, -1], [1, 2, 3], [[1, -1], [1, 0], [1, 0]]), "negative"),
        (([0, 1, -1], [1, 2, 3], [[0, 0], [1, 0], [1, 0]]), "all be zero"),
    ],
)
def test_what_is_no_sample_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        TwoStageScores(*given)


@pytest.mark.parametrize(
    ("costs", "priors", "message"),
    [
        ([1, 1], None, "costs must be 3"),
        ([1, 1, -1], None, "costs must be 3"),
        (ONES, [1, np.nan, 1], "priors must be 3"),
    ],
)
def test_what_is_no_cost_is_refused(costs, priors, message):
    with pytest.raises(ValueError, match=message):
        drawn(10).holistic(costs, priors)


ONE_SCORE = TwoStageScores([0, 1, -1], [1, 2, 3], [1, 2, 3])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *((lambda w=w: drawn(10).rates(0, w), "weights") for w in ([1, -1], [0, 0], [1, 1, 1])),
        (lambda: drawn(10).rates(np.nan, 0), "must be a number"),
        (lambda: ONE_SCORE.rates(0, [1, 1]), "not weights"),
        (lambda: drawn(10, 3).rates(0, 0.5), "not one threshold"),
        (lambda: weight_grid(3, 1), "two steps"),
        (lambda: even_thresholds([np.inf], 5), "finite scores"),
    ],
)
def test_what_is_no_threshold_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
