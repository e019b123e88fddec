"""Samples, tests and curves that reported summary values leave possible."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.printed.mean_proofs import rates_fail
from opchar.printed.numbers import Limits, Printed, Rounding

Spread = Literal["sd", "se"]
Kind = Literal["sample", "population"]
SECONDS = 10.0


class UndecidedError(Exception):
    """The search did not end within its limits."""


def seconds_left(until: float) -> float:
    """Return how long a search may still take, at a time that ends it with `UndecidedError`."""
    if (left := until - time.monotonic()) <= 0:
        raise UndecidedError
    return left


def whole_numbers(
    rows: ArrayLike,
    limits: ArrayLike,
    most: ArrayLike,
    seconds: float = SECONDS,
    *,
    whole: bool = True,
) -> NDArray[np.int64] | None:
    """Return numbers whose weighted sums lie in limits, by an integer programme."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    weights = np.asarray(rows, dtype=float)
    low, high = np.array(limits, dtype=float).T
    width = high - low
    scale = np.where((width > 0) & np.isfinite(width), width / 2, 1.0)
    found = milp(
        np.zeros(weights.shape[1]),
        integrality=np.full(weights.shape[1], float(whole)),
        bounds=Bounds(0, np.array(most, dtype=float)),
        constraints=LinearConstraint(weights / scale[:, None], low / scale, high / scale),
        options={"time_limit": seconds},
    )
    if found.status == 2:
        return None
    if found.status != 0:
        raise UndecidedError
    return np.rint(found.x).astype(int)


def sample_counts(
    mean: Limits,
    sd: Limits | None,
    n: int,
    low: int,
    high: int,
    spread: Spread = "sd",
    kind: Kind = "sample",
    seconds: float = SECONDS,
) -> dict[int, int] | None:
    """Return a sample of whole numbers whose mean and spread lie in limits, or None.

    GRIM (Brown and Heathers, 2017) asks whether a sum has the mean, GRIMMER (Anaya, 2016) whether
    a sum of squares has the spread, SPRITE (Heathers et al., 2018) draws samples that have both.
    Here how often each value occurs is the unknown of an integer programme for each sum; one that
    ends without an answer raises `UndecidedError`. The spread may be None; `spread` and `kind` tell
    whether it is a standard deviation or error, and divided by n - 1 (sample) or n.
    """
    values, until = np.arange(low, high + 1), time.monotonic() + seconds
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
        found = whole_numbers(rows, limits, np.full(len(values), n), seconds_left(until))
        if found is None:
            continue
        if any(not a <= sum(row) <= b for (a, b), row in zip(limits, rows * found, strict=True)):
            raise UndecidedError
        return {int(v): int(often) for v, often in zip(values, found, strict=True) if often}
    return None


def multiples(limits: Sequence[Limits], size: int) -> bool:
    """Tell whether multiples of one over `size` lie between all limits."""
    return all(math.ceil(low * size) <= math.floor(high * size) for low, high in limits)


def object_counts(
    scores: Sequence[str],
    counts: Sequence[int],
    *,
    percent: bool = False,
    rounding: Rounding = "nearest",
) -> list[int]:
    """Return numbers of objects of which all printed shares are multiples of one object.

    Parameters
    ----------
    scores : sequence of str
        As printed.
    counts : sequence of int
        What is tried.
    percent : bool
        Whether the shares are in percent.
    rounding : {"nearest", "cut"}

    Returns
    -------
    list of int

    Examples
    --------
    >>> scores = ["22.4", "27.2", "52.0", "31.2", "29.6", "41.6"]
    >>> object_counts(scores, range(20, 400), percent=True)
    [125, 250, 375]
    """
    limits = [Printed(score).limits(rounding, percent=percent) for score in scores]
    return [count for count in counts if multiples(limits, count)]


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

    As `sample_counts` (GRIM, GRIMMER, SPRITE), for printed numbers.

    Parameters
    ----------
    mean, sd : str
        As printed; the spread may be None.
    n, low, high : int
        Size of the sample, least and greatest value.
    rounding, spread, kind, seconds
        As `Protocol` has them; `kind` is its `sd`.

    Returns
    -------
    dict or None
        How often each value occurs.

    Raises
    ------
    UndecidedError
        If a search ends without an answer.

    Examples
    --------
    >>> sample_with("3.45", None, 20, 1, 5) is not None, sample_with("3.47", None, 20, 1, 5)
    (True, None)
    """
    ends = Printed(mean).limits(rounding)
    spreads = None if sd is None else Printed(sd).limits(rounding)
    return sample_counts(ends, spreads, n, low, high, spread, kind, seconds)


def greatest_sd(mean: Limits, n: int, low: float, high: float, kind: Kind = "sample") -> float:
    """Return a bound on the standard deviation of numbers in a range (Bhatia and Davis, 2000)."""
    near = min(max((low + high) / 2, float(mean[0])), float(mean[1]))
    return math.sqrt(max((near - low) * (high - near), 0) * n / (n - (kind == "sample")))


def t_range(
    means: Sequence[Limits],
    sds: Sequence[Limits],
    n: Sequence[int],
    *,
    spread: Spread = "sd",
    kind: Kind = "sample",
    equal_variances: bool = True,
) -> tuple[float, float]:
    """Return the least and greatest absolute t of two groups with reported means and spreads.

    The F of two groups is the square of Student's t; without `equal_variances` t is Welch's.

    Parameters
    ----------
    means, sds : sequence of two (Fraction, Fraction)
        Limits of the mean and of the spread of each group.
    n : sequence of two int
        Sizes of the groups.
    spread, kind : str
        As `sample_counts` takes them.
    equal_variances : bool

    Returns
    -------
    tuple of float
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
    """Return on how few and how many rows each method may have the highest score.

    Parameters
    ----------
    columns : mapping of str to sequence of (Fraction, Fraction)
        Limits of the scores of each method, row by row.
    ties_count : bool
        Whether a score that others have too is highest.

    Returns
    -------
    dict of str to (int, int)
    """
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
    """Tell whether the rates of a row of a C-class confusion matrix are counts of `n` objects.

    Parameters
    ----------
    rates : sequence of (Fraction, Fraction)
        Limits of the rates.
    n : int

    Returns
    -------
    bool
    """
    return not rates_fail(rates, n)
