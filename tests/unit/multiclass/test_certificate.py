"""The certified optimum against exhaustive search and against the mixed-integer programme."""

import numpy as np
import pytest

from cost_cases import exhaustive, overlapping
from opchar.multiclass.cost_weights import certificate
from opchar.multiclass.cost_weights.algorithms import greedy
from opchar.multiclass.cost_weights.certificate import certify, certify_by_milp
from opchar.multiclass.cost_weights.problem import CostProblem, cost_problem, losses


def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", ["continuous", "tied", "profits"])
@pytest.mark.parametrize("seed", range(5))
def test_optimum_is_that_of_exhaustive_search(classes, kind, seed):
    draw = np.random.default_rng(seed)
    n = int(draw.integers(4, 16))
    scores = draw.dirichlet(np.ones(classes), n)
    if kind == "tied":
        scores = draw.integers(1, 4, (n, classes)).astype(float)
    costs = draw.uniform(-0.4 if kind == "profits" else 0, 1, (2, classes, classes))
    problem = cost_problem(draw.integers(0, classes, n), scores, costs)
    found = certify(problem, rng())
    assert [one.stopped for one in found] == ["optimal", "optimal"]
    assert [one.loss for one in found] == pytest.approx(exhaustive(problem), abs=1e-10)
    weights = np.array([one.log_weights for one in found])
    assert [one.loss for one in found] == pytest.approx(losses(problem, weights))


@pytest.mark.parametrize("seed", range(3))
def test_optimum_is_that_of_the_mixed_integer_programme(seed):
    problem = overlapping(3 + seed % 2, 24, seed=seed, spread=1.0)
    (found,), (other,) = certify(problem, rng()), certify_by_milp(problem)
    assert other.stopped == found.stopped == "optimal"
    assert found.loss == pytest.approx(other.loss, abs=1e-9)
    assert other.lower_bound <= found.loss + 1e-9
    assert found.gap == 0 and found.relative_gap == 0 and found.n_nodes > 0
    assert other.n_nodes == 0


def test_stopped_early_the_bound_still_holds():
    problem = overlapping(5, 300, seed=2)
    (full,) = certify(problem, rng())
    (first,) = certify(problem, rng(), max_nodes=1)
    (more,) = certify(problem, rng(), max_nodes=200)
    assert full.stopped == "optimal" and first.stopped == more.stopped == "nodes used up"
    assert first.lower_bound <= more.lower_bound <= full.loss <= more.loss <= first.loss
    assert first.lower_bound < full.loss and more.lower_bound > first.lower_bound
    (close,) = certify(problem, rng(), gap=0.2)
    assert close.stopped == "gap reached" and close.relative_gap <= 0.2
    assert close.n_nodes < full.n_nodes
    (hasty,) = certify(problem, rng(), seconds=1e-9)
    assert hasty.stopped == "time used up" and hasty.lower_bound <= full.loss


def test_a_start_is_used():
    problem = overlapping(5, 200, matrices=2, seed=6)
    best = np.array([one.log_weights for one in certify(problem, rng())])
    started = certify(problem, rng(), max_nodes=1, start=best)
    assert [one.loss for one in started] == pytest.approx(losses(problem, best))


