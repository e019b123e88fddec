"""The exact search along one class weight, or along the common factor of several.

While some classes are scaled by one factor, each object changes its class at most once: where the
best of these classes overtakes the best of the others. The loss at all factors follows from the
sorted flip points by one cumulative sum, in ``O(N log N)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from opchar.multiclass.cost_weights.problem import CostProblem, Floats, Ints

Search = Literal["exact", "grid", "grid and present"]
TIED = 1e-10
ROUNDING = 1e-12
LOG_STEPS = np.log(10.0) * np.linspace(-3, 3, 80)
LOG_STEPS.flags.writeable = False
ELEMENTS = 1 << 15
Winners = tuple[Ints, Floats, Floats]
"""The winning class of each object, its weighted score, and what it costs there."""


def check_search(search: str) -> None:
    """Refuse a search that does not exist.

    Parameters
    ----------
    search : str

    Raises
    ------
    ValueError
        If it is none of those that there are.
    """
    if search not in get_args(Search):
        raise ValueError(f"a search is 'exact', 'grid' or 'grid and present', not {search!r}")


def best_cut(points: Floats, changes: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Return the lowest cumulative cost between distinct flip points, and where it is.

    Parameters
    ----------
    points : ndarray of shape (N,) or (M, N)
        Where each object changes its class; infinite for never or always. One row for all
        searches, or one for each.
    changes : ndarray of shape (M, N)
        What each change adds to the loss, for M searches.
    start : ndarray of shape (M,)
        The losses before all changes.

    Returns
    -------
    cuts : ndarray of shape (M,)
        Of cuts that are equally good the one nearest to zero, which is where the search comes
        from: zero itself if it is one of them, else the middle between the neighbouring points,
        or one beyond the outermost.
    losses : ndarray of shape (M,)
        The losses there.

    Notes
    -----
    Points closer than ``1e-10`` are tied, and move together.
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
    row, place = np.nonzero(sums <= lowest[:, None])
    own = row if len(ends) > 1 else np.zeros_like(row)
    away = np.maximum(np.maximum(low[own, place], -high[own, place]), 0.0)
    nearest = np.lexsort((place, away, row))
    first = nearest[np.searchsorted(row[nearest], np.arange(m))]
    found, line = place[first], own[first]
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

    Parameters
    ----------
    points, changes, start
        As of `best_cut`.
    steps : ndarray of shape (r,) or (M, r)
        The places that are tried, ascending and evenly spaced where each search has its own.
    wins_ties : ndarray of bool, shape of `points`
        Whether an object has changed already at its point, not only beyond.

    Returns
    -------
    steps, losses : ndarray of shape (M,)
    """
    after = points.copy()
    np.nextafter(points, -np.inf, out=after, where=wins_ties)
    r, rows = steps.shape[-1], np.arange(len(changes))
    first = np.searchsorted(steps, after, side="right") if steps.ndim == 1 else places(steps, after)
    bins = first + (r + 1) * rows[:, None]
    sums = np.bincount(bins.ravel(), changes.ravel(), (r + 1) * len(rows)).reshape(-1, r + 1)
    table = start[:, None] + sums[:, :-1].cumsum(axis=1)
    scale = np.abs(start) + np.abs(changes).sum(axis=1)
    near = table <= table.min(axis=1, keepdims=True) + ROUNDING * scale[:, None]
    found = near.argmax(axis=1)
    return (steps[found] if steps.ndim == 1 else steps[rows, found]), table[rows, found]


def places(steps: Floats, points: Floats) -> Ints:
    """Return how many even steps of its own row are not above each point.

    Parameters
    ----------
    steps : ndarray of shape (M, r)
        Ascending, evenly spaced but for rounding.
    points : ndarray of shape (M, N)

    Returns
    -------
    ndarray of int, shape (M, N)
        As `numpy.searchsorted` with ``side="right"`` for each row.
    """
    r, first, last = steps.shape[1], steps[:, :1], steps[:, -1:]
    width = (last - first) / max(r - 1, 1)
    near = (np.clip(points, first - width, last + width) - first) / width
    found = np.clip(near.astype(np.intp) + 1, 0, r)
    padded = np.pad(steps, ((0, 0), (1, 1)), constant_values=np.nan)
    flat = padded.ravel()
    base = (r + 2) * np.arange(len(steps))[:, None]
    found -= flat.take(base + found) > points
    found += flat.take(base + found + 1) <= points
    return found


