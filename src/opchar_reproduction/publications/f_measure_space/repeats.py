"""Means over repeats, and the cases on which statements are judged."""

import numpy as np
from numpy.typing import ArrayLike

from opchar_reproduction.results import Results


def largest_gap(one: ArrayLike, two: ArrayLike) -> float:
    """Return the largest absolute difference."""
    return float(np.max(np.abs(np.subtract(one, two))))


def add_cases(results: Results, frame: str, **columns: ArrayLike) -> None:
    """Add cases on which a statement is judged, as a frame."""
    arrays = np.broadcast_arrays(*(np.asarray(values) for values in columns.values()))
    results.add_frame(frame, {name: a.ravel() for name, a in zip(columns, arrays, strict=True)})


def over_repeats(
    results: Results,
    key: tuple[str, str, str],
    values: ArrayLike,
    *,
    unit: str = "",
    note: str = "",
) -> None:
    """Add the mean of repeats, with their standard deviation and number.

    Shapes: `values` (n,).
    """
    each = np.asarray(values, dtype=float)
    std = float(each.std(ddof=1)) if len(each) > 1 else None
    results.number(*key, float(each.mean()), std=std, n=len(each), unit=unit, note=note)
