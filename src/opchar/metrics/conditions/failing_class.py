"""Condition 3 of mullick2020: one failing class does not take an index to its lower bound.

Before Condition 3 the work sets epsilon = 1/C and then lets epsilon go to 0, which a quantity fixed
by C cannot. Both interpretations are here: the limit, which Theorem 5 computes, and the value at
1/C.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from opchar.metrics.conditions.metric import MatrixIndex, values_of
from opchar.metrics.counts import Array

EXPONENTS = (3, 5, 7, 9)
"""Epsilon goes through 1e-3 to 1e-9 in equal steps; the limit is extrapolated."""

UNEVEN = (100.0, 1_000.0, 10_000.0)
"""How many times as large as others a class is; the limit for ever larger ones is extrapolated."""


@dataclass(frozen=True)
class FailingClass:
    """The limit of an index when one class fails and all others are right.

    Attributes
    ----------
    classes : int
        Number of classes.
    sizes : tuple of int or None
        How the sizes of the classes relate, or None for any.
    epsilon : float
        Accuracy of the failing class; 0 for the limit.
    low, high : float
        Lowest and highest value, or limit, over the ways in which the class can fail: which class
        it is, what its objects are called, where the other classes make their few errors, and, for
        any sizes, how large the classes are. NaN where the index is undefined throughout.
    matrix : ndarray of float, shape (C, C)
        A matrix of the way that is lowest; of a limit, at epsilon 1e-3.
    failing : int
        Which class fails there.
    ways : int
        Number of ways evaluated.
    """

    classes: int
    sizes: tuple[int, ...] | None
    epsilon: float
    low: float
    high: float
    matrix: Array
    failing: int
    ways: int


@dataclass(frozen=True)
class _Ways:
    """Ways to fail: who fails, class sizes, how it splits over the others, who takes their errors.

    A class that takes its own errors makes none.
    """

    failing: NDArray[np.intp]
    sizes: Array
    shares: Array
    takers: NDArray[np.intp]


def limit_of_a_failing_class(
    index: MatrixIndex,
    classes: int = 3,
    *,
    sizes: tuple[int, ...] | None = None,
    epsilon: float | None = None,
    rng: np.random.Generator | None = None,
    draws: int = 500,
) -> FailingClass:
    """Follow an index while the accuracy of one class goes to 0 and that of the others to 1.

    The matrices come from mullick2020, Sec. 2: class i has accuracy epsilon, every other at
    least 1 - epsilon. They hold whole counts.

    Parameters
    ----------
    index : callable
        Takes (..., C, C) matrices, rows true classes, and returns values of shape (...).
    classes : int
        Number C of classes.
    sizes : tuple of int, length C, optional
        How the sizes of the classes relate; any if not given: even ones, one class ever larger or
        ever smaller than all others, and drawn ones.
    epsilon : float, optional
        Accuracy of the failing class, one over a whole number; the limit for epsilon to 0 if not
        given. ``1 / C`` is what the work sets first.
    rng : numpy.random.Generator, optional
        Draws further splits of the failing class over the others, and further sizes.
    draws : int
        How many for each class that fails.

    Returns
    -------
    FailingClass
        Lowest and highest value or limit, NaN where undefined, and a matrix of the lowest.

    Raises
    ------
    ValueError
        When `index` is no function of stacks of matrices, `classes` is less than 2, `sizes` does
        not fit, or `epsilon` is not one over a whole number of at least 2.

    References
    ----------
    mullick2020, Condition 3 and Eqs. 26 to 28.
    """
    _check(classes, sizes, epsilon)
    relative = np.ones(classes) if sizes is None else np.array(sizes, dtype=np.float64)
    ways = [_ways(classes, relative[None])]
    if rng is not None:
        ways.append(_drawn_ways(classes, None if sizes is None else relative, rng, draws))
    if sizes is None:
        ways.extend(_ways(classes, _uneven(classes, ratio)) for ratio in UNEVEN)
    values = [_limits(index, way, epsilon) for way in ways]
    low, high, which, lowest = _extremes(values, extended=sizes is None)
    chosen = _Ways(*(a[lowest : lowest + 1] for a in vars(ways[which]).values()))
    matrix = _matrices(chosen, 10 ** EXPONENTS[0] if epsilon is None else round(1 / epsilon))[0]
    return FailingClass(
        classes,
        sizes,
        epsilon or 0.0,
        low,
        high,
        matrix,
        int(chosen.failing[0]),
        sum(len(way.failing) for way in ways),
    )


def extrapolate(steps: Array) -> Array:
    """Return the limit of sequences that close in on it by equal factors (Aitken).

    Shapes: `steps` (k, ...); returned (...).

    Returned: exact for ``limit + a * factor**k`` with a factor in (0, 1).
    """
    changes = np.diff(steps, axis=0)
    last = steps[-1]
    with np.errstate(all="ignore"):
        factors = changes[1:] / changes[:-1]
        factor = factors[-1]
        steady = np.abs(factors / factor - 1).max(axis=0) < 0.2
        limit = last + changes[-1] * factor / (1 - factor)
    usable = steady & (np.abs(changes[-1]) > 1e-12) & (factor > 0) & (factor < 1)
    return np.where(usable & np.isfinite(limit), limit, last)


def _extremes(values: list[Array], extended: bool) -> tuple[float, float, int, int]:
    """Return the lowest and highest value, and the group and index of the lowest.

    When `extended`, the last groups are of ever more uneven sizes: if the lowest is among them, it
    goes down to their limit.
    """
    if all(np.isnan(value).all() for value in values):
        return np.nan, np.nan, 0, 0
    lows = np.array([np.inf if np.isnan(v).all() else np.nanmin(v) for v in values])
    which = int(lows.argmin())
    low = float(lows.min())
    if extended and which >= len(values) - len(UNEVEN):
        beyond = float(extrapolate(lows[-len(UNEVEN) :][:, None])[0])
        low = min(low, beyond) if np.isfinite(beyond) else low
    high = float(max(np.nanmax(v) for v in values if not np.isnan(v).all()))
    return low, high, which, int(np.nanargmin(values[which]))


def _check(classes: int, sizes: tuple[int, ...] | None, epsilon: float | None) -> None:
    if classes < 2:
        raise ValueError(f"a failing class needs another one beside it, not {classes} in all")
    if sizes is not None and (len(sizes) != classes or any(n != int(n) or n < 1 for n in sizes)):
        raise ValueError(f"sizes are {classes} whole numbers of at least 1, not {sizes}")
    if epsilon is not None and (
        not 0 < epsilon <= 0.5 or abs(1 / epsilon - round(1 / epsilon)) > 1e-9 / epsilon
    ):
        raise ValueError(f"epsilon is one over a whole number of at least 2, not {epsilon}")


def _limits(index: MatrixIndex, ways: _Ways, epsilon: float | None) -> Array:
    """Return the value at epsilon, or the limit, for each way."""
    if epsilon is not None:
        return values_of(index, _matrices(ways, round(1 / epsilon)))
    return extrapolate(np.stack([values_of(index, _matrices(ways, 10**k)) for k in EXPONENTS]))


def _uneven(classes: int, ratio: float) -> Array:
    """Return sizes in which one class is `ratio` times as large as the others, or as small."""
    larger = np.where(np.eye(classes, dtype=bool), ratio, 1.0)
    return np.vstack([larger, ratio + 1 - larger])


def _ways(classes: int, sizes: Array) -> _Ways:
    """Return every class failing, called one other or all others evenly, with each of the sizes."""
    splits = np.vstack([np.eye(classes - 1), np.full(classes - 1, 1 / (classes - 1))])
    same_class = np.arange(classes)
    ways = [
        (failing, size, split, taker)
        for failing in range(classes)
        for split in splits
        for size in sizes
        for taker in (same_class, np.full(classes, failing), (same_class + 1) % classes)
    ]
    return _Ways(*(np.array(column) for column in zip(*ways, strict=True)))


def _drawn_ways(classes: int, sizes: Array | None, rng: np.random.Generator, draws: int) -> _Ways:
    ways = draws * classes
    drawn = np.exp(rng.uniform(0, np.log(UNEVEN[-1]), (ways, classes))).round()
    return _Ways(
        np.repeat(np.arange(classes), draws),
        drawn if sizes is None else np.broadcast_to(sizes, drawn.shape),
        rng.dirichlet(np.ones(classes - 1), ways),
        rng.integers(0, classes, (ways, classes)),
    )


def _matrices(ways: _Ways, whole: int) -> Array:
    """Return the matrices at epsilon ``1 / whole``, each class ``whole`` times its size."""
    number, classes = ways.sizes.shape
    matrices = np.zeros((number, classes, classes))
    every = np.arange(number)
    for c in range(classes):
        matrices[every, c, c] += ways.sizes[:, c] * (whole - 1)
        matrices[every, c, ways.takers[:, c]] += ways.sizes[:, c]
    failing = ways.failing
    wrong = ways.sizes[every, failing] * (whole - 1)
    parts = np.floor(ways.shares * wrong[:, None])
    parts[every, ways.shares.argmax(axis=1)] += wrong - parts.sum(axis=1)
    others = np.array([np.delete(np.arange(classes), f) for f in range(classes)])[failing]
    matrices[every, failing] = 0
    matrices[every, failing, failing] = ways.sizes[every, failing]
    matrices[every[:, None], failing[:, None], others] = parts
    return matrices
