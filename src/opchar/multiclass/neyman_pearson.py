"""Multi-class Neyman-Pearson optimisation: some errors limited, the others minimised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats, plain_array
from opchar.multiclass.roc.hypersurface import confusion_planes
from opchar.multiclass.roc.weighted_scores import WeightedScores
from opchar.ties import EQUAL, first_least

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NeymanPearson:
    """What the optimisation found.

    `feasible`: whether some operating point meets all limits; `weights` (C,): the class weights, to
    be applied to new scores; NaN where nothing is feasible; `rates` (C, C): normalised confusion
    matrix at these weights on the objects given; NaN likewise; `objective`: sum of the errors that
    were not limited; infinite where nothing is feasible; `n_feasible`: number of operating points
    of the grid that meet all limits.
    """

    feasible: bool
    weights: Floats
    rates: Floats
    objective: float
    n_feasible: int


def limits_from_matrices(indicator: ArrayLike, errors: ArrayLike) -> Floats:
    """Return the limits that the matrices M_I and M_e of the thesis specify.

    Shapes: `indicator`, `errors`, returned (C, C).

    `indicator`: M_I: one where an error is limited, zero where it is to be minimised.
    Returns: The limits, NaN for an error without one.

    landgrebe2007, Sec. 3.2.4, Algorithm 1.
    """
    indicator = plain_array(indicator, "indicator").astype(bool)
    errors = floats(errors, "errors")
    if indicator.shape != errors.shape:
        raise ValueError(f"M_I {indicator.shape} and M_e {errors.shape} must have one shape")
    return _check_limits(np.where(indicator, errors, np.nan))


def _check_limits(limits: Floats) -> Floats:
    """Return the limits if they are rates of errors."""
    if limits.ndim != 2 or limits.shape[0] != limits.shape[1]:
        raise ValueError(f"limits must be a square matrix, got shape {limits.shape}")
    if not np.isnan(np.diagonal(limits)).all():
        raise ValueError("limits are for errors: leave the diagonal unspecified")
    given = limits[~np.isnan(limits)]
    if np.any((given < 0) | (given > 1)):
        raise ValueError("limits must lie in [0, 1]")
    return limits


def _judge(counts: NDArray[np.integer], sizes: Floats, limits: Floats) -> Floats:
    """Return the sum of the errors without limit, infinite where a limit is broken."""
    c = len(limits)
    limited = ~np.isnan(limits)
    largest = np.floor(np.where(limited, limits, 1) * sizes[:, None] * (1 + 1e-12) + 1e-9)
    broken = np.any((counts > largest) & limited, axis=(-2, -1))
    share = np.where(limited | np.eye(c, dtype=bool), 0, 1 / sizes[:, None])
    return np.where(broken, np.inf, np.einsum("...ij,ij->...", counts, share))


def neyman_pearson(
    data: WeightedScores, limits: ArrayLike, *, refine: bool = True
) -> NeymanPearson:
    """Limit some errors of a multi-class problem and minimise the sum of the others.

    `limits` has the largest allowed rate of each error, NaN where the error is to be minimised.
    `refine`: whether to move the weights of the best grid point, one after another and exactly over
    all points at which an object changes its class, until nothing improves.

    landgrebe2007, Sec. 3.2.4, Algorithm 1, with what its step 5 leaves out: only points that meet
    all limits compete, and only errors without limit are summed. The grid is reduced plane by
    plane, so that memory does not grow with r^(C-1). Without refinement the answer is the first
    best point of the grid.

    Shapes: `limits` (C, C).

    Examples
    --------
    >>> from opchar.multiclass.roc.weighted_scores import weighted_scores
    >>> data = weighted_scores([0, 0, 1, 1], [[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8]], 9)
    >>> found = neyman_pearson(data, [[np.nan, 0.0], [np.nan, np.nan]])
    >>> found.feasible, found.rates.tolist()
    (True, [[1.0, 0.0], [0.0, 1.0]])
    """
    limits = _check_limits(np.asarray(limits, dtype=float))
    c = data.n_classes
    if limits.shape != (c, c):
        raise ValueError(f"limits of shape {limits.shape} do not fit {c} classes")
    sizes = data.class_sizes().astype(float)
    best, weights, n_feasible = np.inf, np.full(c, np.nan), 0
    for index, counts in confusion_planes(data):
        objective = _judge(counts, sizes, limits)
        n_feasible += int(np.isfinite(objective).sum())
        if objective.min() < best - EQUAL * c:
            inner = np.unravel_index(int(first_least(objective.ravel())), objective.shape)
            best = float(objective.min())
            tail = inner[1:] if c == 2 else inner
            weights = data.weights((*index, *(int(i) for i in tail)))
    if not np.isfinite(best):
        return NeymanPearson(False, weights, np.full((c, c), np.nan), np.inf, 0)
    if refine:
        weights, best = _refine(data, limits, weights, best)
    rates = confusion_at(data, weights) / sizes[:, None]
    return NeymanPearson(True, weights, rates, best, n_feasible)


def confusion_at(data: WeightedScores, weights: ArrayLike) -> NDArray[np.intp]:
    """Return the confusion matrix, with true classes in rows, at one weight vector.

    Shapes: `weights` (C,); returned (C, C).
    """
    c = data.n_classes
    assigned = np.argmax(np.asarray(weights) * data.scores, axis=1)
    return np.bincount(data.y * c + assigned, minlength=c * c).reshape(c, c)


def _refine(
    data: WeightedScores, limits: Floats, weights: Floats, best: float
) -> tuple[Floats, float]:
    """Improve weights one at a time over all places where an object changes its class."""
    sizes = data.class_sizes().astype(float)
    improved = True
    while improved:
        improved = False
        for moving in data.free:
            candidates, counts = _line(data, weights, moving)
            objective = _judge(counts, sizes, limits)
            found = int(first_least(objective))
            if objective[found] < best - EQUAL * data.n_classes:
                trial = weights.copy()
                trial[moving] = candidates[found]
                checked = float(_judge(confusion_at(data, trial), sizes, limits))
                if checked < best - EQUAL * data.n_classes:
                    weights, best, improved = trial, checked, True
    return weights, best


def _line(data: WeightedScores, weights: Floats, moving: int) -> tuple[Floats, NDArray[np.intp]]:
    """Return a weight between each two changes along one axis, and the confusion matrix there."""
    c = data.n_classes
    others = weights * data.scores
    others[:, moving] = -1.0
    rival = others.argmax(axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        change = others[np.arange(len(rival)), rival] / data.scores[:, moving]
    inside = np.isfinite(change) & (change > 0)
    order = np.argsort(change[inside], kind="stable")
    points, y, left = change[inside][order], data.y[inside][order], rival[inside][order]
    if not len(points):
        return weights[[moving]], confusion_at(data, weights)[None]
    ends = np.concatenate([[points[0] / 4], points, [points[-1] * 4]])
    candidates = np.sqrt(ends[:-1]) * np.sqrt(ends[1:])
    first = weights.copy()
    first[moving] = candidates[0]
    moves = np.zeros((len(points) + 1, c, c), dtype=np.intp)
    moves[0] = confusion_at(data, first)
    step = np.arange(1, len(points) + 1)
    moves[step, y, left] -= 1
    moves[step, y, moving] += 1
    apart = np.concatenate([[True], np.diff(points) > EQUAL * points[1:], [True]])
    counts = np.cumsum(moves, axis=0)
    return candidates[apart], counts[apart]
