"""Counts of right and wrong decisions, and their matrices.

A confusion matrix has one row per true class and one column per predicted class; `true_class` takes
matrices that are the other way round. Leading axes are a stack: everything is vectorised over them.

Where a work defines no value for 0/0, an index is NaN; a positive number over zero is infinite.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import LARGEST_COUNT, LARGEST_EXACT, counts, floats, plain_array
from opchar.spaces.points import OperatingPoints, checked_weights

# Products of four counts between these are numbers of the machine.
SMALLEST_SAFE, LARGEST_SAFE = 1e-70, 1e70
Array = NDArray[np.float64]
TrueClass = Literal["rows", "columns"]


class Counts(NamedTuple):
    """The four counts of a two-class problem, in the order that every index takes them.

    Attributes
    ----------
    tp, fn, fp, tn : numpy.ndarray
        True positives, false negatives, false positives and true negatives; any shapes that
        broadcast together.
    """

    tp: Array
    fn: Array
    fp: Array
    tn: Array


def ratio(numerator: ArrayLike, denominator: ArrayLike, zero_division: float = np.nan) -> Array:
    """Divide by the house's convention: 0/0 is NaN, x/0 infinite with the sign of x."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotient = np.divide(numerator, denominator, dtype=np.float64)
    if np.isnan(zero_division):
        return quotient
    empty = np.equal(numerator, 0) & np.equal(denominator, 0)
    return np.where(empty, zero_division, quotient)


def in_common_shape(count: ArrayLike, *others: ArrayLike) -> Array:
    """Return `count` as floats in the shape that it has when broadcast with `others`."""
    shape = np.broadcast_shapes(np.shape(count), *map(np.shape, others))
    return np.broadcast_to(counts(count), shape)


def scaled_counts(*given: ArrayLike) -> list[Array]:
    """Return counts whose products neither overflow nor vanish, where only their ratios matter.

    All are divided by one power of two, place by place, which changes no bit of a ratio; where none
    is very large or small they stay as they are.
    """
    parts = np.broadcast_arrays(*map(counts, given))
    found = np.array(parts)
    extreme = (found > LARGEST_SAFE) | ((found > 0) & (found < SMALLEST_SAFE))
    if not extreme.any():
        return list(found)
    _, exponent = np.frexp(np.where(np.isfinite(found), found, 0).max(axis=0))
    return list(np.where(extreme.any(axis=0), np.ldexp(found, -exponent), found))


def class_rates(stack: Array) -> Array:
    """Divide each row of (..., C, C) matrices by its sum; NaN rows for classes without samples."""
    stack = plain_array(stack, "stack")
    return ratio(stack, np.einsum("...ij->...i", stack)[..., None])


def as_matrices(matrices: ArrayLike, true_class: TrueClass = "rows") -> Array:
    """Check a stack of confusion matrices and put the true classes into its rows.

    Shapes: `matrices` (..., C, C); returned (..., C, C).
    """
    stack = floats(matrices, "matrices")
    if stack.ndim < 2 or stack.shape[-1] != stack.shape[-2] or stack.shape[-1] < 2:
        raise ValueError(f"confusion matrices are (..., C, C) with C >= 2, not {stack.shape}")
    if not np.isfinite(stack).all() or (stack < 0).any():
        raise ValueError("a confusion matrix holds finite numbers that are not negative")
    if (stack > LARGEST_COUNT).any():
        raise ValueError(f"counts beyond {LARGEST_COUNT:g} have no sum; divide all by one number")
    if true_class not in ("rows", "columns"):
        raise ValueError(f"true_class is 'rows' or 'columns', not {true_class!r}")
    return stack if true_class == "rows" else np.swapaxes(stack, -1, -2)


def one_vs_rest(matrices: ArrayLike, true_class: TrueClass = "rows") -> Counts:
    """Count each class of a multi-class matrix against all others.

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices.
    true_class : {"rows", "columns"}
        Where the true classes are. With ``"columns"`` false negatives are summed down a class's
        column and false positives along its row, as on slides 8 and 39 of tharwat2018.

    Returns
    -------
    Counts
        Each of shape (..., C), class by class; sums of cells, which keep all digits.

    Examples
    --------
    >>> counts = one_vs_rest([[80, 15, 5], [15, 70, 15], [0, 10, 90]])
    >>> counts.tn
    array([185., 175., 180.])
    """
    stack = as_matrices(matrices, true_class)
    errors = stack * ~np.eye(stack.shape[-1], dtype=bool)
    tp = np.einsum("...ii->...i", stack).copy()
    fn, fp = np.einsum("...ij->...i", errors), np.einsum("...ij->...j", errors)
    return Counts(tp, fn, fp, _without_class(stack))


def _without_class(stack: Array) -> Array:
    """Return the sum of all cells outside the row and the column of each class, of four blocks."""
    before = np.arange(size := stack.shape[-1])
    after = before[::-1]
    found: Array = np.zeros(stack.shape[:-1])
    sums = np.zeros((*stack.shape[:-2], size + 1, size + 1))
    for part, rows, columns in (
        (stack, before, before),
        (stack[..., ::-1], before, after),
        (stack[..., ::-1, :], after, before),
        (stack[..., ::-1, ::-1], after, after),
    ):
        sums[..., 1:, 1:] = part.cumsum(axis=-1).cumsum(axis=-2)
        found += sums[..., rows, columns]
    return found


