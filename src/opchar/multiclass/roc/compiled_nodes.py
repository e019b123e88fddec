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

    Shapes: `matrix` and `cofactors` (d, d); `minors` (2**d,).
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

    Shapes: `surface` (r ** d,); `points` (d + 1, n); `below` and `above` (d, n); `cells` (m,);
    `paths` (d!, d + 1).
    """
    d = len(below)
    edges, cofactors, minors = np.empty((d, d)), np.empty((d, d)), np.empty(1 << d)
    slopes, share, corners = np.empty((d, d + 1)), np.empty(d + 1), np.empty(d + 1, dtype=np.intp)
    low, high = np.empty(d, dtype=np.intp), np.empty(d, dtype=np.intp)
    for cell in cells:
        for path in paths:
            corners[:] = path
            corners += cell
            lines = count_lines(below, above, corners, low, high)
            if lines == 0 or not write_slopes(
                points, corners, thin, edges, cofactors, minors, slopes
            ):
                continue
            for line in range(lines):
                rest, base = line, 0
                share[:] = 0.0
                share[0] = 1.0
                for axis in range(d - 1):
                    size = high[axis] - low[axis] + 1
                    node = low[axis] + rest % size
                    rest //= size
                    base = (base + node) * r
                    along = node * step - points[axis, corners[0]]
                    for corner in range(d + 1):
                        share[corner] += slopes[axis, corner] * along
                nodes = surface[base : base + r]
                raise_line(nodes, points, corners, slopes[d - 1], share, low, high, step, slack)


@njit(cache=True)
def count_lines(below: Nodes, above: Nodes, corners: Ints, low: Ints, high: Ints) -> int:
    """Write the nodes that a simplex may reach on each axis; count the lines along the last.

    Shapes: `corners` (d + 1,); `low` and `high` (d,).
    """
    lines, last = 1, len(below) - 1
    for axis in range(len(below)):
        least, most = above[axis, corners[0]], below[axis, corners[0]]
        for corner in corners[1:]:
            least, most = min(least, above[axis, corner]), max(most, below[axis, corner])
        if most < least:
            return 0
        low[axis], high[axis] = least, most
        if axis < last:
            lines *= most - least + 1
    return lines


@njit(cache=True)
def write_slopes(
    points: Floats,
    corners: Ints,
    thin: float,
    edges: Floats,
    cofactors: Floats,
    minors: Floats,
    slopes: Floats,
) -> bool:
    """Write by how much the share of each corner grows along each axis, but of a thin simplex.

    Shapes: `corners` (d + 1,); `slopes` (d, d + 1).
    """
    d = len(edges)
    for axis in range(d):
        for index in range(d):
            edges[axis, index] = points[axis, corners[index + 1]] - points[axis, corners[0]]
    write_cofactors(edges, 0, cofactors, minors)
    determinant = edges[0, 0] * cofactors[0, 0]
    for index in range(1, d):
        determinant += edges[0, index] * cofactors[0, index]
    if not abs(determinant) > thin:
        return False
    for axis in range(d):
        if axis > 0:
            write_cofactors(edges, axis, cofactors, minors)
        total = 0.0
        for index in range(d):
            slopes[axis, index + 1] = cofactors[axis, index] / determinant
            total += slopes[axis, index + 1]
        slopes[axis, 0] = -total
    return True


@njit(cache=True)
def raise_line(
    nodes: Floats,
    points: Floats,
    corners: Ints,
    along: Floats,
    share: Floats,
    low: Ints,
    high: Ints,
    step: float,
    slack: float,
) -> None:
    """Lift the nodes of one line along the last axis to the height of a simplex.

    Shapes: `nodes` (r,); `corners` (d + 1,); `along` (d + 1,); `share` (d + 1,); `low` and `high`
    (d,).
    """
    d = len(low)
    start = points[d - 1, corners[0]]
    first, last = float(low[-1]), float(high[-1])
    height, gain = 0.0, 0.0
    for corner in range(d + 1):
        slope = along[corner]
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
        return
    for node in range(int(first), int(last) + 1):
        reached = height + gain * (node * step - start)
        nodes[node] = max(nodes[node], min(max(reached, 0.0), 1.0))
