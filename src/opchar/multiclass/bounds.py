"""The simplified volume of a random classifier, 1/C!, found in several ways."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import numpy as np
from scipy.spatial import ConvexHull


def lower_bound(n_classes: int) -> float:
    """Return the simplified VUS of a random classifier, 1/C!.

    Parameters
    ----------
    n_classes : int
        Number of classes C, at least 1.

    Returns
    -------
    float
        Source: landgrebe2007, Eq. 3.24.
    """
    return 1 / factorial(n_classes)


def lower_bound_recursion(n_classes: int) -> Fraction:
    """Return the lower bound by the repeated integration of the thesis' appendix, exactly.

    Parameters
    ----------
    n_classes : int
        Number of classes C, at least 1.

    Returns
    -------
    fractions.Fraction
        Source: landgrebe2007, Eqs. 3.20 to 3.24.

    Notes
    -----
    The innermost integrand is what the other rates leave, ``s = 1 - xi_11 - ...``, a polynomial
    in s. Each integral over the next rate maps ``a s^n`` to ``a s^(n+1) / (n+1)`` (Eq. 3.23); the
    value is the polynomial at s = 1.
    """
    polynomial = [Fraction(0), Fraction(1)]
    for _ in range(n_classes - 1):
        polynomial = [Fraction(0)] + [a / (n + 1) for n, a in enumerate(polynomial)]
    return sum(polynomial, Fraction(0))


def lower_bound_hull(n_classes: int, qhull_options: str = "") -> float:
    """Return the volume that Qhull finds for the origin and the C unit points.

    Parameters
    ----------
    n_classes : int
        Number of classes C, at least 2.
    qhull_options : str
        As in `scipy.spatial.ConvexHull`, for instance ``"QJ"`` to joggle the input.

    Returns
    -------
    float
        Source: landgrebe2007, Eqs. 3.16 and 3.17.
    """
    vertices = np.vstack([np.zeros(n_classes), np.eye(n_classes)])
    return float(ConvexHull(vertices, qhull_options=qhull_options or None).volume)


def random_volume(n_classes: int, r: int) -> float:
    """Return the iterated trapezoid over the random surface on a regular grid of r points an axis.

    Parameters
    ----------
    n_classes : int
        Number of classes C, at least 2.
    r : int
        Grid points an axis, at least 2; the step is ``1 / (r - 1)``.

    Returns
    -------
    float
        The estimate of 1/C! (landgrebe2007, Sec. 3.3.4, the table of estimates against r).

    Raises
    ------
    ValueError
        For fewer than two classes or points.

    Notes
    -----
    The surface ``max(0, 1 - xi_11 - ... )`` depends on the sum of the grid indices only, so the
    product of trapezoid weights is collected by convolution: O(C^2 r^2) instead of r^(C-1).
    """
    if n_classes < 2 or r < 2:
        raise ValueError(f"the estimate needs C >= 2 and r >= 2, got C={n_classes}, r={r}")
    trapezoid = np.full(r, 1.0)
    trapezoid[[0, -1]] = 0.5
    weights = np.array([1.0])
    for _ in range(n_classes - 1):
        weights = np.convolve(weights, trapezoid)
    height = np.clip(1 - np.arange(len(weights)) / (r - 1), 0, None)
    return float(weights @ height / (r - 1) ** (n_classes - 1))
