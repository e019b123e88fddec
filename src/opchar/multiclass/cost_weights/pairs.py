"""The two-class operating characteristic of each pair of classes, and its best point."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np

from opchar.multiclass.cost_weights.cuts import best_cut, best_step
from opchar.multiclass.cost_weights.line_search import Search, check_search
from opchar.multiclass.cost_weights.matchings import Pair
from opchar.multiclass.cost_weights.problem import CostProblem, Floats, Ints

Competitors = Literal["all", "none"]
LOGIT_STEPS = np.log(np.arange(1, 80) / np.arange(79, 0, -1))
LOGIT_STEPS.flags.writeable = False


def pair_points(
    scores: Floats, pair: Pair, competitors: Competitors
) -> tuple[Floats, Floats, Ints]:
    """Return where the second class of a pair loses an object and where the first gets it.

    landgrebe2007, Sec. 4.2.5: only the weights of the pair vary. That they sum to one follows
    from Eq. 4.17.

    Shapes: `scores` (N, C); `leaves` and `enters` (N,); `between` (N,).

    `leaves` and `enters`: values of ``log(theta / (1 - theta))``: class j has an object below
    `leaves`, class i above `enters`.
    """
    first, second = scores[:, pair[0]], scores[:, pair[1]]
    with np.errstate(invalid="ignore"):
        turn = second - first
    turn[np.isnan(turn)] = np.inf
    others = [c for c in range(scores.shape[1]) if c not in pair]
    if competitors == "none" or not others:
        return turn, turn, np.full(len(scores), pair[0])
    rest = scores[:, others]
    best = rest.max(axis=1)
    enters = np.maximum(turn, _logit_of_log(best, first))
    leaves = np.minimum(turn, -_logit_of_log(best, second))
    return leaves, np.maximum(enters, leaves), np.take(others, rest.argmax(axis=1))


def _logit_of_log(best: Floats, of_class: Floats) -> Floats:
    """Return the logit of the weight below one with which a class equals its best rival."""
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = best - of_class
        logit = gap - np.log1p(-np.exp(np.minimum(gap, 0.0)))
    return np.where(gap < 0, logit, np.inf)


def pair_weights(
    problem: CostProblem, pair: Pair, *, competitors: Competitors = "all", search: Search = "exact"
) -> Floats:
    """Return the best weights of a pair, for each cost matrix.

    Shapes: returned (M, 2).
    """
    check_search(search)
    y, scores = problem.y, problem.log_scores
    if competitors == "none":
        member = np.isin(y, pair)
        y, scores = y[member], scores[member]
    if not len(y):
        return np.full((len(problem.prices), 2), np.log(0.5))
    leaves, enters, between = pair_points(scores, pair, competitors)
    price_first, price_second = (problem.prices[:, y, c] for c in pair)
    price_between = problem.prices[:, y, between]
    points = np.concatenate([leaves, enters])
    changes = np.hstack([price_between - price_second, price_first - price_between])
    start = price_second.sum(axis=1)
    if search == "exact":
        logit, _ = best_cut(points, changes, start)
    else:
        wins_ties = np.ones(len(points), dtype=bool)
        logit, _ = best_step(points, changes, start, LOGIT_STEPS, wins_ties)
    return -np.logaddexp(0.0, np.stack([-logit, logit], axis=1))


def pair_auc(problem: CostProblem, pair: Pair, *, competitors: Competitors = "all") -> float:
    """Return the area under the operating characteristic of a pair.

    Returned: ``1 - int xi_ij d xi_ji`` by the trapezoidal rule (landgrebe2007, Sec. 4.2.5).
    """
    y, scores = problem.y, problem.log_scores
    sizes = [np.count_nonzero(y == c) for c in pair]
    if not all(sizes):
        return float("nan")
    leaves = np.sort(pair_points(scores[y == pair[0]], pair, competitors)[0])
    enters = np.sort(pair_points(scores[y == pair[1]], pair, competitors)[1])
    cuts = np.unique(np.concatenate([[-np.inf], leaves, enters]))
    cuts = cuts[cuts < np.inf]
    lost = sizes[0] - np.searchsorted(leaves, cuts, side="right")
    wrong = np.searchsorted(enters, cuts, side="right")
    # In whole numbers, so that equal areas are equal.
    area, whole = int((lost[1:] + lost[:-1]) @ np.diff(wrong)), 2 * int(sizes[0]) * int(sizes[1])
    return (whole - area) / whole


def kept_pairs(
    problem: CostProblem,
    *,
    threshold: float | None = None,
    number: int | None = None,
    competitors: Competitors = "all",
) -> list[Pair]:
    """Return the pairs that interact.

    landgrebe2007, Sec. 4.2.5; Table 4.3 gives both the threshold and the number of pairs left.
    """
    if threshold is not None and not 0 <= threshold <= 1:
        raise ValueError(f"a threshold on an area is in [0, 1], not {threshold}")
    if number is not None and number < 0:
        raise ValueError(f"a number of pairs is not negative: {number}")
    pairs = list(combinations(range(problem.n_classes), 2))
    if threshold is None and number is None:
        return pairs
    areas = np.array([pair_auc(problem, pair, competitors=competitors) for pair in pairs])
    areas[np.isnan(areas)] = 0.0
    order = np.argsort(areas, kind="stable")[:number]
    limit = 1.0 if threshold is None else threshold
    return sorted(pairs[index] for index in order if areas[index] <= limit)
