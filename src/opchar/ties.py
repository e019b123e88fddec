"""Choices between equals that do not depend on the last bit of a number."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

# Share of the largest number at hand by which rounding may part what is equal.
EQUAL = 1e-12


def first_least(values: ArrayLike, axis: int = 0, scale: float = 0.0) -> np.ndarray:
    """Return the index of the first of the least values, where values equal up to rounding tie."""
    given = np.asarray(values, dtype=float)
    finite = np.isfinite(given)
    largest = np.max(np.abs(given), axis=axis, keepdims=True, initial=scale, where=finite)
    least = given.min(axis=axis, keepdims=True)
    return np.argmax(given <= least + EQUAL * largest, axis=axis)


def first_largest(values: ArrayLike, axis: int = 0) -> np.ndarray:
    """Return the index of the first of the largest values, as `first_least`."""
    return first_least(-np.asarray(values, dtype=float), axis)


def without_last_bits(values: ArrayLike, axis: int | None = None) -> np.ndarray:
    """Return values on a grid on which those that are equal up to rounding are equal."""
    given = np.asarray(values, dtype=float)
    largest = np.abs(given).max(axis=axis, keepdims=True, initial=np.finfo(float).tiny)
    # Two steps: the unit itself may be smaller than what floats hold.
    above = np.frexp(largest)[1]
    return np.ldexp(np.rint(np.ldexp(given, 40 - above)), above - 40)


def at_most(values: ArrayLike, limit: ArrayLike) -> np.ndarray:
    """Tell which rates are within a limit, where one equal to it up to rounding is."""
    return np.asarray(values, dtype=float) <= np.asarray(limit, dtype=float) + EQUAL
