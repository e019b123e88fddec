"""Condition 1 of mullick2020: equal class rates give equal values, whatever the class sizes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from opchar.arguments import LARGEST_EXACT
from opchar.arguments import counts as as_counts
from opchar.metrics.conditions.metric import MatrixIndex, defined_values_of, values_of
from opchar.metrics.conditions.search import random_matrices, small_matrices
from opchar.metrics.counts import Array


@dataclass(frozen=True)
class CounterExample:
    """Two test sets with the same class rates on which an index differs.

    Attributes
    ----------
    first, second : ndarray of float, shape (C, C)
        Confusion matrices with proportional rows.
    values : tuple of float
        The index of each; NaN where it is undefined.
    smallest : bool
        Whether no pair has fewer objects, as an exhaustive search found. Otherwise it was drawn,
        and then reduced as far as single steps go, or found among matrices of many classes.
    """

    first: Array
    second: Array
    values: tuple[float, float]
    smallest: bool

    @property
    def objects(self) -> tuple[int, int]:
        """Number of objects of each test set."""
        return int(self.first.sum()), int(self.second.sum())


@dataclass(frozen=True)
class Invariance:
    """What a search says about Condition 1.

    Attributes
    ----------
    classes : int
        Number C of classes.
    holds : bool
        Whether no counter-example was found.
    counter_example : CounterExample or None
        Two test sets on which the index differs; None where `holds`.
    objects : int
        All matrices of at most so many objects were searched; 0 when there are too many classes
        for that, and only those of `opchar.metrics.conditions.search.small_matrices` were.
    searched, drawn : int
        How many these are, and how many larger pairs were drawn at random.
    undefined : int
        For how many of those searched the index is NaN.
    undefined_example : ndarray of float, shape (C, C), or None
        A smallest one.
    """

    classes: int
    holds: bool
    counter_example: CounterExample | None
    objects: int
    searched: int
    drawn: int
    undefined: int
    undefined_example: Array | None


def invariant_to_test_set(
    index: MatrixIndex,
    classes: int = 3,
    *,
    objects: int | None = None,
    rng: np.random.Generator | None = None,
    draws: int = 20_000,
) -> Invariance:
    """Search for two test sets with equal class rates on which an index differs.

    All matrices of at most `objects` objects are compared with the smallest of the same rates
    (``M ~ M'`` of mullick2020, Sec. 2: rows are multiples of each other). With a generator, pairs
    of large matrices are drawn too.

    Parameters
    ----------
    index : callable
        Takes (..., C, C) matrices, rows true classes, and returns values of shape (...).
    classes : int
        Number C of classes.
    objects : int, optional
        Largest number of objects of the exhaustive search; if not given, as many as keep it to
        about 100,000 matrices.
    rng : numpy.random.Generator, optional
        Draws the large matrices; without one there are none.
    draws : int
        How many pairs.

    Returns
    -------
    Invariance
        With the counter-example of fewest objects. Values that agree to nine digits are equal. NaN
        on both sides is equal, NaN on one side is not.

    Raises
    ------
    ValueError
        When `index` is no function of stacks of matrices, or the search is too large.

    References
    ----------
    mullick2020, Condition 1; the I6 and I8 of Sokolova and Lapalme.
    """
    matrices, largest = small_matrices(classes, objects)
    values = defined_values_of(index, matrices)
    found = _smallest_pair(matrices, values, smallest=largest > 0)
    drawn = 0
    if rng is not None:
        drawn = draws
        if found is None:
            found = _drawn_pair(index, classes, rng, draws)
    missing = np.flatnonzero(np.isnan(values))
    return Invariance(
        classes,
        found is None,
        found,
        largest,
        len(matrices),
        drawn,
        len(missing),
        matrices[missing[0]] if len(missing) else None,
    )


def same_value(first: Array, second: Array) -> NDArray[np.bool_]:
    """Return where two values are the same up to rounding; NaN is the same as NaN."""
    return np.asarray(np.isclose(first, second, rtol=1e-9, atol=1e-12, equal_nan=True), np.bool_)


def smallest_of_the_same_rates(matrices: Array) -> NDArray[np.intp]:
    """Return for each matrix the index of the first with proportional rows.

    Shapes: `matrices` (n, C, C); returned (n,).
    """
    if not (as_counts(matrices, "matrices") <= LARGEST_EXACT).all():
        raise ValueError("counts that are NaN or beyond 2**53 are not whole")
    if not matrices.any(axis=-1).all():
        raise ValueError("a row is empty: it has no rates")
    counts = matrices.astype(np.int64)
    reduced = counts // np.gcd.reduce(counts, axis=-1)[..., None]
    rows = reduced.reshape(len(reduced), -1).astype(np.min_scalar_type(reduced.max(initial=0)))
    keys = np.ascontiguousarray(rows).view(np.dtype((np.void, rows[0].nbytes))).ravel()
    _, first, member_of = np.unique(keys, return_index=True, return_inverse=True)
    return np.asarray(first[member_of], np.intp)


def _smallest_pair(matrices: Array, values: Array, smallest: bool) -> CounterExample | None:
    partner = smallest_of_the_same_rates(matrices)
    differ = np.flatnonzero(~same_value(values, values[partner]))
    if not len(differ):
        return None
    sizes = matrices.sum(axis=(1, 2))
    objects = sizes[differ] + sizes[partner[differ]]
    gap = np.abs(values[differ] - values[partner[differ]])
    best = differ[np.lexsort((-gap, np.isnan(gap), objects))[0]]
    pair = float(values[partner[best]]), float(values[best])
    return CounterExample(matrices[partner[best]], matrices[best], pair, smallest)


def _drawn_pair(
    index: MatrixIndex, classes: int, rng: np.random.Generator, draws: int
) -> CounterExample | None:
    """Return a pair of large matrices that differ, reduced step by step."""
    matrices = random_matrices(classes, draws, rng)
    factors = np.exp(rng.uniform(0, np.log(100), (draws, classes, 1))).astype(np.int64)
    before, after = values_of(index, matrices), values_of(index, matrices * factors)
    differ = np.flatnonzero(~same_value(before, after))
    if not len(differ):
        return None
    start = differ[matrices[differ].sum(axis=(1, 2)).argmin()]
    matrix, factor = _reduce_witness(index, matrices[start], factors[start].astype(np.float64))
    values = values_of(index, np.stack([matrix, matrix * factor]))
    return CounterExample(
        matrix, matrix * factor, (float(values[0]), float(values[1])), smallest=False
    )


def _reduce_witness(index: MatrixIndex, matrix: Array, factor: Array) -> tuple[Array, Array]:
    """Halve or decrease cells and factors one by one for as long as the values differ."""
    classes = len(matrix)
    while True:
        cells = np.stack([matrix] * (2 * classes**2)).reshape(-1, classes**2)
        which = np.arange(classes**2)
        cells[which, which] //= 2
        cells[which + classes**2, which] -= 1
        matrices = np.concatenate(
            [cells.reshape(-1, classes, classes), np.stack([matrix] * (2 * classes))]
        )
        factors = np.stack([factor] * len(matrices))
        which = np.arange(classes)
        factors[2 * classes**2 + which, which] //= 2
        factors[2 * classes**2 + classes + which, which] -= 1
        usable = (matrices >= 0).all(axis=(1, 2)) & (matrices.sum(axis=2) > 0).all(axis=1)
        usable &= (factors >= 1).all(axis=(1, 2))
        smaller = (matrices * (1 + factors)).sum(axis=(1, 2)) < (matrix * (1 + factor)).sum()
        matrices, factors = matrices[usable & smaller], factors[usable & smaller]
        if not len(matrices):
            return matrix, factor
        differ = ~same_value(values_of(index, matrices), values_of(index, matrices * factors))
        if not differ.any():
            return matrix, factor
        sizes = np.where(differ, (matrices * (1 + factors)).sum(axis=(1, 2)), np.inf)
        matrix, factor = matrices[sizes.argmin()], factors[sizes.argmin()]
