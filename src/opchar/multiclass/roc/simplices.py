"""Simplices of a lattice of points, and the nodes of a regular grid under them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import pairwise, permutations
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from opchar.compilation import Compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Nodes = NDArray[np.int32]
Minors = dict[tuple[tuple[int, ...], tuple[int, ...]], Floats]
SLACK = 1e-9
THIN = 1e-15
LINES = 500_000


def _load() -> ModuleType:
    from opchar.multiclass.roc import compiled_nodes

    return compiled_nodes


# As many points of lattices take NumPy longer than compiled code takes to start.
COMPILED = Compiled(_load, worth=1 << 17)


def raise_nodes(surface: Floats, lattice: Floats, step: float) -> None:
    """Lift the nodes under each simplex of a lattice to its height, where they have less.

    Shapes: `surface` (r,); `lattice` (r_1, ..., r_{C-1}, C).
    """
    if (compiled := COMPILED.module_after(lattice[..., 0].size)) is not None:
        pieces = _cells(lattice, step)
        compiled.raise_nodes(surface.reshape(-1), len(surface), *pieces, step, THIN, SLACK)
        return
    for simplices in _simplices(lattice, step):
        _raise_under(surface, simplices, step)


def _cells(lattice: Floats, step: float) -> tuple[Floats, Nodes, Nodes, Ints, Ints]:
    """Return the points of a lattice, their next nodes below and above, and its cells as paths.

    Each path from a cell's lowest to its highest corner, one axis at a time, is a simplex
    (Kuhn); C - 1 axes give (C - 1)! of them. Cells whose box holds no node of the regular grid are
    left out.
    """
    # In one order whatever the lattice, so that compiled code is compiled once.
    rates = np.ascontiguousarray(np.moveaxis(lattice, -1, 0))
    below = np.floor(rates[:-1] / step).astype(np.int32)
    above = np.ceil(rates[:-1] / step).astype(np.int32)
    low, high = above, below
    for axis in range(1, lattice.ndim):
        low = np.minimum(*_neighbours(low, axis))
        high = np.maximum(*_neighbours(high, axis))
    sides = rates.shape[1:]
    cells = np.ravel_multi_index(np.nonzero((high >= low).all(axis=0)), sides)
    to_next = np.cumprod([1, *sides[:0:-1]])[::-1]
    paths = np.array([np.cumsum([0, *path]) for path in permutations(to_next.tolist())])
    points = rates.reshape(len(rates), -1)
    below, above = (each.reshape(len(each), -1) for each in (below, above))
    return points, below, above, cells, paths


def _simplices(lattice: Floats, step: float) -> Iterator[Floats]:
    """Yield the simplices of a lattice, one array of shape (C, vertices, n) per shape of simplex.

    Those whose box holds no node of the regular grid are left out.
    """
    points, below, above, cells, paths = _cells(lattice, step)
    for path in paths:
        corners = cells + path[:, None]
        low, high = above.take(corners[0], axis=1), below.take(corners[0], axis=1)
        for corner in corners[1:]:
            np.minimum(low, above.take(corner, axis=1), out=low)
            np.maximum(high, below.take(corner, axis=1), out=high)
        yield points.take(corners[:, (high >= low).all(axis=0)], axis=1)


def _neighbours(values: Nodes, axis: int) -> tuple[Nodes, Nodes]:
    """Return all but the last, and all but the first, along an axis."""
    before = (slice(None),) * axis
    return values[(*before, slice(None, -1))], values[(*before, slice(1, None))]


def _minor(
    matrices: Floats, rows: tuple[int, ...], columns: tuple[int, ...], kept: Minors
) -> Floats:
    """Return the determinants of some rows and columns of matrices (d, d, n), by the first row."""
    if len(rows) == 1:
        return matrices[rows[0], columns[0]]
    if (rows, columns) not in kept:
        terms = np.zeros(matrices.shape[-1])
        for index, column in enumerate(columns):
            others = _minor(matrices, rows[1:], columns[:index] + columns[index + 1 :], kept)
            add = np.subtract if index % 2 else np.add
            add(terms, matrices[rows[0], column] * others, out=terms)
        kept[rows, columns] = terms
    return kept[rows, columns]


def _cofactors(matrices: Floats) -> Floats:
    """Return the cofactors of matrices of shape (d, d, n), in their places."""
    if len(matrices) == 1:
        return np.ones_like(matrices)
    cofactors = np.empty_like(matrices)
    kept: Minors = {}
    every = tuple(range(len(matrices)))
    for i, j in np.ndindex(matrices.shape[:2]):
        minor = _minor(matrices, every[:i] + every[i + 1 :], every[:j] + every[j + 1 :], kept)
        np.multiply(minor, (-1) ** (i + j), out=cofactors[i, j])
    return cofactors


def _owners_and_positions(sizes: Ints) -> tuple[Ints, Ints]:
    """Return ``(owner, place)`` of each of sizes[0] things of owner 0, sizes[1] of owner 1, ..."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return owner, np.arange(len(owner)) - (np.cumsum(sizes) - sizes)[owner]


