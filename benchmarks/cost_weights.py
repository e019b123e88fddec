"""Class weights for given costs: searches, algorithms and certificates side by side in one run.

``python benchmarks/cost_weights.py`` times, in processor time of one core, the exact search along
a weight against a grid of 80 that classifies anew at each step; all algorithms on a problem as
large as Letter under fifty cost matrices; and branch and bound against mixed-integer programming.
The classes are overlapping Gaussians, scored by a quadratic Bayes classifier that is trained on
other objects. Arguments choose parts: ``search``, ``algorithms``, ``certificate``, ``milp``.
"""

import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from opchar.models.classifiers.gaussian import qdc
from opchar.multiclass.cost_weights.algorithms import (
    default,
    greedy,
    lachiche_flach,
    naive,
    pairwise,
    simple,
)
from opchar.multiclass.cost_weights.certificate import Certificate, certify, certify_by_milp
from opchar.multiclass.cost_weights.line_search import LOG_STEPS, LineSearch
from opchar.multiclass.cost_weights.pairs import kept_pairs
from opchar.multiclass.cost_weights.problem import CostProblem, cost_problem, losses
from opchar.multiclass.decomposition import decomp, decomp_g, decomposed_roc
from opchar.multiclass.perturbation import groups_up_to, largest_by_class, score_sensitivities


def problem(
    classes: int, objects: int, features: int, spread: float, matrices: int, seed: int = 2007
) -> CostProblem:
    """Return Gaussian classes of different covariances, scored by a trained classifier."""
    rng = np.random.default_rng(seed)
    means = spread * rng.normal(size=(classes, features))
    shapes = np.eye(features) + 0.4 * rng.normal(size=(classes, features, features))
    y = np.arange(2 * objects) % classes
    x = means[y] + np.einsum("nij,nj->ni", shapes[y], rng.normal(size=(2 * objects, features)))
    model = qdc().fit(x[:objects], y[:objects])
    costs = rng.uniform(size=(matrices, classes, classes)) * (1 - np.eye(classes))
    scores = model.log_densities(x[objects:])
    return cost_problem(y[objects:], scores, costs, log=True)


def seconds(function: Callable[[], Any], rounds: int = 1) -> tuple[float, Any]:
    """Return the least processor time of some runs, and what the last returned."""
    times = []
    for _ in range(rounds):
        start = process_time()
        found = function()
        times.append(process_time() - start)
    return min(times), found


def plain_grid(case: CostProblem, c: int) -> float:
    """Return the lowest loss over 80 steps of a weight, all objects classified at each."""
    log_weights = np.zeros(case.n_classes)
    tried = []
    for step in LOG_STEPS:
        log_weights[c] = step
        tried.append(losses(case, log_weights)[0])
    return min(tried)


def search() -> None:
    """Time one pass over all weights."""
    case = problem(26, 4000, 6, 1.6, 1)
    classes = range(case.n_classes)

    def passes(kind: str) -> float:
        line = LineSearch(case, np.zeros(26), kind)
        return sum(line.move([c]) for c in classes)

    slow = seconds(lambda: [plain_grid(case, c) for c in classes])[0] / 26
    print("search along a weight, C = 26, N = 4,000, per weight")
    print(f"  grid of 80, classifying anew at each step {1e3 * slow:8.2f} ms")
    for kind in ("grid", "exact"):
        fast = seconds(partial(passes, kind), 10)[0] / 26
        print(f"  {kind:5} by flip points {1e3 * fast:8.3f} ms, {slow / fast:6.0f} times as fast")


def algorithms() -> None:
    """Time every algorithm on a problem of the size of Letter."""
    case = problem(26, 4000, 6, 1.6, 50)
    kept = {"number": 22}
    base = default(case).losses.mean()
    sensitivities = score_sensitivities(case.y, case.log_scores, 80, log=True)
    groups = groups_up_to(largest_by_class(sensitivities), 4)[0]
    roc = decomposed_roc(case.y, case.log_scores, groups, log=True)
    rng = partial(np.random.default_rng, 1)
    total = 0.0
    print(f"C = 26, N = 4,000, 50 cost matrices; default loss {base:.4f}")
    for name, function in {
        "Simple": lambda: simple(case),
        "Naive": lambda: naive(case),
        "Greedy": lambda: greedy(case, rng()),
        "Lachiche": lambda: lachiche_flach(case),
        "areas of 325 pairs": lambda: kept_pairs(case, number=22),
        "Pairs": lambda: pairwise(case, rng(), **kept),
        "PairsG": lambda: pairwise(case, rng(), **kept, end_greedily=True),
        "DecompG": lambda: decomp_g(case, roc, decomp(case, roc), rng()),
    }.items():
        taken, found = seconds(function)
        total += taken
        loss = getattr(found, "losses", np.array([np.nan])).mean()
        print(f"  {name:20} {taken:7.2f} s, mean loss {loss:.4f}")
    print(f"  all together {total:.1f} s")


def told(way: Callable[[], list[Certificate]]) -> str:
    """Time the search for a certificate; return one line about it."""
    taken, (found, *_) = seconds(way)
    return (
        f"{taken:7.2f} s, loss {found.loss:.5f}, bound {found.lower_bound:.5f}, "
        f"gap {100 * found.relative_gap:.2f} %, {found.stopped}, {found.n_nodes} nodes"
    )


def certificate() -> None:
    """Time branch and bound on some numbers of classes and degrees of overlap."""
    for classes, objects, gap, nodes in (
        (3, 1000, 0.0, 100_000),
        (4, 1000, 0.0, 100_000),
        (5, 1000, 0.0, 100_000),
        (6, 1000, 0.01, 100_000),
        (8, 1000, 0.01, 20_000),
        (10, 1000, 0.01, 5_000),
    ):
        for spread in (1.0, 2.0):
            case = problem(classes, objects, 2, spread, 3)
            for m in range(3):
                rng, limits = np.random.default_rng(0), {"gap": gap, "max_nodes": nodes}
                said = told(partial(certify, case.of_matrix(m), rng, **limits))
                print(f"C = {classes:2}, N = {objects}, spread {spread}: {said}")


def programme() -> None:
    """Time branch and bound and the mixed-integer programme on the same small problems."""
    for classes, objects in ((2, 200), (3, 60), (3, 200), (4, 100), (6, 40)):
        case = problem(classes, objects, 2, 1.5, 1)
        ways = {
            "branch and bound": partial(certify, case, np.random.default_rng(0)),
            "HiGHS": partial(certify_by_milp, case, seconds=30),
        }
        for name, way in ways.items():
            print(f"C = {classes}, N = {objects}, {name:16}: {told(way)}")


PARTS = {
    "search": search,
    "algorithms": algorithms,
    "certificate": certificate,
    "milp": programme,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
