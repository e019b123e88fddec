"""Thresholds that can be typed: short numbers that accept exactly the same objects."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats

DIGITS = 17


def shortest_number(low: float, high: float) -> float:
    """Return the number with the fewest digits above `low` and not above `high`.

    Parameters
    ----------
    low, high : float
        Neighbouring scores: the highest that is rejected, and the lowest that is accepted.

    Returns
    -------
    float
        Of equally short ones that nearest to `high`; `high` itself where it is infinite.

    Raises
    ------
    ValueError
        If no number lies between.

    Examples
    --------
    >>> shortest_number(0.9612, 0.96349), shortest_number(0.99, 1 - 1e-12), shortest_number(-3, 8)
    (0.963, 0.999, 8.0)
    """
    if not low < high:
        raise ValueError(f"no number lies above {low} and not above {high}")
    if not np.isfinite(high):
        return float(high)
    mantissa, exponent = f"{Decimal(repr(float(high))):e}".split("e")
    figures = mantissa.replace(".", "")
    for digits in range(1, DIGITS):
        whole = int(figures[: digits + figures.startswith("-")])
        for number in (whole, whole - 1):
            found = float(f"{number}e{int(exponent) - digits + 1}")
            if low < found <= high:
                return found
    return float(high)


def printed_thresholds(thresholds: ArrayLike, scores: ArrayLike) -> np.ndarray:
    """Return short thresholds that accept the same scores of a sample as the given ones.

    Parameters
    ----------
    thresholds : array_like of float
        Scores at or above are accepted.
    scores : array_like of float, shape (n,)
        All scores of the sample, ascending and each once.

    Returns
    -------
    ndarray of float
        In the shape of `thresholds`. What accepts all scores becomes minus infinity, what accepts
        none infinity.

    Examples
    --------
    >>> printed_thresholds([0.30000000000000004, 0.95, 0.1], [0.1, 0.21, 0.30000000000000004, 0.9])
    array([ 0.3,  inf, -inf])
    """
    given = floats(thresholds, "thresholds")
    ordered = floats(scores, "scores")
    index = np.searchsorted(ordered, given.ravel(), side="left")
    ends = np.concatenate([[-np.inf], ordered, [np.inf]])
    known: dict[int, float] = {0: -np.inf, len(ordered): np.inf}
    for at in np.unique(index):
        if int(at) not in known:
            known[int(at)] = shortest_number(float(ends[at]), float(ends[at + 1]))
    return np.array([known[int(at)] for at in index]).reshape(given.shape)
