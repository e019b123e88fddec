"""Thresholds that can be typed: short numbers that accept exactly the same objects."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats

DIGITS = 17


def shortest_number(low: float, high: float, near: float) -> float:
    """Return the number with the fewest digits above `low` and not above `high`, the one nearest.

    `near` lies in that range, and is returned where no shorter number does.
    """
    if not low < near <= high:
        raise ValueError(f"{near} does not lie above {low} and not above {high}")
    exact = Decimal(near)
    for digits in range(1, DIGITS):
        unit = Decimal(1).scaleb(exact.adjusted() - digits + 1)
        below = exact.quantize(unit, ROUND_FLOOR)
        for number in sorted((below, below + unit), key=lambda each: abs(each - exact)):
            found = float(number) + 0.0
            if low < found <= high:
                return found
    return near


def printed_thresholds(thresholds: ArrayLike, scores: ArrayLike) -> np.ndarray:
    """Return short thresholds that accept the same scores of a sample as the given ones.

    Each lies nearer to the given one than the neighbouring scores do, so that the middle of a gap
    stays in the middle half of it.

    Shapes: `scores` (n,), ascending.
    """
    given = floats(thresholds, "thresholds")
    values = given.ravel()
    ordered = floats(scores, "scores")
    index = np.searchsorted(ordered, values, side="left")
    ends = np.concatenate([[-np.inf], ordered, [np.inf]])
    low, high = ends[index], ends[index + 1]
    found = np.where(index == 0, -np.inf, np.inf)
    for at in np.flatnonzero(np.isfinite(low) & np.isfinite(high)):
        near = float(values[at])
        lowest = max(float(low[at]), float(low[at]) / 2 + near / 2)
        lowest = lowest if lowest < near else float(low[at])  # the number next to a score
        highest = min(float(high[at]), float(high[at]) / 2 + near / 2)
        found[at] = near
        if lowest < near <= highest:
            found[at] = shortest_number(lowest, highest, near)
    return found.reshape(given.shape)
