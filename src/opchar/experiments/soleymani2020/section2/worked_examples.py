"""The worked examples of Sec. 2.1 and Table 1: what skew does to cost, precision and F."""

from __future__ import annotations

from opchar.results import Results
from opchar.spaces.cost import expected_cost, probability_cost
from opchar.spaces.f_measure import f_measure
from opchar.spaces.precision_recall import precision


def text_examples(
    *,
    positives: int,
    negatives: int,
    counts: list[list[int]],
    tpr: float,
    fpr: list[float],
    skews: list[int],
) -> Results:
    """Work out the examples of Sec. 2.1.

    Parameters
    ----------
    positives, negatives : int
        Class sizes of the first example.
    counts : list of [TP, FP]
        The two tunings of the first example.
    tpr : float
        True positive rate of both classifiers of the second example.
    fpr : list of float
        Their two false positive rates.
    skews : list of int
        Skews P(-)/P(+), ascending.

    Returns
    -------
    Results

    References
    ----------
    soleymani2020, Sec. 2.1, Eqs. 1 and 2, with unit costs.
    """
    results = Results()
    (tp_1, fp_1), (tp_2, fp_2) = counts
    row = (
        f"{positives} positives, {negatives} negatives; (TP,FP) ({tp_1},{fp_1}) -> ({tp_2},{fp_2})"
    )
    results.number("text-2.1", row, "change in TPR", (tp_2 - tp_1) / positives, unit="fraction")
    results.number("text-2.1", row, "change in FPR", (fp_2 - fp_1) / negatives, unit="fraction")
    pairs = {}
    for skew in skews:
        prior = 1 / (1 + skew)
        pc = probability_cost(prior, 0.5)
        pairs[skew] = [
            (float(expected_cost(tpr, each, pc)), float(precision(tpr, each, prior)))
            for each in fpr
        ]
        for rate, (cost, pr) in zip(fpr, pairs[skew], strict=True):
            row = f"lambda={skew}, ({tpr},{rate})"
            results.number("text-2.1", row, "EC", cost, unit="fraction")
            results.number("text-2.1", row, "Pr", pr, unit="fraction")
    return results


def table_1(*, tpr: float, fpr: list[float], skews: list[int], alphas: list[float]) -> Results:
    """Compute Table 1: F of two ROC points for two skews and three weights.

    Parameters
    ----------
    tpr : float
        True positive rate of both points.
    fpr : list of float
        False positive rates of F_1 and F_2.
    skews : list of int
        Skews P(-)/P(+).
    alphas : list of float
        Weights of precision.

    Returns
    -------
    Results

    References
    ----------
    soleymani2020, Table 1, Eqs. 3 and 9.
    """
    results = Results()
    for skew in skews:
        for number, rate in enumerate(fpr, start=1):
            for alpha in alphas:
                value = float(f_measure(tpr, rate, 1 / (1 + skew), alpha))
                row, column = f"lambda={skew} / F_{number}", f"alpha={alpha:g}"
                results.number("table-1", row, column, value, unit="F-measure")
    return results
