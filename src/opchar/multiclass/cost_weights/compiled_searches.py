"""Searches along class weights, compiled by numba (the extra ``opchar[fast]``).

Object by object, search by search, what `opchar.multiclass.cost_weights.line_search.LineSearches`
does with whole arrays for many searches at once. Where losses are added in another order, equal
ones are told by the same tolerance, so that the weights are the same, and with them the losses. A
move on the grid looks only at the objects that some step can bring to the classes that move. The
exact search sorts only the flips between which the best cut can lie.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from opchar.multiclass.cost_weights.compiled_cuts import (
    first_best_step,
    nearest_best_cut,
    pairwise_sum,
)
from opchar.multiclass.cost_weights.problem import Floats, Ints

# Relative to weighted scores: by far more than their sums and differences round.
FAR = 1e-9


@njit(cache=True)
def best_of(scores: Floats, weights: Floats, unit: Ints, winner: Ints, best: Floats) -> None:
    """Write the best of some classes for each object, the first of equal ones, and its score.

    Shapes: `scores` (C, N); `weights` (C,); `winner` and `best` (N,).
    """
    winner[:] = unit[0]
    class_scores, weight = scores[unit[0]], weights[unit[0]]
    for n in range(len(best)):
        best[n] = class_scores[n] + weight
    for index in range(1, len(unit)):
        c = unit[index]
        class_scores, weight = scores[c], weights[c]
        for n in range(len(best)):
            rival = class_scores[n] + weight
            if rival > best[n]:
                winner[n], best[n] = c, rival


@njit(cache=True)
def look(
    scores: Floats,
    of_objects: Floats,
    prices: Floats,
    y: Ints,
    weights: Floats,
    unit: Ints,
    last: float,
    assigned: Ints,
    best: Floats,
    paid: Floats,
    inside: Ints,
    reached: Floats,
    touched: Ints,
    points: Floats,
    changes: Floats,
) -> int:
    """Give the objects of a unit to the best class outside, and compare with inside.

    Shapes: `scores` and `of_objects` (C, N) and (N, C); `prices` (R, C); `y` (N,); `weights` (C,);
    `assigned` and `best` and `paid` (N,); `inside` and `reached` (N,); `touched` and `points` and
    `changes` (N,).
    """
    best_of(scores, weights, unit, inside, reached)
    within, count = max(last, 0.0), 0
    for n in range(len(y)):
        touched[count] = n
        count += not best[n] - reached[n] > within + FAR * (1 + abs(best[n]))
    outside = weights.copy()
    for c in unit:
        outside[c] = -np.inf
    first = 0
    while outside[first] == -np.inf:
        first += 1
    for k in range(count):
        n = touched[k]
        if outside[assigned[n]] == -np.inf:
            winner, highest = first, -np.inf
            for c in range(first, len(outside)):
                rival = of_objects[n, c] + outside[c]
                if rival > highest:
                    winner, highest = c, rival
            assigned[n], best[n], paid[n] = winner, highest, prices[y[n], winner]
        points[k] = best[n] - reached[n]
        changes[k] = prices[y[n], inside[n]] - paid[n]
    return count


@njit(cache=True)
def settle(
    scores: Floats,
    prices: Floats,
    y: Ints,
    weights: Floats,
    unit: Ints,
    assigned: Ints,
    best: Floats,
    paid: Floats,
    touched: Ints,
    points: Floats,
    move: float,
) -> None:
    """Give some objects to the better of the classes inside and outside of a unit.

    Shapes: `touched` and `points` (K,).
    """
    for k in range(len(touched)):
        n = touched[k]
        if points[k] > move + FAR * (1 + abs(best[n])):
            continue
        winner = unit[0]
        value = scores[winner, n] + weights[winner]
        for index in range(1, len(unit)):
            c = unit[index]
            rival = scores[c, n] + weights[c]
            takes = rival > value
            winner, value = c if takes else winner, rival if takes else value
        if value > best[n] or (value == best[n] and winner < assigned[n]):
            assigned[n], best[n], paid[n] = winner, value, prices[y[n], winner]


@njit(cache=True)
def sweep(
    scores: Floats,
    of_objects: Floats,
    y: Ints,
    prices: Floats,
    starts: Floats,
    matrices: Ints,
    units: Ints,
    sizes: Ints,
    orders: Ints,
    sweeps: int,
    rounding: Floats,
    steps: Floats,
    keeps: bool,
) -> tuple[Floats, Floats]:
    """Move some units of each search in its order, again and again until nothing is gained.

    Shapes: `prices` (M, R, C); `units` (U, K); `sizes` (U,); `rounding` (B,); `steps` (r,);
    `log_weights` (B, C); `losses` (B,).
    """
    found, losses, n_objects, exact = starts.copy(), np.empty(len(starts)), len(y), len(steps) == 0
    every, touched = np.arange(len(scores)), np.empty(n_objects, dtype=np.intp)
    assigned, inside, first = touched.copy(), touched.copy(), touched.copy()
    best, paid, highest = np.empty(n_objects), np.empty(n_objects), np.empty(n_objects)
    reached, points, changes = best.copy(), best.copy(), best.copy()
    for b in range(len(starts)):
        weights, costs = found[b], prices[matrices[b]]
        if b == 0 or not np.all(starts[b] == starts[b - 1]):
            best_of(scores, weights, every, first, highest)
        assigned[:], best[:] = first, highest
        for n in range(n_objects):
            paid[n] = costs[y[n], first[n]]
        now = pairwise_sum(paid)
        for _ in range(sweeps):
            before = now
            for turn in orders[b]:
                if turn < 0:
                    continue
                unit = units[turn, : sizes[turn]]
                placed = weights[unit[0]] if len(unit) == 1 else 0.0
                last = np.inf if exact else steps[-1] - placed
                held = (assigned, best, paid)
                few = look(
                    scores,
                    of_objects,
                    costs,
                    y,
                    weights,
                    unit,
                    last,
                    assigned,
                    best,
                    paid,
                    inside,
                    reached,
                    touched,
                    points,
                    changes,
                )
                shown = (points[:few], changes[:few])
                start = pairwise_sum(paid)
                if exact:
                    move, lowest = nearest_best_cut(*shown, start)
                    stays = lowest > now + rounding[b]
                else:
                    sides = (inside, assigned, touched)
                    move, lowest = first_best_step(*shown, start, steps - placed, *sides)
                    stays = keeps and lowest > now - rounding[b]
                move = 0.0 if stays else move
                scale(weights, unit, move)
                settle(scores, costs, y, weights, unit, *held, touched[:few], points[:few], move)
                now = pairwise_sum(paid)
            if not now < before - rounding[b]:
                break
        losses[b] = now
    return found, losses


@njit(cache=True)
def scale(weights: Floats, unit: Ints, move: float) -> None:
    """Multiply the weights of some classes by one factor, all as logarithms.

    Shapes: `weights` (C,).
    """
    for c in range(len(weights)):
        weights[c] += move if c in unit else 0.0
