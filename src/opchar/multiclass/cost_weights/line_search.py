"""The exact search along one class weight, or along the common factor of several.

While some classes are scaled by one factor, each object changes its class at most once: where the
best of these classes overtakes the best of the others. The loss at all factors follows from the
sorted flip points by one cumulative sum, in ``O(N log N)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from opchar.compilation import Compiled
from opchar.multiclass.cost_weights.cuts import ROUNDING, best_cut, best_step
from opchar.multiclass.cost_weights.problem import CostProblem, Floats, Ints

Search = Literal["exact", "grid", "grid and present"]
LOG_STEPS = np.log(10.0) * np.linspace(-3, 3, 80)
LOG_STEPS.flags.writeable = False
ELEMENTS = 1 << 15
Winners = tuple[Ints, Floats, Floats]
"""The winning class of each object, its weighted score, and what it costs there."""


def check_search(search: str) -> None:
    """Refuse a search that does not exist."""
    if search not in get_args(Search):
        raise ValueError(f"a search is 'exact', 'grid' or 'grid and present', not {search!r}")


def _load() -> ModuleType:
    from opchar.multiclass.cost_weights import compiled_searches

    return compiled_searches


# As many objects, looked at in as many moves, take NumPy longer than compiled code takes to start.
COMPILED = Compiled(_load, worth=1 << 24)


class LineSearches:
    """Weighted scores under several weight vectors, and searches along their weights.

    All searches move at once, each along a weight of its own, so that small problems are not
    spent on the calls.

    Shapes: `log_weights` (B, C); `matrices` (B,).

    `search`: over all flip points; over 80 logarithmic steps from 1e-3 to 1e3 (landgrebe2007, Sec.
    4.2.4), which leave a weight of one out; or over these steps and the present weight, so that the
    loss never grows: "should always improve on an initial default classifier".
    """

    def __init__(
        self,
        problem: CostProblem,
        log_weights: Floats,
        search: Search = "exact",
        matrices: Ints | None = None,
    ) -> None:
        check_search(search)
        self._search = search
        self._of_objects = np.ascontiguousarray(problem.log_scores)
        self._scores = np.ascontiguousarray(problem.log_scores.T)
        self._prices = np.ascontiguousarray(problem.prices).ravel()
        self.log_weights = np.array(log_weights, dtype=float, order="C")
        matrices = np.arange(len(self.log_weights)) if matrices is None else matrices
        _, rows, columns = problem.prices.shape
        self._cells = (matrices[:, None] * rows + problem.y) * columns
        self.rounding = _rounding(problem)[matrices]
        self._assigned, self._best = self._best_of_all()
        self._paid = self._prices.take(self._cells + self._assigned)

    def _best_of_all(self) -> tuple[Ints, Floats]:
        """Return the best class of each object and its weighted score, under equal weights once."""
        weights, which = np.unique(self.log_weights, axis=0, return_inverse=True)
        weights = weights[:, :, None]
        best = self._scores[0] + weights[:, 0]
        winner = np.zeros(best.shape, dtype=np.min_scalar_type(len(self._scores)))
        rival, wins = np.empty_like(best), np.empty(best.shape, dtype=bool)
        for c in range(1, len(self._scores)):
            np.add(self._scores[c], weights[:, c], out=rival)
            np.greater(rival, best, out=wins)
            np.maximum(best, rival, out=best)
            np.maximum(winner, wins * winner.dtype.type(c), out=winner)
        return winner.astype(np.intp)[which], best[which]

    @property
    def losses(self) -> Floats:
        """The losses at the weights so far, shape (B,)."""
        return np.asarray(self._paid.sum(axis=1))

    def move(self, units: Ints, sizes: Ints, rows: Ints | None = None) -> Floats:
        """Scale the weights of some classes by the best common factor, in each search.

        Shapes: `units` (B, K); `sizes` (B,); returned (B,).
        """
        every = rows is None or len(rows) == len(self.log_weights)
        rows = np.arange(len(self.log_weights)) if rows is None else rows
        now = self._paid[rows].sum(axis=1) if self._search != "grid" else None
        member = np.zeros((len(rows), len(self._scores)), dtype=bool)
        np.put_along_axis(member, units, True, axis=1)
        at = self._cells if every else self._cells[rows]
        inside = self._best_of(units, rows, at)
        # What is outside is changed to what is reached, in place where all searches move.
        outside = (self._assigned, self._best, self._paid)
        if not every:
            outside = (self._assigned[rows], self._best[rows], self._paid[rows])
        self._look_outside(outside, units, member, rows, at)
        points = outside[1] - inside[1]
        changes, start = inside[2] - outside[2], outside[2].sum(axis=1)
        if self._search == "exact":
            moves, found = best_cut(points, changes, start)
        else:
            placed = np.where(sizes == 1, self.log_weights[rows, units[:, 0]], 0.0)
            wins_ties = inside[0] < outside[0]
            moves, found = best_step(points, changes, start, LOG_STEPS - placed[:, None], wins_ties)
        if now is not None:
            rounding = self.rounding[rows]
            stays = found > now + (rounding if self._search == "exact" else -rounding)
            moves, found = np.where(stays, 0.0, moves), np.where(stays, now, found)
        self.log_weights[rows] += member * moves[:, None]
        _assign(self._best_of(units, rows, at, inside), outside)
        if not every:
            self._assigned[rows], self._best[rows], self._paid[rows] = outside
        return np.asarray(found)

    def _best_of(self, units: Ints, rows: Ints, at: Ints, before: Winners | None = None) -> Winners:
        """Return the best of some classes for each object, the prices as before if these win."""
        weights = np.take_along_axis(self.log_weights[rows], units, axis=1)
        winner = np.broadcast_to(units[:, :1], at.shape)
        best = self._scores[units[:, 0]]
        best += weights[:, :1]
        for index in range(1, units.shape[1]):
            rival = self._scores[units[:, index]]
            rival += weights[:, index : index + 1]
            winner = np.where(rival > best, units[:, index : index + 1], winner)
            np.maximum(best, rival, out=best)
        if before is not None and np.array_equal(winner, before[0]):
            return before[0], best, before[2]
        return winner, best, self._prices.take(at + winner)

    def _look_outside(
        self, found: Winners, units: Ints, member: NDArray[np.bool_], rows: Ints, at: Ints
    ) -> None:
        """Give objects of some classes to the best of all other classes."""
        winner, best, paid = found
        held = winner == units[:, :1]
        for index in range(1, units.shape[1]):
            held |= winner == units[:, index : index + 1]
        looked = np.flatnonzero(held)
        which = np.repeat(np.arange(len(held)), np.count_nonzero(held, axis=1))
        among = self._of_objects.take(looked - which * held.shape[1], axis=0)
        among += np.where(member, -np.inf, self.log_weights[rows]).take(which, axis=0)
        second = among.argmax(axis=1)
        none = member[which, second]
        second[none] = (~member).argmax(axis=1)[which[none]]
        np.put(winner, looked, second)
        np.put(best, looked, among[np.arange(len(which)), second])
        np.put(paid, looked, self._prices.take(at.take(looked) + second))


def _assign(inside: Winners, outside: Winners) -> None:
    """Give each object of `outside` to the better of two winners, the lower class of equal ones."""
    wins = inside[1] > outside[1]
    tied = inside[1] == outside[1]
    if tied.any():
        wins |= tied & (inside[0] < outside[0])
    for mine, theirs in zip(inside, outside, strict=True):
        np.copyto(theirs, mine, where=wins)


class LineSearch:
    """One search of `LineSearches`, under one cost matrix.

    Shapes: `log_weights` (C,).
    """

    def __init__(self, problem: CostProblem, log_weights: Floats, search: Search = "exact") -> None:
        self._one = LineSearches(problem, np.asarray(log_weights, dtype=float)[None], search)

    @property
    def log_weights(self) -> Floats:
        """The weights so far, shape (C,)."""
        return self._one.log_weights[0]

    @property
    def loss(self) -> float:
        """The loss at the weights so far."""
        return float(self._one.losses[0])

    def move(self, classes: list[int]) -> float:
        """Scale the weights of some classes by the best common factor; return the loss reached."""
        return float(self._one.move(np.array([classes]), np.array([len(classes)]))[0])


def parts(number: int, n_objects: int) -> Iterator[Ints]:
    """Yield the numbers of searches that run together, few enough to stay near the processor."""
    size = max(1, ELEMENTS // max(n_objects, 1))
    for begin in range(0, number, size):
        yield np.arange(begin, min(begin + size, number))


def _rounding(problem: CostProblem) -> Floats:
    """Return by how much rounding may part losses that are equal, for each cost matrix."""
    return np.asarray(ROUNDING * np.abs(problem.prices).max(axis=(1, 2)) * len(problem.y))


def swept(
    problem: CostProblem,
    log_weights: Floats,
    matrices: Ints,
    units: list[list[int]],
    orders: Ints,
    search: Search,
    sweeps: int,
) -> tuple[Floats, Floats]:
    """Move some units of each search in its order, again and again until nothing is gained.

    Shapes: `log_weights` (B, C); `matrices` (B,); `orders` (B, U); `losses` (B,).
    """
    check_search(search)
    sizes = np.array([len(unit) for unit in units], dtype=np.intp)
    widest = max(map(len, units), default=1)
    filled = np.array([unit + unit[:1] * (widest - len(unit)) for unit in units], dtype=np.intp)
    filled = filled.reshape(-1, widest)
    if (compiled := COMPILED.module_after(orders.size * len(problem.y))) is not None:
        scores, given = problem.log_scores, (problem.log_scores.T, problem.prices, log_weights)
        columns, prices, starts = (np.ascontiguousarray(each) for each in given)
        return compiled.sweep(
            *(columns, np.ascontiguousarray(scores), problem.y, prices, starts, matrices),
            *(filled, sizes, orders, sweeps, _rounding(problem)[matrices]),
            *(LOG_STEPS[: 0 if search == "exact" else None], search != "grid"),
        )
    found, reached = np.empty_like(log_weights), np.empty(len(log_weights))
    for part in parts(len(log_weights), len(problem.y)):
        line = LineSearches(problem, log_weights[part], search, matrices[part])
        going = np.arange(len(part))
        for _ in range(sweeps):
            before = line.losses[going]
            for turn in orders[part].T:
                rows = going[turn[going] >= 0]
                if len(rows):
                    line.move(filled[turn[rows]], sizes[turn[rows]], rows)
            going = going[line.losses[going] < before - line.rounding[going]]
            if not len(going):
                break
        found[part], reached[part] = line.log_weights, line.losses
    return found, reached
