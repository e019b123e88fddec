"""The definitions of the F-measure papers in rational arithmetic, for tests to judge by."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

HALF = Fraction(1, 2)
RATES = [Fraction(n, 20) for n in (1, 3, 6, 10, 14, 17, 19)]
PRIORS = [Fraction(n, 10) for n in (1, 3, 5, 8)]

Point = tuple[Fraction, Fraction]


def precision(tpr: Fraction, fpr: Fraction, prior: Fraction) -> Fraction:
    return prior * tpr / (prior * tpr + (1 - prior) * fpr)


def f_alpha(tpr: Fraction, fpr: Fraction, prior: Fraction, alpha: Fraction = HALF) -> Fraction:
    pr = precision(tpr, fpr, prior)
    return 1 / (alpha / pr + (1 - alpha) / tpr)


def cost(tpr: Fraction, fpr: Fraction, prior: Fraction, m: Fraction = HALF) -> Fraction:
    """Expected cost with C_FP = m and C_FN = 1 - m, over its largest value."""
    total = prior * (1 - m) + (1 - prior) * m
    return ((1 - tpr) * prior * (1 - m) + fpr * (1 - prior) * m) / total


def crossing(i: Point, j: Point, alpha: Fraction = HALF) -> Fraction | None:
    """P* of Eq. 11 as printed, or None where its denominator is 0."""
    (tpr_i, fpr_i), (tpr_j, fpr_j) = i, j
    products = fpr_i * tpr_j - fpr_j * tpr_i
    denominator = (alpha - 1) / alpha * (tpr_j - tpr_i) + products
    return products / denominator if denominator else None


def pairs_with_both_larger() -> Iterator[tuple[Point, Point]]:
    """Pairs of (TPR, FPR) of which the second has both rates larger."""
    for t_i, f_i, t_j, f_j in product(RATES, repeat=4):
        if t_j > t_i and f_j > f_i:
            yield (t_i, f_i), (t_j, f_j)
