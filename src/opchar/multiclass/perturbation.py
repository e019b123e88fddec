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

    Shapes: `base` (C,); returned (r, C).

    `low`, `high`: The range, ``0 < low < high``.
    Phi_i(Theta) (landgrebe2007, Eqs. 4.30 and 4.31).
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
    rates: Callable[[Floats], Floats], base: ArrayLike, r: int, low: float = 1e-3, high: float = 1e3
) -> Floats:
    """Return by how much each confusion rate changes as each weight moves alone.

    Shapes: returned (C, C, C).

    ``Lambda^s[i, j, k]``: the range of xi_{j,k} as phi_i moves
    (landgrebe2007, Eqs. 4.29, 4.32 and 4.33). C r confusion matrices are computed: linear in the
    number of classes.
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

    Shapes: `changes` (C, C, C); returned (C, C).

    Returns: ``Lambda^v[i, k]``: the largest change over j of xi_{j,k} with phi_i (Eq. 4.34).
    """
    return floats(changes, "changes").max(axis=1)


def groups(largest: ArrayLike, threshold: float) -> list[list[int]]:
    """Return the groups of classes whose weights act on each other.

    Shapes: `largest` (C, C).

    `threshold`: t_s: changes up to this size count as none (Eq. 4.35).
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

    Shapes: `largest` (C, C).
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

    Shapes: `y` (N,); `scores` (N, C); `base` (C,); returned (r, C, C).

    `scores`: Scores that are not negative, or their logarithms.
    `log`: Whether `scores` are logarithms.
    ``Lambda_i[l, j, k]``: xi_{j,k} at the l-th step of phi_i
    (landgrebe2007, Eq. 4.29, with the step as first axis).

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

    Shapes: returned (C, C, C).

    Lambda^s, as by `sensitivities` (landgrebe2007, Eqs. 4.32 and 4.33).
    """
    cubes = perturbation_cubes(y, scores, r, base=base, low=low, high=high, log=log)
    return np.array([np.ptp(cube, axis=0) for cube in cubes])