class LineSearches:
    """Weighted scores under several weight vectors, and searches along their weights.

    All searches move at once, each along a weight of its own, so that small problems are not
    spent on the calls.

    Parameters
    ----------
    problem : CostProblem
    log_weights : ndarray of shape (B, C)
        Where each search starts; finite.
    search : {"exact", "grid", "grid and present"}
        Over all flip points; over 80 logarithmic steps from 1e-3 to 1e3 (landgrebe2007, Sec.
        4.2.4), which leave a weight of one out; or over these steps and the present weight, so that
        the loss never grows: "should always improve on an initial default classifier".
    matrices : ndarray of int, shape (B,), optional
        The cost matrix of each search; the first B in their order when not given.

    Attributes
    ----------
    log_weights : ndarray of shape (B, C)
        The weights so far.
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
        self.log_weights = np.array(log_weights, dtype=float)
        matrices = np.arange(len(self.log_weights)) if matrices is None else matrices
        _, rows, columns = problem.prices.shape
        self._places = (matrices[:, None] * rows + problem.y) * columns
        self._largest = np.abs(problem.prices).max(axis=(1, 2))[matrices]
        self._assigned = np.array(
            [(self._scores + w[:, None]).argmax(axis=0) for w in self.log_weights]
        )
        own = self._of_objects[np.arange(len(self._of_objects)), self._assigned]
        self._best = own + np.take_along_axis(self.log_weights, self._assigned, axis=1)
        self._paid = self._prices.take(self._places + self._assigned)

    @property
    def losses(self) -> Floats:
        """The losses at the weights so far, shape (B,)."""
        return np.asarray(self._paid.sum(axis=1))

    def move(self, units: Ints, sizes: Ints, rows: Ints | None = None) -> Floats:
        """Scale the weights of some classes by the best common factor, in each search.

        Parameters
        ----------
        units : ndarray of int, shape (B, K)
            At least one class for each search, not all; filled up by repeating the first.
        sizes : ndarray of int, shape (B,)
            Number of classes of each. On the grid, one class takes the steps as weights and
            several take them as factors.
        rows : ndarray of int, optional
            The searches that move; all when not given.

        Returns
        -------
        ndarray of shape (B,)
            The losses that are reached. The exact search stays where it is if that is better than
            all cuts, as it can be where weights tie objects of several pairs of classes; the steps
            with the present weight stay unless another step is better.
        """
        rows = np.arange(len(self.log_weights)) if rows is None else rows
        member = np.zeros((len(rows), len(self._scores)), dtype=bool)
        np.put_along_axis(member, units, True, axis=1)
        inside, outside = self._best_of(units, rows), self._best_outside(member, rows)
        points = outside[1] - inside[1]
        changes, start = inside[2] - outside[2], outside[2].sum(axis=1)
        if self._search == "exact":
            moves, found = best_cut(points, changes, start)
        else:
            placed = np.where(sizes == 1, self.log_weights[rows, units[:, 0]], 0.0)
            wins_ties = inside[0] < outside[0]
            moves, found = best_step(points, changes, start, LOG_STEPS - placed[:, None], wins_ties)
        if self._search != "grid":
            now = self._paid[rows].sum(axis=1)
            rounding = ROUNDING * self._largest[rows] * points.shape[1]
            stays = found > now + (rounding if self._search == "exact" else -rounding)
            moves, found = np.where(stays, 0.0, moves), np.where(stays, now, found)
        self.log_weights[rows] += member * moves[:, None]
        self._assign(self._best_of(units, rows), outside, rows)
        return np.asarray(found)

    def _best_of(self, units: Ints, rows: Ints) -> Winners:
        """Return the best of some classes for each object."""
        weights = np.take_along_axis(self.log_weights[rows], units, axis=1)
        winner = np.broadcast_to(units[:, :1], (len(rows), self._scores.shape[1]))
        best = self._scores[units[:, 0]] + weights[:, :1]
        for place in range(1, units.shape[1]):
            rival = self._scores[units[:, place]] + weights[:, place : place + 1]
            wins = rival > best
            winner = np.where(wins, units[:, place : place + 1], winner)
            np.copyto(best, rival, where=wins)
        return winner, best, self._prices.take(self._places[rows] + winner)

    def _best_outside(self, member: NDArray[np.bool_], rows: Ints) -> Winners:
        """Return the best of all other classes; only the objects of these need a look."""
        winner, best, paid = (part[rows] for part in (self._assigned, self._best, self._paid))
        first = member.shape[1] * np.arange(len(rows))[:, None]
        looked = np.flatnonzero(member.ravel().take(first + winner))
        which, objects = np.divmod(looked, winner.shape[1])
        among = self._of_objects.take(objects, axis=0)
        among += np.where(member, -np.inf, self.log_weights[rows]).take(which, axis=0)
        second = among.argmax(axis=1)
        none = member[which, second]
        second[none] = (~member).argmax(axis=1)[which[none]]
        np.put(winner, looked, second)
        np.put(best, looked, among[np.arange(len(which)), second])
        np.put(paid, looked, self._prices.take(self._places[rows[which], objects] + second))
        return winner, best, paid

    def _assign(self, inside: Winners, outside: Winners, rows: Ints) -> None:
        """Give each object to the better of two winners, the lower class where they tie."""
        wins = (inside[1] > outside[1]) | ((inside[1] == outside[1]) & (inside[0] < outside[0]))
        for mine, theirs in zip(inside, outside, strict=True):
            np.copyto(theirs, mine, where=wins)
        self._assigned[rows], self._best[rows], self._paid[rows] = outside


class LineSearch:
    """One search of `LineSearches`, under one cost matrix.

    Parameters
    ----------
    problem : CostProblem
        With one cost matrix.
    log_weights : ndarray of shape (C,)
    search : {"exact", "grid", "grid and present"}
        As for `LineSearches`.
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
        """Scale the weights of some classes by the best common factor; return the loss reached.

        Parameters
        ----------
        classes : list of int
            At least one class, not all.
        """
        return float(self._one.move(np.array([classes]), np.array([len(classes)]))[0])