def binary_counts(matrices: ArrayLike, positive: int = 0, true_class: TrueClass = "rows") -> Counts:
    """Return the counts of two-class matrices.

    Parameters
    ----------
    matrices : array_like, shape (..., 2, 2)
        Confusion matrices.
    positive : {0, 1}
        Which class is the positive one; the works put it first.
    true_class : {"rows", "columns"}
        Where the true classes are.

    Returns
    -------
    Counts
        Each of shape (...).

    Raises
    ------
    ValueError
        When the matrices are not 2x2 or `positive` is neither 0 nor 1.
    """
    stack = as_matrices(matrices, true_class)
    if stack.shape[-1] != 2 or positive not in (0, 1):
        raise ValueError("binary_counts takes (..., 2, 2) matrices and positive 0 or 1")
    negative = 1 - positive
    return Counts(
        stack[..., positive, positive],
        stack[..., positive, negative],
        stack[..., negative, positive],
        stack[..., negative, negative],
    )


def confusion_matrix(
    y: ArrayLike, predicted: ArrayLike, classes: int, sample_weight: ArrayLike | None = None
) -> Array:
    """Count decisions by true class (rows) and predicted class (columns).

    Parameters
    ----------
    y, predicted : array_like of int, shape (n,)
        Class indices from 0 to ``classes - 1``.
    classes : int
        Number of classes C.
    sample_weight : array_like of float, shape (n,), optional
        How often each object counts; one each when not given.

    Returns
    -------
    numpy.ndarray, shape (C, C)
        The counts.

    Raises
    ------
    ValueError
        When the lengths differ, a label is out of range or not whole, or a weight is negative or
        not finite.
    """
    truth, guess = _whole(y, "y"), _whole(predicted, "predicted")
    if truth.shape != guess.shape or truth.ndim != 1:
        raise ValueError(
            f"y {truth.shape} and predicted {guess.shape} must be equally long vectors"
        )
    if truth.size and not (
        0 <= min(truth.min(), guess.min()) <= max(truth.max(), guess.max()) < classes
    ):
        raise ValueError(f"labels must lie in 0..{classes - 1}")
    weight = counting_weights(sample_weight, truth.size)
    cells = np.bincount(truth * classes + guess, weight, minlength=classes * classes)
    return cells.reshape(classes, classes).astype(np.float64)


def counting_weights(sample_weight: ArrayLike | None, size: int) -> NDArray[np.float64] | None:
    """Return the weights by which decisions are counted.

    Shapes: `sample_weight` (n,); returned (n,).
    """
    if sample_weight is None:
        return None
    weight = checked_weights(sample_weight, size).astype(float)
    if weight.max() > LARGEST_COUNT:
        raise ValueError(f"weights beyond {LARGEST_COUNT:g} have no sum; divide all by one")
    return weight


def _whole(labels: ArrayLike, name: str) -> NDArray[np.intp]:
    given = plain_array(labels, name)
    if given.dtype.kind not in "biu":
        found = floats(given, name)
        if not (np.abs(found) < LARGEST_EXACT).all() or (found != np.rint(found)).any():
            raise ValueError(f"{name} must be whole numbers of classes")
        given = found
    return given.astype(np.intp)


def counts_at(points: OperatingPoints) -> Counts:
    """Return the counts at every operating point of a scored sample.

    Parameters
    ----------
    points : OperatingPoints
        With the sizes of the sample, as `opchar.spaces.points.operating_points` gives them.

    Returns
    -------
    Counts
        One entry a point, as floats; of whole weights exact up to their rounding.

    Raises
    ------
    ValueError
        If the points do not know how many samples of each class they are of.

    Examples
    --------
    >>> from opchar.spaces.points import operating_points
    >>> counts_at(operating_points([True, False, True], [3.0, 2.0, 1.0])).tp.tolist()
    [0.0, 1.0, 1.0, 2.0]
    """
    if not (points.n_positive and points.n_negative):
        raise ValueError("operating points without n_positive and n_negative have no counts")
    false, true, negatives, positives = points.coordinates
    counted: list[Array] = []
    for reached, whole, size in (
        (true, positives, points.n_positive),
        (false, negatives, points.n_negative),
    ):  # whole numbers are taken away before they become floats
        both = (reached, whole - reached)
        counted += [np.asarray(each, dtype=float) * (size / whole) for each in both]
    return Counts(*counted)


def enlarge_negatives(counts: Counts, factor: ArrayLike) -> Counts:
    """Return the counts of the same classifier on a larger or smaller negative class.

    Parameters
    ----------
    counts : Counts
        Of the classifier on the sample at hand.
    factor : array_like
        By which the negatives are multiplied, positive; broadcasts with the counts.

    Returns
    -------
    Counts
        Not rounded; true and false positive rate stay.

    Raises
    ------
    ValueError
        If a factor is not positive.

    References
    ----------
    tharwat2018, slide 11.

    Examples
    --------
    >>> [float(count) for count in enlarge_negatives(Counts(70, 30, 20, 80), 10)]
    [70.0, 30.0, 200.0, 800.0]
    """
    factor = np.asarray(factor, dtype=float)
    if not (factor > 0).all():
        raise ValueError("negatives are multiplied by positive factors")
    return Counts(counts.tp, counts.fn, factor * counts.fp, factor * counts.tn)
