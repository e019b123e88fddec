"""The formulas of Secs. 2 and 3 checked on grids of rates, priors and weights (Eqs. 1-10)."""

import numpy as np

from opchar.ranges import Rate
from opchar.spaces.cost import expected_cost, probability_cost
from opchar.spaces.f_measure import f_measure
from opchar.spaces.precision_recall import precision
from opchar_reproduction.publications.f_measure_space.repeats import add_cases, largest_gap
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement, study


@study("metric-formulas", basis="exact")
def metric_formulas(
    *,
    rates: list[Rate] = [0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.98],
    priors: list[Rate] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99],
    weights: list[float] = [0.05, 0.25, 0.5, 0.75, 0.95],
    costs: list[list[float]] = [[1, 1], [5, 1], [1, 3], [20, 2]],
    counts: list[int] = [1, 2, 5, 10, 40, 100],
    skews: list[float] = [1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50, 100],
    example: list[float] = [0.88, 0.04, 0.06],
) -> Results:
    """Evaluate Eqs. 1 to 10 in all their forms (Secs. 2.1, 2.3 and 3).

    rates: TPR and FPR values of the grid, inside (0, 1).
    priors: P(+) values of the grid, inside (0, 1).
    weights: alpha values of the grid, inside (0, 1).
    costs (list of [C_FN, C_FP]): Cost pairs for Eqs. 1, 6 and 7.
    counts: Values that TP, FP and FN take for the count form of F_beta.
    skews: Skews over which a growing FPR must lower precision more and more, ascending.
    example: ``[TPR, FPR_1, FPR_2]`` of that statement: the example of Sec. 2.1.
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
        cases = {"said": normalised, "computed": cost / most}
        add_cases(results, "normalised-cost", part="Eq. 1 over its largest value", **cases)
    results.number("eq-1", "EC over its largest value, minus Eq. 7", "largest", gap, unit="cost")
    gaps = [
        largest_gap(prior * a / (prior * a + (1 - prior) * b), probability_cost(prior, b / (a + b)))
        for a, b in costs
    ]
    results.number("eq-6", "PC(+) of Eq. 6, minus Eq. 13", "largest", max(gaps), unit="PC(+)")
    said_and_computed = {
        "Eq. 7": ((1 - tpr - fpr) * prior + fpr, expected_cost(tpr, fpr, prior)),
        "at PC(+) = 0": (fpr, expected_cost(tpr, fpr, 0.0)),
        "at PC(+) = 1": (1 - tpr, expected_cost(tpr, fpr, 1.0)),
        "always positive": (1 - prior, expected_cost(1.0, 1.0, prior)),
        "always negative": (prior, expected_cost(0.0, 0.0, prior)),
    }
    for part, (said, computed) in said_and_computed.items():
        add_cases(results, "normalised-cost", part=part, said=said, computed=computed)


def _precision_formula(results: Results, example: list[float], skews: np.ndarray) -> None:
    tpr, fpr_1, fpr_2 = example
    prior = 1 / (1 + skews)
    before, after = precision(tpr, fpr_1, prior), precision(tpr, fpr_2, prior)
    form = tpr / (tpr + skews * fpr_1)
    add_cases(results, "precision-formula", said=form, computed=before)
    falls = {"absolute": before - after, "relative": 1 - after / before}
    results.add_frame("fall-of-precision", {"skew": skews} | falls)
    worst, row = tpr / np.sqrt(fpr_1 * fpr_2), f"TPR {tpr}, FPR {fpr_1} -> {fpr_2}"
    results.number("eq-2", row, "lambda of the largest fall of Pr", worst)


def _f_forms(results: Results, counts: np.ndarray, weights: list[float]) -> None:
    tp, fp, fn = np.meshgrid(counts, counts, counts, indexing="ij")
    pr, recall = tp / (tp + fp), tp / (tp + fn)
    negatives = counts.max()
    prior = (tp + fn) / (tp + fn + negatives)
    harmonic = 0.0
    for alpha in weights:
        square = 1 / alpha - 1
        rates = (1 + square) * pr * recall / (square * pr + recall)
        counted = (1 + square) * tp / ((1 + square) * tp + fp + square * fn)
        weighted = 1 / (alpha / pr + (1 - alpha) / recall)
        for form in (rates, counted):
            add_cases(results, "f-beta", said=form, computed=weighted)
        by_rates = f_measure(recall, fp / negatives, prior, alpha)
        harmonic = max(harmonic, largest_gap(weighted, by_rates))
    results.number("eq-3", "Eq. 3 from counts, minus Eq. 9 from rates", "largest", harmonic)


def _f_of_the_prior(
    results: Results, tpr: np.ndarray, fpr: np.ndarray, prior: np.ndarray, weights: list[float]
) -> None:
    pr = precision(tpr, fpr, prior)
    limits = {1e-13: tpr, 0.5: 2 * pr * tpr / (pr + tpr), 1 - 1e-13: pr}
    for alpha, said in limits.items():
        computed = f_measure(tpr, fpr, prior, alpha)
        add_cases(results, "limits", alpha=alpha, said=said, computed=computed)
    for alpha in weights:
        value = f_measure(tpr, fpr, prior, alpha)
        rest = 1 / alpha + tpr - fpr - 1
        said = tpr / alpha / (rest + fpr / prior)
        fractions = 1 / (alpha * tpr) / (rest + 1 / (prior * fpr))
        add_cases(results, "eq-10", computed=value, said=said, fractions=fractions)
        line = 2 * (1 / pr - 1) + (1 - alpha) * 2 * (1 / tpr - 1 / pr)
        add_cases(results, "f-cost", said=line, computed=2 * (1 - value) / value)


ROUNDING = 1e-12


@statement("0089")
def products_not_fractions(measured: Measurements) -> Finding:
    """Judge: Eq. 10 equals Eq. 9 if its terms are read as products, not if as fractions."""
    table = measured.frame("eq-10")
    products = float((table["said"] - table["computed"]).abs().max())
    fractions = float((table["fractions"] - table["computed"]).abs().max())
    parts = {
        "equal read as products": products < ROUNDING,
        "different read as fractions": fractions > ROUNDING,
    }
    return conjunction(
        parts,
        f"as products Eq. 10 leaves Eq. 9 by up to {products:.1g}, as fractions by {fractions:.2g}",
    )
