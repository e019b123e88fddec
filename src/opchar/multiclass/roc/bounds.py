"""What the simplified volume lies between: 1/C! of a random classifier, the AUC of two classes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import factorial, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import ConvexHull

from opchar.arguments import floats, plain_array
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc

# Qhull's qh_JOGGLEdefault: joggle in units of the round-off of a distance.
JOGGLE = 30_000


def lower_bound(n_classes: int) -> float:
    """Return the simplified VUS of a random classifier, 1/C!.

    Source: landgrebe2007, Eq. 3.24.
    """
    return 1 / factorial(n_classes)


def lower_bound_recursion(n_classes: int) -> Fraction:
    """Return the lower bound by the repeated integration of the thesis' appendix, exactly.

    Source: landgrebe2007, Eqs. 3.20 to 3.24.

    The innermost integrand is the remainder of the other rates, ``s = 1 - xi_11 - ...``, a
    polynomial in s. Each integral over the next rate maps ``a s^n`` to ``a s^(n+1) / (n+1)`` (Eq.
    3.23); the value is the polynomial at s = 1.
    """
    polynomial = [Fraction(0), Fraction(1)]
    for _ in range(n_classes - 1):
        polynomial = [Fraction(0)] + [a / (n + 1) for n, a in enumerate(polynomial)]
    return sum(polynomial, Fraction(0))


def lower_bound_hull(n_classes: int, qhull_options: str = "") -> float:
    """Return the volume that Qhull finds for the origin and the C unit points.

    Source: landgrebe2007, Eqs. 3.16 and 3.17.
    """
    vertices = np.vstack([np.zeros(n_classes), np.eye(n_classes)])
    return float(ConvexHull(vertices, qhull_options=qhull_options or None).volume)


def joggle_bound(n_classes: int) -> float:
    """Return how far joggled input may move `lower_bound_hull`.

    Qhull's option ``QJ`` moves each coordinate by at most 30000 times the round-off of a distance,
    ``eps (1.01 C sqrt(C) + 1)`` for coordinates up to one. To first order only the C coordinates
    that are one and those of the origin change the volume of the simplex, each by its own share:
    2 C times that, relative to 1/C!.

    >>> abs(lower_bound_hull(4, "QJ") - lower_bound(4)) <= joggle_bound(4) < 1e-10
    True
    """
    joggle = JOGGLE * np.finfo(float).eps * (1.01 * n_classes * sqrt(n_classes) + 1)
    return float(2 * n_classes * joggle * lower_bound(n_classes))


def pair_areas(y: ArrayLike, scores: ArrayLike) -> Iterator[tuple[float, int, int]]:
    """Yield the AUC of each two classes by the ratio of their two scores, with these classes.

    At any class weights the objects of two classes that are recognised are so by the ratio of their
    two scores, too. So no simplified volume (landgrebe2007, Eq. 3.15) exceeds the least of these
    areas. Scores are not negative; two scores of zero count as equal.

    Shapes: `y` (N,); `scores` (N, C).

    Examples
    --------
    >>> [(area, i, j) for area, i, j in pair_areas([0, 1], [[0.8, 0.2], [0.4, 0.6]])]
    [(1.0, 0, 1)]
    """
    y, scores = plain_array(y, "y"), floats(scores, "scores")
    if scores.ndim != 2 or y.shape != scores.shape[:1]:
        raise ValueError(f"{len(y)} labels need scores of shape ({len(y)}, C), got {scores.shape}")
    if not np.all(np.isfinite(scores) & (scores >= 0)):
        raise ValueError("scores must be finite and not negative: map them first, as by a softmax")
    if y.dtype.kind == "f" and np.isnan(y).any():
        raise ValueError("labels must not be NaN")
    for i, j in combinations(range(scores.shape[1]), 2):
        either = np.isin(y, [i, j])
        pair = scores[either][:, [i, j]]
        total = pair.sum(axis=1)
        share = np.divide(pair[:, 0], total, out=np.full(len(total), 0.5), where=total > 0)
        yield auc(operating_points(y[either] == i, share)), i, j


def random_volume(n_classes: int, r: int) -> float:
    """Return the iterated trapezoid over the random surface on a regular grid of r points per axis.

    `r`: Grid points per axis, at least 2; the step is ``1 / (r - 1)``.
    The estimate of 1/C! (landgrebe2007, Sec. 3.3.4, the table of estimates against r).

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
