"""Figures 5 to 7: how cost curves and F curves answer to weights, pairs and false positives."""

from collections.abc import Callable

import numpy as np

from opchar.ranges import Rate, Span
from opchar.spaces.cost import crossing_pc, expected_cost, operating_range, probability_cost
from opchar.spaces.f_measure import crossing_prior, f_measure
from opchar_reproduction.publications.f_measure_space.crisp_classifiers import (
    add_cost_family,
    crisp_ranges,
)
from opchar_reproduction.publications.f_measure_space.repeats import add_cases
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

_ROUNDING = 1e-12
RATES = [
    0.05,
    0.1,
    0.15,
    0.2,
    0.25,
    0.3,
    0.35,
    0.4,
    0.45,
    0.5,
    0.55,
    0.6,
    0.65,
    0.7,
    0.75,
    0.8,
    0.85,
    0.9,
    0.95,
]


@study("cost-weights", basis="exact")
def cost_weights(
    *,
    tpr: Rate = 0.8,
    fpr: Rate = 0.15,
    ms: list[Rate] = [0, 0.25, 0.5, 0.75, 1],
    alphas: list[Rate] = [0, 0.25, 0.5, 0.75, 1],
    grid: int = 501,
) -> Results:
    """Draw the cost of one crisp classifier for several cost weights (Figure 5).

    ms: Cost weights, 0 and 1 among them.
    alphas: Weights of precision of the F curves it is compared with (Figure 1).
    """
    results = Results()
    add_cost_family(results, tpr, fpr, ms, grid)
    inner = [m for m in ms if 0 < m < 1]
    spread = _weight_spread(tpr, fpr, inner, alphas, np.linspace(0, 1, grid))
    results.add_frame("weight-spread", spread)
    return results


def _weight_spread(
    tpr: float, fpr: float, ms: list[float], alphas: list[float], at: np.ndarray
) -> dict[str, np.ndarray]:
    """Return how far costs of several m lie apart at one PC(+) and at one P(+), and F of alphas."""
    column = np.asarray(ms)[:, None]
    prior = at * column / (at * column + (1 - at) * (1 - column))
    by_pc = expected_cost(tpr, fpr, probability_cost(prior, column))
    by_prior = expected_cost(tpr, fpr, probability_cost(at, column))
    f = f_measure(tpr, fpr, at, np.asarray(alphas)[:, None])
    names = ("cost at one PC(+)", "cost at one P(+)", "F at one P(+)")
    return {name: np.ptp(v, axis=0) for name, v in zip(names, (by_pc, by_prior, f), strict=True)}


@study(
    "differing-pairs",
    basis="illustration",
    profiles={"tiny": {"rates": [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95], "least_gain": 0.1}},
)
def differing_pairs(
    *,
    rates: list[Rate] = RATES,
    least_gain: float = 0.2,
    alpha: Rate = 0.5,
    m: Rate = 0.5,
    grid: int = 201,
) -> Results:
    """Find and draw pairs of classifiers that cross in one space only (Figure 6).

    All pairs of points of a grid above the diagonal are tried. Some pairs cross in F space only:
    not in cost space within the range where either is cheaper than the trivial classifiers. Of
    these the figure draws the pair whose F curves lie farthest apart on both sides. Pairs that
    cross in cost space only are chosen likewise.

    rates: TPR and FPR values of the grid, inside (0, 1).
    least_gain: Least TPR - FPR of the classifiers drawn.
    m: Cost weight; 0.5, so that PC(+) = P(+).
    """
    results = Results()
    i, j = _pairs_above_diagonal(rates)
    in_cost = crossing_pc(*i, *j)
    in_f = crossing_prior(*i, *j, alpha)
    (low_i, high_i), (low_j, high_j) = operating_range(*i), operating_range(*j)
    low, high = np.minimum(low_i, low_j), np.maximum(high_i, high_j)
    good = (i[0] - i[1] >= least_gain - _ROUNDING) & (j[0] - j[1] >= least_gain - _ROUNDING)
    never_in_cost = ~np.isfinite(in_cost)
    unseen_in_cost = never_in_cost | (in_cost < low) | (in_cost > high)
    only_f = np.isfinite(in_f) & unseen_in_cost
    only_cost = np.isfinite(in_cost) & ~np.isfinite(in_f)
    crosses = {"F": np.isfinite(in_f), "cost": ~never_in_cost, "within": ~unseen_in_cost}
    cases = {space: found.astype(float) for space, found in crosses.items()}
    add_cases(results, "crossing-pairs", **cases)
    at = np.linspace(0, 1, grid)
    shown = {
        "a": _clearest(i, j, only_f & good, lambda one, two: _f_gain(one, two, at, alpha)),
        "b": _clearest(i, j, only_cost & good, lambda one, two: _cost_gain(one, two, at)),
    }
    for panel, pair in shown.items():
        _add_pair(results, panel, pair, alpha, at)
        for number, (tpr, fpr) in enumerate(pair, start=1):
            row = f"panel {panel}, C_{number}"
            results.number("figure-6", row, "TPR", tpr, unit="TPR")
            results.number("figure-6", row, "FPR", fpr, unit="FPR")
        ranges = crisp_ranges(pair, alpha)
        results.number("figure-6", f"panel {panel}", "crossings in F space", len(ranges.crossings))
    return results


