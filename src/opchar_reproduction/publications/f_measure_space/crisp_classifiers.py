"""Crisp classifiers in F-measure and cost space: their curves, shapes and crossings."""

from typing import Any

import numpy as np

from opchar.spaces.compare import Ranges, compare_f
from opchar.spaces.cost import expected_cost, probability_cost
from opchar.spaces.f_measure import crossing_prior, f_measure, upper_envelope
from opchar.spaces.points import from_rates
from opchar.spaces.precision_recall import precision
from opchar_reproduction.publications.f_measure_space.repeats import add_cases
from opchar_reproduction.results import Results


def add_f_family(results: Results, tpr: float, fpr: float, alphas: list[float], grid: int) -> None:
    """Add the curves ``f`` (series, prior, f) and ``crossing`` (prior, f) of a crisp classifier."""
    prior = np.linspace(0, 1, grid)
    for alpha in alphas:
        value = f_measure(tpr, fpr, prior, alpha)
        results.add_frame("f", {"series": f"α = {alpha:g}", "prior": prior, "f": value})
    results.add_frame("crossing", {"prior": [common_crossing(tpr, fpr)], "f": [tpr]})


def add_cost_family(results: Results, tpr: float, fpr: float, ms: list[float], grid: int) -> None:
    """Add the curve ``cost`` (series, prior, pc, cost) of a crisp classifier."""
    prior = np.linspace(0, 1, grid)
    for m in ms:
        pc = probability_cost(prior, m)
        cost = expected_cost(tpr, fpr, pc)
        results.add_frame("cost", {"series": f"m = {m:g}", "prior": prior, "pc": pc, "cost": cost})


def common_crossing(tpr: Any, fpr: Any) -> Any:
    """Return the P(+) at which the F curves of all weights cross."""
    return fpr / (fpr - tpr + 1)


def add_end_point(results: Results, tpr: float, fpr: float, alpha: float) -> None:
    """Add the frame ``end-point``: F at P(+) = 1, precision there, and TPR/(alpha(TPR-1)+1)."""
    add_cases(
        results,
        "end-point",
        said=precision(tpr, fpr, 1.0),
        computed=f_measure(tpr, fpr, 1.0, alpha),
        corrected=tpr / (alpha * (tpr - 1) + 1),
    )


def add_crisp_pairs(
    results: Results,
    label: str,
    dominated: list[list[float]],
    crossing: list[list[float]],
    alpha: float,
    grid: int,
) -> None:
    """Add the curves ``f`` and ``crossing`` of two pairs by panel, and P* of the second.

    The frame ``order`` (panel, low, high, better) says where which of both has the higher F: 1 the
    first, -1 the second, 0 neither.
    """
    prior = np.linspace(0, 1, grid)
    for panel, pair in {"a": dominated, "b": crossing}.items():
        for number, (tpr, fpr) in enumerate(pair, start=1):
            series = f"C{number}: TPR {tpr:g}, FPR {fpr:g}"
            value = f_measure(tpr, fpr, prior, alpha)
            results.add_frame("f", {"panel": panel, "series": series, "prior": prior, "f": value})
        (tpr_1, fpr_1), (tpr_2, fpr_2) = pair
        at = float(crossing_prior(tpr_1, fpr_1, tpr_2, fpr_2, alpha))
        if np.isfinite(at):
            height = float(f_measure(tpr_1, fpr_1, at, alpha))
            results.add_frame("crossing", {"panel": panel, "prior": [at], "f": [height]})
        add_order(results, panel, crisp_ranges(pair, alpha))
    (tpr_1, fpr_1), (tpr_2, fpr_2) = crossing
    shown = float(crossing_prior(tpr_1, fpr_1, tpr_2, fpr_2, alpha))
    results.number(label, "P* of Eq. 11", "P(+)", shown, unit="P(+)")


def add_order(results: Results, panel: str, ranges: Ranges) -> None:
    """Add the frame ``order`` (panel, low, high, better) of a comparison."""
    edges = {"low": ranges.edges[:-1], "high": ranges.edges[1:]}
    results.add_frame("order", {"panel": panel} | edges | {"better": ranges.better})


