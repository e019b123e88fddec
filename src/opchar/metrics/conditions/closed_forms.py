"""Bounds and limits of the indices of mullick2020 as exact fractions.

Each follows from the definitions alone; `opchar.metrics.conditions.ranges` and
`opchar.metrics.conditions.failing_class` find the same by searching.
"""

from __future__ import annotations

from fractions import Fraction


def lowest_auroc_ovo(classes: int) -> Fraction:
    """Return the lower bound of AUROC-OVO, (C-2)/(2(C-1)) (mullick2020, Lemma 2)."""
    return Fraction(classes - 2, 2 * (classes - 1))


def lowest_auroc_ova(sizes: tuple[int, ...]) -> Fraction:
    """Return the lower bound of AUROC-OVA for given class sizes (mullick2020, Lemma 3).

    An object of class i called j takes 1/(n - n_j) from the sum over classes. The most is lost when
    every class is called the largest, and the largest the second largest.

    Returned: ``(C - 1 - n_C / (n - n_(C-1))) / (2C)`` with sizes in ascending order.
    """
    if len(sizes) < 2 or not all(size > 0 for size in sizes):
        raise ValueError(f"sizes must be positive, of two or more classes, not {list(sizes)}")
    second, largest = sorted(sizes)[-2:]
    lost = Fraction(largest, sum(sizes) - second)
    return (len(sizes) - 1 - lost) / (2 * len(sizes))


def infimum_auroc_ova(classes: int) -> Fraction:
    """Return the greatest lower bound of AUROC-OVA over all class sizes, (C-2)/(2C).

    Returned: the lambda_C of mullick2020, Sec. 4.
    """
    return Fraction(classes - 2, 2 * classes)


def lowest_normalised_auroc_ova(classes: int) -> Fraction:
    """Return the lower bound of nAUROC-OVA over test sets of equal classes.

    Returned: ``(C-2) / ((C-1)(C+2))``, by Lemma 3 of mullick2020 for equal sizes.
    """
    weak = infimum_auroc_ova(classes)
    return (lowest_auroc_ova((1,) * classes) - weak) / (1 - weak)


def failing_acsa(classes: int) -> Fraction:
    """Return the limit of ACSA when one class fails, (C-1)/C (mullick2020, Eq. 27)."""
    return Fraction(classes - 1, classes)


def failing_m_aurpc_ova(classes: int) -> Fraction:
    """Return the least limit of mAURPC-OVA when one class fails, by Definition 7 of mullick2020.

    The failing class is called each other class equally often, and each of these loses epsilon to
    it.

    Returned: ``(2 C**2 - 3 C + 2) / (2 C**2)``.
    """
    return Fraction(2 * classes**2 - 3 * classes + 2, 2 * classes**2)


def failing_m_aurpc_ova_by_equation_28(classes: int) -> Fraction:
    """Return 3(C-1)/(4C), which mullick2020, Eq. 28, says the limit of mAURPC-OVA exceeds.

    Returned: below `failing_m_aurpc_ova`, though derived for other terms than those of Definition
    7.
    """
    return Fraction(3 * (classes - 1), 4 * classes)