_Points = tuple[np.ndarray, np.ndarray]


def _pairs_above_diagonal(rates: list[float]) -> tuple[_Points, _Points]:
    """Return all pairs (i, j) of points with TPR > FPR where j has the larger TPR."""
    tpr, fpr = (each.ravel() for each in np.meshgrid(rates, rates, indexing="ij"))
    tpr, fpr = tpr[tpr > fpr], fpr[tpr > fpr]
    first, second = np.meshgrid(np.arange(len(tpr)), np.arange(len(tpr)), indexing="ij")
    rising = tpr[second] > tpr[first]
    first, second = first[rising], second[rising]
    return (tpr[first], fpr[first]), (tpr[second], fpr[second])


def _clearest(
    i: _Points, j: _Points, candidates: np.ndarray, gain: Callable[[_Points, _Points], np.ndarray]
) -> list[list[float]]:
    """Return the candidate pair whose two curves lie farthest apart on both sides."""
    chosen = np.flatnonzero(candidates)
    one = i[0][chosen, None], i[1][chosen, None]
    two = j[0][chosen, None], j[1][chosen, None]
    difference = gain(two, one)
    clear = np.minimum(difference.max(axis=1), -difference.min(axis=1))
    best = chosen[int(np.argmax(np.round(clear, 9)))]
    pair = [[float(i[0][best]), float(i[1][best])], [float(j[0][best]), float(j[1][best])]]
    return [[round(rate, 9) for rate in point] for point in pair]


def _f_gain(one: _Points, two: _Points, at: np.ndarray, alpha: float) -> np.ndarray:
    return f_measure(*one, at, alpha) - f_measure(*two, at, alpha)


def _cost_gain(one: _Points, two: _Points, at: np.ndarray) -> np.ndarray:
    return expected_cost(*two, at) - expected_cost(*one, at)


def _add_pair(
    results: Results, panel: str, pair: list[list[float]], alpha: float, at: np.ndarray
) -> None:
    (tpr_1, fpr_1), (tpr_2, fpr_2) = pair
    for number, (tpr, fpr) in enumerate(pair, start=1):
        who = {"panel": panel, "series": f"C{number}: TPR {tpr:g}, FPR {fpr:g}", "x": at}
        results.add_frame("f", who | {"y": f_measure(tpr, fpr, at, alpha)})
        results.add_frame("cost", who | {"y": expected_cost(tpr, fpr, at)})
    in_f = float(crossing_prior(tpr_1, fpr_1, tpr_2, fpr_2, alpha))
    in_cost = float(crossing_pc(tpr_1, fpr_1, tpr_2, fpr_2))
    heights = {
        "f": (in_f, f_measure(tpr_1, fpr_1, in_f, alpha)),
        "cost": (in_cost, expected_cost(tpr_1, fpr_1, in_cost)),
    }
    for space, (x, y) in heights.items():
        if np.isfinite(x):
            who = {"panel": panel, "space": space}
            results.add_frame("crossing", who | {"x": [x], "y": [float(y)]})


@study("false-positive-sensitivity", basis="exact")
def false_positive_sensitivity(
    *,
    tpr: Rate = 0.75,
    prior: Rate = 0.25,
    alpha: Rate = 0.5,
    m: Rate = 0.5,
    fpr_range: Span = [0, 0.5],
    prior_range: Span = [0.0001, 0.5],
    fprs: list[Rate] = [0.0, 0.01, 0.05, 0.1, 0.25, 0.5],
    grid: int = 501,
) -> Results:
    """Draw how F and 1 - EC answer to false positives (Figure 7).

    fpr_range ([low, high]): FPR of panel a.
    prior_range ([low, high]): P(+) of panel b, ``low > 0``.
    fprs: FPR of the curves of panel b; the first two are those that the text compares.
    """
    results = Results()
    fpr = np.linspace(fpr_range[0], fpr_range[1], grid)
    pc = float(probability_cost(prior, m))
    f, saved = f_measure(tpr, fpr, prior, alpha), 1 - expected_cost(tpr, fpr, pc)
    results.add_frame("a", {"fpr": fpr, "f": f, "saved": saved})
    at = np.geomspace(prior_range[0], prior_range[1], grid)
    for each in fprs:
        cost = expected_cost(tpr, each, probability_cost(at, m))
        who = {"series": f"FPR = {each:.2f}", "prior": at}
        results.add_frame("b", who | {"f": f_measure(tpr, each, at, alpha), "cost": cost})
    pair = np.array(fprs[:2])[:, None]
    pair_f = f_measure(tpr, pair, at, alpha)
    pair_cost = expected_cost(tpr, pair, probability_cost(at, m))
    apart = {"F": np.abs(pair_f[1] - pair_f[0]), "cost": np.abs(pair_cost[1] - pair_cost[0])}
    results.add_frame("apart", {"prior": at} | apart)
    return results
