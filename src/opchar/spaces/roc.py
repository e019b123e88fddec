"""ROC space: areas, tied scores, and the Neyman-Pearson choice."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats, probabilities
from opchar.spaces.blocks import blocks
from opchar.spaces.points import OperatingPoints
from opchar.ties import at_most, first_largest

Ties = Literal["optimistic", "pessimistic", "expected"]


def auc(points: OperatingPoints) -> float:
    """Return the area under the ROC curve by the trapezoidal rule.

    The trivial classifiers (0, 0) and (1, 1) are always there for the taking, so the curve is
    joined to them. For a scored sample this is the probability that a positive object scores
    higher than a negative one, ties counting one half.

    Parameters
    ----------
    points : OperatingPoints
        Of the sample, see `operating_points`.

    Returns
    -------
    float
        In [0, 1]; NaN for a sample of one class.

    References
    ----------
    landgrebe2007, Eq. 2.6; soleymani2020, Sec. 2.2.

    Examples
    --------
    >>> from opchar.spaces.points import from_rates
    >>> round(auc(from_rates([0.8], [0.2])), 6)
    0.8
    """
    twice, steps = 0.0, len(points) + 1
    for part in blocks(steps):
        reached = slice(max(part.start - 1, 0), part.stop)
        fpr, tpr = points.fpr[reached], points.tpr[reached]
        if part.start == 0:
            fpr, tpr = np.append(0.0, fpr), np.append(0.0, tpr)
        if part.stop == steps:
            fpr, tpr = np.append(fpr, 1.0), np.append(tpr, 1.0)
        twice += np.sum((fpr[1:] - fpr[:-1]) * (tpr[1:] + tpr[:-1]))
    return min(float(twice / 2), 1.0)  # sums round


def partial_auc(
    points: OperatingPoints, low: float, high: float, *, standardised: bool = False
) -> float:
    """Return the area under the ROC curve between two false positive rates.

    Parameters
    ----------
    points : OperatingPoints
        Joined to (0, 0) and (1, 1) as in `auc`.
    low, high : float
        FPR range, ``0 <= low < high <= 1``.
    standardised : bool
        Whether to map the area of the diagonal to 0.5 and the largest possible one to 1.

    Returns
    -------
    float
        In [0, high - low], or up to 1 when standardised; NaN for a sample of one class.

    Raises
    ------
    ValueError
        If the range is not one.

    References
    ----------
    McClish, Analyzing a portion of the ROC curve, 1989.

    Examples
    --------
    >>> from opchar.spaces.points import from_rates
    >>> round(partial_auc(from_rates([0.8], [0.2]), 0, 0.2), 6)
    0.08
    """
    if not 0 <= low < high <= 1:
        raise ValueError(f"rates must satisfy 0 <= low < high <= 1, got {low} and {high}")
    fpr, tpr = with_corners(points)
    rising = np.append(0.0, np.cumsum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2))
    area = _area_up_to(high, fpr, tpr, rising) - _area_up_to(low, fpr, tpr, rising)
    area = float(np.clip(area, 0, high - low))  # sums round
    if not standardised:
        return area
    least, most = (high**2 - low**2) / 2, high - low
    return (1 + (area - least) / (most - least)) / 2


def _area_up_to(end: float, fpr: np.ndarray, tpr: np.ndarray, rising: np.ndarray) -> float:
    """Return the area from 0 to `end`, with the segment that holds `end` cut."""
    last = int(np.searchsorted(fpr, end, side="right")) - 1
    if last == len(fpr) - 1:
        return float(rising[-1])
    width, step = end - fpr[last], fpr[last + 1] - fpr[last]
    height = tpr[last] + (tpr[last + 1] - tpr[last]) * width / step
    return float(rising[last] + width * (tpr[last] + height) / 2)


def binormal_roc(fpr: ArrayLike, mean: ArrayLike, deviation: ArrayLike) -> np.ndarray:
    """Return the TPR of normally distributed scores against standard normal negatives.

    Hanley, Medical Decision Making 8, 1988.
    """
    from scipy.special import ndtr, ndtri

    fpr, deviation = floats(fpr, "fpr"), floats(deviation, "deviation")
    if not ((fpr >= 0) & (fpr <= 1)).all():
        raise ValueError("false positive rates lie in [0, 1]")
    if not (deviation > 0).all():
        raise ValueError("the standard deviation of normal scores must be positive")
    with np.errstate(over="ignore"):
        return np.asarray(ndtr((np.asarray(mean) + ndtri(fpr)) / deviation))


def binormal_auc(mean: ArrayLike, deviation: ArrayLike) -> np.ndarray:
    """Return the area under `binormal_roc`, exactly."""
    from scipy.special import ndtr

    deviation = np.asarray(deviation, dtype=float)
    if not (deviation > 0).all():
        raise ValueError("the standard deviation of normal scores must be positive")
    return np.asarray(ndtr(mean / np.hypot(1, deviation)))


def resolve_ties(points: OperatingPoints, ties: Ties) -> OperatingPoints:
    """Return the ROC curve with a corner where tied objects of both classes are accepted.

    tharwat2018 (ROC segments of equally scored samples); Fawcett, Pattern Recognition Letters 27,
    2006.
    """
    if ties == "expected":
        return points
    slanted = np.flatnonzero((np.diff(points.fpr) > 0) & (np.diff(points.tpr) > 0))
    up_first = ties == "optimistic"
    corner_fpr = points.fpr[slanted + (0 if up_first else 1)]
    corner_tpr = points.tpr[slanted + (1 if up_first else 0)]
    return OperatingPoints(
        np.insert(points.fpr, slanted + 1, corner_fpr),
        np.insert(points.tpr, slanted + 1, corner_tpr),
        np.insert(points.thresholds, slanted + 1, np.nan),
        points.n_positive,
        points.n_negative,
    )


def neyman_pearson(points: OperatingPoints, max_fpr: float) -> int:
    """Return the index of the point with the largest TPR whose FPR is acceptable.

    Parameters
    ----------
    points : OperatingPoints
        Of the sample, see `operating_points`.
    max_fpr : float
        Largest acceptable FPR, in [0, 1].

    Returns
    -------
    int
        Among points of equal TPR the one of smallest FPR. An FPR that exceeds `max_fpr` by rounding
        alone is acceptable.

    Raises
    ------
    ValueError
        If no point is acceptable, or `max_fpr` is not between 0 and 1.

    References
    ----------
    soleymani2020, Sec. 3.4.1 (Neyman-Pearson criterion), which states no rule for ties.

    Examples
    --------
    >>> from opchar.spaces.points import from_rates
    >>> neyman_pearson(from_rates([0.5, 0.8, 0.8, 0.9], [0.1, 0.2, 0.25, 0.4]), max_fpr=0.3)
    1
    """
    acceptable = at_most(points.fpr, probabilities(max_fpr, "max_fpr"))
    if not acceptable.any():
        raise ValueError(f"no operating point has FPR <= {max_fpr}")
    return int(first_largest(np.where(acceptable, points.tpr, -1.0)))


def with_corners(points: OperatingPoints) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(fpr, tpr)`` of the points between the trivial (0, 0) and (1, 1).

    Shapes: `fpr` and `tpr` (n + 2,).
    """
    return np.concatenate([[0.0], points.fpr, [1.0]]), np.concatenate([[0.0], points.tpr, [1.0]])
