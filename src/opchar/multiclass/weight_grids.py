"""Grids of class weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def weight_grid(
    n_classes: int, r: int, low: float = 1e-3, high: float = 1e3, fixed: int = -1
) -> Floats:
    """Return all combinations of r logarithmic weights per class, one class kept at weight one.

    landgrebe2007, Sec. 4.3.2 (resolution and range) and Eq. 4.31 (logarithmic steps).

    Shapes: returned (r ** (C - 1), C).

    `low` and `high`: the range of the weights, ``0 < low < high``.
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

    landgrebe2007, Sec. 3.2.3, ``Phi = [phi_1, ..., phi_{C-1}, 1 - phi_1]``; Sec. 3.3.3 holds one
    weight constant.

    Shapes: returned (r ** (C - 1), C).
    """
    if n_classes < 2 or r < 2:
        raise ValueError(f"a weight grid needs C >= 2 and r >= 2, got C={n_classes}, r={r}")
    axes = np.meshgrid(*[np.linspace(0, 1, r)] * (n_classes - 1), indexing="ij")
    free = np.stack([axis.ravel() for axis in axes], axis=1)
    last = 1 - free[:, :1] if complement else np.ones((len(free), 1))
    return np.maximum(np.hstack([free, last]), np.finfo(float).tiny)
