"""Condition 2 of mullick2020: the bounds of an index do not depend on the number of classes.

The work leaves open over which matrices the bounds are taken. Both interpretations are here: over
test sets of any sizes, as Condition 2 says, and over those whose classes have given sizes, as Lemma
3 has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from opchar.metrics.conditions.metric import MatrixIndex, defined_values_of, values_of
from opchar.metrics.conditions.search import (
    called_as,
    matrices_with_sizes,
    number_with_sizes,
    random_matrices,
    searchable,
    small_matrices,
)
from opchar.metrics.counts import Array

HUGE = 1e9
"""Objects of a class beside which one object has almost no weight."""

TOLERANCE = 1e-6
"""Bounds that are this near are the same: a limit is met up to the order of 1 / HUGE."""


@dataclass(frozen=True)
class Bound:
    """The lowest or the highest value of an index.

    Attributes
    ----------
    value : float
        In units of the index; infinite where it is unbounded.
    matrix : ndarray of float, shape (C, C)
        A smallest matrix that has the value; of a limit, one that comes near it.
    reached : bool
        Whether a matrix has the value. Otherwise it is a limit for class sizes or counts that grow
        apart: `matrix` has it up to `TOLERANCE`.
    """

    value: float
    matrix: Array
    reached: bool


@dataclass(frozen=True)
class Bounds:
    """The range of an index for a number of classes.

    Attributes
    ----------
    classes : int
        Number of classes.
    sizes : tuple of int or None
        Sizes of the classes, or None for any.
    low, high : Bound
        Lowest and highest value where the index is defined.
    searched : int
        Number of matrices evaluated.
    complete : bool
        Whether these are all matrices of the interpretation: the bounds are exact.
    """

    classes: int
    sizes: tuple[int, ...] | None
    low: Bound
    high: Bound
    searched: int
    complete: bool


def bounds(
    index: MatrixIndex,
    classes: int = 3,
    *,
    sizes: tuple[int, ...] | None = None,
    objects: int | None = None,
    rng: np.random.Generator | None = None,
    draws: int = 20_000,
) -> Bounds:
    """Find the lowest and the highest value of an index.

    With `sizes` all matrices are evaluated; where these are too many, classifiers that call each
    class one thing (drawn ones with a generator), then their neighbours. Without `sizes`, all
    matrices of at most `objects` objects; all classifiers that call each class one thing, on
    classes of 1 or 1e9 objects; with a generator large random matrices; and the neighbours of the
    best, until none is better.

    Parameters
    ----------
    index : callable
        Takes (..., C, C) matrices, rows true classes, and returns values of shape (...).
    classes : int
        Number C of classes.
    sizes : tuple of int, length C, optional
        The class sizes of the test set; any if not given.
    objects : int, optional
        Largest number of objects of the exhaustive search; if not given, as many as keep it to
        100,000 matrices.
    rng : numpy.random.Generator, optional
        Draws large matrices; without one there are none.
    draws : int
        How many.

    Returns
    -------
    Bounds
        Over the matrices for which the index is defined.

    Raises
    ------
    ValueError
        When `index` is no function of stacks of matrices, `sizes` does not fit `classes`, or there
        are too many matrices of at most `objects`.

    References
    ----------
    mullick2020, Condition 2 and Lemmas 1 to 3.
    """
    if sizes is not None:
        return _with_sizes(index, classes, sizes, rng)
    small, _ = small_matrices(classes, objects)
    values = defined_values_of(index, small)
    large = _uniform_callers(classes, rng)
    if rng is not None:
        large = np.concatenate([large, random_matrices(classes, draws, rng)])
    beyond = values_of(index, large)
    searched = len(small) + len(large)
    low, steps_low = _bound(index, small, values, large, beyond, sign=1)
    high, steps_high = _bound(index, small, values, large, beyond, sign=-1)
    return Bounds(classes, None, low, high, searched + steps_low + steps_high, False)


def same_range(first: Bounds, second: Bounds) -> bool:
    """Return whether two ranges have the same ends, up to `TOLERANCE`."""
    ends = [(first.low.value, second.low.value), (first.high.value, second.high.value)]
    return all(bool(np.isclose(a, b, rtol=TOLERANCE, atol=TOLERANCE)) for a, b in ends)


def _with_sizes(
    index: MatrixIndex, classes: int, sizes: tuple[int, ...], rng: np.random.Generator | None
) -> Bounds:
    if len(sizes) != classes:
        raise ValueError(f"sizes {sizes} are not of {classes} classes")
    if not searchable(number_with_sizes(sizes), classes):
        return _stepwise(index, sizes, rng)
    matrices = matrices_with_sizes(sizes)
    values = defined_values_of(index, matrices)
    ends = [
        Bound(float(values[at]), matrices[at], reached=True)
        for at in (int(np.nanargmin(values)), int(np.nanargmax(values)))
    ]
    return Bounds(classes, sizes, ends[0], ends[1], len(matrices), True)


def _stepwise(
    index: MatrixIndex, sizes: tuple[int, ...], rng: np.random.Generator | None
) -> Bounds:
    """Find the bounds for given sizes by steps from classifiers that call each class one thing."""
    classes = len(sizes)
    right = np.arange(classes)
    targets = [right[None], np.roll(right, 1)[None], np.zeros((1, classes), dtype=np.intp)]
    if rng is not None:
        targets.append(rng.integers(0, classes, (20_000, classes)))
    called = np.concatenate(targets)
    starts = called_as(called, np.broadcast_to(np.array(sizes, np.float64), called.shape))
    values = defined_values_of(index, starts)
    ends, searched = [], len(starts)
    for sign in (1, -1):
        found = np.where(np.isnan(values), np.inf, sign * values)
        first = int(found.argmin())
        best, matrix, steps = _descend(index, starts[first], float(found[first]), sign, False)
        ends.append(Bound(float(sign * best), matrix, reached=True))
        searched += steps
    return Bounds(classes, sizes, ends[0], ends[1], searched, False)


def _uniform_callers(classes: int, rng: np.random.Generator | None) -> Array:
    """Return classifiers that call each class one thing, on classes that are tiny or huge.

    All of them for up to four classes; for more, the named classifiers of `_starts` and, with a
    generator, 20,000 drawn ones.
    """
    if classes <= 4:
        targets = np.array(list(product(range(classes), repeat=classes)))
        sizes = np.array(list(product((1.0, HUGE), repeat=classes)))
        pairs = np.indices((len(targets), len(sizes))).reshape(2, -1)
        return called_as(targets[pairs[0]], sizes[pairs[1]])
    stacks = [_starts(classes)]
    if rng is not None:
        targets = rng.integers(0, classes, (20_000, classes))
        stacks.append(called_as(targets, rng.choice([1.0, HUGE], (20_000, classes))))
    return np.concatenate(stacks)


def _starts(classes: int) -> Array:
    """Return the right, the cyclic and the constant classifier on even and uneven classes."""
    right = np.arange(classes)
    targets = np.stack([right, (right + 1) % classes, np.zeros_like(right)])
    steps = np.where(np.arange(classes + 1)[:, None] > right, HUGE, 1.0)
    pairs = np.indices((len(targets), len(steps))).reshape(2, -1)
    return called_as(targets[pairs[0]], steps[pairs[1]])


def _bound(
    index: MatrixIndex, small: Array, values: Array, large: Array, beyond: Array, sign: int
) -> tuple[Bound, int]:
    """Return the least of ``sign * index``, and how many neighbours were evaluated for it."""
    near = np.where(np.isnan(values), np.inf, sign * values)
    far = np.where(np.isnan(beyond), np.inf, sign * beyond)
    reached = int(near.argmin())
    if np.isneginf(near[reached]):
        return Bound(float(sign * near[reached]), small[reached], reached=True), 0
    start = small[reached] if near[reached] <= far.min() else large[far.argmin()]
    best, matrix, steps = _descend(index, start, min(near[reached], float(far.min())), sign)
    if near[reached] - best <= 1e-12 * max(1.0, abs(best)):
        return Bound(float(sign * near[reached]), small[reached], reached=True), steps
    return Bound(float(sign * best), matrix, reached=_is_small(matrix)), steps


def _is_small(matrix: Array) -> bool:
    """Return whether a bound found at a matrix counts as reached: no cell is huge."""
    return bool(matrix.max() < 1e6)


def _descend(
    index: MatrixIndex, start: Array, value: float, sign: int, resize: bool = True
) -> tuple[float, Array, int]:
    """Move, halve and double cells for as long as that lowers ``sign * index``."""
    best, matrix, steps = value, start, 0
    while True:
        near = _neighbours(matrix, resize)
        found = sign * values_of(index, near)
        found = np.where(np.isnan(found), np.inf, found)
        steps += len(near)
        if not found.min() < best - 1e-12 * max(1.0, abs(best)) or steps > 200_000:
            return best, matrix, steps
        best, matrix = float(found.min()), near[found.argmin()]


def _neighbours(matrix: Array, resize: bool) -> Array:
    """Return matrices with an object, half a cell or a cell moved in its row, or a row resized."""
    classes = len(matrix)
    changed: list[Array] = []
    for row, source in np.ndindex(classes, classes):
        count = float(matrix[row, source])
        for target, amount in product(range(classes), sorted({1.0, count // 2, count})):
            if target != source and 0.0 < amount <= count:
                moved = matrix.copy()
                moved[row, source] -= amount
                moved[row, target] += amount
                changed.append(moved)
    for row in range(classes if resize else 0):
        for factor in (2.0, 1000.0):
            for scaled in (np.ceil(matrix[row] / factor), matrix[row] * factor):
                if 0 < scaled.sum() <= HUGE:
                    changed.append(matrix.copy())
                    changed[-1][row] = scaled
    return np.stack(changed)
