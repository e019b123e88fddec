"""Perturbation of weights and the groups that follow."""

import numpy as np
import pytest

from cost_cases import overlapping
from opchar.multiclass.cost_weights.certificate import certify
from opchar.multiclass.cost_weights.problem import confusion_counts, cost_problem
from opchar.multiclass.decomposition import decomp, decomp_g, decomposed_roc
from opchar.multiclass.gaussians import confusion_rates
from opchar.multiclass.perturbation import (
    groups,
    groups_up_to,
    largest_by_class,
    perturbation_cubes,
    perturbed_weights,
    score_sensitivities,
    sensitivities,
)
from opchar.multiclass.roc.hypersurface import lowest_losses, vus
from opchar.multiclass.roc.weighted_scores import weighted_scores


def test_only_one_weight_moves():
    phi = perturbed_weights([1.0, 2.0, 3.0], 1, 5)
    assert phi[:, [0, 2]].tolist() == [[1.0, 3.0]] * 5
    assert phi[:, 1] == pytest.approx(10.0 ** np.linspace(-3, 3, 5))


@pytest.mark.parametrize(
    ("base", "r", "low", "message"),
    [
        ([1.0, 1.0], 1, 1e-3, "r >= 2"),
        ([1.0, 1.0], 5, 1e3, "low < high"),
        ([1.0, 0.0], 5, 1e-3, "positive"),
    ],
)
def test_impossible_perturbations_are_refused(base, r, low, message):
    with pytest.raises(ValueError, match=message):
        perturbed_weights(base, 0, r, low, 1e3)


def test_sensitivities_equal_a_loop():
    def rates(phi):
        return confusion_rates([0.0, 1.0, 5.0], [1.0, 0.5, 2.0], phi)

    found = sensitivities(rates, [1.0, 1.0, 2.0], 9)
    for moving in range(3):
        values = []
        for weight in 10.0 ** np.linspace(-3, 3, 9):
            phi = np.array([[1.0, 1.0, 2.0]])
            phi[0, moving] = weight
            values.append(rates(phi)[0])
        assert found[moving] == pytest.approx(np.max(values, axis=0) - np.min(values, axis=0))
    largest = largest_by_class(found)
    assert largest[0, 1] == found[0, :, 1].max()


@pytest.mark.parametrize(
    ("largest", "threshold"), [([[0.5, np.nan], [0, 0.5]], 0.1), (np.eye(2), np.nan)]
)
def test_groups_need_known_changes(largest, threshold):
    with pytest.raises(ValueError, match="must not be NaN"):
        groups(largest, threshold)


def test_groups_join_chains_in_either_direction():
    acts = np.zeros((5, 5))
    acts[0, 3] = acts[3, 4] = 1
    assert sorted(groups(acts, 0.5)) == [[0, 3, 4], [1], [2]]
    assert sorted(groups(acts, 1.5)) == [[0], [1], [2], [3], [4]]


def cube_by_loop(problem, moving, r):
    """Return the confusion rates at each step of one weight, by classifying anew."""
    out = []
    for weight in 10.0 ** np.linspace(-3, 3, r):
        log_weights = np.zeros(problem.n_classes)
        log_weights[moving] = np.log(weight)
        out.append(confusion_counts(problem, log_weights))
    return np.array(out) / problem.class_sizes()[:, None]


@pytest.mark.parametrize("coarse", [False, True])
def test_cubes_of_scores_equal_a_loop(coarse):
    problem = overlapping(4, 90, seed=3)
    scores = np.exp(problem.log_scores)
    if coarse:
        scores = np.ceil(scores * 4)
        problem = cost_problem(problem.y, scores, np.zeros((4, 4)))
    cubes = list(perturbation_cubes(problem.y, scores, 13))
    for moving, cube in enumerate(cubes):
        assert cube == pytest.approx(cube_by_loop(problem, moving, 13))
    found = score_sensitivities(problem.y, scores, 13)
    assert found == pytest.approx(np.array([np.ptp(cube, axis=0) for cube in cubes]))


def test_one_class_does_not_move():
    (cube,) = perturbation_cubes([0, 0], [[0.1], [0.2]], 3)
    assert cube.tolist() == [[[1.0]]] * 3


def test_cubes_refuse_what_has_no_rates():
    with pytest.raises(ValueError, match=r"no object of class \[1\]"):
        next(perturbation_cubes([0, 0], [[0.1, 0.2], [0.2, 0.1]], 3))
    with pytest.raises(ValueError, match="as many default weights"):
        next(perturbation_cubes([0, 1], np.eye(2), 3, base=[1.0]))


def test_groups_up_to_a_size():
    acts = [[0.9, 0.3, 0.2], [0.3, 0.9, 0.1], [0.2, 0.1, 0.9]]
    assert groups_up_to(acts, 3) == ([[0, 1, 2]], 0.0)
    assert groups_up_to(acts, 2) == ([[0, 1], [2]], 0.2)
    assert groups_up_to(acts, 1) == ([[0], [1], [2]], 0.3)
    with pytest.raises(ValueError, match="one class or more"):
        groups_up_to(acts, 0)


