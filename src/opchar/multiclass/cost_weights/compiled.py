"""Searches along class weights, compiled by numba (the extra ``opchar[fast]``).

Object by object what `opchar.multiclass.cost_weights.line_search.LineSearches` does with whole
arrays: the same sums in the same order, so that every number is the same to the last bit.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from opchar.multiclass.cost_weights.cuts import ROUNDING
from opchar.multiclass.cost_weights.problem import Floats, Ints

BLOCK, LANES = 128, 8


@njit(cache=True)
def pairwise_sum(values: Floats) -> float:
    """Return the sum of some values, added in the order of `numpy.sum`.

    Parameters
    ----------
    values : ndarray of shape (n,)
        In the order in which they are added.

    Returns
    -------
    float
        To the last bit that of `numpy.sum`.
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
def best_inside(scores: Floats, weights: Floats, unit: Ints, winner: Ints, best: Floats) -> None:
    """Write the best of some classes for each object, the first of equal ones, and its score.

    Parameters
    ----------
    scores, weights, unit
        As of `look`.
    winner, best : ndarray of shape (N,)
        Written.
    """
    winner[:] = unit[0]
    own, weight = scores[unit[0]], weights[unit[0]]
    for n in range(len(best)):
        best[n] = own[n] + weight
    for place in range(1, len(unit)):
        c = unit[place]
        own, weight = scores[c], weights[c]
        for n in range(len(best)):
            rival = own[n] + weight
            if rival > best[n]:
                winner[n], best[n] = c, rival


@njit(cache=True)
def begin(
    scores: Floats,
    prices: Floats,
    places: Ints,
    log_weights: Floats,
    assigned: Ints,
    best: Floats,
    paid: Floats,
) -> None:
    """Write the best of all classes of each object, its weighted score and its price, by search.

    Parameters
    ----------
    scores, prices
        As of `look`.
    places, log_weights : ndarray of shape (B, N) and (B, C)
        A row for each search.
    assigned, best, paid : ndarray of shape (B, N)
        Written.
    """
    every = np.arange(len(scores))
    for b in range(len(best)):
        if b > 0 and np.all(log_weights[b] == log_weights[b - 1]):
            assigned[b], best[b] = assigned[b - 1], best[b - 1]
        else:
            best_inside(scores, log_weights[b], every, assigned[b], best[b])
        for n in range(places.shape[1]):
            paid[b, n] = prices[places[b, n] + assigned[b, n]]


@njit(cache=True)
def look(
    scores: Floats,
    of_objects: Floats,
    prices: Floats,
    places: Ints,
    weights: Floats,
    unit: Ints,
    assigned: Ints,
    best: Floats,
    paid: Floats,
    inside: Ints,
    points: Floats,
    changes: Floats,
) -> None:
    """Give the objects of one search to the best class outside of a unit, and compare with inside.

    Parameters
    ----------
    scores, of_objects : ndarray of shape (C, N) and (N, C)
        The log scores, twice.
    prices : ndarray of float
        Of all cost matrices, flat.
    places : ndarray of int, shape (N,)
        Where those of each object begin.
    weights : ndarray of shape (C,)
        Logarithms.
    unit : ndarray of int
        Classes that move together.
    assigned, best, paid : ndarray of shape (N,)
        Class of each object, its weighted score and price; changed to those outside of the unit.
    inside, points, changes : ndarray of shape (N,)
        Written: the best class of the unit, by which factor of its weights the object becomes its
        own, and what that adds to the loss.
    """
    outside = weights.copy()
    for c in unit:
        outside[c] = -np.inf
    first = 0
    while outside[first] == -np.inf:
        first += 1
    best_inside(scores, weights, unit, inside, points)
    for n in range(len(points)):
        if outside[assigned[n]] == -np.inf:
            winner, highest = first, -np.inf
            for c in range(first, len(outside)):
                rival = of_objects[n, c] + outside[c]
                if rival > highest:
                    winner, highest = c, rival
            assigned[n], best[n], paid[n] = winner, highest, prices[places[n] + winner]
        points[n] = best[n] - points[n]
        changes[n] = prices[places[n] + inside[n]] - paid[n]


@njit(cache=True)
def settle(
    scores: Floats,
    prices: Floats,
    places: Ints,
    weights: Floats,
    unit: Ints,
    assigned: Ints,
    best: Floats,
    paid: Floats,
    inside: Ints,
    reached: Floats,
) -> None:
    """Give each object to the better of the classes inside and outside of a unit, as for `look`.

    Parameters
    ----------
    scores, prices, places, weights, unit, assigned, best, paid
        As of `look`.
    inside, reached : ndarray of shape (N,)
        Room for the best classes inside and their scores.
    """
    best_inside(scores, weights, unit, inside, reached)
    for n in range(len(best)):
        winner, value = inside[n], reached[n]
        if value > best[n] or (value == best[n] and winner < assigned[n]):
            assigned[n], best[n], paid[n] = winner, value, prices[places[n] + winner]