def test_a_start_may_have_weights_of_zero():
    problem = cost_problem([0, 1, 2], np.eye(3) + 0.1, [[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    start = np.array([[-np.inf, -np.inf, 0.0]])
    (found,) = certify(problem, rng(), start=start)
    assert found.loss == 0 and found.stopped == "optimal"
    with pytest.raises(ValueError, match="no weight of zero"):
        greedy(problem, rng(), start=start)


def test_weights_of_every_order_are_within_reach():
    """The best weights lie far outside of what two classes alone would need."""
    scores = np.log([[0.9, 0.05, 0.05], [0.06, 0.9, 0.04], [0.05, 0.06, 0.89]])
    only_last = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    problem = cost_problem([0, 1, 2], scores * 50, only_last, log=True)
    (found,) = certify(problem, rng())
    assert found.loss == 0 and found.lower_bound == 0


@pytest.mark.parametrize(
    ("y", "scores", "costs", "loss"),
    [
        ([0, 0], [[0.4], [0.7]], [[3.0]], -3.0),
        ([0, 1, 2], np.eye(3), np.zeros((3, 3)), 0.0),
        ([0, 1, 2], np.full((3, 3), 0.2), 1 - np.eye(3), 2 / 3),
        ([0, 0, 1], np.full((3, 3), 0.2), 1 - np.eye(3), 1 / 3),
        ([0, 1, 2, 2], [[1, 0, 0], [0, 0, 0], [0, 1, 0], [1, 0, 2]], 1 - np.eye(3), 0.5),
    ],
)
def test_degenerate_problems_are_solved(y, scores, costs, loss):
    (found,) = certify(cost_problem(y, scores, costs), rng())
    assert found.stopped == "optimal"
    assert found.loss == pytest.approx(loss) and found.lower_bound == pytest.approx(loss)


def test_bad_options_are_one_clear_error():
    problem = overlapping(2, 10)
    for options in ({"gap": -1}, {"gap": np.nan}, {"max_nodes": 0}, {"seconds": 0}):
        with pytest.raises(ValueError, match="give gap >= 0"):
            certify(problem, rng(), **options)
    with pytest.raises(ValueError, match="positive time"):
        certify_by_milp(problem, seconds=0)
    zero = CostProblem(problem.y, np.where(problem.log_scores < -1, -np.inf, 0), problem.prices)
    with pytest.raises(ValueError, match="above zero"):
        certify_by_milp(zero)


class Clock:
    """A clock that only moves when work is done, one unit for each object of each node."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr(certificate, "monotonic", lambda: self.now)
        bound, search = certificate.Bounds.evaluate, certificate.greedy

        def evaluate(bounds, limits, settled, node, item):
            self.now += len(item)
            return bound(bounds, limits, settled, node, item)

        def greedily(*given, **options):
            self.now += 1e6
            return search(*given, **options)

        monkeypatch.setattr(certificate.Bounds, "evaluate", evaluate)
        monkeypatch.setattr(certificate, "greedy", greedily)


@pytest.mark.parametrize("matrices", [1, 2])
def test_time_counts_from_the_call(monkeypatch, matrices):
    problem = overlapping(5, 300, matrices=matrices, seed=2)
    Clock(monkeypatch)
    late = certify(problem, rng(), seconds=1e6 / matrices)
    assert [one.stopped for one in late] == ["time used up"] * matrices
    assert [one.n_nodes for one in late] == [1] * matrices


def test_time_is_looked_at_within_a_batch_and_the_bound_still_holds(monkeypatch):
    problem = overlapping(5, 300, seed=2)
    (full,) = certify(problem, rng())
    clock = Clock(monkeypatch)
    monkeypatch.setattr(certificate, "TIMED_WORK", 3000)
    piece = 2 * (3000 + 300 * 5) / 5
    found = []
    for units in (2000, 5000, 10000, 20000):
        clock.now = 0.0
        (one,) = certify(problem, rng(), seconds=1e6 + units)
        assert one.stopped == "time used up"
        assert units < clock.now - 1e6 <= units + piece
        found.append(one)
    bounds = [one.lower_bound for one in found]
    assert bounds == sorted(bounds) and bounds[0] < bounds[-1] <= full.loss
    (late,) = certify(problem, rng(), seconds=1e9)
    assert late.stopped == "optimal" and late.loss == pytest.approx(full.loss)


@pytest.mark.parametrize("unit", [1e-200, 1e-6, 1e6, 1e200])
def test_what_is_proven_does_not_depend_on_the_unit_of_costs(unit):
    problem = overlapping(3, 24, seed=1, spread=1.0)
    other = CostProblem(problem.y, problem.log_scores, problem.prices * unit)
    for found, scaled in (
        (certify_by_milp(problem)[0], certify_by_milp(other)[0]),
        (certify(problem, rng())[0], certify(other, rng())[0]),
    ):
        assert found.stopped == scaled.stopped == "optimal"
        assert scaled.loss / unit == pytest.approx(found.loss)
        assert scaled.lower_bound / unit == pytest.approx(found.lower_bound)


@pytest.mark.parametrize(
    ("late", "stopped"), [(0.0, "optimal"), (50.0, "optimal"), (200.0, "time used up")]
)
def test_the_time_before_the_search_counts_and_no_other(late, stopped, monkeypatch):
    times = iter([1e9])
    monkeypatch.setattr(certificate, "monotonic", lambda: next(times, 1e9 + late))
    found = certify(overlapping(4, 60, matrices=2, seed=2, spread=1.0), rng(), seconds=60.0)
    assert {one.stopped for one in found} == {stopped}
