"""Counts that may exceed 64 bits: Python integers in arrays of NumPy."""

from __future__ import annotations

import numpy as np


def all_integers(given: np.ndarray) -> bool:
    """Tell whether numbers are integers, of NumPy or of Python.

    Shapes: `given` (n,).
    """
    if given.dtype.kind != "O":
        return given.dtype.kind in "iu"
    return all(isinstance(each, int | np.integer) for each in given.tolist())


def shares(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return quotients as floats, correctly rounded also for Python integers of any size.

    Returned: ``part / whole``, in the shape to which both broadcast.
    """
    return np.asarray(part / whole, dtype=float)
