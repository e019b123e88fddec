"""Confusion matrices over a plane of weight settings, several counts to a machine word."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Words = NDArray[np.uint64]
Entries = tuple[Ints, Words]
Fields = NDArray[np.unsignedinteger]


def packed_width(sizes: Ints) -> int:
    """Return how many fields a confusion matrix takes, to fill whole words.

    Shapes: `sizes` (C,).

    Returned: ``C * C`` or a little more.
    """
    per_word = 8 // _field(sizes).itemsize
    return -(-(len(sizes) ** 2) // per_word) * per_word


def _field(sizes: Ints) -> np.dtype[np.unsignedinteger]:
    """Return the type that holds any count of these classes."""
    return np.dtype(np.uint16 if sizes.max() < 2**16 else np.uint32)


class PackedPlane:
    """Objects counted over rectangles of settings: from step zero to below a corner on both axes.

    A rectangle is one entry at its corner, and sums from the far end along both axes then count it
    at all of its settings. Each addition of machine words adds several counts, none of which
    outgrows its field; until the sums are complete the words may wrap around.

    Shapes: `sizes` (C,).
    """

    next_column = -1

    def __init__(self, shape: tuple[int, int], sizes: Ints, rest: int) -> None:
        lines, columns = shape
        cells = len(sizes) ** 2
        self._field = _field(sizes)
        units = np.eye(cells, packed_width(sizes), dtype=self._field).view(np.uint64)
        words = units.shape[1]
        at_rest = np.arange(cells) // len(sizes) * len(sizes) + rest
        word, unit = units.argmax(axis=1), units.max(axis=1)
        self._line = words * (columns + 1)
        self._position = np.array([word, word[at_rest]]) * (columns + 1) + columns
        self._value = np.array([unit, np.negative(unit[at_rest])])
        self._all_at_rest = sizes.astype(np.uint64) @ units[rest :: len(sizes)]
        self._standing = np.zeros((lines + 1, words, columns + 1), dtype=np.uint64)
        self._entered = np.empty_like(self._standing)
        self._matrices = np.empty((lines, columns, words), dtype=np.uint64)
        self._lines = list(self._matrices.reshape(lines, -1)[::-1])
        self.clear()

    def clear(self) -> None:
        """Take all rectangles away."""
        self._standing[...] = 0
        self._standing[-1, :, 0] = self._all_at_rest

    def entries(self, lines: Ints, columns: Ints, cells: Ints) -> Entries:
        """Return what moves the objects of rectangles from the class of the rest to their own.

        Shapes: `lines` and `columns` (n,); `cells` (n,); `positions` (2, n); `values` (2, n).

        `cells`: ``C * true class + assigned class`` of its object.
        """
        positions = self._line * lines - columns + self._position.take(cells, axis=1)
        return positions, self._value.take(cells, axis=1)

    def add(self, positions: Ints, values: Words) -> None:
        """Count rectangles, given as entries, on all planes to come."""
        np.add.at(self._standing.reshape(-1), positions.ravel(), values.ravel())

    def remove(self, positions: Ints, values: Words) -> None:
        """Take rectangles, given as entries, out of the counts."""
        np.subtract.at(self._standing.reshape(-1), positions.ravel(), values.ravel())

    def counts(self, positions: Ints, values: Words) -> Fields:
        """Return the confusion matrices of the standing rectangles and of some entries.

        Shapes: returned (steps, steps, C * C or a little more).
        """
        np.copyto(self._entered, self._standing)
        np.add.at(self._entered.reshape(-1), positions.ravel(), values.ravel())
        np.cumsum(self._entered, axis=2, out=self._entered)
        for word in range(self._matrices.shape[2]):
            self._matrices[:, :, word] = self._entered[1:, word, -2::-1]
        for before, line in pairwise(self._lines):
            np.add(line, before, line)
        return self._matrices.view(self._field)
