"""The worked examples of Sec. 2.1 and Table 1: what skew does to cost, precision and F."""

from opchar.ranges import Rate
from opchar.spaces.cost import expected_cost, probability_cost
from opchar.spaces.f_measure import f_measure
from opchar.spaces.precision_recall import precision
from opchar_reproduction.percent import per_cent
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements
from opchar_reproduction.study import statement, study


@study("worked-examples", basis="exact")
def text_examples(
    *,
    positives: int = 25,
    negatives: int = 75,
    counts: list[list[int]] = [[22, 3], [24, 5]],
    tpr: Rate = 0.88,
    fpr: list[Rate] = [0.04, 0.06],
    skews: list[int] = [3, 4],
) -> Results:
    """Work out the examples of Sec. 2.1 (Sec. 2.1, Eqs. 1 and 2, with unit costs).

    positives, negatives: Class sizes of the first example.
    counts (list of [TP, FP]): The two tunings of the first example.
    tpr: True positive rate of both classifiers of the second example.
    fpr: Their two false positive rates.
    skews: Skews P(-)/P(+), ascending.
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


@study("f-of-two-points", basis="exact")
def table_1(
    *,
    tpr: Rate = 0.88,
    fpr: list[Rate] = [0.04, 0.06],
    skews: list[int] = [3, 4],
    alphas: list[Rate] = [0.25, 0.5, 0.75],
) -> Results:
    """Compute Table 1: F of two ROC points for two skews and three weights.

    tpr: True positive rate of both points.
    fpr: False positive rates of F_1 and F_2.
    """
    results = Results()
    for skew in skews:
        for number, rate in enumerate(fpr, start=1):
            for alpha in alphas:
                value = float(f_measure(tpr, rate, 1 / (1 + skew), alpha))
                row, column = f"lambda={skew} / F_{number}", f"alpha={alpha:g}"
                results.number("table-1", row, column, value, unit="F-measure")
    return results


@statement("0011")
def cost_grows_relatively_less_than_precision_falls(
    measured: Measurements,
    *,
    first: str = "lambda=4, (0.88,0.04)",
    second: str = "lambda=4, (0.88,0.06)",
) -> Finding:
    """Judge: from one classifier to the other EC grows relatively less than Pr falls."""
    cost, precision = (
        [measured.value("text-2.1", row, column) for row in (first, second)]
        for column in ("EC", "Pr")
    )
    grows, falls = cost[1] / cost[0] - 1, 1 - precision[1] / precision[0]
    return Finding(
        grows < falls,
        f"EC grows by {per_cent(grows, 1)} and Pr falls by {per_cent(falls, 1)} relatively, by "
        f"{cost[1] - cost[0]:.3f} and {precision[0] - precision[1]:.3f} absolutely",
    )