def apart(objects=240, matrices=4):
    """Return two groups, of two classes and of three, that share no objects' scores."""
    rng = np.random.default_rng(1)
    x = np.array([[0, 0], [1.5, 0], [0, 50], [1.5, 50], [0.7, 51.5]])
    y = np.arange(objects) % 5
    points = x[y] + rng.normal(size=(objects, 2))
    log_scores = -0.5 * ((points[:, None] - x) ** 2).sum(axis=2)
    costs = rng.uniform(size=(matrices, 5, 5)) * (1 - np.eye(5))
    return y, log_scores, costs


def test_separate_groups_lose_nothing():
    y, log_scores, costs = apart()
    found = groups(largest_by_class(score_sensitivities(y, log_scores, 20, log=True)), 0.0)
    assert sorted(found) == [[0, 1], [2, 3, 4]]
    roc = decomposed_roc(y, log_scores, found, 20, log=True)
    assert roc.n_points == 20 + 400
    problem = cost_problem(y, log_scores, costs, log=True)
    by_grid = decomp(problem, roc)
    certified = decomp(problem, roc, search="certified", rng=np.random.default_rng(0))
    parts = [certify(problem.of_classes(group), np.random.default_rng(0)) for group in found]
    assert certified.losses == pytest.approx(
        [one.loss + two.loss for one, two in zip(*parts, strict=True)]
    )
    assert np.all(by_grid.losses >= certified.losses - 1e-12)
    shown = roc.lowest_losses(costs)
    assert np.array_equal(shown.log_weights, by_grid.log_weights)
    volumes = [vus(roc.part(group)) for group in found]
    assert roc.volume() == pytest.approx(volumes[0] * volumes[1])


def test_decomposition_of_groups_is_the_grid_of_each():
    """With one group of all classes, Decomp is the search over the whole grid."""
    made, rng = overlapping(3, 300, matrices=5, seed=4), np.random.default_rng(4)
    kept = rng.random(300) < np.array([1, 0.3, 0.1])[made.y]  # classes of unequal sizes
    costs = rng.uniform(size=(5, 3, 3))
    problem = cost_problem(made.y[kept], made.log_scores[kept], costs, log=True)
    scores = np.exp(problem.log_scores)
    roc = decomposed_roc(problem.y, scores, [[2, 0, 1]], 15)
    costs = problem.prices * problem.class_sizes()[:, None]
    whole, weights = lowest_losses(
        weighted_scores(problem.y, scores, 15, fixed=0), 3 * costs, np.full(3, 1 / 3)
    )
    found = decomp(problem, roc)
    assert found.losses == pytest.approx(whole)
    assert np.exp(found.log_weights) == pytest.approx(weights)


def test_classes_alone_keep_weight_one():
    problem = overlapping(4, 60, matrices=2, seed=5)
    roc = decomposed_roc(problem.y, problem.log_scores, [[0, 2], [1], [3]], 10, log=True)
    found = decomp(problem, roc)
    assert found.log_weights[:, [1, 3]].tolist() == [[0, 0], [0, 0]]
    alone = decomposed_roc(problem.y, problem.log_scores, [[0], [1], [2], [3]], 10, log=True)
    assert alone.volume() == 1 and alone.n_points == 4
    assert not decomp(problem, alone).log_weights.any()


def test_the_greedy_end_holds_ratios_only_if_constrained():
    problem = overlapping(5, 200, matrices=6, seed=6, spread=0.8)
    roc = decomposed_roc(problem.y, problem.log_scores, [[0, 1], [2, 3], [4]], 20, log=True)
    start = decomp(problem, roc)
    held = decomp_g(problem, roc, start, np.random.default_rng(0))
    free = decomp_g(problem, roc, start, np.random.default_rng(0), constrained=False)
    for group in ([0, 1], [2, 3]):
        moved = (held.log_weights - start.log_weights)[:, group]
        assert np.ptp(moved, axis=1) == pytest.approx(np.zeros(6))
    assert np.all(held.losses <= start.losses + 1e-12)
    assert np.all(free.losses <= start.losses + 1e-12)
    assert free.losses.mean() < held.losses.mean() < start.losses.mean()


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([[0, 1], [2]], "each of the 5 classes"),
        ([[0, 1, 2], [2, 3, 4]], "each of the 5 classes"),
        ([[0, 1, 2, 3, 4]], r"a group of 5 classes needs 80\^4"),
    ],
)
def test_groups_that_cannot_be_are_refused(found, message):
    y, log_scores, costs = apart()
    with pytest.raises(ValueError, match=message):
        decomposed_roc(y, log_scores, found, log=True)
    roc = decomposed_roc(y, log_scores, [[0, 1], [2], [3], [4]], 5, log=True)
    problem = cost_problem(y, log_scores, costs, log=True)
    with pytest.raises(ValueError, match="'grid' or 'certified'"):
        decomp(problem, roc, search="fine")
    with pytest.raises(ValueError, match="generator"):
        decomp(problem, roc, search="certified")
