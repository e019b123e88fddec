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


def truths(value: ArrayLike, name: str) -> np.ndarray:
    """Return truth values as an array.

    Parameters
    ----------
    value : array_like of bool
        Numbers count as true when they are not zero.
    name : str
        Of the argument, for the message.

    Returns
    -------
    ndarray of bool

    Raises
    ------
    ValueError
        If one of them is NaN, which is neither true nor false.

    Examples
    --------
    >>> truths([1, 0], "is_positive").tolist()
    [True, False]
    """
    given = np.asarray(value)
    if given.dtype.kind in "fcO" and np.any(given != given):
        raise ValueError(f"{name} must not be NaN")
    return given.astype(bool)


def cost_weight(cost_fn: float, cost_fp: float) -> float:
    """Return the cost weight ``m = C_FP / (C_FP + C_FN)`` of two costs.

    Parameters
    ----------
    cost_fn, cost_fp : float
        Costs of a missed positive and of a false alarm: not negative, not both zero, and not both
        infinite. One that is infinite gives the weight 0 or 1, its limit.

    Returns
    -------
    float
        In [0, 1], also where the sum of the costs is no number of the machine.

    Raises
    ------
    ValueError
        If they are.

    Examples
    --------
    >>> cost_weight(1.0, 3.0), cost_weight(1e308, 1e308), cost_weight(float("inf"), 1.0)
    (0.75, 0.5, 0.0)
    """
    largest = max(cost_fn, cost_fp)
    if not (cost_fn >= 0 and cost_fp >= 0 and largest > 0):
        raise ValueError(f"costs must not be negative nor both zero, not {cost_fn} and {cost_fp}")
    if np.isinf(largest):
        if cost_fn == cost_fp:
            raise ValueError("one of two infinite costs must be finite")
        return float(cost_fp == largest)
    if np.isinf(cost_fn + cost_fp):
        cost_fn, cost_fp = cost_fn / 4, cost_fp / 4
    return cost_fp / (cost_fn + cost_fp)


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
