"""Checks of arguments that many functions share: one clear `ValueError` at the door."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

import numpy as np
from numpy.typing import ArrayLike

# What rounding may add to a rate that is computed from counts.
ROUNDING = 1e-9
# Whole numbers up to here are floats without loss.
LARGEST_EXACT = 2**53
# Of larger counts sums and products are no numbers of the machine.
LARGEST_COUNT = 1e300
# Iterable, and no arrays: of no order, or read only once.
NO_ARRAYS = (Set, Mapping, Iterator)


def plain_array(value: ArrayLike, name: str) -> np.ndarray:
    """Return what is given as an array."""
    if np.ma.is_masked(value):
        raise ValueError(f"{name} has masked entries; remove these objects")
    try:
        found = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths; give an array") from None
    if found.dtype.kind == "O" and not found.ndim and isinstance(value, NO_ARRAYS):
        raise ValueError(f"{name} must be a list or an array, not a {type(value).__name__}")
    return found


def label_vector(
    value: ArrayLike, name: str = "y_true", *, allow_missing: bool = False
) -> np.ndarray:
    """Return labels as an array.

    Shapes: `value` (n,); returned (n,).
    """
    found = plain_array(value, name)
    if found.ndim != 1:
        raise ValueError(f"{name} must be a vector, one label an object, not {found.shape}")
    if not allow_missing and (missing := _which_missing(found)).any():
        raise ValueError(f"{name}: object {int(missing.argmax())} (from 0) has no label")
    return found


def _which_missing(labels: np.ndarray) -> np.ndarray:
    """Tell which labels are missing."""
    if labels.dtype.kind == "O":
        listed = labels.tolist()
        try:
            if not any(map(_is_missing, set(listed))):  # of many objects, few different labels
                return np.zeros(1, dtype=bool)
        except TypeError:  # not all can be hashed
            pass
        return np.array([_is_missing(label) for label in listed], dtype=bool)
    if labels.dtype.kind in "fcmM":
        return labels != labels
    return np.zeros(1, dtype=bool)


def _is_missing(label: object) -> bool:
    """Tell whether a label is None, or not equal to itself."""
    try:
        return label is None or bool(label != label)
    except TypeError:  # pandas.NA is neither true nor false
        return True
    except ValueError:
        return False


def sorted_classes(labels: np.ndarray, name: str = "y_true") -> np.ndarray:
    """Return the classes of labels in order.

    Shapes: `labels` (n,); returned (C,).
    """
    try:
        return np.unique(labels)
    except TypeError:
        raise ValueError(f"{name} has labels of types without an order; name the classes") from None


def checked_classes(labels: ArrayLike, truth: np.ndarray | None = None) -> np.ndarray:
    """Return classes that a user names, each once.

    Shapes: `labels` (C,); `truth` (n,); returned (C,).
    """
    classes = label_vector(labels, "labels", allow_missing=True)
    listed = classes.tolist()
    if len(set(listed)) < len(listed):
        twice = next(label for label in listed if listed.count(label) > 1)
        raise ValueError(f"labels name the class {twice!r} twice")
    unknown = set() if truth is None else set(truth.tolist()) - set(listed)
    if unknown:
        raise ValueError(f"label {min(unknown, key=str)!r} is none of {listed}")
    return classes


def floats(value: ArrayLike, name: str) -> np.ndarray:
    """Return numbers as an array of floats."""
    given = plain_array(value, name)
    if given.dtype.kind in "cmM":
        raise ValueError(f"{name} of type {given.dtype} have no order as numbers")
    try:
        return given.astype(float, copy=False)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, not {_first_other(given)!r}") from None


def _first_other(given: np.ndarray) -> object:
    """Return the first entry other than a number."""
    for entry in given.ravel().tolist():
        try:
            float(entry)
        except (TypeError, ValueError):
            return entry
    return given.tolist()


def scores(value: ArrayLike, name: str = "score") -> np.ndarray:
    """Return scores as floats that have the order of what is given."""
    given = plain_array(value, name)
    try:
        found = floats(given, f"{name}s")
    except OverflowError:
        raise ValueError(f"a {name} is beyond all floats; give ranks") from None
    large = given.dtype.kind in "iu" and given.size and np.abs(found).max() > LARGEST_EXACT
    long = given.dtype.kind == "O" or given.dtype.itemsize > found.dtype.itemsize
    if (large or (long and given.dtype.kind in "fO")) and not np.isnan(found).any():
        distinct = len(set(given.ravel().tolist())) if long else len(np.unique(given))
        if len(np.unique(found)) < distinct:
            raise ValueError(
                f"different {name}s become equal as floats (whole ones beyond 2**53 do); give ranks"
            )
    return found


def probabilities(value: ArrayLike, name: str) -> np.ndarray:
    """Return probabilities as an array."""
    found = floats(value, name)
    wrong = (found < -ROUNDING) | (found > 1 + ROUNDING)
    if wrong.any():
        raise ValueError(f"{name} must be between 0 and 1, got {found[wrong].flat[0]:g}")
    return found


def truths(value: ArrayLike, name: str) -> np.ndarray:
    """Return truth values as an array."""
    given = plain_array(value, name)
    if given.dtype.kind in "fcO" and np.any(given != given):
        raise ValueError(f"{name} must not be NaN")
    return given.astype(bool)


def cost_weight(cost_fn: float, cost_fp: float) -> float:
    """Return the cost weight ``m = C_FP / (C_FP + C_FN)`` of two costs."""
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
    """Return counts as an array of floats."""
    found = floats(value, name)
    wrong = found < 0
    if wrong.any():
        raise ValueError(f"{name} must not be negative, got {found[wrong].flat[0]:g}")
    wrong = found > LARGEST_COUNT
    if wrong.any():
        raise ValueError(f"{name} must not exceed {LARGEST_COUNT:g}, got {found[wrong].flat[0]:g}")
    return found
