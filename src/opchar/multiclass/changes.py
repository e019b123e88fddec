"""Where objects change their class along the lines of a weight grid: the hypersurface's inside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from opchar.multiclass.hypersurface import WeightedScores

Ints = NDArray[np.intp]
Counts = NDArray[np.int32]
ONE = np.ones(1)
OBJECT = np.int32(1)


def _first_win(data: WeightedScores, rival: int, challenger: int) -> Counts:
    """Return at which step the challenger beats the rival, for each step of the rival.

    Shape (steps of the rival, N); r where it never does. The products are compared as they are,
    with ties to the lower class, so that the result equals ``argmax`` to the last bit.
    """
    own = data.scores[:, challenger]
    rival_steps = ONE if rival == data.fixed else data.steps
    value = rival_steps[:, None] * data.scores[:, rival]
    r = len(data.steps)

    def wins(step: Ints) -> NDArray[np.bool_]:
        weighted = data.steps[step] * own
        return weighted >= value if challenger < rival else weighted > value

    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        first = np.searchsorted(data.steps, value / own)
    while (early := (first > 0) & wins(np.maximum(first - 1, 0))).any():
        first[early] -= 1
    while (late := (first < r) & ~wins(np.minimum(first, r - 1))).any():
        first[late] += 1
    return first.astype(np.int32)


class PairwiseWins:
    """At which step each class beats each other one, and what follows from that on a plane.

    Parameters
    ----------
    data : WeightedScores

    Attributes
    ----------
    data : WeightedScores
    first : dict of (rival, challenger) to ndarray of int, shape (steps of the rival, N)
        The step of the challenger from which it beats the rival; r where it never does.
    """

    def __init__(self, data: WeightedScores) -> None:
        self.data = data
        self.first = {
            (rival, challenger): _first_win(data, rival, challenger)
            for place, challenger in enumerate(data.free)
            for rival in (data.fixed, *data.free[:place])
        }

    def entry(self, challenger: int, steps: dict[int, int]) -> Counts:
        """Return at which step the challenger beats all classes whose steps are given."""
        rows = [self.first[rival, challenger][step] for rival, step in steps.items()]
        return np.maximum.reduce(rows)

    def winner(self, steps: dict[int, int]) -> Counts:
        """Return the winner among the classes whose steps are given, fixed class first."""
        winner = np.full(len(self.data.y), self.data.fixed, dtype=np.int32)
        before: dict[int, int] = {}
        for challenger, step in steps.items():
            if challenger != self.data.fixed:
                winner[step >= self.entry(challenger, before)] = challenger
            before[challenger] = step
        return winner


def plane_shape(data: WeightedScores) -> tuple[int, ...]:
    """Return how a plane lies in memory: side weight, true class, assigned class, last weight.

    Parameters
    ----------
    data : WeightedScores

    Returns
    -------
    tuple of int
        ``(r, C, C, r)``; for two classes ``(1, 2, 2, r)``, since there is no side weight.
    """
    c, r = data.n_classes, len(data.steps)
    return (1 if c == 2 else r, c, c, r)


class OtherSwitches:
    """When objects leave a class with a weight that a plane does not move for the last class.

    On a line of the plane they do so only before the side class beats them, so that an object is
    counted once on the first line and taken away once, from the line on which it is beaten.

    Parameters
    ----------
    wins : PairwiseWins
    outer : list of int
        The classes whose weights the plane shares.
    side : int or None
        The class whose weight tells the lines of the plane apart; None for two classes.
    last : int
        The class whose weight runs along a line.

    Attributes
    ----------
    classes : list of int
        The fixed class and the outer ones.
    """

    def __init__(self, wins: PairwiseWins, outer: list[int], side: int | None, last: int) -> None:
        data, r = wins.data, len(wins.data.steps)
        c, lines = data.n_classes, plane_shape(data)[0]
        self.wins, self.outer, self.side, self.last = wins, outer, side, last
        self.classes = [data.fixed, *outer]
        self._block = np.zeros(c, dtype=np.intp)
        self._block[self.classes] = np.arange(len(self.classes)) * c * (r + 1)
        self._start = data.y * (r + 1) + r
        self._switches = np.empty((lines + 1, len(self.classes), c, r + 1), dtype=np.int32)

    def on_plane(self, place: tuple[int, ...]) -> Counts:
        """Return how many objects leave each of `classes` at each place of a plane.

        Parameters
        ----------
        place : tuple of int
            Steps of the outer weights.

        Returns
        -------
        ndarray of int32, shape (classes, lines, C, r + 1)
            By class left, line, true class and number of steps at which the last class wins; valid
            until the next call.
        """
        data, switches = self.wins.data, self._switches
        steps = {data.fixed: 0} | dict(zip(self.outer, place, strict=True))
        key = self._start + self._block[self.wins.winner(steps)]
        key -= self.wins.entry(self.last, steps)
        lines, size = len(switches) - 1, switches[0].size
        beaten = lines if self.side is None else self.wins.entry(self.side, steps)
        switches.fill(0)
        np.subtract.at(switches.reshape(-1), key + size * beaten, OBJECT)
        np.add.at(switches[0].reshape(-1), key, OBJECT)
        for line in range(1, lines):
            switches[line] += switches[line - 1]
        return np.moveaxis(switches[:lines], 1, 0)


def side_switches(wins: PairwiseWins, outer: list[int], side: int, last: int) -> Iterator[Counts]:
    """Yield, plane by plane, when objects leave the side class for the last class.

    The step of leaving depends on the line only, and a larger weight of an outer class only takes
    objects away from the side class: along the innermost outer weight every object of a line
    is taken away once, at its last plane.

    Parameters
    ----------
    wins, outer, side, last
        As for `OtherSwitches`.

    Yields
    ------
    ndarray of int32, shape (r, C, r + 1)
        By line, true class and number of steps at which the last class wins; valid until the next
        plane is asked for.
    """
    data, r = wins.data, len(wins.data.steps)
    c = data.n_classes
    line = np.arange(r)[:, None]
    keys = (line * c + data.y) * (r + 1) + r - wins.first[side, last]
    *prefix, inner = outer if outer else [data.fixed]
    kept = _number_up_to(wins.first[inner, side], r)
    for place in product(range(r), repeat=len(prefix)):
        steps = {data.fixed: 0} | dict(zip(prefix, place, strict=True))
        planes = np.where(wins.entry(side, steps) <= line, kept, 0).astype(np.int16)
        order = np.argsort(planes, axis=None, kind="stable")
        ordered = keys.reshape(-1)[order]
        ends = np.searchsorted(planes.reshape(-1)[order], np.arange(r + 1), side="right")
        switches = np.bincount(ordered[ends[0] :], minlength=r * c * (r + 1)).astype(np.int32)
        for first, end in pairwise(ends):
            yield switches.reshape(r, c, r + 1)
            np.subtract.at(switches, ordered[first:end], OBJECT)


def _number_up_to(table: Counts, r: int) -> Ints:
    """Return how many rows of a table hold at most each step, shape (r, columns)."""
    columns = np.arange(table.shape[1])
    found = np.bincount((table * len(columns) + columns).ravel(), minlength=(r + 1) * len(columns))
    return np.cumsum(found.reshape(r + 1, -1)[:r], axis=0)
