"""Figures 1 and 3: crisp classifiers in F-measure space."""

from __future__ import annotations

import numpy as np

from opchar.experiments.soleymani2020.evidence import spans
from opchar.experiments.soleymani2020.f_curve_rules import (
    common_crossing_claim,
    end_point_claim,
    shape_claim,
    threshold_movement_claims,
)
from opchar.results import Results
from opchar.spaces.compare import Ranges, compare_f
from opchar.spaces.f_measure import crossing_prior, f_measure, upper_envelope
from opchar.spaces.points import from_rates

_ROUNDING = 1e-12


def crisp_f_curves(
    *,
    tpr: float,
    fpr: float,
    alphas: list[float],
    grid: int,
    rates: list[float],
    weights: list[float],
    soft_tpr: list[float],
    soft_fpr: list[float],
    soft_alpha: float,
) -> Results:
    """Draw the F curves of one crisp classifier (Figure 1) and check what Sec. 3.1 says of them.

    Parameters
    ----------
    tpr, fpr : float
        The classifier drawn.
    alphas : list of float
        Weights of precision drawn.
    grid : int
        Number of priors from 0 to 1.
    rates, weights : list of float
        TPR and FPR values and alpha, inside (0, 1), on which general statements are checked.
    soft_tpr, soft_fpr : list of float
        Operating points, thresholds descending, on which the effect of the threshold is checked.
    soft_alpha : float
        Weight of precision there.

    Returns
    -------
    Results
        Curve ``f``: series, prior, f; curve ``crossing``: prior, f.

    References
    ----------
    soleymani2020, Sec. 3.1 and Fig. 1.
    """
    results = Results()
    crossing, note, holds = common_point(tpr, fpr, alphas)
    results.claim("figure-1", f"TPR={tpr}, FPR={fpr}", holds, note)
    results.number("figure-1", "common crossing", "P(+)", crossing, unit="P(+)")
    add_f_family(results, tpr, fpr, alphas, grid)
    shape_claim(results, "text-3.1", "shape in P(+)", rates, weights, grid)
    end_point_claim(results, "text-3.1", "end point", [tpr, fpr, soft_alpha])
    common_crossing_claim(results, "text-3.1", "common crossing", rates, weights)
    soft = from_rates(soft_tpr, soft_fpr)
    threshold_movement_claims(results, soft, soft_alpha, grid)
    return results


def add_f_family(results: Results, tpr: float, fpr: float, alphas: list[float], grid: int) -> None:
    """Add the curves ``f`` (series, prior, f) and ``crossing`` (prior, f) of a crisp classifier."""
    prior = np.linspace(0, 1, grid)
    for alpha in alphas:
        value = f_measure(tpr, fpr, prior, alpha)
        results.curve("f", {"series": f"α = {alpha:g}", "prior": prior, "f": value})
    results.curve("crossing", {"prior": [fpr / (fpr - tpr + 1)], "f": [tpr]})


def common_point(tpr: float, fpr: float, alphas: list[float]) -> tuple[float, str, bool]:
    """Return where the F curves of all weights cross, the evidence, and whether they do."""
    crossing = fpr / (fpr - tpr + 1)
    at = f_measure(tpr, fpr, crossing, alphas)
    constant = f_measure(tpr, fpr, np.linspace(0, 1, 101), 0.0)
    spread, wobble = float(np.ptp(at)), float(np.abs(constant - tpr).max())
    note = (
        f"at P(+) = {crossing:.6f} the F of alpha = {', '.join(f'{a:g}' for a in alphas)} spread "
        f"over {spread:.1e} around TPR = {tpr}; alpha = 0 leaves TPR by {wobble:.1e}"
    )
    return crossing, note, max(spread, wobble) < _ROUNDING


def two_crisp_classifiers(
    *, dominated: list[list[float]], crossing: list[list[float]], alpha: float, grid: int
) -> Results:
    """Show a dominated and a crossing pair of crisp classifiers (Figure 3).

    Parameters
    ----------
    dominated, crossing : list of [TPR, FPR]
        C_1 and C_2 of each panel.
    alpha : float
        Weight of precision.
    grid : int
        Number of priors from 0 to 1.

    Returns
    -------
    Results
        Curve ``f``: panel, series, prior, f; curve ``crossing``: panel, prior, f.

    References
    ----------
    soleymani2020, Sec. 3.2, Eq. 11 and Fig. 3.
    """
    results = Results()
    add_crisp_pairs(results, {"a": dominated, "b": crossing}, alpha, grid)
    ranges = crisp_ranges(dominated, alpha)
    gain = crisp_gain(dominated, alpha)
    results.claim(
        "figure-3a",
        _pair_row(dominated, alpha),
        bool((ranges.better < 0).all()),
        f"C_2 is better {spans(ranges.where(-1))}, C_1 {spans(ranges.where(1))}, by up to "
        f"{gain:.4f}",
    )
    at, holds, note = crossing_evidence(crossing, alpha)
    results.claim("figure-3b", _pair_row(crossing, alpha), holds, note)
    results.number("figure-3b", "P* of Eq. 11", "P(+)", at, unit="P(+)")
    return results


def crossing_evidence(pair: list[list[float]], alpha: float) -> tuple[float, bool, str]:
    """Return P*, whether C_2 is better below and C_1 above it, and the evidence."""
    (tpr_1, fpr_1), (tpr_2, fpr_2) = pair
    at = float(crossing_prior(tpr_1, fpr_1, tpr_2, fpr_2, alpha))
    ranges = crisp_ranges(pair, alpha)
    note = f"P* = {at:.6f}: C_2 better {spans(ranges.where(-1))}, C_1 {spans(ranges.where(1))}"
    return at, ranges.better.tolist() == [-1, 1], note


def add_crisp_pairs(
    results: Results, panels: dict[str, list[list[float]]], alpha: float, grid: int
) -> None:
    """Add the curves ``f`` and ``crossing`` of pairs of crisp classifiers, by panel."""
    prior = np.linspace(0, 1, grid)
    for panel, pair in panels.items():
        for number, (tpr, fpr) in enumerate(pair, start=1):
            series = f"C{number}: TPR {tpr:g}, FPR {fpr:g}"
            value = f_measure(tpr, fpr, prior, alpha)
            results.curve("f", {"panel": panel, "series": series, "prior": prior, "f": value})
        (tpr_1, fpr_1), (tpr_2, fpr_2) = pair
        at = crossing_prior(tpr_1, fpr_1, tpr_2, fpr_2, alpha)
        if np.isfinite(at):
            value = f_measure(tpr_1, fpr_1, at, alpha)
            results.curve("crossing", {"panel": panel, "prior": [float(at)], "f": [float(value)]})


def crisp_ranges(pair: list[list[float]], alpha: float) -> Ranges:
    """Return where which F curve of two crisp classifiers is higher."""
    one, two = (upper_envelope(from_rates([tpr], [fpr]), alpha) for tpr, fpr in pair)
    return compare_f(one, two)


def crisp_gain(pair: list[list[float]], alpha: float) -> float:
    """Return the largest difference between the F curves of two crisp classifiers."""
    prior = np.linspace(0, 1, 1001)
    one, two = (f_measure(tpr, fpr, prior, alpha) for tpr, fpr in pair)
    return float(np.abs(one - two).max())


def _pair_row(pair: list[list[float]], alpha: float) -> str:
    one, two = (f"({tpr:g},{fpr:g})" for tpr, fpr in pair)
    return f"{one} vs {two}" + f", alpha={alpha:g}"
