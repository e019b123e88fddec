"""The exact search along a weight against trying every flip."""

from typing import get_args

import numpy as np
import pytest

from cost_cases import overlapping
from opchar.multiclass.cost_weights.cuts import best_cut, steps_reached
from opchar.multiclass.cost_weights.line_search import LOG_STEPS, LineSearch, Search, swept
from opchar.multiclass.cost_weights.problem import CostProblem, cost_problem, losses


def turns(problem, log_weights, classes):
    """Return the factors at which objects change between some classes and the others."""
    weighted = problem.log_scores + log_weights
    inside = weighted[:, classes].max(axis=1)
    outside = np.delete(weighted, classes, axis=1).max(axis=1)
    return outside - inside


def lowest_by_trying(problem, log_weights, classes):
    """Return the lowest loss over a factor between each two flips."""
    points = np.unique(turns(problem, log_weights, classes))
    points = points[np.isfinite(points)]
    factors = np.concatenate([[points[0] - 1], (points[1:] + points[:-1]) / 2, [points[-1] + 1]])
    tried = []
    for factor in factors:
        moved = log_weights.copy()
        moved[classes] += factor
        tried.append(losses(problem, moved)[0])
    return min(tried)


@pytest.mark.parametrize("classes", [[0], [3], [1, 2], [0, 2, 4]])
@pytest.mark.parametrize("profits", [False, True])
def test_search_equals_trying_every_flip(classes, profits):
    for seed in range(8):
        problem = overlapping(5, 60, seed=seed, profits=profits)
        start = np.random.default_rng(seed).normal(size=5)
        line = LineSearch(problem, start)
        found = line.move(classes)
        assert found == pytest.approx(lowest_by_trying(problem, start, classes))
        assert found == pytest.approx(line.loss) == pytest.approx(losses(problem, line.log_weights))
        assert np.ptp((line.log_weights - start)[classes]) < 1e-12


def test_moves_one_after_another_keep_count():
    problem = overlapping(6, 80, seed=5)
    line = LineSearch(problem, np.zeros(6))
    before = line.loss
    for classes in ([2], [0, 5], [4], [2], [1, 3], [0]):
        found = line.move(classes)
        assert found <= before + 1e-12
        assert found == pytest.approx(float(losses(problem, line.log_weights)[0]))
        before = found


def test_tied_objects_move_together():
    """One object of each class has the same scores: no weight can part them."""
    scores = [[0.5, 0.5], [0.5, 0.5], [0.9, 0.1], [0.1, 0.9]]
    problem = cost_problem([0, 1, 0, 1], scores, [[0, 1], [3, 0]])
    line = LineSearch(problem, np.zeros(2))
    assert line.move([0]) == pytest.approx(1 / 4)
    assert line.log_weights[0] < 0


def test_ties_up_to_rounding_move_together():
    points, gain = np.array([0.1, 0.1 + 1e-13]), np.array([[-1.0, 1.0]])
    cut, loss = best_cut(points, gain, np.zeros(1))
    assert loss.tolist() == [0.0] and cut.tolist() == [0.0]


def test_of_equal_cuts_the_nearest_is_taken():
    points, flat = np.array([-3.0, -1.0, 2.0]), np.zeros((1, 3))
    assert best_cut(points, flat, np.ones(1))[0].tolist() == [0.0]
    gain = np.array([[-1.0, 1.0, -1.0]])
    assert best_cut(points, gain, np.ones(1))[0].tolist() == [-2.0]