def crisp_ranges(pair: list[list[float]], alpha: float) -> Ranges:
    """Return where which F curve of two crisp classifiers is higher."""
    one, two = (upper_envelope(from_rates([tpr], [fpr]), alpha) for tpr, fpr in pair)
    return compare_f(one, two)


def better_than_chance(rates: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return TPR and FPR of all pairs of rates with TPR > FPR."""
    tpr, fpr = (each.ravel() for each in np.meshgrid(rates, rates, indexing="ij"))
    return tpr[tpr > fpr], fpr[tpr > fpr]


def all_pairs(rates: list[float]) -> tuple[np.ndarray, ...]:
    """Return TPR_i, FPR_i, TPR_j and FPR_j of all pairs of classifiers with these rates."""
    return tuple(each.ravel() for each in np.meshgrid(rates, rates, rates, rates, indexing="ij"))


def add_shapes(results: Results, rates: list[float], weights: list[float], priors: int) -> None:
    """Add the frame ``shape``: ends, least rise and largest bend of F curves with TPR > FPR."""
    tpr, fpr = better_than_chance(rates)
    prior = np.linspace(0, 1, priors)
    for alpha in weights:
        value = f_measure(tpr[:, None], fpr[:, None], prior, alpha)
        shape = {
            "start": value[:, 0],
            "end": value[:, -1],
            "said end": tpr / (alpha * (tpr - 1) + 1),
            "least rise": np.diff(value).min(axis=1),
            "largest bend": np.diff(value, 2).max(axis=1),
        }
        add_cases(results, "shape", tpr=tpr, fpr=fpr, alpha=alpha, **shape)


def add_common_crossings(results: Results, rates: list[float], weights: list[float]) -> None:
    """Add the frame ``common-crossing``: F of all weights where they are said to cross, and beside.

    A classifier each row: tpr, lowest and highest F over alpha at P(+) = FPR/(FPR-TPR+1); the
    largest step of F with alpha below it, and the least above it.
    """
    tpr, fpr = better_than_chance(rates)
    crossing = common_crossing(tpr, fpr)
    alpha = np.asarray(weights)[:, None]
    at = f_measure(tpr, fpr, crossing, alpha)
    ends = {"lowest": at.min(axis=0), "highest": at.max(axis=0)}
    below = np.diff(f_measure(tpr, fpr, 0.9 * crossing, alpha), axis=0).max(axis=0)
    above = np.diff(f_measure(tpr, fpr, 0.1 + 0.9 * crossing, alpha), axis=0).min(axis=0)
    add_cases(results, "common-crossing", tpr=tpr, **ends, below=below, above=above)


def add_single_crossings(results: Results, rates: list[float], alpha: float) -> None:
    """Add the frame ``pairs``: whether two F curves cross where TPR and FPR are both larger.

    A pair each row: tpr_i, fpr_i, tpr_j, fpr_j, crosses, ratio falls (TPR/FPR is smaller for the
    one with the larger TPR), said and computed: F of both at P* of Eq. 11, NaN without one.
    """
    tpr_i, fpr_i, tpr_j, fpr_j = all_pairs(rates)
    both = (tpr_j > tpr_i) & (fpr_j > fpr_i)
    i, j = (tpr_i[both], fpr_i[both]), (tpr_j[both], fpr_j[both])
    at = crossing_prior(*i, *j, alpha)
    who = {"tpr_i": i[0], "fpr_i": i[1], "tpr_j": j[0], "fpr_j": j[1]}
    falls = i[0] * j[1] - j[0] * i[1] > 1e-12
    seen = {"crosses": np.isfinite(at).astype(float), "ratio falls": falls.astype(float)}
    heights = {"said": f_measure(*i, at, alpha), "computed": f_measure(*j, at, alpha)}
    add_cases(results, "pairs", **who, **seen, **heights)
