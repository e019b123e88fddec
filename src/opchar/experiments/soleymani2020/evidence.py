"""Numbers of the evidence beside a claim, in words."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike


def largest_gap(one: ArrayLike, two: ArrayLike) -> float:
    """Return the largest absolute difference."""
    return float(np.max(np.abs(np.subtract(one, two))))


def listed(values: Iterable[float], form: str = "g") -> str:
    """Return numbers separated by commas, each in the given format."""
    return ", ".join(format(float(value), form) for value in values)


def spans(ranges: Iterable[tuple[float, float]]) -> str:
    """Return ranges in words: ``on 0.0000 to 0.3197 and ...``, or ``nowhere``."""
    words = " and ".join(f"{low:.4f} to {high:.4f}" for low, high in ranges)
    return f"on {words}" if words else "nowhere"
