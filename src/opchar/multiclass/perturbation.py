"""Which weights of a multi-class problem act on which classes: confusion matrix perturbation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import index

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats
from opchar.multiclass.cost_weights.problem import scored_objects
from opchar.ties import at_most

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def perturbed_weights(
    base: ArrayLike, moving: int, r: int, low: float = 1e-3, high: float = 1e3
) -> Floats:
    """Return weight vectors in which one weight runs over a logarithmic range.

    Parameters
    ----------
    base : array_like of shape (C,)
        The weights c_j of the default operating point, positive.
    moving : int
        The class whose weight moves.
    r : int
        Steps, at least 2.
    low, high : float
        The range, ``0 < low < high``.

    Returns
    -------
    ndarray of shape (r, C)
        Phi_i(Theta) (landgrebe2007, Eqs. 4.30 and 4.31).

    Raises
    ------
    ValueError
        For fewer than two steps, an empty range, no such weight, or weights that are not positive.
    """
    base, moving = floats(base, "base"), index(moving)
    if base.ndim != 1 or not 0 <= moving < len(base):
        raise ValueError(f"a perturbation moves one of the weights (C,), got number {moving}")
    if r < 2 or not 0 < low < high < np.inf:
        raise ValueError(f"a perturbation needs r >= 2 and 0 < low < high, got {r}, {low}, {high}")
    if not np.all((base > 0) & (base < np.inf)):
        raise ValueError("the default operating point needs positive weights")
    phi = np.tile(base, (r, 1))
    phi[:, moving] = np.logspace(np.log10(low), np.log10(high), r)
    return phi


def sensitivities(
    rates: Callable[[Floats], Floats],
    base: ArrayLike,
    r: int,
    low: float = 1e-3,
    high: float = 1e3,
) -> Floats:
    """Return by how much each confusion rate changes as each weight moves alone.

    Parameters
    ----------
    rates : callable
        From weight vectors (n, C) to confusion rate matrices (n, C, C).
    base, r, low, high
        As for `perturbed_weights`.

    Returns
    -------
    ndarray of shape (C, C, C)
        ``Lambda^s[i, j, k]``: the range of xi_{j,k} as phi_i moves (landgrebe2007, Eqs. 4.29,
        4.32 and 4.33). C r confusion matrices are computed: linear in the number of classes.
    """
    base = floats(base, "base")
    return np.array(
        [
            np.ptp(rates(perturbed_weights(base, moving, r, low, high)), axis=0)
            for moving in range(len(base))
        ]
    )


def largest_by_class(changes: ArrayLike) -> Floats:
    """Return the largest change among the outputs of each class.

    Parameters
    ----------
    changes : array_like of shape (C, C, C)
        Lambda^s, from `sensitivities`.

    Returns
    -------
    ndarray of shape (C, C)
        ``Lambda^v[i, k]``: the largest change over j of xi_{j,k} with phi_i (Eq. 4.34).
    """
    return floats(changes, "changes").max(axis=1)


def groups(largest: ArrayLike, threshold: float) -> list[list[int]]:
    """Return the groups of classes whose weights act on each other.

    Parameters
    ----------
    largest : array_like of shape (C, C)
        Lambda^v, from `largest_by_class`.
    threshold : float
        t_s: changes up to this size count as none (Eq. 4.35).

    Returns
    -------
    list of list of int
        Classes that are connected by a chain of interactions in either direction, ascending.

    Raises
    ------
    ValueError
        If a change or the threshold is NaN.

    Examples
    --------
    >>> groups([[0.9, 0.0, 0.8], [0.0, 0.1, 0.0], [0.8, 0.0, 0.9]], 0.05)
    [[0, 2], [1]]
    """
    largest = floats(largest, "largest")
    if np.isnan(largest).any() or np.isnan(threshold):
        raise ValueError("changes and threshold must not be NaN")
    acts = ~at_most(largest, threshold)
    reach = acts | acts.T | np.eye(len(acts), dtype=bool)
    for _ in range(len(reach)):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    return [list(map(int, np.flatnonzero(row))) for row in np.unique(reach, axis=0)[::-1]]


def groups_up_to(largest: ArrayLike, size: int) -> tuple[list[list[int]], float]:
    """Return the groups at the smallest threshold that keeps all of them small enough.

    Parameters
    ----------
    largest : array_like of shape (C, C)
        Lambda^v, from `largest_by_class`.
    size : int
        The largest number of classes of a group, at least 1.

    Returns
    -------
    groups : list of list of int
        As by `groups`.
    threshold : float
        t_s; zero if nothing has to be neglected, else one of the changes given (landgrebe2007,
        Secs. 4.3.5 and 4.3.6).

    Raises
    ------
    ValueError
        For a size below one, or changes that are NaN.

    Examples
    --------
    >>> groups_up_to([[0.9, 0.2, 0.1], [0.2, 0.9, 0.0], [0.1, 0.0, 0.9]], 2)
    ([[0, 1], [2]], 0.1)
    """
    if not size >= 1:
        raise ValueError(f"a group has one class or more, not {size}")
    largest = floats(largest, "largest")
    if np.isnan(largest).any():
        raise ValueError("changes must not be NaN")
    thresholds = np.unique(np.append(largest, 0.0))
    low, high = 0, len(thresholds) - 1
    while low < high:
        middle = (low + high) // 2
        if max(map(len, groups(largest, thresholds[middle]))) <= size:
            high = middle
        else:
            low = middle + 1
    return groups(largest, thresholds[low]), float(thresholds[low])


def perturbation_cubes(
    y: ArrayLike,
    scores: ArrayLike,
    r: int,
    *,
    base: ArrayLike | None = None,
    low: float = 1e-3,
    high: float = 1e3,
    log: bool = False,
) -> Iterator[Floats]:
    """Yield the confusion rates of scored objects as each weight moves alone, one cube a weight.

    Parameters
    ----------
    y : array_like of int, shape (N,)
        True classes, ``0 .. C - 1``; each must occur.
    scores : array_like of float, shape (N, C)
        Scores that are not negative, or their logarithms.
    r, low, high
        Steps and range, as for `perturbed_weights`.
    base : array_like of shape (C,), optional
        The weights of the default operating point, positive; ones when not given.
    log : bool
        Whether `scores` are logarithms.

    Yields
    ------
    ndarray of shape (r, C, C)
        ``Lambda_i[l, j, k]``: xi_{j,k} at the l-th step of phi_i (landgrebe2007, Eq. 4.29, with
        the step as first axis).

    Raises
    ------
    ValueError
        As by `opchar.multiclass.cost_weights.problem.scored_objects` and `perturbed_weights`, and
        for a class without objects or a base of another length.

    Notes
    -----
    While phi_i grows, an object changes once, from its best other class to class i. Counting the
    changes by steps takes ``O(N C + N log r + r C^2)`` a weight instead of ``O(r N C)``, and one
    cube is held at a time.
    """
    y, log_scores = scored_objects(y, scores, log=log)
    c = log_scores.shape[1]
    sizes = np.bincount(y, minlength=c)
    if not sizes.all():
        raise ValueError(f"no object of class {np.flatnonzero(sizes == 0).tolist()}")
    base = np.ones(c) if base is None else np.asarray(base, dtype=float)
    if base.shape != (c,):
        raise ValueError(f"{c} classes need as many default weights, got shape {base.shape}")
    for moving in range(c):
        steps = np.log(perturbed_weights(base, moving, r, low, high)[:, moving])
        yield _cube(y, log_scores, np.log(base), moving, steps) / sizes[:, None]


def _cube(y: Ints, log_scores: Floats, log_base: Floats, moving: int, steps: Floats) -> Ints:
    """Return the confusion matrices at the steps of one weight."""
    c, r = log_scores.shape[1], len(steps)
    counts = np.zeros((r + 1, c, c), dtype=np.intp)
    if c == 1:
        counts[0] = len(y)
        return counts[:1].repeat(r, axis=0)
    others = np.delete(log_scores + log_base, moving, axis=1)
    rival = others.argmax(axis=1)
    point = others[np.arange(len(y)), rival] - log_scores[:, moving]
    rival += rival >= moving
    after = np.where(moving < rival, np.nextafter(point, -np.inf), point)
    first = np.searchsorted(steps, after, side="right")
    np.add.at(counts[0], (y, rival), 1)
    np.subtract.at(counts, (first, y, rival), 1)
    np.add.at(counts, (first, y, np.full_like(y, moving)), 1)
    return counts.cumsum(axis=0)[:r]


def score_sensitivities(
    y: ArrayLike,
    scores: ArrayLike,
    r: int,
    *,
    base: ArrayLike | None = None,
    low: float = 1e-3,
    high: float = 1e3,
    log: bool = False,
) -> Floats:
    """Return by how much each confusion rate of scored objects changes as each weight moves alone.

    Parameters
    ----------
    y, scores, r, base, low, high, log
        As for `perturbation_cubes`.

    Returns
    -------
    ndarray of shape (C, C, C)
        Lambda^s, as by `sensitivities` (landgrebe2007, Eqs. 4.32 and 4.33).

    Raises
    ------
    ValueError
        As by `perturbation_cubes`.

    Examples
    --------
    >>> scores = [[0.8, 0.2, 0.0], [0.3, 0.7, 0.0], [0.0, 0.0, 1.0]]
    >>> changes = score_sensitivities([0, 1, 2], scores, 80)
    >>> groups(largest_by_class(changes), 0.5)
    [[0, 1], [2]]
    """
    cubes = perturbation_cubes(y, scores, r, base=base, low=low, high=high, log=log)
    return np.array([np.ptp(cube, axis=0) for cube in cubes])
