"""Thresholds that can be typed: short numbers that accept exactly the same objects."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats

DIGITS = 17


def shortest_number(low: float, high: float) -> float:
    """Return the number with the fewest digits above `low` and not above `high`."""
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

    Shapes: `scores` (n,).
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
