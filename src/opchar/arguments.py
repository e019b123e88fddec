"""Checks of arguments that many functions share: one clear `ValueError` at the door."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

# What rounding may add to a rate that is computed from counts.
ROUNDING = 1e-9


def probabilities(value: ArrayLike, name: str) -> np.ndarray:
    """Return probabilities as an array.

    Parameters
    ----------
    value : array_like of float
        NaN, for what is not known, may be among them.
    name : str
        Of the argument, for the message.

    Returns
    -------
    ndarray of float

    Raises
    ------
    ValueError
        If one of them is less than 0 or more than 1.

    Examples
    --------
    >>> probabilities([0.0, 0.5], "prior").tolist()
    [0.0, 0.5]
    """
    found = np.asarray(value, dtype=float)
    wrong = (found < -ROUNDING) | (found > 1 + ROUNDING)
    if wrong.any():
        raise ValueError(f"{name} must be between 0 and 1, got {found[wrong].flat[0]:g}")
    return found


def counts(value: ArrayLike, name: str = "counts") -> np.ndarray:
    """Return counts as an array of floats.

    Parameters
    ----------
    value : array_like
        Whole or weighted counts; NaN, for what is not known, may be among them.
    name : str
        Of the argument, for the message.

    Returns
    -------
    ndarray of float

    Raises
    ------
    ValueError
        If one of them is negative.

    Examples
    --------
    >>> counts([3, 0]).tolist()
    [3.0, 0.0]
    """
    found = np.asarray(value, dtype=float)
    wrong = found < 0
    if wrong.any():
        raise ValueError(f"{name} must not be negative, got {found[wrong].flat[0]:g}")
    return found
