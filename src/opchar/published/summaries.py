"""Bounds between summary values: curves, means and spreads, tests, winners."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from opchar.published.averages import SECONDS, integers
from opchar.published.matrices import Limits, UndecidedError
from opchar.published.numbers import Printed, Rounding, printed
from opchar.spaces.p_roc import least_auprec

Spread = Literal["sd", "se"]
Kind = Literal["sample", "population"]


def auc_range(fpr: Limits, tpr: Limits) -> Limits:
    """Return the least and greatest AUC of a rising curve through a point.

    The least lies along the axes and through the point alone, the greatest over it.

    Parameters
    ----------
    fpr, tpr : tuple of Fraction
        Limits of the rates of one operating point.

    Returns
    -------
    tuple of Fraction

    Examples
    --------
    >>> auc_range((Fraction(1, 10),) * 2, (Fraction(8, 10),) * 2)
    (Fraction(18, 25), Fraction(49, 50))
    """
    return tpr[0] * (1 - fpr[1]), 1 - fpr[0] * (1 - tpr[1])


def auprec_range(auc: Limits, prior: float) -> tuple[float, float]:
    """Return the least and greatest area under precision over recall for an AUC.

    The least is `opchar.spaces.p_roc.least_auprec`; the greatest has all negatives of one score,
    below a share AUC of the positives: ``1 - lam ln((1 + lam) / (AUC + lam))``, by the chord of
    the convex integrand. Between both any value is taken, by mixing the two curves.

    Parameters
    ----------
    auc : tuple of Fraction
        Limits of the area under the ROC curve.
    prior : float
        Of the positive class, in (0, 1).

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> [round(limit, 3) for limit in auprec_range((Fraction("0.943"),) * 2, 0.5)]
    [0.805, 0.971]
    """
    skew = (1 - prior) / prior
    most = 1 - skew * math.log((1 + skew) / (float(auc[1]) + skew))
    return least_auprec(float(auc[0]), prior), most


def brier_range(error: Limits) -> Limits:
    """Return the least and greatest Brier score for an error rate at the threshold one half.

    Each error adds at least one quarter and at most one; each correct decision at most one quarter.
    """
    return error[0] / 4, error[1] + (1 - error[1]) / 4


def greatest_sd(mean: Limits, n: int, low: float, high: float, kind: Kind = "sample") -> float:
    """Return the greatest standard deviation of `n` numbers in a range with a mean.

    All numbers but one lie at the ends then (Bhatia and Davis, 2000, with n finite).

    Parameters
    ----------
    mean : tuple of Fraction
        Limits of the mean.
    n : int
        Numbers, two or more.
    low, high : float
        Range of a single number.
    kind : {"sample", "population"}
        Divided by n - 1 or by n.

    Returns
    -------
    float
    """
    centre = min(max((low + high) / 2, float(mean[0])), float(mean[1]))
    most = 0.0
    for value in {centre, float(mean[0]), float(mean[1])}:
        most = max(most, (value - low) * (high - value))
    return math.sqrt(max(most, 0.0) * n / (n - 1 if kind == "sample" else n))


def sample_with(
    mean: Printed | str,
    sd: Printed | str | None,
    n: int,
    low: int,
    high: int,
    *,
    rounding: Rounding = "nearest",
    spread: Spread = "sd",
    kind: Kind = "sample",
    seconds: float = SECONDS,
) -> dict[int, int] | None:
    """Return a sample of whole numbers with a printed mean and spread, or None.

    GRIM (Brown and Heathers, 2017) asks whether a sum has the mean, GRIMMER (Anaya, 2016) whether
    a sum of squares has the spread, SPRITE (Heathers et al., 2018) draws samples that have both.
    Here the number of times each value occurs is the unknown of an integer programme for each sum,
    so the answer is complete; the sample is verified in whole numbers.

    Parameters
    ----------
    mean, sd : Printed or str
        `sd` may be None.
    n : int
        Size of the sample, two or more for a spread.
    low, high : int
        Least and greatest value.
    rounding : {"nearest", "cut"}
    spread : {"sd", "se"}
        What `sd` is; a standard error is the deviation over the root of n.
    kind : {"sample", "population"}
        Whether the variance is divided by n - 1 or by n.
    seconds : float
        Limit of each programme.

    Returns
    -------
    dict of int to int, or None
        How often each value occurs.

    Raises
    ------
    UndecidedError
        When a programme does not end.

    Examples
    --------
    >>> sample_with("3.45", None, 20, 1, 5) is not None, sample_with("3.47", None, 20, 1, 5)
    (True, None)
    """
    least, most = printed(mean).limits(rounding)
    sums = range(math.ceil(least * n), math.floor(most * n) + 1)
    values = np.arange(low, high + 1)
    for total in sums:
        squares: tuple[Fraction, Fraction] = (Fraction(0), Fraction(n * max(low**2, high**2)))
        if sd is not None:
            below = n - 1 if kind == "sample" else n
            factor = n * below if spread == "se" else below
            ends = [max(end, Fraction(0)) ** 2 for end in printed(sd).limits(rounding)]
            centre = Fraction(total**2, n)
            squares = (centre + ends[0] * factor, centre + ends[1] * factor)
        first, last = math.ceil(squares[0]), math.floor(squares[1])
        if first > last:
            continue
        found = integers(
            np.vstack([np.ones(len(values)), values, values**2]),
            [(n, n), (total, total), (first, last)],
            [float(n)] * len(values),
            seconds,
        )
        if found is None:
            continue
        sample = {int(v): int(often) for v, often in zip(values, found, strict=True) if often}
        if (
            sum(sample.values()) != n
            or sum(v * often for v, often in sample.items()) != total
            or not first <= sum(v * v * often for v, often in sample.items()) <= last
        ):
            raise UndecidedError
        return sample
    return None


def t_range(
    means: Sequence[Limits],
    sds: Sequence[Limits],
    n: Sequence[int],
    *,
    spread: Spread = "sd",
    kind: Kind = "sample",
    equal_variances: bool = True,
) -> tuple[float, float]:
    """Return the least and greatest \\|t\\| of two groups with printed means and spreads.

    The F of two groups is the square of Student's t.

    Parameters
    ----------
    means, sds : sequence of two tuples of Fraction
        Limits.
    n : sequence of two int
        Sizes of the groups.
    spread : {"sd", "se"}
    kind : {"sample", "population"}
    equal_variances : bool
        Student's test; Welch's otherwise.

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> zero = (Fraction(0), Fraction(0))
    >>> one = (Fraction(1), Fraction(1))
    >>> [round(t, 3) for t in t_range([zero, one], [one, one], [20, 20])]
    [3.162, 3.162]
    """
    apart = (
        max(means[0][0] - means[1][1], means[1][0] - means[0][1], Fraction(0)),
        max(means[0][1] - means[1][0], means[1][1] - means[0][0]),
    )
    errors = []
    for end in (1, 0):
        variances = []
        for limits, size in zip(sds, n, strict=True):
            one = max(float(limits[end]), 0.0) ** 2 * (size if spread == "se" else 1)
            variances.append(one * (size / (size - 1) if kind == "population" else 1))
        if equal_variances:
            pooled = sum((size - 1) * v for size, v in zip(n, variances, strict=True))
            squared = pooled / (sum(n) - 2) * sum(1 / size for size in n)
        else:
            squared = sum(v / size for size, v in zip(n, variances, strict=True))
        errors.append(math.sqrt(squared))
    largest = float(apart[1]) / errors[1] if errors[1] else math.inf
    return float(apart[0]) / errors[0] if errors[0] else 0.0, largest


def win_range(
    columns: Mapping[str, Sequence[Limits]], *, ties_count: bool = True, lowest: bool = False
) -> dict[str, tuple[int, int]]:
    """Return the least and greatest number of rows that each method may have won.

    Parameters
    ----------
    columns : mapping of str to sequence of tuple of Fraction
        Limits of the score of each method on each row.
    ties_count : bool
        Whether equal best scores are wins of both.
    lowest : bool
        Whether the lowest score wins.

    Returns
    -------
    dict of str to (int, int)

    Examples
    --------
    >>> half, more = (Fraction(1, 2), Fraction(1, 2)), (Fraction(3, 5), Fraction(3, 5))
    >>> win_range({"A": [half, more], "B": [more, more]})
    {'A': (1, 1), 'B': (2, 2)}
    """
    sign = -1 if lowest else 1
    scores = {
        name: [tuple(sorted((sign * a, sign * b))) for a, b in rows]
        for name, rows in columns.items()
    }
    found = {}
    for name, rows in scores.items():
        sure = could = 0
        for at, (low, high) in enumerate(rows):
            rest = [others[at] for other, others in scores.items() if other != name]
            least, most = max(one[0] for one in rest), max(one[1] for one in rest)
            sure += low > most or (ties_count and low == most)
            could += high > least or (ties_count and high == least)
        found[name] = (sure, could)
    return found


def rates_possible(rates: Sequence[Limits], n: int) -> bool:
    """Tell whether the rates of a row of a C-class confusion matrix are counts over `n`.

    Parameters
    ----------
    rates : sequence of tuple of Fraction
        Limits of the share of each decision; all decisions of the class.
    n : int
        Objects of the class.

    Returns
    -------
    bool

    Examples
    --------
    >>> third, half = (Fraction("0.325"), Fraction("0.335")), (Fraction("0.495"), Fraction("0.505"))
    >>> rates_possible([third, third, third], 3), rates_possible([third, half], 3)
    (True, False)
    """
    counts = [(math.ceil(max(low, 0) * n), math.floor(high * n)) for low, high in rates]
    return all(low <= high for low, high in counts) and (
        sum(low for low, _ in counts) <= n <= sum(high for _, high in counts)
    )
