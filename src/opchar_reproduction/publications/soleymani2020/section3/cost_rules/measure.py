"""Sec. 3.3 and 3.4.1: F-measure space against cost space (Eqs. 12-15), and their bounds."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from opchar.ranges import Rate
from opchar.spaces.cost import expected_cost, probability_cost
from opchar.spaces.f_measure import f_measure
from opchar.spaces.points import from_rates
from opchar.spaces.roc import neyman_pearson
from opchar_reproduction.publications.f_measure_space.repeats import add_cases
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

_STEP = 1e-6


@study("cost-formulas", basis="exact")
def cost_formulas(
    *,
    rates: list[Rate] = [0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97],
    priors: list[Rate] = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9],
    ms: list[Rate] = [0.1, 0.3, 0.5, 0.7, 0.9],
    alphas: list[Rate] = [0.1, 0.3, 0.5, 0.7, 0.9],
) -> Results:
    """Evaluate Eqs. 12 to 15 and the derivatives of Sec. 3.3 on grids.

    rates: TPR and FPR values, inside (0, 1).
    priors: P(+), inside (0, 1).
    ms: Cost weights, inside (0, 1), 0.5 among them.
    alphas: Weights of precision, inside (0, 1), 0.5 among them.
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
    """Add the frame ``worth``: what a gain of TPR is worth in FPR, by weight, level and P(+)."""
    tpr, fpr, prior = 0.8, 0.15, np.asarray(priors)
    pc = probability_cost(prior, np.asarray(ms)[:, None])
    cost_worth = pc / (1 - pc)
    alpha = np.asarray(alphas)[:, None]
    by_tpr, by_fpr = _slopes_of_f(tpr, fpr, prior, alpha)
    f_worth = -by_tpr / by_fpr
    for weight, levels, worth in (("m", ms, cost_worth), ("alpha", alphas, f_worth)):
        for level, values in zip(levels, worth, strict=True):
            row = {"weight": weight, "level": level, "prior": prior, "worth": values}
            results.add_frame("worth", row)


def _special_weights(results: Results, rates: list[float], priors: list[float]) -> None:
    tpr, fpr, prior = np.meshgrid(rates, rates, priors, indexing="ij")
    said = {0.0: 1 - tpr, 0.5: (1 - tpr - fpr) * prior + fpr, 1.0: fpr}
    for m, value in said.items():
        cost = expected_cost(tpr, fpr, probability_cost(prior, m))
        add_cases(results, "special-m", m=m, said=value, computed=cost)


def _crossings(results: Results, rates: list[float], ms: list[float]) -> None:
    tpr_i, fpr_i, tpr_j, fpr_j = (
        each.ravel() for each in np.meshgrid(rates, rates, rates, rates, indexing="ij")
    )
    both = (tpr_j > tpr_i) & (fpr_j > fpr_i)
    i, j = (tpr_i[both], fpr_i[both]), (tpr_j[both], fpr_j[both])
    more_tpr, more_fpr = i[0] - j[0], i[1] - j[1]
    pc = more_fpr / (more_tpr + more_fpr)
    costs = expected_cost(*i, pc), expected_cost(*j, pc)
    add_cases(results, "cost-crossing", said=costs[0], computed=costs[1])
    for m in ms:
        with np.errstate(divide="ignore", invalid="ignore"):
            as_printed = more_fpr / (more_tpr + more_fpr / (m - 1))
        right = more_fpr / ((1 / m - 1) * more_tpr + more_fpr)
        add_cases(results, "prior-crossing", m=m, said=as_printed, computed=right)


def _cost_derivatives(results: Results, tpr: np.ndarray, fpr: np.ndarray, pc: np.ndarray) -> None:
    by_fpr = _central(lambda step: expected_cost(tpr, fpr + step, pc))
    by_tpr = _central(lambda step: expected_cost(tpr + step, fpr, pc))
    for row, numeric, said in (("dEC/dFPR", by_fpr, 1 - pc), ("dEC/dTPR", by_tpr, -pc)):
        add_cases(results, row, said=said, computed=numeric)


def _f_derivatives(
    results: Results, tpr: np.ndarray, fpr: np.ndarray, prior: np.ndarray, alphas: list[float]
) -> None:
    for alpha in alphas:
        f = f_measure(tpr, fpr, prior, alpha)
        by_tpr, by_fpr = _slopes_of_f(tpr, fpr, prior, alpha)
        fall, rise = (1 - 1 / prior) / tpr * f**2, alpha / tpr * f**2
        add_cases(results, "dF/dFPR", said=fall, computed=by_fpr, corrected=alpha * fall)
        add_cases(
            results, "dF/dTPR", said=rise + f / tpr, computed=by_tpr, corrected=f / tpr - rise
        )


@study("neyman-pearson-bounds", basis="exact")
def neyman_pearson_bounds(
    *,
    rates: list[Rate] = [0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97],
    priors: list[Rate] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9],
    alphas: list[Rate] = [0.1, 0.3, 0.5, 0.7, 0.9],
    fpr_max: Rate = 0.2,
) -> Results:
    """Evaluate the bounds of Sec. 3.4.1 for a largest acceptable FPR.

    rates: TPR and FPR values of the classifiers to choose from, inside (0, 1).
    priors: P(+), inside (0, 1).
    alphas: Weights of precision, inside (0, 1).
    """
    results = Results()
    prior, alpha = np.meshgrid(priors, alphas, indexing="ij")
    bound = f_measure(1.0, fpr_max, prior, alpha)
    said = 1 / (1 + alpha ** (1 / prior - 1) * fpr_max)
    corrected = 1 / (1 + alpha * (1 / prior - 1) * fpr_max)
    add_cases(results, "largest-f", said=said, computed=bound, corrected=corrected)
    costs = (1 - prior) * fpr_max, expected_cost(1.0, fpr_max, prior)
    add_cases(results, "least-cost", said=costs[0], computed=costs[1])
    tpr, fpr = (each.ravel() for each in np.meshgrid(rates, rates, indexing="ij"))
    rising = np.sort(np.asarray(rates))[:, None, None, None]
    f = f_measure(rising, np.asarray(rates)[:, None, None], prior, alpha)
    add_cases(results, "same-fpr", lower=f[:-1], higher=f[1:])
    points = from_rates(tpr, fpr)
    chosen = neyman_pearson(points, fpr_max)
    at = f"FPR_max = {fpr_max}, {len(points)} classifiers"
    results.number("text-3.4.1", at, "TPR chosen", points.tpr[chosen], unit="TPR")
    results.number("text-3.4.1", at, "FPR chosen", points.fpr[chosen], unit="FPR")
    return results


def _slopes_of_f(
    tpr: ArrayLike, fpr: ArrayLike, prior: ArrayLike, alpha: ArrayLike
) -> tuple[np.ndarray, np.ndarray]:
    """Return the derivatives of F by TPR and by FPR."""
    return (
        _central(lambda step: f_measure(np.add(tpr, step), fpr, prior, alpha)),
        _central(lambda step: f_measure(tpr, np.add(fpr, step), prior, alpha)),
    )


def _central(function: Callable[[float], np.ndarray]) -> np.ndarray:
    """Return the derivative of ``function(step)`` at 0 by central differences."""
    return (function(_STEP) - function(-_STEP)) / (2 * _STEP)
