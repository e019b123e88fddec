"""The formulas of Secs. 2 and 3 checked on grids of rates, priors and weights (Eqs. 1-10)."""

from __future__ import annotations

import numpy as np

from opchar.experiments.soleymani2020.evidence import largest_gap
from opchar.results import Results
from opchar.spaces.cost import expected_cost, probability_cost
from opchar.spaces.f_measure import f_measure
from opchar.spaces.precision_recall import precision

_ROUNDING = 1e-12


def metric_formulas(
    *,
    rates: list[float],
    priors: list[float],
    weights: list[float],
    costs: list[list[float]],
    counts: list[int],
    skews: list[float],
    example: list[float],
) -> Results:
    """Check Eqs. 1 to 10 and the statements around them.

    Parameters
    ----------
    rates : list of float
        TPR and FPR values of the grid, inside (0, 1).
    priors : list of float
        P(+) values of the grid, inside (0, 1).
    weights : list of float
        alpha values of the grid, inside (0, 1).
    costs : list of [C_FN, C_FP]
        Cost pairs for Eqs. 1, 6 and 7.
    counts : list of int
        Values that TP, FP and FN take for the count form of F_beta.
    skews : list of float
        Skews over which a growing FPR must lower precision more and more, ascending.
    example : list of float
        ``[TPR, FPR_1, FPR_2]`` of that statement: the example of Sec. 2.1.

    Returns
    -------
    Results

    References
    ----------
    soleymani2020, Secs. 2.1, 2.3 and 3.
    """
    results = Results()
    tpr, fpr, prior = np.meshgrid(rates, rates, priors, indexing="ij")
    _cost_formulas(results, tpr, fpr, prior, costs)
    _precision_formula(results, example, np.asarray(skews))
    _f_forms(results, np.asarray(counts, float), weights)
    _f_of_the_prior(results, tpr, fpr, prior, weights)
    return results


def _cost_formulas(
    results: Results, tpr: np.ndarray, fpr: np.ndarray, prior: np.ndarray, costs: list[list[float]]
) -> None:
    gap = 0.0
    for false_negative, false_positive in costs:
        cost = (1 - tpr) * prior * false_negative + fpr * (1 - prior) * false_positive
        most = prior * false_negative + (1 - prior) * false_positive
        m = false_positive / (false_positive + false_negative)
        normalised = expected_cost(tpr, fpr, probability_cost(prior, m))
        gap = max(gap, largest_gap(cost / most, normalised))
    results.number("eq-1", "EC over its largest value, minus Eq. 7", "largest", gap, unit="cost")
    results.number(
        "eq-6",
        "PC(+) of Eq. 6, minus Eq. 13",
        "largest",
        max(
            largest_gap(
                prior * a / (prior * a + (1 - prior) * b), probability_cost(prior, b / (a + b))
            )
            for a, b in costs
        ),
        unit="PC(+)",
    )
    printed = (1 - tpr - fpr) * prior + fpr
    ends = max(
        largest_gap(expected_cost(tpr, fpr, 0.0), fpr),
        largest_gap(expected_cost(tpr, fpr, 1.0), 1 - tpr),
    )
    always = max(
        largest_gap(expected_cost(1.0, 1.0, prior), 1 - prior),
        largest_gap(expected_cost(0.0, 0.0, prior), prior),
    )
    form = max(gap, largest_gap(printed, expected_cost(tpr, fpr, prior)))
    results.claim(
        "eq-7",
        "normalised EC",
        max(form, ends, always) < _ROUNDING,
        f"largest gaps over {tpr.size} cases: Eq. 7 to Eq. 1 normalised {form:.1e}, "
        f"ends {ends:.1e}, trivial classifiers {always:.1e}",
    )


