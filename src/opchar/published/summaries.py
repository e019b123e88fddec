"""Bounds between summary values: curves, means and spreads, tests, winners."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from opchar.published.averages import SECONDS, integers
from opchar.published.matrices import Limits, UndecidedError
from opchar.published.numbers import Printed, Rounding
from opchar.spaces.p_roc import least_auprec

Spread = Literal["sd", "se"]
Kind = Literal["sample", "population"]


def auc_range(fpr: Limits, tpr: Limits) -> Limits:
    """Return the least and greatest AUC of a rising curve through a point with these limits."""
    return tpr[0] * (1 - fpr[1]), 1 - fpr[0] * (1 - tpr[1])


def auprec_range(auc: Limits, prior: float) -> tuple[float, float]:
    """Return the least and greatest area under precision over recall for limits of the AUC.

    The least is `opchar.spaces.p_roc.least_auprec`; the greatest has all negatives of one score,
    below a share AUC of the positives: ``1 - lam ln((1 + lam) / (AUC + lam))``, by the chord of
    the convex integrand. Between both any value is taken, by mixing the two curves.
    """
    skew = (1 - prior) / prior
    most = 1 - skew * math.log((1 + skew) / (float(auc[1]) + skew))
    return least_auprec(float(auc[0]), prior), most


def greatest_sd(mean: Limits, n: int, low: float, high: float, kind: Kind = "sample") -> float:
    """Return a bound on the standard deviation of `n` numbers in a range (Bhatia, Davis 2000)."""
    near = min(max((low + high) / 2, float(mean[0])), float(mean[1]))
    return math.sqrt(max((near - low) * (high - near), 0) * n / (n - (kind == "sample")))


def sample_with(
    mean: str,
    sd: str | None,
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
    Here how often each value occurs is the unknown of an integer programme for each sum.

    The result tells how often each value from `low` to `high` occurs among `n`. The spread may be
    None, a standard deviation or error, divided by n - 1 (sample) or n (population).

    Examples
    --------
    >>> sample_with("3.45", None, 20, 1, 5) is not None, sample_with("3.47", None, 20, 1, 5)
    (True, None)
    """
    spreads = None if sd is None else Printed(sd).limits(rounding)
    return counts_with(Printed(mean).limits(rounding), spreads, n, low, high, spread, kind, seconds)


def counts_with(
    mean: Sequence[Fraction],
    sd: Sequence[Fraction] | None,
    n: int,
    low: int,
    high: int,
    spread: Spread = "sd",
    kind: Kind = "sample",
    seconds: float = SECONDS,
) -> dict[int, int] | None:
    """Return a sample of whole numbers whose mean and spread lie in limits, as `sample_with`."""
    values = np.arange(low, high + 1)
    rows = np.vstack([np.ones(len(values)), values, values**2])
    for total in range(math.ceil(mean[0] * n), math.floor(mean[1] * n) + 1):
        squares = [Fraction(0), Fraction(n * max(low**2, high**2))]
        if sd is not None:
            factor = (n - (kind == "sample")) * (n if spread == "se" else 1)
            squares = [Fraction(total**2, n) + max(end, Fraction(0)) ** 2 * factor for end in sd]
        first, last = math.ceil(squares[0]), math.floor(squares[1])
        if first > last:
            continue
        limits = [(n, n), (total, total), (first, last)]
        found = integers(rows, limits, [float(n)] * len(values), seconds)
        if found is None:
            continue
        if any(not a <= sum(row) <= b for (a, b), row in zip(limits, rows * found, strict=True)):
            raise UndecidedError
        return {int(v): int(often) for v, often in zip(values, found, strict=True) if often}
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
    """Return the least and greatest absolute t of two groups with printed means and spreads.

    The F of two groups is the square of Student's t; without `equal_variances` t is Welch's.
    """
    (a, b), (c, d) = means
    errors = []
    for end in (1, 0):
        variances = [
            max(float(limits[end]), 0.0) ** 2
            * (size if spread == "se" else 1)
            * (size / (size - 1) if kind == "population" else 1)
            for limits, size in zip(sds, n, strict=True)
        ]
        if equal_variances:
            pooled = sum((size - 1) * v for size, v in zip(n, variances, strict=True))
            variances = [pooled / (sum(n) - 2)] * 2
        errors.append(math.sqrt(sum(v / size for size, v in zip(n, variances, strict=True))))
    least, most = max(float(a - d), float(c - b), 0.0), max(float(b - c), float(d - a))
    return (
        least / errors[0] if errors[0] else (math.inf if least else 0.0),
        most / errors[1] if errors[1] else math.inf,
    )


def win_range(
    columns: Mapping[str, Sequence[Limits]], *, ties_count: bool = True
) -> dict[str, tuple[int, int]]:
    """Return on how few and how many rows each method may have the highest score."""
    found = {}
    for name, rows in columns.items():
        sure = could = 0
        for at, (low, high) in enumerate(rows):
            rest = [others[at] for other, others in columns.items() if other != name]
            least, most = max(one[0] for one in rest), max(one[1] for one in rest)
            sure += low > most or (ties_count and low == most)
            could += high > least or (ties_count and high == least)
        found[name] = (sure, could)
    return found


def rates_possible(rates: Sequence[Limits], n: int) -> bool:
    """Tell whether the rates of a row of a C-class confusion matrix are counts of `n` objects."""
    counts = [(math.ceil(max(low, Fraction(0)) * n), math.floor(high * n)) for low, high in rates]
    return all(low <= high for low, high in counts) and (
        sum(low for low, _ in counts) <= n <= sum(high for _, high in counts)
    )
