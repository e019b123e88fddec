"""Brier curves: the cost of probabilities that are believed, over the operating condition."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import probabilities
from opchar.spaces.cost import expected_cost
from opchar.spaces.points import OperatingPoints, checked_sample, checked_weights

OUTSIDE = "a Brier curve needs scores in [0, 1]; map them to probabilities first"


def rates_at(points: OperatingPoints, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(tpr, fpr)`` of accepting every score that reaches a threshold.

    Parameters
    ----------
    points : OperatingPoints
        From `operating_points`.
    threshold : array_like of float
        Score from which an object is accepted; infinite ones are allowed.

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


def sample_brier_score(
    is_positive: ArrayLike,
    score: ArrayLike,
    prior: float | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the Brier score of a scored sample, in one pass and without sorting it.

    Shapes: `is_positive` (n,); `score` (n,); `sample_weight` (n,).
    """
    is_positive, score = checked_sample(is_positive, score)
    weight = None
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(score)).astype(float)
        kept = weight > 0
        is_positive, score, weight = is_positive[kept], score[kept], weight[kept]
    if not (score.min() >= 0 and score.max() <= 1):
        raise ValueError(OUTSIDE)
    given = None if prior is None else float(probabilities(prior, "prior"))
    errors = score - is_positive
    errors *= errors
    sizes = np.array([np.count_nonzero(~is_positive), np.count_nonzero(is_positive)])
    if weight is not None:
        sizes = np.array([weight[~is_positive].sum(), weight[is_positive].sum()])
        errors *= weight
    if not sizes.all():
        return float("nan")
    if given is None:
        return min(float(errors.sum() / sizes.sum()), 1.0)  # sums of weights round
    negative, positive = errors[~is_positive].sum() / sizes[0], errors[is_positive].sum() / sizes[1]
    return min(float(given * positive + (1 - given) * negative), 1.0)


def _check_probabilities(points: OperatingPoints) -> None:
    probability = points.thresholds[1:]
    if not ((probability >= 0) & (probability <= 1)).all():
        raise ValueError(OUTSIDE)