def parts(number: int, n_objects: int) -> Iterator[Ints]:
    """Yield the numbers of searches that run together, few enough to stay near the processor.

    Parameters
    ----------
    number : int
        Searches in all.
    n_objects : int
        Objects of the problem.

    Yields
    ------
    ndarray of int
        Consecutive numbers from 0, each once.
    """
    size = max(1, ELEMENTS // max(n_objects, 1))
    for begin in range(0, number, size):
        yield np.arange(begin, min(begin + size, number))


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

    Parameters
    ----------
    problem : CostProblem
    log_weights : ndarray of shape (B, C)
        Where each search starts.
    matrices : ndarray of int, shape (B,)
        The cost matrix of each search.
    units : list of list of int
        Classes that move together.
    orders : ndarray of int, shape (B, U)
        The units of each search in the order in which they move; a negative number for none.
    search : {"exact", "grid", "grid and present"}
        As for `LineSearches`.
    sweeps : int
        How often an order is gone through, at most.

    Returns
    -------
    log_weights : ndarray of shape (B, C)
    losses : ndarray of shape (B,)
    """
    sizes = np.array([len(unit) for unit in units], dtype=np.intp)
    widest = max(map(len, units), default=1)
    filled = np.array([unit + unit[:1] * (widest - len(unit)) for unit in units], dtype=np.intp)
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
            going = going[line.losses[going] < before]
            if not len(going):
                break
        found[part], reached[part] = line.log_weights, line.losses
    return found, reached
