"""Sec. 3.3 and 3.4.1: F-measure space against cost space (Eqs. 12-15), and their bounds."""

from __future__ import annotations

import numpy as np

from opchar.experiments.soleymani2020.evidence import largest_gap, listed
from opchar.results import Results
from opchar.spaces.cost import crossing_pc, expected_cost, probability_cost
from opchar.spaces.f_measure import f_measure
from opchar.spaces.points import from_rates
from opchar.spaces.roc import neyman_pearson

_ROUNDING = 1e-12
_STEP = 1e-6
_DIFFERENCING = 1e-6


def cost_formulas(
    *, rates: list[float], priors: list[float], ms: list[float], alphas: list[float]
) -> Results:
    """Check Eqs. 12 to 15 and the derivatives of Sec. 3.3 on grids.

    Parameters
    ----------
    rates : list of float
        TPR and FPR values, inside (0, 1).
    priors : list of float
        P(+), inside (0, 1).
    ms : list of float
        Cost weights, inside (0, 1), 0.5 among them.
    alphas : list of float
        Weights of precision, inside (0, 1), 0.5 among them.

    Returns
    -------
    Results

    References
    ----------
    soleymani2020, Sec. 3.3.
    """
    results = Results()
    _preference(results, priors, ms, alphas)
    _special_weights(results, rates, priors)
    _crossings(results, rates, ms)
    tpr, fpr, prior = np.meshgrid(rates, rates, priors, indexing="ij")
    _cost_derivatives(results, tpr, fpr, prior)
    _f_derivatives(results, tpr, fpr, prior, alphas)
    return results


def _preference(
    results: Results, priors: list[float], ms: list[float], alphas: list[float]
) -> None:
    """Judge: m < 0.5 resembles alpha > 0.5, by what a gain of TPR is worth in FPR."""
    tpr, fpr, prior = 0.8, 0.15, np.asarray(priors)
    pc = probability_cost(prior, np.asarray(ms)[:, None])
    cost_worth = pc / (1 - pc)
    alpha = np.asarray(alphas)[:, None]
    by_tpr = _central(lambda step: f_measure(tpr + step, fpr, prior, alpha))
    by_fpr = _central(lambda step: f_measure(tpr, fpr + step, prior, alpha))
    f_worth = -by_tpr / by_fpr
    small_m, large_alpha = np.asarray(ms) < 0.5, np.asarray(alphas) > 0.5
    m_favours_tpr = bool((cost_worth[small_m] > cost_worth[ms.index(0.5)]).all())
    alpha_favours_tpr = bool((f_worth[large_alpha] > f_worth[alphas.index(0.5)]).all())
    middle = len(priors) // 2
    results.claim(
        "eq-12",
        "m and alpha",
        m_favours_tpr == alpha_favours_tpr,
        f"at P(+) = {priors[middle]:g} a gain of TPR is worth "
        f"{listed(cost_worth[:, middle], '.3g')} times FPR for m = {listed(ms)}, and "
        f"{listed(f_worth[:, middle], '.3g')} times for alpha = {listed(alphas)}: both fall, so "
        "m < 0.5 goes with alpha < 0.5",
    )


def _special_weights(results: Results, rates: list[float], priors: list[float]) -> None:
    tpr, fpr, prior = np.meshgrid(rates, rates, priors, indexing="ij")
    cost = {m: expected_cost(tpr, fpr, probability_cost(prior, m)) for m in (0.0, 0.5, 1.0)}
    gaps = [
        largest_gap(cost[0.0], 1 - tpr),
        largest_gap(cost[0.5], (1 - tpr - fpr) * prior + fpr),
        largest_gap(cost[1.0], fpr),
    ]
    results.claim(
        "eq-13",
        "special m",
        max(gaps) < _ROUNDING,
        f"largest gaps of EC to 1 - TPR, (1 - TPR - FPR)P + FPR and FPR at m = 0, 0.5, 1: "
        f"{', '.join(f'{gap:.1e}' for gap in gaps)}",
    )


def _crossings(results: Results, rates: list[float], ms: list[float]) -> None:
    tpr_i, fpr_i, tpr_j, fpr_j = (
        each.ravel() for each in np.meshgrid(rates, rates, rates, rates, indexing="ij")
    )
    both = (tpr_j > tpr_i) & (fpr_j > fpr_i)
    i, j = (tpr_i[both], fpr_i[both]), (tpr_j[both], fpr_j[both])
    more_tpr, more_fpr = i[0] - j[0], i[1] - j[1]
    pc = more_fpr / (more_tpr + more_fpr)
    gap = max(
        largest_gap(expected_cost(*i, pc), expected_cost(*j, pc)),
        largest_gap(pc, crossing_pc(*i, *j)),
    )
    results.claim(
        "eq-14",
        "cost crossing",
        gap < _ROUNDING,
        f"{len(pc)} pairs: both lines are equal at PC* to {gap:.1e}",
    )
    printed = corrected = 0.0
    outside = total = 0
    for m in ms:
        with np.errstate(divide="ignore", invalid="ignore"):
            as_printed = more_fpr / (more_tpr + more_fpr / (m - 1))
        right = more_fpr / ((1 / m - 1) * more_tpr + more_fpr)
        inside = (as_printed >= 0) & (as_printed <= 1)
        outside, total = outside + int((~inside).sum()), total + len(inside)
        printed = max(printed, _cost_gap(i, j, np.where(inside, as_printed, 0.5), m))
        corrected = max(corrected, _cost_gap(i, j, right, m))
    results.claim(
        "eq-15",
        "cost crossing in P(+)",
        outside == 0 and printed < _ROUNDING,
        f"as printed, {outside} of {total} values lie outside [0, 1], and at the others the costs "
        f"differ by up to {printed:.2f}; with (1/m - 1) on the TPR difference they are equal to "
        f"{corrected:.1e}",
    )


