"""Detection error trade-off (DET) space and the equal error rate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from opchar.spaces.blocks import blocks
from opchar.spaces.integers import shares
from opchar.spaces.points import FROM_RATES, OperatingPoints
from opchar.spaces.roc import with_corners
from opchar.ties import EQUAL


class EqualError(NamedTuple):
    """Where both error rates are equal."""

    rate: float
    threshold: float


def normal_deviate(rate: ArrayLike) -> np.ndarray:
    """Return the standard normal deviate of error rates, the scale of DET axes.

    Parameters
    ----------
    rate : array_like of float
        In [0, 1].

    Returns
    -------
    ndarray of float
        Infinite at 0 and 1.

    References
    ----------
    tharwat2018 (DET curve).

    Examples
    --------
    >>> normal_deviate([0.5, 0.975]).round(2).tolist()
    [0.0, 1.96]
    """
    from scipy.special import ndtri

    return np.asarray(ndtri(np.asarray(rate, dtype=float)))


def missed_share(points: OperatingPoints) -> np.ndarray:
    """Return FNR; of whole weights the missed ones are counted, so that none is lost beside 1."""
    whole, others, tpr = points.n_positive, points.n_negative, points.tpr
    counted = points.counts is None and isinstance(whole, int) and isinstance(others, int)
    if counted and whole and others and max(whole, others) <= FROM_RATES:
        missed = np.empty(len(points))
        for part in blocks(len(points)):
            missed[part] = (whole - np.rint(tpr[part] * whole)) / whole
        return missed
    _, found, _, positives = points.coordinates
    return 1 - tpr if positives == 1 else shares(positives - found, np.array(positives))


def equal_error_rate(points: OperatingPoints) -> EqualError:
    """Return the equal error rate of the straight-line ROC curve, exactly.

    Parameters
    ----------
    points : OperatingPoints
        Joined to (0, 0) and (1, 1). Pass ``points.hull`` for the rate on the convex hull.

    Returns
    -------
    EqualError
        Both NaN for a sample of one class.

    References
    ----------
    tharwat2018 (FAR, FRR and EER).

    Examples
    --------
    >>> from opchar.spaces.points import from_rates
    >>> round(equal_error_rate(from_rates([0.7, 0.9], [0.1, 0.3])).rate, 6)
    0.2
    """
    fpr, tpr = with_corners(points)
    if np.isnan(fpr).any() or np.isnan(tpr).any():
        return EqualError(np.nan, np.nan)
    excess = fpr - (1 - tpr)
    right = max(int(np.searchsorted(excess, 0.0)), 1)
    share = -excess[right - 1] / (excess[right] - excess[right - 1])
    rate = fpr[right - 1] + share * (fpr[right] - fpr[right - 1])
    thresholds = np.concatenate([[np.inf], points.thresholds, [-np.inf]])
    reached = max(int(np.searchsorted(excess, -EQUAL)), 1)
    return EqualError(float(rate), float(thresholds[reached]))
