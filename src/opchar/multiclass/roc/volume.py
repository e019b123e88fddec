"""The simplified volume under the ROC hypersurface: estimates from operating points, exact values.

All volumes are over the diagonal rates ``xi_11 ... xi_CC`` only (landgrebe2007, Sec. 3.3.4).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from opchar.arguments import floats
from opchar.multiclass.roc.simplices import SLACK, raise_nodes

Floats = NDArray[np.float64]
APART = 40.0


def ordered_gaussian_volume(
    means: ArrayLike, deviation: float = 1.0, tolerance: float = 1e-10
) -> tuple[float, float]:
    """Return the exact simplified VUS of one-dimensional Gaussian classes of one variance.

    With it the change that the last halving of the step made; the error left is several times
    smaller. `tolerance` is the largest such change.

    The likelihood ratios are monotone, so all optimal rules are ``t_1 <= ... <= t_{C-1}``; Eq. 3.15
    of landgrebe2007 integrated over these thresholds is the probability that one object of each
    class comes in order. Recursion from the right: ``G_C = P(X_C > t)`` and ``G_k(t) = int_t^inf
    p_k(x) G_{k+1}(x) dx``, by cumulative Simpson on a grid halved until the value stands. Two
    classes give the AUC, equal means ``1/C!``. Neighbours more than 40 deviations apart are moved
    to 40: in double precision they are in order either way.

    Shapes: `means` (C,).

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

    It is the dominated hypervolume with respect to the origin, exact for the points given. It is a
    lower bound of the VUS of their surface, and reaches it as the points get dense.

    Shapes: `rates` (n, C).

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

    Shapes: `rates` (..., C); returned (r,).
    """
    given = floats(rates, "rates")
    if not given.ndim:
        raise ValueError("operating points must have shape (..., C), got one number")
    points = _check_rates(given.reshape(-1, given.shape[-1]))
    surface = np.zeros((r,) * (points.shape[1] - 1))
    node = np.floor(points[:, :-1] * (r - 1)).astype(np.intp)
    np.maximum.at(surface, tuple(node.T), points[:, -1])
    return _cumulative_maximum(surface)


def linear_surface(lattice: ArrayLike, r: int) -> Floats:
    """Resample the operating points of a weight grid linearly onto a regular grid of rates.

    Shapes: `lattice` (r_1, ..., r_{C-1}, C); returned (r,).

    landgrebe2007, Sec. 3.3.4: linear resampling of the irregular sampling. Between neighbours of
    the weight grid the surface is linear (cells cut into simplices, so a node takes the height of
    the highest simplex over it); a node that none covers takes the best height among the nodes that
    exceed it in all rates, because an operating point also attains all lower rates. A node that
    nothing exceeds takes zero.
    """
    lattice = _check_rates(floats(lattice, "lattice"))
    n_classes = lattice.shape[-1] if lattice.ndim else 0
    if r < 2:
        raise ValueError(f"a regular grid needs two points per axis or more, got r={r}")
    if lattice.ndim != n_classes or n_classes < 2:
        raise ValueError(f"C classes need C - 1 axes of weights, got shape {lattice.shape}")
    surface = np.ascontiguousarray(staircase_surface(lattice, r))
    raise_nodes(surface, lattice, 1 / (r - 1))
    return _cumulative_maximum(surface)


def trapezoid_volume(surface: ArrayLike) -> float:
    """Integrate a surface on a regular grid of the unit cube by the iterated trapezoidal rule.

    Shapes: `surface` (r,).

    `surface`: Heights on a regular grid over [0, 1] in each axis.
    Source: landgrebe2007, Sec. 3.3.4.
    """
    volume = floats(surface, "surface")
    if 1 in volume.shape:
        raise ValueError(f"a surface needs two nodes an axis or more, got shape {volume.shape}")
    while volume.ndim:
        volume = np.asarray(np.trapezoid(volume, dx=1 / (volume.shape[-1] - 1), axis=-1))
    return float(volume)


def resampled_volume(lattice: ArrayLike, r: int) -> float:
    """Return the thesis' VUS estimate: linear resampling, then the iterated trapezoid.

    Shapes: `lattice` (r_1, ..., r_{C-1}, C).

    Source: landgrebe2007, Sec. 3.3.4; see `linear_surface`.
    """
    return trapezoid_volume(linear_surface(lattice, r))
