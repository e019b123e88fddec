"""Crisp classifiers in F-measure and cost space: curves of one and of pairs, and what they show."""

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
    results.add_frame("crossing", {"prior": [fpr / (fpr - tpr + 1)], "f": [tpr]})


def add_cost_family(results: Results, tpr: float, fpr: float, ms: list[float], grid: int) -> None:
    """Add the curve ``cost`` (series, prior, pc, cost) of a crisp classifier."""
    prior = np.linspace(0, 1, grid)
    for m in ms:
        pc = probability_cost(prior, m)
        cost = expected_cost(tpr, fpr, pc)
        results.add_frame("cost", {"series": f"m = {m:g}", "prior": prior, "pc": pc, "cost": cost})


def common_crossing(tpr: float, fpr: float) -> float:
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
    results: Results, panels: dict[str, list[list[float]]], alpha: float, grid: int
) -> None:
    """Add the curves ``f`` and ``crossing`` of pairs of crisp classifiers, by panel.

    The frame ``order`` (panel, low, high, better) says where which of both has the higher F: 1 the
    first, -1 the second, 0 neither.
    """
    prior = np.linspace(0, 1, grid)
    for panel, pair in panels.items():
        for number, (tpr, fpr) in enumerate(pair, start=1):
            series = f"C{number}: TPR {tpr:g}, FPR {fpr:g}"
            value = f_measure(tpr, fpr, prior, alpha)
            results.add_frame("f", {"panel": panel, "series": series, "prior": prior, "f": value})
        (tpr_1, fpr_1), (tpr_2, fpr_2) = pair
        at = crossing_prior(tpr_1, fpr_1, tpr_2, fpr_2, alpha)
        if np.isfinite(at):
            value = f_measure(tpr_1, fpr_1, at, alpha)
            results.add_frame(
                "crossing", {"panel": panel, "prior": [float(at)], "f": [float(value)]}
            )
        add_order(results, panel, crisp_ranges(pair, alpha))


def add_order(results: Results, panel: str, ranges: Ranges) -> None:
    """Add the frame ``order`` (panel, low, high, better) of a comparison."""
    edges = {"low": ranges.edges[:-1], "high": ranges.edges[1:]}
    results.add_frame("order", {"panel": panel} | edges | {"better": ranges.better})


def crisp_ranges(pair: list[list[float]], alpha: float) -> Ranges:
    """Return where which F curve of two crisp classifiers is higher."""
    one, two = (upper_envelope(from_rates([tpr], [fpr]), alpha) for tpr, fpr in pair)
    return compare_f(one, two)
