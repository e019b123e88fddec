"""The cases on which statements are judged."""

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