def _precision_formula(results: Results, example: list[float], skews: np.ndarray) -> None:
    tpr, fpr_1, fpr_2 = example
    prior = 1 / (1 + skews)
    before, after = precision(tpr, fpr_1, prior), precision(tpr, fpr_2, prior)
    form = largest_gap(before, tpr / (tpr + skews * fpr_1))
    absolute, relative = before - after, 1 - after / before
    worst = tpr / np.sqrt(fpr_1 * fpr_2)
    results.claim(
        "eq-2",
        "Pr and lambda",
        bool(form < _ROUNDING and (np.diff(absolute) > 0).all()),
        f"formula exact to {form:.1e}; for TPR {tpr}, FPR {fpr_1} -> {fpr_2} the fall of Pr grows "
        f"up to lambda = {worst:.1f} only, then shrinks ({np.interp(worst, skews, absolute):.3f} "
        f"there, {absolute[-1]:.3f} at {skews[-1]:g}); the relative fall grows throughout: "
        f"{bool((np.diff(relative) > 0).all())}",
    )
    results.number(
        "eq-2", f"TPR {tpr}, FPR {fpr_1} -> {fpr_2}", "lambda of the largest fall of Pr", worst
    )


def _f_forms(results: Results, counts: np.ndarray, weights: list[float]) -> None:
    tp, fp, fn = np.meshgrid(counts, counts, counts, indexing="ij")
    pr, recall = tp / (tp + fp), tp / (tp + fn)
    gap = harmonic = 0.0
    for alpha in weights:
        square = 1 / alpha - 1
        rates = (1 + square) * pr * recall / (square * pr + recall)
        counted = (1 + square) * tp / ((1 + square) * tp + fp + square * fn)
        weighted = 1 / (alpha / pr + (1 - alpha) / recall)
        gap = max(gap, largest_gap(rates, weighted), largest_gap(counted, weighted))
        harmonic = max(
            harmonic,
            largest_gap(
                weighted, f_measure(recall, fp / counts.max(), _prior(tp, fn, counts), alpha)
            ),
        )
    results.claim(
        "eq-4",
        "F_beta form",
        gap < _ROUNDING,
        f"alpha = 1/(1 + beta^2): largest gap of Eqs. 4 and 5 to Eq. 3 {gap:.1e} over "
        f"{tp.size * len(weights)} cases",
    )
    results.number("eq-3", "Eq. 3 from counts, minus Eq. 9 from rates", "largest", harmonic)


def _prior(tp: np.ndarray, fn: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the prior of a sample with ``max(counts)`` negatives."""
    return (tp + fn) / (tp + fn + counts.max())


def _f_of_the_prior(
    results: Results,
    tpr: np.ndarray,
    fpr: np.ndarray,
    prior: np.ndarray,
    weights: list[float],
) -> None:
    pr = precision(tpr, fpr, prior)
    to_recall = largest_gap(f_measure(tpr, fpr, prior, 1e-13), tpr)
    to_precision = largest_gap(f_measure(tpr, fpr, prior, 1 - 1e-13), pr)
    plain = largest_gap(f_measure(tpr, fpr, prior, 0.5), 2 * pr * tpr / (pr + tpr))
    results.claim(
        "eq-9",
        "limits in alpha",
        max(to_recall, to_precision) < 1e-9 and plain < _ROUNDING,
        f"gap to TPR at alpha = 1e-13: {to_recall:.1e}; to Pr at 1 - 1e-13: {to_precision:.1e}; "
        f"to the harmonic mean at 1/2: {plain:.1e}",
    )
    products = misread = linear = 0.0
    for alpha in weights:
        value = f_measure(tpr, fpr, prior, alpha)
        rest = 1 / alpha + tpr - fpr - 1
        products = max(products, largest_gap(tpr / alpha / (rest + fpr / prior), value))
        fractions = 1 / (alpha * tpr) / (rest + 1 / (prior * fpr))
        misread = max(misread, largest_gap(fractions, value))
        loss = 2 * (1 - value) / value
        line = 2 * (1 / pr - 1) + (1 - alpha) * 2 * (1 / tpr - 1 / pr)
        linear = max(linear, float(np.max(np.abs(loss - line) / (1 + np.abs(line)))))
    results.claim(
        "eq-10",
        "equivalence with eq 9",
        products < _ROUNDING < misread,
        f"read with products, the largest gap to Eq. 9 is {products:.1e}; read as fractions "
        f"1/(alpha TPR) and 1/(P(+) FPR) it is {misread:.2g}",
    )
    results.claim(
        "text-2.3",
        "F-cost curves (Flach)",
        linear < _ROUNDING,
        f"largest relative gap of 2(1-F)/F to a line in 1 - alpha: {linear:.1e}",
    )
