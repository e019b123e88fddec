"""Brier curves: the cost of probabilities that are believed, over the operating condition."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import probabilities
from opchar.spaces.cost import expected_cost
from opchar.spaces.points import OperatingPoints


def rates_at(points: OperatingPoints, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(tpr, fpr)`` of accepting every score that reaches a threshold.

    Parameters
    ----------
    points : OperatingPoints
        From `operating_points`.
    threshold : array_like of float

    Returns
    -------
    tpr, fpr : ndarray of float
        In the shape of `threshold`.

    Raises
    ------
    ValueError
        If a threshold is NaN, which no score reaches or misses.
    """
    wanted = np.asarray(threshold, dtype=float)
    if np.isnan(wanted).any():
        raise ValueError("a threshold is NaN")
    ascending = points.thresholds[:0:-1]
    reached = len(ascending) - np.searchsorted(ascending, wanted)
    return points.tpr[reached], points.fpr[reached]


def brier_curve(points: OperatingPoints, pc: ArrayLike) -> np.ndarray:
    """Return the expected cost when scores are taken for probabilities.

    At probability cost PC(+) the positive class is chosen for probabilities of at least
    ``1 - PC(+)``, whatever would have been best; the lower envelope of the cost lines shows that.

    Parameters
    ----------
    points : OperatingPoints
        Of scores in [0, 1], probabilities of the positive class in a balanced sample.
    pc : array_like of float
        Probability cost PC(+), in [0, 1].

    Returns
    -------
    ndarray of float
        Normalised expected cost.

    Raises
    ------
    ValueError
        If a score or `pc` is outside [0, 1].

    References
    ----------
    soleymani2020, Sec. 2.3 (Brier curves, after Ferri, Hernandez-Orallo and Flach 2011, over skew).
    """
    _check_probabilities(points)
    pc = probabilities(pc, "pc")
    tpr, fpr = rates_at(points, 1 - pc)
    return expected_cost(tpr, fpr, pc)


def brier_score(points: OperatingPoints, prior: float) -> float:
    """Return the Brier score of a sample reweighted to a prior, by class and in closed form.

    Parameters
    ----------
    points : OperatingPoints
        Of scores in [0, 1].
    prior : float
        Prior of the positive class.

    Returns
    -------
    float
        Mean squared error of the probabilities. With ``prior = 0.5`` it is the area under
        `brier_curve`.

    Raises
    ------
    ValueError
        If a score or the prior is outside [0, 1].
    """
    _check_probabilities(points)
    prior = float(probabilities(prior, "prior"))
    probability = points.thresholds[1:]
    positive = np.diff(points.tpr) @ (1 - probability) ** 2
    negative = np.diff(points.fpr) @ probability**2
    return float(prior * positive + (1 - prior) * negative)


def _check_probabilities(points: OperatingPoints) -> None:
    probability = points.thresholds[1:]
    if not ((probability >= 0) & (probability <= 1)).all():
        raise ValueError("a Brier curve needs scores in [0, 1]; map them to probabilities first")
