"""The simplified volume under the ROC hypersurface: estimates from operating points, exact values.

All volumes are over the diagonal rates ``xi_11 ... xi_CC`` only (landgrebe2007, Sec. 3.3.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from opchar.arguments import floats

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Nodes = NDArray[np.int32]
Minors = dict[tuple[tuple[int, ...], tuple[int, ...]], Floats]
SLACK = 1e-9
THIN = 1e-15
APART = 40.0
LINES = 500_000


def ordered_gaussian_volume(
    means: ArrayLike, deviation: float = 1.0, tolerance: float = 1e-10
) -> tuple[float, float]:
    """Return the exact simplified VUS of one-dimensional Gaussian classes of one variance.

    Parameters
    ----------
    means : array_like of shape (C,)
        Class means, at least two.
    deviation : float
        The common standard deviation, positive.
    tolerance : float
        The largest change that one halving of the step may still make.

    Returns
    -------
    volume : float
        ``P(X_1 < X_2 < ... < X_C)`` with the classes in the order of their means.
    error : float
        The change made by the last halving of the step; the error left is several times smaller.

    Raises
    ------
    ValueError
        For fewer than two classes or a deviation that is not positive.

    Notes
    -----
    The likelihood ratios are monotone, so all optimal rules are ``t_1 <= ... <= t_{C-1}``; Eq. 3.15
    of landgrebe2007 integrated over these thresholds is the probability that one object of each
    class comes in order. Recursion from the right: ``G_C = P(X_C > t)`` and
    ``G_k(t) = int_t^inf p_k(x) G_{k+1}(x) dx``, by cumulative Simpson on a grid halved until the
    value stands. Two classes give the AUC, equal means ``1/C!``. Neighbours more than 40 deviations
    apart are moved to 40: in double precision they are in order either way.

    Examples
    --------
    >>> volume, error = ordered_gaussian_volume([-1.0, 0.0, 1.0])
    >>> round(volume, 5), error < 1e-10
    (0.53615, True)
    """
    from scipy.integrate import cumulative_simpson

    given = floats(means, "means")
    if given.ndim != 1 or len(given) < 2 or not np.isfinite(given).all() or not deviation > 0:
        raise ValueError("the exact volume needs two or more finite means and a positive deviation")
    means = np.sort(given)
    gaps = np.minimum(np.diff(means) / deviation, APART)
    means = np.concatenate([[0.0], np.cumsum(gaps)])
    previous, steps = np.inf, 256 * len(means)
    while True:
        x = np.linspace(means[0] - 9, means[-1] + 9, steps + 1)
        after = ndtr(means[-1] - x)
        for mean in means[-2::-1]:
            density = np.exp(-((x - mean) ** 2) / 2) / np.sqrt(2 * np.pi)
            before = cumulative_simpson(density * after, x=x, initial=0)
            after = before[-1] - before
        if (error := abs(after[0] - previous)) < tolerance:
            return min(float(after[0]), 1.0), float(error)
        previous, steps = after[0], 2 * steps


def dominated_volume(rates: ArrayLike) -> float:
    """Return the volume of all rate vectors that some operating point equals or exceeds.

    Parameters
    ----------
    rates : array_like of shape (n, C)
        Diagonal rates of the operating points, in [0, 1].

    Returns
    -------
    float
        The dominated hypervolume with respect to the origin, exact for the points given: a lower
        bound of the VUS of the surface from which they come, which it reaches as they get dense.

    Raises
    ------
    ValueError
        For rates outside [0, 1] or an array that is not (n, C).

    Examples
    --------
    >>> dominated_volume([[1.0, 1.0, 1.0]])
    1.0
    >>> dominated_volume([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    0.25
    """
    rates = _check_rates(floats(rates, "rates"))
    if rates.ndim != 2:
        raise ValueError(f"operating points must have shape (n, C), got {rates.shape}")
    try:
        import moocore
    except ImportError:
        raise ImportError("the exact dominated volume needs moocore: pip install moocore") from None
    return float(moocore.hypervolume(-rates, ref=np.zeros(rates.shape[1])))


def _check_rates(rates: Floats) -> Floats:
    """Return the rates if all of them lie in [0, 1]."""
    if not np.all((rates >= 0) & (rates <= 1 + SLACK)):
        raise ValueError("rates must lie in [0, 1]")
    return np.minimum(rates, 1.0)


def _cumulative_maximum(surface: Floats) -> Floats:
    """Give each grid node the best height among the nodes that are at least as large."""
    for axis in range(surface.ndim):
        surface = np.flip(np.maximum.accumulate(np.flip(surface, axis), axis=axis), axis)
    return surface


def staircase_surface(rates: ArrayLike, r: int) -> Floats:
    """Resample operating points without interpolation: the best point that dominates each node.

    Parameters
    ----------
    rates : array_like of shape (..., C)
        Diagonal rates of any set of operating points.
    r : int
        Grid points per axis.

    Returns
    -------
    ndarray of shape (r,) * (C - 1)
        Height ``xi_CC`` over the regular grid of ``xi_11 ... xi_{C-1,C-1}``; zero where no
        operating point reaches.

    Raises
    ------
    ValueError
        If `rates` is one number, or has values outside [0, 1].
    """
    given = floats(rates, "rates")
    if not given.ndim:
        raise ValueError("operating points must have shape (..., C), got one number")
    points = _check_rates(given.reshape(-1, given.shape[-1]))
    surface = np.zeros((r,) * (points.shape[1] - 1))
    node = np.floor(points[:, :-1] * (r - 1)).astype(np.intp)
    np.maximum.at(surface, tuple(node.T), points[:, -1])
    return _cumulative_maximum(surface)


def _simplices(lattice: Floats, step: float) -> Iterator[Floats]:
    """Cut each cell of a lattice of points into simplices, one array per shape of simplex.

    Each path from a cell's lowest to its highest corner, one axis at a time, is a simplex
    (Kuhn); C - 1 axes give (C - 1)! of them, of shape (C, vertices, n). Those whose box holds no
    node of the regular grid are left out.
    """
    rates = np.moveaxis(lattice, -1, 0)
    below = np.floor(rates[:-1] / step).astype(np.int32)
    above = np.ceil(rates[:-1] / step).astype(np.int32)
    low, high = above, below
    for axis in range(1, lattice.ndim):
        low = np.minimum(*_neighbours(low, axis))
        high = np.maximum(*_neighbours(high, axis))
    sides = rates.shape[1:]
    cells = np.ravel_multi_index(np.nonzero((high >= low).all(axis=0)), sides)
    to_next = np.cumprod([1, *sides[:0:-1]])[::-1]
    points = rates.reshape(len(rates), -1)
    below, above = (each.reshape(len(each), -1) for each in (below, above))
    for path in permutations(to_next.tolist()):
        corners = cells + np.cumsum([0, *path])[:, None]
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
        for place, column in enumerate(columns):
            others = _minor(matrices, rows[1:], columns[:place] + columns[place + 1 :], kept)
            add = np.subtract if place % 2 else np.add
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


def _raise_nodes(surface: Floats, simplices: Floats, step: float) -> None:
    """Lift the nodes under each simplex to its height, where that is more than they have."""
    base = simplices[:-1]
    edges = base[:, 1:] - base[:, :1]
    cofactors = _cofactors(edges)
    determinants = np.sum(edges[0] * cofactors[0], axis=0)
    solid = np.abs(determinants) > THIN
    if not solid.all():
        simplices, base = simplices[:, :, solid], base[:, :, solid]
        cofactors, determinants = cofactors[:, :, solid], determinants[solid]
    slopes = cofactors / determinants
    slopes = np.concatenate([-slopes.sum(axis=1, keepdims=True), slopes], axis=1)
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
    owner, place = _owners_and_positions(np.prod(sizes[:-1], axis=0))
    node = np.empty((len(low), len(owner)), dtype=np.intp)
    share = np.zeros((simplices.shape[1], len(owner)))
    share[0] = 1
    for axis in range(len(low) - 1):
        place, node[axis] = np.divmod(place, sizes[axis, owner])
        node[axis] += low[axis, owner]
        share += slopes[axis][:, owner] * (node[axis] * step - simplices[axis, 0, owner])
    slope, start = slopes[-1][:, owner], simplices[-2, 0, owner]
    first, last = _inside(share, slope, start, step)
    first, last = np.maximum(first, low[-1, owner]), np.minimum(last, high[-1, owner])
    line, place = _owners_and_positions(np.maximum(last - first + 1, 0).astype(np.intp))
    node = node[:, line]
    node[-1] = first[line].astype(np.intp) + place
    heights = simplices[-1][:, owner]
    height = np.sum(share * heights, axis=0)[line]
    height += np.sum(slope * heights, axis=0)[line] * (node[-1] * step - start[line])
    np.maximum.at(surface, tuple(node), height.clip(0, 1))


def _inside(share: Floats, slope: Floats, start: Floats, step: float) -> tuple[Floats, Floats]:
    """Return the first and the last node of each line at which no coordinate is negative."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = (start - (share + SLACK) / slope) / step
    never = (slope == 0) & (share < -SLACK)
    first = np.where(slope > 0, ends, np.where(never, np.inf, -np.inf)).max(axis=0)
    last = np.where(slope < 0, ends, np.inf).min(axis=0)
    return np.ceil(first), np.floor(last)


def linear_surface(lattice: ArrayLike, r: int) -> Floats:
    """Resample the operating points of a weight grid linearly onto a regular grid of rates.

    Parameters
    ----------
    lattice : array_like of shape (r_1, ..., r_{C-1}, C)
        Diagonal rates at the weights of a grid, in the grid's own shape.
    r : int
        Grid points per axis.

    Returns
    -------
    ndarray of shape (r,) * (C - 1)
        Height ``xi_CC`` over the regular grid of ``xi_11 ... xi_{C-1,C-1}``.

    Raises
    ------
    ValueError
        For a lattice whose axes are not one fewer than its classes, rates outside [0, 1], or fewer
        than two grid points.

    Notes
    -----
    landgrebe2007, Sec. 3.3.4: linear resampling of the irregular sampling. Between neighbours of
    the weight grid the surface is linear (cells cut into simplices, so a node takes the height of
    the highest simplex over it); a node that none covers takes the best height among the nodes
    that exceed it in all rates, because what an operating point attains it also attains with
    fewer recognised objects; where nothing reaches, zero.
    """
    lattice = _check_rates(floats(lattice, "lattice"))
    n_classes = lattice.shape[-1] if lattice.ndim else 0
    if r < 2:
        raise ValueError(f"a regular grid needs two points per axis or more, got r={r}")
    if lattice.ndim != n_classes or n_classes < 2:
        raise ValueError(f"C classes need C - 1 axes of weights, got shape {lattice.shape}")
    surface = staircase_surface(lattice, r)
    for simplices in _simplices(lattice, 1 / (r - 1)):
        _raise_nodes(surface, simplices, 1 / (r - 1))
    return _cumulative_maximum(surface)


def trapezoid_volume(surface: ArrayLike) -> float:
    """Integrate a surface on a regular grid of the unit cube by the iterated trapezoidal rule.

    Parameters
    ----------
    surface : array_like of shape (r,) * (C - 1)
        Heights on a regular grid over [0, 1] in each axis.

    Returns
    -------
    float
        Source: landgrebe2007, Sec. 3.3.4.

    Raises
    ------
    ValueError
        If an axis has one node.
    """
    volume = floats(surface, "surface")
    if 1 in volume.shape:
        raise ValueError(f"a surface needs two nodes an axis or more, got shape {volume.shape}")
    while volume.ndim:
        volume = np.asarray(np.trapezoid(volume, dx=1 / (volume.shape[-1] - 1), axis=-1))
    return float(volume)


def resampled_volume(lattice: ArrayLike, r: int) -> float:
    """Return the thesis' VUS estimate: linear resampling, then the iterated trapezoid.

    Parameters
    ----------
    lattice : array_like of shape (r_1, ..., r_{C-1}, C)
        Diagonal rates at the weights of a grid, in the grid's own shape.
    r : int
        Points per axis of the regular grid.

    Returns
    -------
    float
        Source: landgrebe2007, Sec. 3.3.4; see `linear_surface`.
    """
    return trapezoid_volume(linear_surface(lattice, r))
