"""Figures 1 to 4 and the formulas of the conference paper, from the journal's functions."""

from __future__ import annotations

import numpy as np

from opchar.experiments.soleymani2020.cost_curves import add_cost_family
from opchar.experiments.soleymani2020.crisp_curves import (
    add_crisp_pairs,
    add_f_family,
    common_point,
    crisp_ranges,
    crossing_evidence,
)
from opchar.experiments.soleymani2020.evidence import largest_gap, listed, spans
from opchar.experiments.soleymani2020.f_curve_rules import (
    common_crossing_claim,
    end_point_claim,
    shape_claim,
    single_crossing_claim,
)
from opchar.experiments.soleymani2020.four_spaces import show_soft_classifier
from opchar.experiments.soleymani2020.soft_curves import compare_soft, envelopes_describe, ordered
from opchar.results import Results
from opchar.spaces.cost import expected_cost, probability_cost
from opchar.spaces.f_measure import f_measure
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import precision

_ROUNDING = 1e-12


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
    """Draw cost curves and F curves of one crisp classifier (Figure 1); check Sec. 3 on them.

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
        Curves ``cost``, ``f`` and ``crossing``.

    References
    ----------
    soleymani2018, Sec. 3 and Fig. 1.
    """
    results = Results()
    add_cost_family(results, tpr, fpr, ms, grid)
    add_f_family(results, tpr, fpr, alphas, grid)
    prior = np.linspace(0, 1, grid)
    constants = {
        "m=0": (expected_cost(tpr, fpr, probability_cost(prior, 0.0)), 1 - tpr, "EC", "1 - TPR"),
        "m=1": (expected_cost(tpr, fpr, probability_cost(prior, 1.0)), fpr, "EC", "FPR"),
        "alpha=0": (f_measure(tpr, fpr, prior, 0.0), tpr, "F", "TPR"),
    }
    for row, (values, constant, name, rate) in constants.items():
        gap = float(np.abs(values - constant).max())
        note = f"{name} leaves {rate} = {constant:.4g} by at most {gap:.1e} over {grid} priors"
        results.claim("figure-1", row, gap < _ROUNDING, note)
    shape_claim(results, "text-3", "shape", rates, weights, grid)
    end_point_claim(results, "text-3", "end point", [tpr, fpr, 0.5])
    common_crossing_claim(results, "text-3", "common crossing", rates, weights)
    crossing, note, _ = common_point(tpr, fpr, alphas)
    results.number(
        "text-3", f"common crossing, TPR={tpr}, FPR={fpr}", "P(+)", crossing, unit="P(+)"
    )
    _threshold_direction(results, scores)
    return results


def _threshold_direction(results: Results, scores: list[list[float]]) -> None:
    """Judge: as the threshold increases, the ROC runs from (0, 0) to (1, 1)."""
    positive, negative = scores
    is_positive = np.repeat([True, False], [len(positive), len(negative)])
    points = operating_points(is_positive, np.concatenate([positive, negative]))
    rises = np.diff(points.thresholds[1:]) > 0
    results.claim(
        "text-3",
        "threshold direction",
        bool(rises.all()),
        f"from (0, 0) to (1, 1) the thresholds run {listed(points.thresholds)}: they decrease",
    )


def formulas(*, rates: list[float], priors: list[float], ms: list[float]) -> Results:
    """Check Eqs. 1 to 8 on a grid.

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
    printed = corrected = 0.0
    cost = 0.0
    for m in ms:
        pc = probability_cost(prior, m)
        numerator, slope = (1 / m - 1) * prior, (1 / m - 2) * prior
        printed = max(printed, largest_gap(numerator / slope + 1, pc))
        corrected = max(corrected, largest_gap(numerator / (slope + 1), pc))
        normalised = ((1 - tpr) * prior * (1 - m) + fpr * (1 - prior) * m) / (
            prior * (1 - m) + (1 - prior) * m
        )
        cost = max(cost, largest_gap(normalised, ((1 - tpr) - fpr) * pc + fpr))
    results.claim(
        "eq-8",
        "PC(+) in terms of m",
        printed < _ROUNDING,
        f"with + 1 outside the fraction it leaves Eq. 6 by up to {printed:.1f}, with + 1 in the "
        f"denominator by {corrected:.1e}",
    )
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
        See `opchar.experiments.soleymani2020.four_spaces.show_soft_classifier`.

    References
    ----------
    soleymani2018, Sec. 3 and Fig. 2.
    """
    results = Results()
    points = ordered(tpr, fpr)
    show_soft_classifier(results, "C_1", points, priors, m, alpha, grid)
    holds, note = envelopes_describe(points[points.tpr > 0], priors, alpha, grid)
    results.claim("figure-2", "envelopes", holds, f"(without (0, 0), where Pr is 0/0) {note}")
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
    """Show a dominated and a crossing pair of crisp classifiers (Figure 3); check Eq. 11.

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
    ranges = crisp_ranges(dominated, alpha)
    note = f"C_1 is better {spans(ranges.where(1))}, C_2 {spans(ranges.where(-1))}"
    results.claim("figure-3-left", _versus(dominated), ranges.dominates(), note)
    at, holds, note = crossing_evidence(crossing, alpha)
    results.claim("figure-3-right", _versus(crossing), holds, note)
    results.number("figure-3-right", "P* of Eq. 11", "P(+)", at, unit="P(+)")
    single_crossing_claim(results, "eq-11", "single crossing", rates, weights)
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
        As `opchar.experiments.soleymani2020.soft_curves.two_soft_classifiers`.

    References
    ----------
    soleymani2018, Sec. 3 and Fig. 4.
    """
    results = Results()
    one, two = ordered(tpr_1, fpr_1), ordered(tpr_2, fpr_2)
    for name, points in (("C_1", one), ("C_2", two)):
        show_soft_classifier(results, name, points, priors, m, alpha, grid)
    rows = {
        "roc": "ROC convex hulls",
        "cost": f"cost envelopes, m={m:g}",
        "cost claim": "PC(+)<0.6",
        "f": f"F envelopes, alpha={alpha:g}",
        "f claim": "F ordering",
    }
    compare_soft(results, one, two, alpha, dict.fromkeys(("roc", "cost", "f"), "figure-4"), rows)
    return results


def _versus(pair: list[list[float]]) -> str:
    return " vs ".join(f"({tpr:g},{fpr:g})" for tpr, fpr in pair)
