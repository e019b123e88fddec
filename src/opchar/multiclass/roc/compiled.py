"""Nodes of a regular grid under linear pieces of a surface, compiled by numba (``opchar[fast]``).

Piece by piece what `opchar.multiclass.roc.simplices` does with whole arrays: the same sums in the
same order, so that every height is the same to the last bit.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Nodes = NDArray[np.int32]


@njit(cache=True)
def write_cofactors(matrix: Floats, left_out: int, cofactors: Floats, minors: Floats) -> None:
    """Write the cofactors of one row of a matrix in their places.

    Parameters
    ----------
    matrix, cofactors : ndarray of shape (d, d)
        The second is written.
    left_out : int
        The row.
    minors : ndarray of shape (2**d,)
        Room for the determinants of sets of columns and as many of the last rows.
    """
    d = len(matrix)
    if d == 1:
        cofactors[0, 0] = 1.0
        return
    for chosen in range(1, (1 << d) - 1):
        columns = 0
        for column in range(d):
            columns += chosen >> column & 1
        row = d - columns - (d - columns <= left_out)
        total, sign = 0.0, 1.0
        for column in range(d):
            if chosen >> column & 1:
                if columns == 1:
                    total = matrix[row, column]
                else:
                    total += sign * (matrix[row, column] * minors[chosen ^ 1 << column])
                sign = -sign
        minors[chosen] = total
    for column in range(d):
        minor = minors[(1 << d) - 1 ^ 1 << column]
        cofactors[left_out, column] = -minor if (left_out + column) % 2 else minor


@njit(cache=True)
def raise_nodes(
    surface: Floats,
    r: int,
    points: Floats,
    below: Nodes,
    above: Nodes,
    cells: Ints,
    paths: Ints,
    step: float,
    thin: float,
    slack: float,
) -> None:
    """Lift the nodes under each simplex of each cell to its height, where they have less.

    Parameters
    ----------
    surface : ndarray of shape (r ** d,)
        Heights of the nodes, changed.
    r : int
        Nodes an axis.
    points : ndarray of shape (d + 1, n)
        Rates of the points of a lattice.
    below, above : ndarray of int32, shape (d, n)
        The next nodes on each axis.
    cells : ndarray of int, shape (m,)
        The lowest corner of each cell.
    paths : ndarray of int, shape (d!, d + 1)
        What leads from there to the corners of each simplex.
    step : float
        Between two nodes of an axis.
    thin : float
        Simplices of such a determinant or less are left out.
    slack : float
        By how much a node may be outside.
    """
    d = len(below)
    edges, cofactors, minors = np.empty((d, d)), np.empty((d, d)), np.empty(1 << d)
    slopes, share, corners = np.empty((d, d + 1)), np.empty(d + 1), np.empty(d + 1, dtype=np.intp)
    low, high = np.empty(d, dtype=np.intp), np.empty(d, dtype=np.intp)
    for cell in cells:
        for path in paths:
            meets, lines = True, 1
            for axis in range(d):
                least, most = above[axis, cell], below[axis, cell]
                for place in range(1, d + 1):
                    least = min(least, above[axis, cell + path[place]])
                    most = max(most, below[axis, cell + path[place]])
                meets = most >= least
                if not meets:
                    break
                low[axis], high[axis] = least, most
                if axis < d - 1:
                    lines *= most - least + 1
            if not meets:
                continue
            corners[:] = path
            corners += cell
            first_corner = corners[0]
            for axis in range(d):
                for place in range(d):
                    edge = points[axis, corners[place + 1]] - points[axis, first_corner]
                    edges[axis, place] = edge
            write_cofactors(edges, 0, cofactors, minors)
            determinant = edges[0, 0] * cofactors[0, 0]
            for place in range(1, d):
                determinant += edges[0, place] * cofactors[0, place]
            if not abs(determinant) > thin:
                continue
            for axis in range(d):
                if axis > 0:
                    write_cofactors(edges, axis, cofactors, minors)
                total = 0.0
                for place in range(d):
                    slopes[axis, place + 1] = cofactors[axis, place] / determinant
                    total += slopes[axis, place + 1]
                slopes[axis, 0] = -total
            start = points[d - 1, first_corner]
            for line in range(lines):
                rest, base = line, 0
                share[:] = 0.0
                share[0] = 1.0
                for axis in range(d - 1):
                    size = high[axis] - low[axis] + 1
                    node = low[axis] + rest % size
                    rest //= size
                    base = (base + node) * r
                    along = node * step - points[axis, first_corner]
                    for corner in range(d + 1):
                        share[corner] += slopes[axis, corner] * along
                first, last = float(low[-1]), float(high[-1])
                height, gain = 0.0, 0.0
                for corner in range(d + 1):
                    slope = slopes[d - 1, corner]
                    if slope == 0:
                        if share[corner] < -slack:
                            first = np.inf
                    else:
                        end = (start - (share[corner] + slack) / slope) / step
                        if slope > 0:
                            first = max(first, np.ceil(end))
                        else:
                            last = min(last, np.floor(end))
                    height += share[corner] * points[d, corners[corner]]
                    gain += slope * points[d, corners[corner]]
                if first > last:
                    continue
                for node in range(int(first), int(last) + 1):
                    reached = height + gain * (node * step - start)
                    surface[base + node] = max(surface[base + node], min(max(reached, 0.0), 1.0))
