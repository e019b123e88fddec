"""Figures 1 to 4 and the formulas of the conference paper."""

from __future__ import annotations

import numpy as np

from opchar.experiments.f_measure_space.crisp_classifiers import (
    add_cost_family,
    add_crisp_pairs,
    add_end_point,
    add_f_family,
    common_crossing,
)
from opchar.experiments.f_measure_space.curve_shapes import (
    add_common_crossings,
    add_shapes,
    add_single_crossings,
)
from opchar.experiments.f_measure_space.four_spaces import (
    show_soft_classifier,
    show_two_soft_classifiers,
)
from opchar.experiments.f_measure_space.repeats import add_cases, largest_gap
from opchar.experiments.f_measure_space.soft_classifiers import (
    add_best_thresholds,
    compare_soft,
    ordered,
)
from opchar.results import Results
from opchar.spaces.cost import probability_cost
from opchar.spaces.f_measure import crossing_prior, f_measure
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import precision


def crisp_curves(
    *,
    tpr: float,
    fpr: float,
    ms: list[float],
    alphas: list[float],
    grid: int,
    rates: list[float],
    weights: list[float],
    scores: list[list[float]],
) -> Results:
    """Draw the cost and F curves of one crisp classifier (Figure 1), and measure their shape.

    Parameters
    ----------
    tpr, fpr : float
        The classifier.
    ms : list of float
        Cost weights drawn, 0 and 1 among them.
    alphas : list of float
        Weights of precision drawn, 0 among them.
    grid : int
        Number of priors from 0 to 1.
    rates, weights : list of float
        TPR and FPR values and alpha, inside (0, 1), on which general statements are checked.
    scores : list of two lists of float
        Scores of positive and of negative objects, on which the direction of the threshold is
        checked.

    Returns
    -------
    Results
        Curves ``cost``, ``f`` and ``crossing``; the frames ``shape``, ``end-point``,
        ``common-crossing`` and ``thresholds``.

    References
    ----------
    soleymani2018, Sec. 3 and Fig. 1.
    """
    results = Results()
    add_cost_family(results, tpr, fpr, ms, grid)
    add_f_family(results, tpr, fpr, alphas, grid)
    add_shapes(results, rates, weights, grid)
    add_end_point(results, tpr, fpr, 0.5)
    add_common_crossings(results, rates, weights)
    crossing = common_crossing(tpr, fpr)
    results.number(
        "text-3", f"common crossing, TPR={tpr}, FPR={fpr}", "P(+)", crossing, unit="P(+)"
    )
    _threshold_direction(results, scores)
    return results


def _threshold_direction(results: Results, scores: list[list[float]]) -> None:
    """Add the frame ``thresholds``: those met on the ROC curve from (0, 0) to (1, 1)."""
    positive, negative = scores
    is_positive = np.repeat([True, False], [len(positive), len(negative)])
    points = operating_points(is_positive, np.concatenate([positive, negative]))
    place = np.arange(len(points))
    results.curve("thresholds", {"place": place[1:], "threshold": points.thresholds[1:]})


def formulas(*, rates: list[float], priors: list[float], ms: list[float]) -> Results:
    """Evaluate Eqs. 1 to 8 on a grid.

    Parameters
    ----------
    rates : list of float
        TPR and FPR values, inside (0, 1).
    priors : list of float
        P(+), inside (0, 1).
    ms : list of float
        Cost weights, inside (0, 1), without 0.5, where Eq. 8 as printed divides by zero.

    Returns
    -------
    Results

    References
    ----------
    soleymani2018, Sec. 2.
    """
    results = Results()
    tpr, fpr, prior = np.meshgrid(rates, rates, priors, indexing="ij")
    cost = 0.0
    for m in ms:
        pc = probability_cost(prior, m)
        numerator, slope = (1 / m - 1) * prior, (1 / m - 2) * prior
        add_cases(
            results,
            "pc-of-m",
            said=numerator / slope + 1,
            computed=pc,
            corrected=numerator / (slope + 1),
        )
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


def soft_classifier(
    *,
    tpr: list[float],
    fpr: list[float],
    priors: list[float],
    m: float,
    alpha: float,
    grid: int,
) -> Results:
    """Show a soft classifier of six thresholds in four spaces (Figure 2).

    Parameters
    ----------
    tpr, fpr : list of float
        Its operating points, thresholds descending, the first at (0, 0).
    priors : list of float
        P(+) of the inverted precision-recall curves.
    m : float
        Cost weight.
    alpha : float
        Weight of precision.
    grid : int
        Number of operating conditions from 0 to 1, besides the breakpoints.

    Returns
    -------
    Results
        See `opchar.experiments.f_measure_space.four_spaces.show_soft_classifier`.

    References
    ----------
    soleymani2018, Sec. 3 and Fig. 2.
    """
    results = Results()
    points = ordered(tpr, fpr)
    show_soft_classifier(results, "C_1", points, priors, m, alpha, grid)
    add_best_thresholds(results, points[points.tpr > 0], alpha, grid)
    return results


def two_crisp_classifiers(
    *,
    dominated: list[list[float]],
    crossing: list[list[float]],
    alpha: float,
    grid: int,
    rates: list[float],
    weights: list[float],
) -> Results:
    """Show a dominated and a crossing pair of crisp classifiers (Figure 3); evaluate Eq. 11.

    Parameters
    ----------
    dominated, crossing : list of [TPR, FPR]
        C_1 and C_2 of each panel.
    alpha : float
        Weight of precision.
    grid : int
        Number of priors from 0 to 1.
    rates, weights : list of float
        TPR and FPR values and alpha, inside (0, 1), for Eq. 11 on all pairs.

    Returns
    -------
    Results
        Curves ``f`` and ``crossing``.

    References
    ----------
    soleymani2018, Sec. 3, Eq. 11 and Fig. 3.
    """
    results = Results()
    add_crisp_pairs(results, {"a": dominated, "b": crossing}, alpha, grid)
    (tpr_1, fpr_1), (tpr_2, fpr_2) = crossing
    at = float(crossing_prior(tpr_1, fpr_1, tpr_2, fpr_2, alpha))
    results.number("figure-3-right", "P* of Eq. 11", "P(+)", at, unit="P(+)")
    add_single_crossings(results, rates, weights[0])
    return results


def two_soft_classifiers(
    *,
    tpr_1: list[float],
    fpr_1: list[float],
    tpr_2: list[float],
    fpr_2: list[float],
    priors: list[float],
    m: float,
    alpha: float,
    grid: int,
) -> Results:
    """Compare two soft classifiers in four spaces (Figure 4).

    Parameters
    ----------
    tpr_1, fpr_1, tpr_2, fpr_2 : list of float
        Their operating points; those of C_2 stand in the journal paper only.
    priors : list of float
        P(+) of the inverted precision-recall curves.
    m : float
        Cost weight.
    alpha : float
        Weight of precision.
    grid : int
        Number of operating conditions from 0 to 1, besides the breakpoints.

    Returns
    -------
    Results
        As `opchar.experiments.soleymani2020.section3.soft_curves.two_soft_classifiers`.

    References
    ----------
    soleymani2018, Sec. 3 and Fig. 4.
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
