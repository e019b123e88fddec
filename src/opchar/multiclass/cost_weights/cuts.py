"""The best place along one direction, from the points at which objects change their class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from opchar.multiclass.cost_weights.problem import Floats, Ints

TIED = 1e-10
ROUNDING = 1e-12


def best_cut(points: Floats, changes: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Return the lowest cumulative cost between distinct flip points, and where it is.

    Points closer than ``1e-10`` are tied, and move together.

    Shapes: `points` (N,) or (M, N); `changes` (M, N); `start` (M,); `cuts` (M,); `losses` (M,).
    """
    m, n = changes.shape
    ends = np.empty((points.size // n, n + 2))
    ends[:, 0], ends[:, -1] = -np.inf, np.inf
    sums = np.empty((m, n + 1))
    sums[:, 0] = 0.0
    order = np.argsort(points, axis=-1)
    if len(ends) == m == 1:  # the usual case, in which each call counts
        order = order.ravel()
        points.ravel().take(order, out=ends[0, 1:-1])
        changes[0].take(order).cumsum(out=sums[0, 1:])
    elif points.ndim == 1:
        ends[0, 1:-1] = points[order]
        np.cumsum(changes[:, order], axis=1, out=sums[:, 1:])
    else:
        ends[:, 1:-1] = np.take_along_axis(points, order, axis=1)
        np.cumsum(np.take_along_axis(changes, order, axis=1), axis=1, out=sums[:, 1:])
    sums += start[:, None]
    low, high = ends[:, :-1], ends[:, 1:]
    with np.errstate(invalid="ignore"):
        np.copyto(sums, np.inf, where=~(high - low > TIED))
    scale = np.abs(start) + np.abs(changes).sum(axis=1)
    lowest = sums.min(axis=1) + ROUNDING * scale
    # Few cuts are the best, and only of these it matters which is nearest to zero.
    row, cut = np.nonzero(sums <= lowest[:, None])
    line_of = row if len(ends) > 1 else np.zeros_like(row)
    away = np.maximum(np.maximum(low[line_of, cut], -high[line_of, cut]), 0.0)
    nearest = np.lexsort((cut, away, row))
    first = nearest[np.searchsorted(row[nearest], np.arange(m))]
    found, line = cut[first], line_of[first]
    return _inside(low[line, found], high[line, found]), sums[np.arange(m), found]


def _inside(low: Floats, high: Floats) -> Floats:
    """Return a place in each open interval: zero, the middle, or one beyond the only end."""
    low = np.where(np.isinf(low), np.where(np.isinf(high), -1.0, high - 2), low)
    high = np.where(np.isinf(high), low + 2, high)
    clear = np.minimum(TIED / 2, (high - low) / 4)
    return np.where((low + clear < 0) & (high - clear > 0), 0.0, (low + high) / 2)


def best_step(
    points: Floats, changes: Floats, start: Floats, steps: Floats, wins_ties: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Return the first step with the lowest loss, as the thesis searches.

    Shapes: `steps` (r,) or (M, r); `steps` and `losses` (M,).
    """
    if steps.ndim == 1:
        after = np.where(wins_ties, np.nextafter(points, -np.inf), points)
        first = np.searchsorted(steps, after, side="right")
    else:
        first = steps_reached(steps, points, wins_ties)
    r, rows = steps.shape[-1], np.arange(len(changes))
    bins = first + (r + 1) * rows[:, None]
    sums = np.bincount(bins.ravel(), changes.ravel(), (r + 1) * len(rows)).reshape(-1, r + 1)
    table = start[:, None] + sums[:, :-1].cumsum(axis=1)
    scale = np.abs(start) + np.where(first < r, np.abs(changes), 0.0).sum(axis=1)
    near = table <= table.min(axis=1, keepdims=True) + ROUNDING * scale[:, None]
    found = near.argmax(axis=1)
    return (steps[found] if steps.ndim == 1 else steps[rows, found]), table[rows, found]


def steps_reached(steps: Floats, points: Floats, wins_ties: NDArray[np.bool_]) -> Ints:
    """Return how many even steps of its own row each point does not reach beyond.

    Shapes: `steps` (M, r); `points` (M, N); `wins_ties` (M, N); returned (M, N).
    """
    m, r = steps.shape
    width = (steps[:, -1:] - steps[:, :1]) / max(r - 1, 1)
    width[width == 0] = 1.0
    near = points / width
    near += 1 - steps[:, :1] / width
    np.clip(near, 0, r, out=near)
    found = near.astype(np.intp)
    padded = np.full((m, r + 2), np.nan)
    padded[:, 1:-1] = steps
    flat, base = padded.ravel(), (r + 2) * np.arange(m)[:, None]
    found += base
    found -= flat.take(found) > points
    found += flat[1:].take(found) <= points
    tied = flat.take(found) == points
    if tied.any():
        found -= tied & wins_ties
    found -= base
    return found
