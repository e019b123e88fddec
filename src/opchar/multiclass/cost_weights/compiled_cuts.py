"""The best place along one direction and sums of losses, compiled by numba (``opchar[fast]``).

The places of `opchar.multiclass.cost_weights.cuts`, and the sums of NumPy.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from opchar.multiclass.cost_weights.cuts import ROUNDING, TIED
from opchar.multiclass.cost_weights.problem import Floats, Ints

BLOCK, LANES = 128, 8
# Flips are sorted by parts: those below -SPREAD, those above SPREAD, and evenly in between.
PARTS, SPREAD = 256, 16.0


@njit(cache=True)
def pairwise_sum(values: Floats) -> float:
    """Return the sum of some values, added in the order of `numpy.sum`.

    Shapes: `values` (n,).
    """
    n = len(values)
    if n < LANES:
        total = 0.0
        for value in values:
            total += value
        return total
    if n > BLOCK:
        half = n // 2
        half -= half % LANES
        return pairwise_sum(values[:half]) + pairwise_sum(values[half:])
    a, b, c, d = values[0], values[1], values[2], values[3]
    e, f, g, h = values[4], values[5], values[6], values[7]
    whole = n - n % LANES
    for i in range(LANES, whole, LANES):
        a += values[i]
        b += values[i + 1]
        c += values[i + 2]
        d += values[i + 3]
        e += values[i + 4]
        f += values[i + 5]
        g += values[i + 6]
        h += values[i + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for i in range(whole, n):
        total += values[i]
    return total


@njit(cache=True)
def first_best_step(
    points: Floats,
    changes: Floats,
    start: float,
    steps: Floats,
    inside: Ints,
    outside: Ints,
    touched: Ints,
) -> tuple[float, float]:
    """Return the step and the loss of `opchar.multiclass.cost_weights.cuts.best_step`.

    An object has changed already at its point where its class inside comes before that outside.

    Shapes: `points` and `changes` (K,); `steps` (r,); `inside` and `outside` (N,).
    """
    r = len(steps)
    edges = np.full(r + 2, np.nan)
    edges[1:-1] = steps
    width = (steps[-1] - steps[0]) / max(r - 1, 1)
    # Only near the place, and one beyond it at most: what the edges say counts.
    a_step = 1 / width if width > 0 else 1.0
    offset = 1 - steps[0] * a_step
    sums, scale = np.zeros(r + 1), abs(start)
    for k in range(len(points)):
        point = points[k]
        index = int(min(max(point * a_step + offset, 0.0), float(r)))
        if edges[index] > point:
            index -= 1
        if edges[index + 1] <= point:
            index += 1
        if edges[index] == point and inside[touched[k]] < outside[touched[k]]:
            index -= 1
        if index < r:  # else no step reaches it
            sums[index] += changes[k]
            scale += abs(changes[k])
    table = np.empty(r)
    reached = 0.0
    for index in range(r):
        reached += sums[index]
        table[index] = start + reached
    limit = table.min() + ROUNDING * scale
    for index in range(r):
        if table[index] <= limit:
            break
    return steps[index], table[index]


@njit(cache=True)
def nearest_best_cut(points: Floats, changes: Floats, start: float) -> tuple[float, float]:
    """Return the cut and the loss of `opchar.multiclass.cost_weights.cuts.best_cut`.

    Points are first counted by parts of the line, with the sum of their changes and of those that
    lower the loss. Only parts that could hold the lowest loss are sorted.

    Shapes: `points` and `changes` (N,).
    """
    part = np.empty(len(points), dtype=np.intp)
    ends = np.zeros(PARTS + 1, dtype=np.intp)
    sums, falls, tops = np.zeros(PARTS), np.zeros(PARTS), np.full(PARTS + 1, -np.inf)
    scale = abs(start)
    for n in range(len(points)):
        a = int(min(max((points[n] / SPREAD + 1) * (PARTS // 2), 0.0), PARTS - 1.0))
        part[n] = a
        ends[a + 1] += 1
        sums[a] += changes[n]
        falls[a] += min(changes[n], 0.0)
        tops[a + 1] = max(tops[a + 1], points[n])
        scale += abs(changes[n])
    before, room = np.empty(PARTS + 1), ROUNDING * scale
    before[0] = start
    for a in range(PARTS):
        ends[a + 1] += ends[a]
        before[a + 1] = before[a] + sums[a]
        tops[a + 1] = max(tops[a + 1], tops[a])
    # In the order of the parts, so that each is a slice.
    order, filled = np.empty(len(points), dtype=np.intp), ends.copy()
    for n in range(len(points)):
        order[filled[part[n]]] = n
        filled[part[n]] += 1
    lowest = before[PARTS] if tops[PARTS] < np.inf else np.inf
    done = np.zeros(PARTS, dtype=np.bool_)
    # The part that promises most comes first, so that most others need not be sorted.
    first = 0
    for a in range(PARTS):
        if before[a] + falls[a] < before[first] + falls[first]:
            first = a
    for turn in range(-1, PARTS):
        a = first if turn < 0 else turn
        if ends[a] == ends[a + 1] or done[a] or before[a] + falls[a] > lowest + 2 * room:
            continue
        done[a] = True
        mine = order[ends[a] : ends[a + 1]]
        mine[:] = mine[np.argsort(points[mine])]
        low, reached = tops[a], before[a]
        for n in mine:
            if points[n] - low > TIED:
                lowest = min(lowest, reached)
            low = points[n]
            reached += changes[n]
    nearest, left, right, found = np.inf, -np.inf, np.inf, before[PARTS]
    for a in range(PARTS):
        if not done[a]:
            continue
        low, reached = tops[a], before[a]
        for n in order[ends[a] : ends[a + 1]]:
            high = points[n]
            away = max(low, -high, 0.0)
            if high - low > TIED and reached <= lowest + room and away < nearest:
                nearest, left, right, found = away, low, high, reached
            low = high
            reached += changes[n]
    if before[PARTS] <= lowest + room and max(tops[PARTS], 0.0) < nearest:
        left, right, found = tops[PARTS], np.inf, before[PARTS]
    return inside_of(left, right), found


@njit(cache=True)
def inside_of(low: float, high: float) -> float:
    """Return a place in an open interval: zero, the middle, or one beyond the only end."""
    if low == -np.inf:
        low = -1.0 if high == np.inf else high - 2
    if high == np.inf:
        high = low + 2
    clear = min(TIED / 2, (high - low) / 4)
    return 0.0 if low + clear < 0 < high - clear else (low + high) / 2