def _sum(rows: Floats) -> Floats:
    """Return the sum over the first axis, added in its order however few columns there are."""
    return reduce(np.add, rows)


def _raise_under(surface: Floats, simplices: Floats, step: float) -> None:
    """Lift the nodes under each simplex to its height, where that is more than they have."""
    base = simplices[:-1]
    edges = base[:, 1:] - base[:, :1]
    cofactors = _cofactors(edges)
    determinants = _sum(edges[0] * cofactors[0])
    solid = np.abs(determinants) > THIN
    if not solid.all():
        simplices, base = simplices[:, :, solid], base[:, :, solid]
        cofactors, determinants = cofactors[:, :, solid], determinants[solid]
    slopes = cofactors / determinants
    slopes = np.concatenate([-_sum(slopes.swapaxes(0, 1))[:, None], slopes], axis=1)
    low = np.ceil(base.min(axis=1) / step).astype(np.intp)
    high = np.floor(base.max(axis=1) / step).astype(np.intp)
    lines = np.prod(high[:-1] - low[:-1] + 1, axis=0)
    pieces = np.searchsorted(np.cumsum(lines), np.arange(0, lines.sum(), LINES), side="right")
    for first, end in pairwise([*np.unique(pieces), len(lines)]):
        part = slice(first, end)
        _raise_along_lines(
            surface, simplices[:, :, part], slopes[:, :, part], low[:, part], high[:, part], step
        )


def _raise_along_lines(
    surface: Floats, simplices: Floats, slopes: Floats, low: Ints, high: Ints, step: float
) -> None:
    """Lift the nodes under each simplex, line by line along the last axis of the grid.

    The barycentric coordinates of a point are linear in it, with the given slopes (axes, vertices,
    n). Those of a line are taken where it has the last coordinate of the simplex's first vertex.
    """
    sizes = high - low + 1
    owner, position = _owners_and_positions(np.prod(sizes[:-1], axis=0))
    node = np.empty((len(low), len(owner)), dtype=np.intp)
    share = np.zeros((simplices.shape[1], len(owner)))
    share[0] = 1
    for axis in range(len(low) - 1):
        position, node[axis] = np.divmod(position, sizes[axis, owner])
        node[axis] += low[axis, owner]
        share += slopes[axis][:, owner] * (node[axis] * step - simplices[axis, 0, owner])
    slope, start = slopes[-1][:, owner], simplices[-2, 0, owner]
    first, last = _inside(share, slope, start, step)
    first, last = np.maximum(first, low[-1, owner]), np.minimum(last, high[-1, owner])
    line, position = _owners_and_positions(np.maximum(last - first + 1, 0).astype(np.intp))
    node = node[:, line]
    node[-1] = first[line].astype(np.intp) + position
    heights = simplices[-1][:, owner]
    height = _sum(share * heights)[line]
    height += _sum(slope * heights)[line] * (node[-1] * step - start[line])
    np.maximum.at(surface, tuple(node), height.clip(0, 1))


def _inside(share: Floats, slope: Floats, start: Floats, step: float) -> tuple[Floats, Floats]:
    """Return the first and the last node of each line at which no coordinate is negative."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = (start - (share + SLACK) / slope) / step
    never = (slope == 0) & (share < -SLACK)
    first = np.where(slope > 0, ends, np.where(never, np.inf, -np.inf)).max(axis=0)
    last = np.where(slope < 0, ends, np.inf).min(axis=0)
    return np.ceil(first), np.floor(last)