def test_a_tie_that_no_cut_is_as_good_as_is_kept():
    """Unit weights give the first object to class 0 and the second to class 1, by both ties."""
    scores = [[1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]
    costs = [[0, 1, 1], [0, 0, 0], [1, 0, -1]]
    problem = cost_problem([0, 2], scores, costs)
    line = LineSearch(problem, np.zeros(3))
    assert line.loss == line.move([1]) == 0
    assert line.log_weights.tolist() == [0, 0, 0]


def test_without_costs_nothing_moves():
    free = cost_problem([0, 1, 2], np.eye(3) + 0.1, np.zeros((3, 3)))
    line = LineSearch(free, np.zeros(3))
    assert line.move([1]) == 0 and line.log_weights.tolist() == [0, 0, 0]


def test_objects_that_never_change():
    """A class with score zero never gets an object, one whose rivals have none always does."""
    problem = cost_problem([0, 1], [[0.0, 1.0], [1.0, 0.0]], [[0, 1], [1, 0]])
    line = LineSearch(problem, np.zeros(2))
    assert line.move([0]) == 1.0 and line.log_weights.tolist() == [0, 0]


def grid_by_loop(problem, start, c):
    """Return the loss at each of the thesis' 80 weights."""
    out = []
    for step in LOG_STEPS:
        moved = start.copy()
        moved[c] = step
        out.append(losses(problem, moved)[0])
    return np.array(out)


@pytest.mark.parametrize("seed", range(5))
def test_grid_is_the_loop_over_eighty_weights(seed):
    problem = overlapping(4, 70, seed=seed)
    start = np.random.default_rng(seed).normal(size=4)
    line = LineSearch(problem, start, "grid")
    found, slow = line.move([2]), grid_by_loop(problem, start, 2)
    assert found == pytest.approx(slow.min())
    assert line.log_weights[2] == pytest.approx(
        LOG_STEPS[int(np.argmax(slow < slow.min() + 1e-12))]
    )


def test_grid_gives_ties_to_the_first_class():
    """At the grid's own weight two classes tie; the loss is that of the first."""
    log_scores = np.array([[0.0, LOG_STEPS[40]], [0.0, LOG_STEPS[50] + 1e-3]])
    for moving, y in ((0, [0, 0]), (1, [1, 1])):
        problem = CostProblem(np.array(y), log_scores, np.array([[[0.0, 1.0], [1.0, 0.0]]]))
        line = LineSearch(problem, np.zeros(2), "grid")
        assert line.move([moving]) == grid_by_loop(problem, np.zeros(2), moving).min()


def test_grid_steps_are_those_of_the_thesis():
    assert np.exp(LOG_STEPS[[0, -1]]) == pytest.approx([1e-3, 1e3]) and len(LOG_STEPS) == 80


@pytest.mark.parametrize("search", ["exact", "grid"])
@pytest.mark.parametrize("elements", [1, 200, 1 << 20])
def test_searches_together_are_those_one_by_one(search, elements, monkeypatch):
    """Units of different sizes, orders with and without all of them, in parts of any size."""
    monkeypatch.setattr("opchar.multiclass.cost_weights.line_search.ELEMENTS", elements)
    rng = np.random.default_rng(3)
    problem = overlapping(6, 50, matrices=4)
    units = [[0], [1, 4], [2, 3, 5]]
    orders = np.array([[0, 1, 2], [2, 0, -1], [1, -1, -1], [2, 1, 0], [0, 2, 1]])
    matrices = np.array([3, 0, 0, 2, 1])
    starts = rng.normal(size=(5, 6))
    weights, reached = swept(problem, starts, matrices, units, orders, search, 3)
    for row, order in enumerate(orders):
        line = LineSearch(problem.of_matrix(matrices[row]), starts[row], search)
        for _ in range(3):
            before = line.loss
            for unit in order[order >= 0]:
                line.move(units[unit])
            if not line.loss < before:
                break
        assert np.array_equal(weights[row], line.log_weights) and reached[row] == line.loss


@pytest.mark.parametrize("search", get_args(Search))
@pytest.mark.parametrize("spread", [1.0, 8.0, 60.0])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_compiled_searches_leave_out_what_changes_nothing(search, spread, size, monkeypatch):
    """Objects that no step reaches, and parts of the line without a good cut."""
    pytest.importorskip("numba", reason="compiled searches: pip install opchar[fast]")
    rng = np.random.default_rng(5)
    y = rng.integers(6, size=700)
    log_scores = spread * (rng.normal(size=(700, 6)) + 2 * np.eye(6)[y])
    log_scores[::50] = np.round(log_scores[::50])
    log_scores[rng.uniform(size=log_scores.shape) < 0.02] = -np.inf
    costs = rng.uniform(size=(8, 6, 6)) * (1 - np.eye(6))
    problem = cost_problem(y, log_scores, costs, log=True)
    units = [list(range(c, c + size)) for c in range(0, 6, size)]
    orders = np.array([rng.permutation(len(units)) for _ in range(16)])
    starts = rng.choice([0.0, 1.0, 7.0], size=(16, 6))
    found = []
    for worth in (-1, np.inf):
        monkeypatch.setattr("opchar.multiclass.cost_weights.line_search.COMPILED.worth", worth)
        ran = swept(problem, starts, np.arange(16) // 2, units, orders, search, 2)
        found.append([part.tobytes() for part in ran])
    assert found[0] == found[1]


def test_places_among_even_steps_are_those_of_a_search():
    rng = np.random.default_rng(4)
    steps = LOG_STEPS - rng.normal(size=(20, 1)) * 5
    points = np.concatenate(
        [
            rng.normal(size=(20, 300)) * 8,
            steps,
            np.nextafter(steps, np.inf),
            np.nextafter(steps, -np.inf),
            np.tile([np.inf, -np.inf, 1e300, -1e300], (20, 1)),
        ],
        axis=1,
    )
    for wins_ties, side in ((False, "right"), (True, "left")):
        found = steps_reached(steps, points, np.full(points.shape, wins_ties))
        for row, own, counted in zip(points, steps, found, strict=True):
            assert np.array_equal(counted, np.searchsorted(own, row, side=side))


@pytest.mark.parametrize("classes", [[1], [0, 2]])
def test_present_weight_is_one_step_more(classes):
    """The lowest loss over the 80 steps and the weight as it is, by trying all."""
    for seed in range(20):
        problem = overlapping(5, 60, seed=seed)
        start = np.random.default_rng(seed).normal(size=5)
        line = LineSearch(problem, start, "grid and present")
        grid = LineSearch(problem, start, "grid")
        present = line.loss
        assert line.move(classes) == pytest.approx(min(present, grid.move(classes)))
        assert line.loss == pytest.approx(losses(problem, line.log_weights)[0])
        if line.loss == present:
            assert (line.log_weights == start).all()
