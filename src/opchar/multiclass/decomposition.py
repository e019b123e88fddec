"""Which weights of a multi-class problem act on which classes, and the groups that follow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


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
        For fewer than two steps, an empty range, or weights that are not positive.
    """
    base = np.asarray(base, dtype=float)
    if r < 2 or not 0 < low < high:
        raise ValueError(f"a perturbation needs r >= 2 and 0 < low < high, got {r}, {low}, {high}")
    if not np.all(base > 0):
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
    base = np.asarray(base, dtype=float)
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
    return np.asarray(changes, dtype=float).max(axis=1)


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

    Examples
    --------
    >>> groups([[0.9, 0.0, 0.8], [0.0, 0.1, 0.0], [0.8, 0.0, 0.9]], 0.05)
    [[0, 2], [1]]
    """
    acts = np.asarray(largest) > threshold
    reach = acts | acts.T | np.eye(len(acts), dtype=bool)
    for _ in range(len(reach)):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    return [list(map(int, np.flatnonzero(row))) for row in np.unique(reach, axis=0)[::-1]]