def _cost_gap(
    i: tuple[np.ndarray, np.ndarray], j: tuple[np.ndarray, np.ndarray], prior: np.ndarray, m: float
) -> float:
    pc = probability_cost(prior, m)
    return largest_gap(expected_cost(*i, pc), expected_cost(*j, pc))


def _cost_derivatives(results: Results, tpr: np.ndarray, fpr: np.ndarray, pc: np.ndarray) -> None:
    by_fpr = _central(lambda step: expected_cost(tpr, fpr + step, pc))
    by_tpr = _central(lambda step: expected_cost(tpr + step, fpr, pc))
    for row, numeric, printed in (("dEC/dFPR", by_fpr, 1 - pc), ("dEC/dTPR", by_tpr, -pc)):
        gap = largest_gap(numeric, printed)
        results.claim(
            "text-3.3",
            row,
            gap < _DIFFERENCING,
            f"central differences at {pc.size} points leave it by at most {gap:.1e}",
        )


def _f_derivatives(
    results: Results, tpr: np.ndarray, fpr: np.ndarray, prior: np.ndarray, alphas: list[float]
) -> None:
    printed = {"dF/dFPR": 0.0, "dF/dTPR": 0.0}
    corrected = dict(printed)
    for alpha in alphas:
        f = f_measure(tpr, fpr, prior, alpha)
        by_fpr = _central(lambda step, a=alpha: f_measure(tpr, fpr + step, prior, a))
        by_tpr = _central(lambda step, a=alpha: f_measure(tpr + step, fpr, prior, a))
        fall, rise = (1 - 1 / prior) / tpr * f**2, alpha / tpr * f**2
        forms = {
            "dF/dFPR": (by_fpr, fall, alpha * fall),
            "dF/dTPR": (by_tpr, rise + f / tpr, f / tpr - rise),
        }
        for row, (numeric, as_printed, right) in forms.items():
            scale = 1 + np.abs(numeric)
            printed[row] = max(printed[row], float(np.max(np.abs(as_printed - numeric) / scale)))
            corrected[row] = max(corrected[row], float(np.max(np.abs(right - numeric) / scale)))
    cures = {"dF/dFPR": "with the factor alpha", "dF/dTPR": "with a minus before alpha"}
    for row, cure in cures.items():
        results.claim(
            "text-3.3",
            row,
            printed[row] < _DIFFERENCING,
            f"relative to 1 + |derivative|, the printed form leaves central differences by up to "
            f"{printed[row]:.2f}; {cure} by {corrected[row]:.1e}",
        )


def neyman_pearson_bounds(
    *, rates: list[float], priors: list[float], alphas: list[float], fpr_max: float
) -> Results:
    """Check the bounds of Sec. 3.4.1 for a largest acceptable FPR.

    Parameters
    ----------
    rates : list of float
        TPR and FPR values of the classifiers to choose from, inside (0, 1).
    priors : list of float
        P(+), inside (0, 1).
    alphas : list of float
        Weights of precision, inside (0, 1).
    fpr_max : float
        Largest acceptable FPR.

    Returns
    -------
    Results

    References
    ----------
    soleymani2020, Sec. 3.4.1.
    """
    results = Results()
    prior, alpha = np.meshgrid(priors, alphas, indexing="ij")
    bound = f_measure(1.0, fpr_max, prior, alpha)
    product = largest_gap(1 / (1 + alpha * (1 / prior - 1) * fpr_max), bound)
    power = largest_gap(1 / (1 + alpha ** (1 / prior - 1) * fpr_max), bound)
    cost = largest_gap(expected_cost(1.0, fpr_max, prior), (1 - prior) * fpr_max)
    results.claim(
        "text-3.4.1",
        "Neyman-Pearson bounds",
        max(cost, power) < _ROUNDING,
        f"EC_min is right to {cost:.1e}; F at TPR = 1 and FPR = {fpr_max} leaves the printed power "
        f"of alpha by up to {power:.2f}, and 1/(1 + alpha (1/P - 1) FPR) by {product:.1e}",
    )
    tpr, fpr = (each.ravel() for each in np.meshgrid(rates, rates, indexing="ij"))
    rising = np.sort(np.asarray(rates))[:, None, None, None]
    gains = np.diff(f_measure(rising, np.asarray(rates)[:, None, None], prior, alpha), axis=0)
    results.claim(
        "text-3.4.1",
        "same FPR",
        bool((gains > 0).all()),
        f"F rises with TPR at each of {gains.size} steps of equal FPR, prior and alpha: least "
        f"{gains.min():.1e}",
    )
    points = from_rates(tpr, fpr)
    chosen = neyman_pearson(points, fpr_max)
    at = f"FPR_max = {fpr_max}, {len(points)} classifiers"
    results.number("text-3.4.1", at, "TPR chosen", points.tpr[chosen], unit="TPR")
    results.number("text-3.4.1", at, "FPR chosen", points.fpr[chosen], unit="FPR")
    return results


def _central(function) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Return the derivative of ``function(step)`` at 0 by central differences."""
    return (function(_STEP) - function(-_STEP)) / (2 * _STEP)
