"""Counts that may exceed 64 bits: Python integers in arrays of NumPy."""

from __future__ import annotations

import numpy as np


def all_integers(given: np.ndarray) -> bool:
    """Tell whether numbers are integers, of NumPy or of Python.

    Parameters
    ----------
    given : ndarray, shape (n,)
        Numbers of any type, ``object`` included.

    Returns
    -------
    bool
        False for floats, whole ones too; for ``object`` every element is checked.

    Examples
    --------
    >>> all_integers(np.array([1, 10**30], dtype=object)), all_integers(np.array([1.0]))
    (True, False)
    """
    if given.dtype.kind != "O":
        return given.dtype.kind in "iu"
    return all(isinstance(each, int | np.integer) for each in given.tolist())


def shares(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return quotients as floats, correctly rounded also for Python integers of any size.

    Parameters
    ----------
    part, whole : ndarray of float, int or object
        They broadcast; no `whole` is zero, and no quotient beyond all floats.

    Returns
    -------
    ndarray of float
        ``part / whole``, in the shape to which both broadcast.

    Examples
    --------
    >>> shares(np.array([10**400], dtype=object), np.array(4 * 10**400, dtype=object)).tolist()
    [0.25]
    """
    return np.asarray(part / whole, dtype=float)
