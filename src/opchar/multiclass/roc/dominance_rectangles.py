"""The rectangles of weight settings over which a scored object is assigned to one class.

While the weight of its own class is held, an object stays with it as long as each other weight is
below a step of its own. To count objects by these rectangles is to count them at every setting.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from opchar.multiclass.roc.packed_counts import Fields, PackedPlane, packed_width
from opchar.multiclass.roc.weighted_scores import WeightedScores
from opchar.multiclass.roc.win_steps import first_wins

Ints = NDArray[np.intp]


def packed_shape(data: WeightedScores) -> tuple[int, int, int]:
    """Return the shape of a plane of packed confusion matrices.

    Returned: ``(r, r, C * C or a little more)``; for two classes ``(1, r, 4)``.
    """
    r = len(data.steps)
    return 1 if data.n_classes == 2 else r, r, packed_width(data.class_sizes())


def packed_planes(data: WeightedScores) -> Iterator[tuple[tuple[int, ...], Fields]]:
    """Yield the confusion matrices of the hypersurface plane by plane, in packed form."""
    if data.n_classes == 2:
        yield (), _line_of_two_classes(data)
        return
    rectangles = _Rectangles(data)
    for steps in product(*(range(len(data.steps_of(c))) for c in rectangles.prefix)):
        held = rectangles.each_plane(steps)
        for step, corners_and_cells in enumerate(zip(*rectangles.outer(steps), strict=True)):
            next(held)
            entries = rectangles.plane.entries(*corners_and_cells)
            yield (*steps, step)[1:], rectangles.plane.counts(*entries)


def _line_of_two_classes(data: WeightedScores) -> Fields:
    """Return the confusion matrices of two classes, as a plane of one line."""
    (free,) = data.free
    plane = PackedPlane((1, len(data.steps)), data.class_sizes(), rest=free)
    until_lost = first_wins(data, data.fixed, free)[0]
    one = np.ones_like(until_lost)
    return plane.counts(*plane.entries(one, until_lost, 2 * data.y + data.fixed))


class _Rectangles:
    """The rectangles of all objects on the planes of a grid.

    The last class has its weight along the columns of a plane. The class of the rest has its own
    along the lines and gets the objects that are in no rectangle. A plane holds the weights of
    the outer classes: those of the prefix, and the inner one, whose steps number the planes of a
    prefix.
    """

    def __init__(self, data: WeightedScores) -> None:
        self._data = data
        *outer, self._rest, self._last = [data.fixed, *data.free]
        *self.prefix, self._inner = outer
        r = len(data.steps)
        self.plane = PackedPlane((r, r), data.class_sizes(), self._rest)
        self._first = {
            (rival, challenger): first_wins(data, rival, challenger)
            for challenger in (self._inner, self._rest, self._last)
            for rival in outer
            if rival != challenger
        }
        gone = first_wins(data, self._last, self._inner).astype(np.min_scalar_type(r))
        order = np.argsort(gone, axis=None, kind="stable")
        self._gone = gone.ravel()[order]
        self._column, self._object = np.divmod(order, len(data.y))
        lines = first_wins(data, self._last, self._rest).ravel()[order]
        cells = data.n_classes * data.y[self._object] + self._last
        self._cells, self._values = self.plane.entries(lines, self._column, cells)

    def outer(self, steps: tuple[int, ...]) -> tuple[Ints, Ints, Ints]:
        """Return the rectangles in which objects are with an outer class.

        With the outer weights held, the winner of these classes keeps an object until one of the
        two others beats it.

        Shapes: `lines` and `columns` and `cells` (planes, N).
        """
        data, inner = self._data, self._inner
        step = np.arange(len(data.steps_of(inner)))[:, None]
        inner_wins = step >= self._beating_prefix(inner, steps)
        winner = np.where(inner_wins, inner, self._best_of_prefix(steps))
        lines, columns = (
            np.maximum(self._first[inner, c], self._beating_prefix(c, steps))
            for c in (self._rest, self._last)
        )
        return lines, columns, data.n_classes * data.y + winner

    def each_plane(self, steps: tuple[int, ...]) -> Iterator[None]:
        """Keep the rectangles of the last class on the plane, one plane of a prefix after another.

        At each of its steps an object is with it until the class of the rest beats it along the
        column or, from some plane on, the inner class.
        """
        alive = self._column >= self._beating_prefix(self._last, steps)[self._object]
        cells, values = (a.compress(alive, axis=1) for a in (self._cells, self._values))
        planes = np.arange(len(self._data.steps_of(self._inner)) + 1)
        ends = np.searchsorted(self._gone[alive], planes, side="right")
        self.plane.clear()
        self.plane.add(cells[:, ends[0] :] + self.plane.next_column, values[:, ends[0] :])
        self.plane.remove(cells[:, ends[0] :], values[:, ends[0] :])
        for first, end in pairwise(ends):
            yield
            self.plane.remove(cells[:, first:end] + self.plane.next_column, values[:, first:end])
            self.plane.add(cells[:, first:end], values[:, first:end])

    def _beating_prefix(self, challenger: int, steps: tuple[int, ...]) -> Ints:
        """Return from where a class beats all classes of the prefix."""
        rows = [self._first[c, challenger][k] for c, k in zip(self.prefix, steps, strict=True)]
        return np.maximum.reduce([np.zeros(len(self._data.y), dtype=np.intp), *rows])

    def _best_of_prefix(self, steps: tuple[int, ...]) -> Ints:
        """Return the winner among the classes of the prefix; no matter which without any."""
        data = self._data
        if not self.prefix:
            return np.full(len(data.y), self._inner)
        step_of = dict(zip(self.prefix, steps, strict=True))
        competing = sorted(self.prefix)
        weights = [data.steps_of(c)[step_of[c]] for c in competing]
        with np.errstate(over="ignore"):
            best = np.argmax(data.scores[:, competing] * weights, axis=1)
        return np.take(competing, best)
