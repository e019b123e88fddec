"""Figures 1 and 3: crisp classifiers in F-measure space."""

import numpy as np

from opchar.ranges import Rate
from opchar.spaces.f_measure import f_measure
from opchar.spaces.points import OperatingPoints, from_rates
from opchar_reproduction.publications.f_measure_space.crisp_classifiers import (
    add_common_crossings,
    add_crisp_pairs,
    add_end_point,
    add_f_family,
    add_shapes,
    common_crossing,
)
from opchar_reproduction.publications.f_measure_space.repeats import add_cases
from opchar_reproduction.results import Results
from opchar_reproduction.study import study


@study("crisp-f-curves", basis="exact")
def crisp_f_curves(
    *,
    tpr: Rate = 0.8,
    fpr: Rate = 0.15,
    alphas: list[Rate] = [0, 0.25, 0.5, 0.75, 1],
    grid: int = 501,
    rates: list[Rate] = [0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.98],
    weights: list[float] = [0.05, 0.25, 0.5, 0.75, 0.95],
    soft_tpr: list[Rate] = [1e-06, 0.55, 0.75, 0.88, 0.98, 1],
    soft_fpr: list[Rate] = [1e-06, 0.08, 0.15, 0.28, 0.5, 1],
    soft_alpha: Rate = 0.5,
) -> Results:
    """Draw the F curves of one crisp classifier (Figure 1) and measure what Sec. 3.1 speaks of.

    rates, weights: TPR and FPR values and alpha, inside (0, 1), on which general statements are
        checked.
    soft_tpr, soft_fpr: Operating points, thresholds descending, on which the effect of the
        threshold is checked.
    """
    results = Results()
    crossing = common_crossing(tpr, fpr)
    results.number("figure-1", "common crossing", "P(+)", crossing, unit="P(+)")
    add_f_family(results, tpr, fpr, alphas, grid)
    _figure_1(results, tpr, fpr, alphas, crossing)
    add_shapes(results, rates, weights, grid)
    add_end_point(results, tpr, fpr, soft_alpha)
    add_common_crossings(results, rates, weights)
    _threshold_movement(results, from_rates(soft_tpr, soft_fpr), soft_alpha, grid)
    return results


def _figure_1(
    results: Results, tpr: float, fpr: float, alphas: list[float], crossing: float
) -> None:
    """Add F of each weight at the common crossing, and halfway between it and 1."""
    names = [f"α = {alpha:g}" for alpha in alphas]
    for where, prior in (("crossing", crossing), ("above it", (1 + crossing) / 2)):
        columns = {"series": names, "f": f_measure(tpr, fpr, prior, alphas)}
        results.add_frame("at", {"place": where} | columns)


def _threshold_movement(results: Results, points: OperatingPoints, alpha: float, grid: int) -> None:
    """Add how F curves lie as the threshold falls: slopes at P(+) = 0, and the last curve."""
    slopes = points.tpr / (alpha * points.fpr)
    results.add_frame("slopes", {"number": np.arange(1, len(points) + 1), "slope": slopes})
    prior = np.linspace(0, 1, grid)
    last = f_measure(points.tpr[-1], points.fpr[-1], prior, alpha)
    corrected = prior / (alpha + (1 - alpha) * prior)
    add_cases(results, "last-curve", prior=prior, said=prior, computed=last, corrected=corrected)


@study("crisp-pairs", basis="exact")
def two_crisp_classifiers(
    *,
    dominated: list[list[float]] = [[0.98, 0.5], [0.93, 0.6]],
    crossing: list[list[float]] = [[0.55, 0.08], [0.5, 0.03]],
    alpha: Rate = 0.5,
    grid: int = 501,
) -> Results:
    """Show a dominated and a crossing pair of crisp classifiers (Figure 3).

    dominated, crossing (list of [TPR, FPR]): C_1 and C_2 of each panel.
    """
    results = Results()
    add_crisp_pairs(results, "figure-3b", dominated, crossing, alpha, grid)
    return results
