"""Figures 1 to 4 and the formulas of the conference paper."""

import numpy as np

from opchar.ranges import Rate
from opchar.spaces.cost import probability_cost
from opchar.spaces.f_measure import f_measure
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import precision
from opchar_reproduction.publications.f_measure_space.crisp_classifiers import (
    add_common_crossings,
    add_cost_family,
    add_crisp_pairs,
    add_end_point,
    add_f_family,
    add_shapes,
    add_single_crossings,
    common_crossing,
)
from opchar_reproduction.publications.f_measure_space.repeats import add_cases, largest_gap
from opchar_reproduction.publications.f_measure_space.soft_classifiers import (
    add_best_thresholds,
    compare_soft,
    ordered_points,
    show_soft_classifier,
    show_two_soft_classifiers,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study


@study("crisp-curves", basis="exact")
def crisp_curves(
    *,
    tpr: Rate = 0.8,
    fpr: Rate = 0.15,
    ms: list[Rate] = [0, 0.25, 0.5, 0.75, 1],
    alphas: list[Rate] = [0, 0.25, 0.5, 0.75, 1],
    grid: int = 501,
    rates: list[Rate] = [0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.98],
    weights: list[float] = [0.05, 0.25, 0.5, 0.75, 0.95],
    scores: list[list[float]] = [[0.9, 0.8, 0.6, 0.4], [0.7, 0.5, 0.3, 0.1]],
) -> Results:
    """Draw the cost and F curves of one crisp classifier (Figure 1), and measure their shape.

    ms: Cost weights drawn, 0 and 1 among them.
    alphas: Weights of precision drawn, 0 among them.
    rates, weights: TPR and FPR values and alpha, inside (0, 1), on which general statements are
        checked.
    scores: Scores of positive and of negative objects, on which the direction of the threshold is
        checked.
    """
    results = Results()
    add_cost_family(results, tpr, fpr, ms, grid)
    add_f_family(results, tpr, fpr, alphas, grid)
    add_shapes(results, rates, weights, grid)
    add_end_point(results, tpr, fpr, 0.5)
    add_common_crossings(results, rates, weights)
    row = f"common crossing, TPR={tpr}, FPR={fpr}"
    results.number("text-3", row, "P(+)", common_crossing(tpr, fpr), unit="P(+)")
    _threshold_direction(results, scores)
    return results


def _threshold_direction(results: Results, scores: list[list[float]]) -> None:
    """Add the frame ``thresholds``: those met on the ROC curve from (0, 0) to (1, 1)."""
    positive, negative = scores
    is_positive = np.repeat([True, False], [len(positive), len(negative)])
    points = operating_points(is_positive, np.concatenate([positive, negative]))
    index = np.arange(len(points))
    results.add_frame("thresholds", {"place": index[1:], "threshold": points.thresholds[1:]})


@study("formulas", basis="exact")
def formulas(
    *,
    rates: list[Rate] = [0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97],
    priors: list[Rate] = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9],
    ms: list[Rate] = [0.1, 0.3, 0.7, 0.9],
) -> Results:
    """Evaluate Eqs. 1 to 8 on a grid (Sec. 2).

    rates: TPR and FPR values, inside (0, 1).
    priors: P(+), inside (0, 1).
    ms: Cost weights, inside (0, 1), without 0.5, where Eq. 8 as printed divides by zero.
    """
    results = Results()
    tpr, fpr, prior = np.meshgrid(rates, rates, priors, indexing="ij")
    cost = 0.0
    for m in ms:
        pc = probability_cost(prior, m)
        numerator, slope = (1 / m - 1) * prior, (1 / m - 2) * prior
        said, corrected = numerator / slope + 1, numerator / (slope + 1)
        add_cases(results, "pc-of-m", said=said, computed=pc, corrected=corrected)
        normalised = ((1 - tpr) * prior * (1 - m) + fpr * (1 - prior) * m) / (
            prior * (1 - m) + (1 - prior) * m
        )
        cost = max(cost, largest_gap(normalised, ((1 - tpr) - fpr) * pc + fpr))
    results.number("eq-1", "Eq. 5 minus the normalised Eq. 1", "largest", cost, unit="cost")
    pr = precision(tpr, fpr, prior)
    gap = max(
        largest_gap(f_measure(tpr, fpr, prior, alpha), 1 / (alpha / pr + (1 - alpha) / tpr))
        for alpha in (0.1, 0.5, 0.9)
    )
    results.number("eq-9", "Eq. 9 minus Eq. 3", "largest", gap, unit="F-measure")
    return results


@study("soft-classifier", basis="exact")
def soft_classifier(
    *,
    tpr: list[Rate] = [0, 0.55, 0.75, 0.88, 0.98, 1],
    fpr: list[Rate] = [0, 0.08, 0.15, 0.28, 0.5, 1],
    priors: list[Rate] = [0.1, 0.5, 0.9],
    m: Rate = 0.5,
    alpha: Rate = 0.5,
    grid: int = 501,
) -> Results:
    """Show a soft classifier of six thresholds in four spaces (Figure 2).

    tpr, fpr: Its operating points, thresholds descending, the first at (0, 0).
    """
    results = Results()
    points = ordered_points(tpr, fpr)
    show_soft_classifier(results, "C_1", points, priors, m, alpha, grid)
    add_best_thresholds(results, points[points.tpr > 0], alpha, grid)
    return results


@study("crisp-pairs", basis="exact")
def two_crisp_classifiers(
    *,
    dominated: list[list[float]] = [[0.98, 0.5], [0.93, 0.6]],
    crossing: list[list[float]] = [[0.55, 0.08], [0.5, 0.03]],
    alpha: Rate = 0.5,
    grid: int = 501,
    rates: list[Rate] = [0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 0.97],
    weights: list[float] = [0.05, 0.5, 0.9],
) -> Results:
    """Show a dominated and a crossing pair of crisp classifiers (Figure 3); evaluate Eq. 11.

    dominated, crossing (list of [TPR, FPR]): C_1 and C_2 of each panel.
    rates, weights: TPR and FPR values and alpha, inside (0, 1), for Eq. 11 on all pairs.
    """
    results = Results()
    add_crisp_pairs(results, "figure-3-right", dominated, crossing, alpha, grid)
    add_single_crossings(results, rates, weights[0])
    return results


@study("two-soft-classifiers", basis="exact")
def two_soft_classifiers(
    *,
    tpr_1: list[Rate] = [0, 0.55, 0.75, 0.88, 0.98, 1],
    fpr_1: list[Rate] = [0, 0.08, 0.15, 0.28, 0.5, 1],
    tpr_2: list[Rate] = [0, 0.5, 0.73, 0.88, 0.93, 1],
    fpr_2: list[Rate] = [0, 0.03, 0.09, 0.28, 0.6, 1],
    priors: list[Rate] = [0.1, 0.5, 0.9],
    m: Rate = 0.5,
    alpha: Rate = 0.5,
    grid: int = 501,
) -> Results:
    """Compare two soft classifiers in four spaces (Figure 4).

    tpr_1, fpr_1, tpr_2, fpr_2: Their operating points; those of C_2 stand in the journal paper
        only.
    """
    results = Results()
    both = (tpr_1, tpr_2), (fpr_1, fpr_2)
    one, two = show_two_soft_classifiers(results, *both, priors, m, alpha, grid)
    rows = {
        "roc": "ROC convex hulls",
        "cost": f"cost envelopes, m={m:g}",
        "f": f"F envelopes, alpha={alpha:g}",
    }
    compare_soft(results, one, two, alpha, dict.fromkeys(("roc", "cost", "f"), "figure-4"), rows)
    return results
