"""Grids of class weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def weight_grid(
    n_classes: int, r: int, low: float = 1e-3, high: float = 1e3, fixed: int = -1
) -> Floats:
    """Return all combinations of r logarithmic weights per class, one class kept at weight one.

    Parameters
    ----------
    n_classes : int
        Number of classes C, at least 2.
    r : int
        Steps a weight, at least 2.
    low, high : float
        The range of the weights, ``0 < low < high``.
    fixed : int
        The class whose weight stays one.

    Returns
    -------
    ndarray of shape (r ** (C - 1), C)
        Weight vectors Phi; of the free classes the last varies fastest.

    Raises
    ------
    ValueError
        For fewer than two classes or steps, or an empty range.

    Notes
    -----
    landgrebe2007, Sec. 4.3.2 (resolution and range) and Eq. 4.31 (logarithmic steps).

    Examples
    --------
    >>> weight_grid(2, 3).tolist()
    [[0.001, 1.0], [1.0, 1.0], [1000.0, 1.0]]
    """
    if n_classes < 2 or r < 2:
        raise ValueError(f"a weight grid needs C >= 2 and r >= 2, got C={n_classes}, r={r}")
    if not 0 < low < high < np.inf:
        raise ValueError(f"a weight grid needs 0 < low < high, got {low} and {high}")
    steps = np.logspace(np.log10(low), np.log10(high), r)
    axes = np.meshgrid(*[steps] * (n_classes - 1), indexing="ij")
    free = np.stack([axis.ravel() for axis in axes], axis=1)
    return np.insert(free, fixed % n_classes, 1.0, axis=1)


def even_weight_grid(n_classes: int, r: int, *, complement: bool = True) -> Floats:
    """Return all combinations of r weights per class that are evenly spaced from 0 to 1.

    Parameters
    ----------
    n_classes : int
        Number of classes C, at least 2.
    r : int
        Steps a weight, at least 2.
    complement : bool
        Whether the last class has one minus the weight of the first; else it has one.

    Returns
    -------
    ndarray of shape (r ** (C - 1), C)
        Weight vectors Phi; of the free classes the last varies fastest. A weight of zero is the
        smallest positive number, so that all have logarithms.

    Raises
    ------
    ValueError
        For fewer than two classes or steps.

    Notes
    -----
    landgrebe2007, Sec. 3.2.3, ``Phi = [phi_1, ..., phi_{C-1}, 1 - phi_1]``; Sec. 3.3.3 holds one
    weight constant.

    Examples
    --------
    >>> even_weight_grid(2, 3).round(6).tolist()
    [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
    """
    if n_classes < 2 or r < 2:
        raise ValueError(f"a weight grid needs C >= 2 and r >= 2, got C={n_classes}, r={r}")
    axes = np.meshgrid(*[np.linspace(0, 1, r)] * (n_classes - 1), indexing="ij")
    free = np.stack([axis.ravel() for axis in axes], axis=1)
    last = 1 - free[:, :1] if complement else np.ones((len(free), 1))
    return np.maximum(np.hstack([free, last]), np.finfo(float).tiny)
