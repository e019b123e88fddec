"""Numbers over repeats, and numbers of the evidence beside a claim in words."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from opchar.results import Results


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


def over_repeats(
    results: Results,
    key: tuple[str, str, str],
    values: ArrayLike,
    *,
    unit: str = "",
    note: str = "",
) -> None:
    """Add the mean of repeats, with their standard deviation and number.

    Parameters
    ----------
    results : Results
    key : (str, str, str)
        Artefact, row and column.
    values : array_like of float, shape (n,)
        One a repeat.
    unit, note : str
        See `Results.number`.
    """
    each = np.asarray(values, dtype=float)
    std = float(each.std(ddof=1)) if len(each) > 1 else None
    results.number(*key, float(each.mean()), std=std, n=len(each), unit=unit, note=note)