@njit(cache=True)
def first_best_step(
    points: Floats, changes: Floats, start: float, steps: Floats, inside: Ints, outside: Ints
) -> tuple[float, float]:
    """Return the step and the loss of `opchar.multiclass.cost_weights.cuts.best_step`.

    An object has changed already at its point where its class inside comes before that outside.

    Parameters
    ----------
    points, changes : ndarray of shape (N,)
        As `look` writes them.
    start : float
        The loss before the first step.
    steps : ndarray of shape (r,)
        Evenly spaced, ascending.
    inside, outside : ndarray of int, shape (N,)
        Best class of the unit, and outside of it.

    Returns
    -------
    step, loss : float
        The first of the best steps but for rounding.
    """
    r = len(steps)
    edges = np.full(r + 2, np.nan)
    edges[1:-1] = steps
    width = (steps[-1] - steps[0]) / max(r - 1, 1)
    # Only near the place, and one beyond it at most: what the edges say counts.
    a_step = 1 / width if width > 0 else 1.0
    offset = 1 - steps[0] * a_step
    sums = np.zeros(r + 1)
    for n in range(len(points)):
        point = points[n]
        place = int(min(max(point * a_step + offset, 0.0), float(r)))
        if edges[place] > point:
            place -= 1
        if edges[place + 1] <= point:
            place += 1
        if edges[place] == point and inside[n] < outside[n]:
            place -= 1
        if place < r:  # else no step reaches it
            sums[place] += changes[n]
    table = np.empty(r)
    reached = 0.0
    for place in range(r):
        reached += sums[place]
        table[place] = start + reached
    limit = table.min() + ROUNDING * (abs(start) + pairwise_sum(np.abs(changes)))
    for place in range(r):
        if table[place] <= limit:
            break
    return steps[place], table[place]


@njit(cache=True)
def move_on_grid(
    scores: Floats,
    of_objects: Floats,
    prices: Floats,
    places: Ints,
    log_weights: Floats,
    assigned: Ints,
    best: Floats,
    paid: Floats,
    units: Ints,
    sizes: Ints,
    rows: Ints,
    steps: Floats,
    rounding: Floats,
    keeps: bool,
) -> Floats:
    """Move some searches on the grid; return the losses that they reach.

    Parameters
    ----------
    scores, of_objects, prices
        As of `look`.
    places, log_weights, assigned, best, paid
        As of `look`, a row for each search; changed where they move.
    units : ndarray of int, shape (K, U)
        Classes that move together in each search that moves.
    sizes : ndarray of int, shape (K,)
        Number of classes of each.
    rows : ndarray of int, shape (K,)
        The searches that move.
    steps : ndarray of shape (r,)
        Logarithms of weights, or of factors where several classes move.
    rounding : ndarray of float
        By how much a loss is lower at least, for each search.
    keeps : bool
        Whether a search stays where no step is better.

    Returns
    -------
    ndarray of shape (K,)
        Loss of each search that moved.
    """
    found, inside = np.empty(len(rows)), np.empty(places.shape[1], dtype=np.intp)
    points, changes = np.empty(len(inside)), np.empty(len(inside))
    for k in range(len(rows)):
        b, unit = rows[k], units[k]
        weights, at, now = log_weights[b], places[b], pairwise_sum(paid[b])
        held = (assigned[b], best[b], paid[b])
        look(scores, of_objects, prices, at, weights, unit, *held, inside, points, changes)
        placed = weights[unit[0]] if sizes[k] == 1 else 0.0
        move, found[k] = first_best_step(
            points, changes, pairwise_sum(paid[b]), steps - placed, inside, assigned[b]
        )
        if keeps and found[k] > now - rounding[b]:
            move, found[k] = 0.0, now
        scale(weights, unit, move)
        settle(scores, prices, at, weights, unit, *held, inside, points)
    return found


@njit(cache=True)
def scale(weights: Floats, unit: Ints, move: float) -> None:
    """Multiply the weights of some classes by one factor, all as logarithms.

    Parameters
    ----------
    weights : ndarray of shape (C,)
        Changed in place.
    unit : ndarray of int
        The classes.
    move : float
        Logarithm of the factor.
    """
    before = weights[unit]
    weights += 0.0 * move
    for place in range(len(unit)):
        weights[unit[place]] = before[place] + move


@njit(cache=True)
def look_along(
    scores: Floats,
    of_objects: Floats,
    prices: Floats,
    places: Ints,
    log_weights: Floats,
    assigned: Ints,
    best: Floats,
    paid: Floats,
    units: Ints,
    rows: Ints,
) -> tuple[Floats, Floats]:
    """Return points and changes of `look` for some searches.

    Parameters
    ----------
    scores, of_objects, prices, places, log_weights, assigned, best, paid, units, rows
        As of `move_on_grid`.

    Returns
    -------
    points, changes : ndarray of shape (K, N)
        As `look` writes them.
    """
    shape = (len(rows), places.shape[1])
    points, changes, inside = np.empty(shape), np.empty(shape), np.empty(shape[1], dtype=np.intp)
    for k in range(len(rows)):
        b = rows[k]
        look(
            *(scores, of_objects, prices, places[b], log_weights[b], units[k]),
            *(assigned[b], best[b], paid[b], inside, points[k], changes[k]),
        )
    return points, changes


@njit(cache=True)
def settle_along(
    scores: Floats,
    prices: Floats,
    places: Ints,
    log_weights: Floats,
    assigned: Ints,
    best: Floats,
    paid: Floats,
    units: Ints,
    rows: Ints,
    moves: Floats,
) -> None:
    """Scale the weights of some searches, and give each object to its best class.

    Parameters
    ----------
    scores, prices, places, log_weights, assigned, best, paid, units, rows
        As of `move_on_grid`.
    moves : ndarray of shape (K,)
        Logarithm of the factor of each search.
    """
    inside, reached = np.empty(places.shape[1], dtype=np.intp), np.empty(places.shape[1])
    for k in range(len(rows)):
        b, unit = rows[k], units[k]
        scale(log_weights[b], unit, moves[k])
        held = (assigned[b], best[b], paid[b])
        settle(scores, prices, places[b], log_weights[b], unit, *held, inside, reached)
