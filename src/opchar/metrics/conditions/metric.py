"""Checks of indices that a user gives: functions of stacks of confusion matrices."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from opchar.errors import OpcharError
from opchar.metrics.counts import Array, binary_counts

MatrixIndex = Callable[..., Any]
"""Takes (..., C, C) matrices with one row for each true class, returns values of shape (...).

Counts go up to 1e13, so that it must compute from them and not list the objects.
"""


STACKS = (
    "of a function of one matrix make one of stacks by numpy.vectorize(metric, "
    "signature='(c,c)->()')"
)


class MetricError(OpcharError, ValueError):
    """An index other than a function of stacks of confusion matrices."""


def values_of(index: MatrixIndex, matrices: Array) -> Array:
    """Evaluate an index on a stack, and check what it returns.

    Shapes: `index` (...); `matrices` (n, C, C); returned (n,).
    """
    try:
        with np.errstate(all="ignore"):
            returned = index(matrices.copy())
    except Exception as error:
        reason = " ".join(str(error).split()) or "no message"
        hint = f"; {STACKS}" if _takes_one_matrix(index, matrices[0]) else ""
        raise MetricError(
            f"{name_of(index)} raises {type(error).__name__} on matrices of shape "
            f"{matrices.shape}: {reason}{hint}"
        ) from error
    try:
        found = np.asarray(returned)
        if found.dtype.kind not in "biuf":
            raise TypeError
        found = found.astype(np.float64)
    except (TypeError, ValueError):
        raise MetricError(f"{name_of(index)} returns no real numbers") from None
    if found.shape != matrices.shape[:-2]:
        raise MetricError(
            f"{name_of(index)} returns shape {found.shape} for matrices of shape {matrices.shape}, "
            f"not {matrices.shape[:-2]}; {STACKS}"
        )
    return found


def defined_values_of(index: MatrixIndex, matrices: Array) -> Array:
    """Evaluate as `values_of`; an index that is NaN for every matrix is refused.

    Shapes: `matrices` (n, C, C); returned (n,).
    """
    found = values_of(index, matrices)
    if np.isnan(found).all():
        raise MetricError(
            f"{name_of(index)} is NaN for each of {len(found)} matrices of {matrices.shape[-1]} "
            "classes"
        )
    return found


def name_of(index: MatrixIndex) -> str:
    """Return what an index is called in messages."""
    inner = getattr(index, "func", index)
    return str(getattr(inner, "__name__", type(inner).__name__))


def of_two_classes(function: Callable[..., Any], positive: int = 0) -> MatrixIndex:
    """Make an index of (..., 2, 2) matrices of a function of the four counts.

    Parameters
    ----------
    function : callable
        Of ``tp, fn, fp, tn``, as `opchar.metrics.precision`.
    positive : {0, 1}
        Which class is the positive one; the works put it first.

    Returns
    -------
    callable
        With the keyword `zero_division` when `function` has it. Raises ValueError for more than two
        classes.
    """

    def index(matrices: ArrayLike, **options: float) -> Array:
        found: Array = np.asarray(function(*binary_counts(matrices, positive), **options))
        return found

    def with_zero_division(matrices: ArrayLike, zero_division: float = np.nan) -> Array:
        return index(matrices, zero_division=zero_division)

    made: MatrixIndex = with_zero_division if has_zero_division(function) else index
    made.__name__ = name_of(function)
    return made


def has_zero_division(function: Callable[..., Any]) -> bool:
    """Return whether a function has a keyword `zero_division`, as scikit-learn calls 0/0."""
    try:
        return "zero_division" in signature(function).parameters
    except (TypeError, ValueError):
        return False


def _takes_one_matrix(index: MatrixIndex, matrix: Array) -> bool:
    try:
        return np.ndim(index(matrix.copy())) == 0
    except Exception:
        return False


def with_value_for_nan(index: MatrixIndex, value: float) -> MatrixIndex:
    """Return the index with a value in place of NaN.

    Shapes: `index` (...).
    """

    def with_value(matrices: ArrayLike) -> Array:
        found = np.asarray(index(matrices), np.float64)
        return np.where(np.isnan(found), value, found)

    with_value.__name__ = name_of(index)
    return with_value
