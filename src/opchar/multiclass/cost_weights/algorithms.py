"""The thesis' algorithms for class weights under given costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from opchar.multiclass.cost_weights.cuts import ROUNDING, best_cut, best_step
from opchar.multiclass.cost_weights.line_search import LOG_STEPS, Search, check_search, swept
from opchar.multiclass.cost_weights.matchings import Matchings, Pair, find_matchings
from opchar.multiclass.cost_weights.pairs import Competitors, kept_pairs, pair_weights
from opchar.multiclass.cost_weights.problem import CostProblem, Floats, Weighting, losses
from opchar.ties import first_least


def _weighting(problem: CostProblem, log_weights: Floats) -> Weighting:
    """Return weights with their losses."""
    return Weighting(log_weights, losses(problem, log_weights))


def default(problem: CostProblem) -> Weighting:
    """Return unit weights.

    Returned: the unoptimised classifier (landgrebe2007, Sec. 4.2.6).
    """
    return _weighting(problem, np.zeros((len(problem.prices), problem.n_classes)))


def simple(problem: CostProblem) -> Weighting:
    """Weight each class with its prior times the sum of its costs.

    Returned: ``phi_i = p(w_i) sum_j s_ij`` without profits (landgrebe2007, Sec. 4.3.6).
    """
    off = 1 - np.eye(problem.n_classes)
    weights = np.maximum((problem.prices * off).sum(axis=2) * problem.class_sizes(), 0.0)
    weights[~weights.any(axis=1)] = 1.0
    with np.errstate(divide="ignore"):
        return _weighting(problem, np.log(weights))


def naive(problem: CostProblem, *, search: Search = "exact") -> Weighting:
    """Optimise each weight while all others are one.

    Returned: landgrebe2007, Eqs. 4.9 and 4.10.
    """
    check_search(search)
    scores, rows = problem.log_scores, np.arange(len(problem.y))
    log_weights = np.zeros((len(problem.prices), problem.n_classes))
    ones = losses(problem, np.zeros(problem.n_classes))
    rounding = ROUNDING * np.abs(problem.prices).max(axis=(1, 2)) * len(rows)
    for c in range(problem.n_classes if problem.n_classes > 1 else 0):
        others = scores.copy()
        others[:, c] = -np.inf
        rival = others.argmax(axis=1)
        rival[rival == c] = (c + 1) % problem.n_classes
        points = others[rows, rival] - scores[:, c]
        start = problem.prices[:, problem.y, rival]
        changes = problem.prices[:, problem.y, c] - start
        if search == "exact":
            cuts, reached = best_cut(points, changes, start.sum(axis=1))
            log_weights[:, c] = np.where(reached > ones + rounding, 0.0, cuts)
        else:
            steps, reached = best_step(points, changes, start.sum(axis=1), LOG_STEPS, c < rival)
            stays = (search != "grid") & (reached > ones - rounding)
            log_weights[:, c] = np.where(stays, 0.0, steps)
    return _weighting(problem, log_weights)


def greedy(
    problem: CostProblem,
    rng: np.random.Generator,
    *,
    restarts: int = 3,
    search: Search = "exact",
    start: Floats | None = None,
    units: list[list[int]] | None = None,
    sweeps: int = 1,
) -> Weighting:
    """Optimise the weights one after another in random order, each given those before.

    Shapes: `start` (M, C).

    Returned: landgrebe2007, Eqs. 4.11 and 4.12.
    """
    check_search(search)
    if restarts < 1 or sweeps < 1:
        raise ValueError(f"give one restart and sweep at least, not {restarts} and {sweeps}")
    n_classes = problem.n_classes
    shape = (len(problem.prices), n_classes)
    begin = np.zeros(shape) if start is None else np.asarray(start, dtype=float)
    if begin.shape != shape or not np.isfinite(begin).all():
        raise ValueError(f"a start needs finite log weights of shape {shape}: no weight of zero")
    moving = [[c] for c in range(n_classes)] if units is None else units
    moving = [unit for unit in moving if 0 < len(unit) < n_classes]
    orders = np.array(
        [
            [child.permutation(len(moving)) for _ in range(restarts)]
            for child in rng.spawn(len(begin))
        ]
    ).reshape(len(begin) * restarts, len(moving))
    matrices = np.repeat(np.arange(len(begin)), restarts)
    found, reached = swept(problem, begin[matrices], matrices, moving, orders, search, sweeps)
    best = first_least(reached.reshape(-1, restarts), axis=1) + restarts * np.arange(len(begin))
    return _weighting(problem, found[best])


def lachiche_flach(
    problem: CostProblem,
    *,
    order: list[int] | None = None,
    search: Search = "exact",
    against: Literal["all", "first"] = "all",
) -> Weighting:
    """Add the classes one after another, each with the best weight given those before.

    Returned: the hill climbing of Lachiche and Flach (2003) under costs, as landgrebe2007, Sec.
    4.2.6, compares it.
    """
    check_search(search)
    if against not in ("all", "first"):
        raise ValueError(f"a class is weighed against 'all' or the 'first', not {against!r}")
    search = "exact" if search == "exact" else "grid"
    n_classes = problem.n_classes
    order = list(range(n_classes)) if order is None else list(order)
    if sorted(order) != list(range(n_classes)):
        raise ValueError(f"an order names each of the {n_classes} classes once, not {order}")
    log_weights = np.zeros((len(problem.prices), n_classes))
    for turn in range(1, n_classes):
        rivals = order[:1] if against == "first" else order[:turn]
        present = sorted([*rivals, order[turn]])
        prices = problem.prices[:, :, present]
        among = CostProblem(
            problem.y, _restrict_to_present(problem.log_scores, present, order[0]), prices
        )
        rows = np.arange(len(log_weights))
        unit = [[present.index(order[turn])]]
        once = np.zeros((len(rows), 1), dtype=np.intp)
        found, _ = swept(among, log_weights[:, present], rows, unit, once, search, 1)
        log_weights[:, present] = found
    return _weighting(problem, log_weights)


def _restrict_to_present(log_scores: Floats, present: list[int], first: int) -> Floats:
    """Return the scores of the classes present; objects without any stay with the first."""
    scores = log_scores[:, present]
    scores[np.all(scores == -np.inf, axis=1), present.index(first)] = 0.0
    return scores


def pairwise(
    problem: CostProblem,
    rng: np.random.Generator,
    *,
    threshold: float | None = None,
    number: int | None = None,
    pairs: list[Pair] | None = None,
    of_pair: Callable[[Pair], Floats] | None = None,
    competitors: Competitors = "all",
    left_out: int | None = None,
    cap: int = 1000,
    end_greedily: bool = False,
    restarts: int = 3,
    search: Search = "exact",
) -> Weighting:
    """Join the best weights of pairs of classes.

    Returned: landgrebe2007, Sec. 4.2.5.
    """
    check_search(search)
    if pairs is None:
        pairs = kept_pairs(problem, threshold=threshold, number=number, competitors=competitors)
    sample, calibration, end = rng.spawn(3)
    found = find_matchings(problem.n_classes, sample, pairs=pairs, left_out=left_out, cap=cap)
    if of_pair is None:
        of_pair = partial(pair_weights, problem, competitors=competitors, search=search)
    best = _best_matching(problem, found, calibration, of_pair, search)
    joined = _weighting(problem, best)
    if end_greedily:
        joined = greedy(problem, end, restarts=restarts, search=search, start=best)
    return replace(joined, matchings=found)


def _best_matching(
    problem: CostProblem,
    found: Matchings,
    rng: np.random.Generator,
    of_pair: Callable[[Pair], Floats],
    search: Search,
) -> Floats:
    """Return the calibrated weights of the best matching, for each cost matrix."""
    used = sorted({pair for matching in found.matchings for pair in matching})
    alone = {pair: of_pair(pair) for pair in used}
    units = [list(pair) for pair in used]
    number_of = {pair: number for number, pair in enumerate(used)}
    size = max(map(len, found.matchings)) if problem.n_classes > 2 else 0
    number, tried = len(problem.prices), len(found.matchings)
    starts = np.zeros((number, tried, problem.n_classes))
    orders = np.full((number, tried, size), -1)
    for m, child in enumerate(rng.spawn(number)):
        for start, order, matching in zip(starts[m], orders[m], found.matchings, strict=True):
            for pair in matching:
                start[list(pair)] = alone[pair][m]
            if size:
                drawn = child.permutation(len(matching))
                order[: len(matching)] = [number_of[matching[at]] for at in drawn]
    weights, reached = swept(
        problem,
        starts.reshape(number * tried, -1),
        np.repeat(np.arange(number), tried),
        units,
        orders.reshape(number * tried, size),
        search,
        1,
    )
    best = first_least(reached.reshape(number, tried), axis=1) + tried * np.arange(number)
    return weights[best]
