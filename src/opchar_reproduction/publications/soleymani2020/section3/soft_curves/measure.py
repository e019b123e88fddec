"""Figures 2 and 4: soft classifiers in ROC, precision-recall, cost and F-measure space."""

import numpy as np

from opchar.ranges import Rate
from opchar.spaces.points import OperatingPoints
from opchar.spaces.precision_recall import precision
from opchar_reproduction.publications.f_measure_space.soft_classifiers import (
    add_best_thresholds,
    compare_soft,
    ordered_points,
    show_soft_classifier,
    show_two_soft_classifiers,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study


@study("soft-classifier", basis="exact")
def soft_classifier(
    *,
    tpr: list[Rate] = [1e-06, 0.55, 0.75, 0.88, 0.98, 1],
    fpr: list[Rate] = [1e-06, 0.08, 0.15, 0.28, 0.5, 1],
    priors: list[Rate] = [0.1, 0.5, 0.9],
    m: Rate = 0.5,
    alpha: Rate = 0.5,
    grid: int = 501,
) -> Results:
    """Show one soft classifier of six thresholds in the four spaces (Figure 2).

    tpr, fpr: Its operating points, thresholds descending.
    """
    results = Results()
    points = ordered_points(tpr, fpr)
    show_soft_classifier(results, "C_1", points, priors, m, alpha, grid)
    add_best_thresholds(results, points, alpha, grid)
    for prior in priors:
        height = precision(points.tpr, points.fpr, prior)
        results.add_frame("pr-moves", {"prior": prior, "tpr": points.tpr, "precision": height})
    return results


@study("two-soft-classifiers", basis="exact")
def two_soft_classifiers(
    *,
    tpr_1: list[Rate] = [1e-06, 0.55, 0.75, 0.88, 0.98, 1],
    fpr_1: list[Rate] = [1e-06, 0.08, 0.15, 0.28, 0.5, 1],
    tpr_2: list[Rate] = [1e-06, 0.5, 0.73, 0.88, 0.93, 1],
    fpr_2: list[Rate] = [1e-06, 0.03, 0.09, 0.28, 0.6, 1],
    priors: list[Rate] = [0.1, 0.5, 0.9],
    m: Rate = 0.5,
    alpha: Rate = 0.5,
    grid: int = 501,
) -> Results:
    """Compare two soft classifiers in the four spaces, with exact limits (Figure 4).

    tpr_1, fpr_1, tpr_2, fpr_2: Their operating points, thresholds descending.
    """
    results = Results()
    both = (tpr_1, tpr_2), (fpr_1, fpr_2)
    one, two = show_two_soft_classifiers(results, *both, priors, m, alpha, grid)
    labels = {"roc": "figure-4a", "pr": "figure-4b", "cost": "figure-4c", "f": "figure-4d"}
    rows = {
        "roc": "C_1 vs C_2 ROC convex hulls",
        "cost": f"C_1 vs C_2 cost envelopes, m={m:g}",
        "f": f"C_1 vs C_2 F envelopes, alpha={alpha:g}",
    }
    compare_soft(results, one, two, alpha, labels, rows)
    _precision_order(results, one, two, priors)
    return results


def _precision_order(
    results: Results, one: OperatingPoints, two: OperatingPoints, priors: list[float]
) -> None:
    """Add by how much the precision of C_1 is above that of C_2 at equal recall."""
    recall = np.linspace(0.05, 0.999, 500)
    for prior in priors:
        fpr = [np.interp(recall, points.hull.tpr, points.hull.fpr) for points in (one, two)]
        gain = precision(recall, fpr[0], prior) - precision(recall, fpr[1], prior)
        results.add_frame("precision-order", {"prior": prior, "recall": recall, "gain": gain})
