"""Decision curves: net benefit over the threshold probability, from the cost lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import probabilities
from opchar.spaces.brier import rates_at
from opchar.spaces.cost import expected_cost, lower_envelope, probability_cost
from opchar.spaces.points import OperatingPoints


def net_benefit(
    tpr: ArrayLike, fpr: ArrayLike, prior: ArrayLike, threshold: ArrayLike
) -> np.ndarray:
    """Return the net benefit of operating points, in true positives an object.

    Parameters
    ----------
    tpr, fpr : array_like of float
        Rates in [0, 1]; all arguments broadcast.
    prior : array_like of float
        P(+), in [0, 1].
    threshold : array_like of float
        Threshold probability t, in [0, 1): at which an object is as well accepted as not, so that a
        false alarm costs ``t / (1 - t)`` of what a true positive is worth.

    Returns
    -------
    ndarray of float
        ``prior * tpr - (1 - prior) * fpr * t / (1 - t)``, at most the prior; 0 for accepting none.

    Raises
    ------
    ValueError
        If a prior or a threshold is out of range.

    Notes
    -----
    It is the prior less the expected cost, where a miss costs one: with the probability cost of
    prior and cost weight t, ``prior - ((1 - t) prior + t (1 - prior)) / (1 - t)`` times the
    normalised expected cost.

    References
    ----------
    Vickers and Elkin, Medical Decision Making 26, 2006.

    Examples
    --------
    >>> net_benefit(0.8, 0.1, 0.2, [0.1, 0.5]).round(4).tolist()
    [0.1511, 0.08]
    """
    prior, pc, scale = _cost_scales(prior, threshold)
    return prior - scale * expected_cost(tpr, fpr, pc)


def believed_net_benefit(
    points: OperatingPoints, threshold: ArrayLike, prior: float | None = None
) -> np.ndarray:
    """Return the net benefit of accepting each object whose score is the threshold probability.

    Parameters
    ----------
    points : OperatingPoints
        Of probabilities of the positive class.
    threshold : array_like of float
        Threshold probabilities, in [0, 1).
    prior : float, optional
        P(+), in [0, 1]; that of the sample when not given.

    Returns
    -------
    ndarray of float
        In the shape of `threshold`: the decision curve as it is usually drawn.

    Raises
    ------
    ValueError
        As `net_benefit`, or for scores outside [0, 1].
    """
    scores = points.thresholds[1:]
    if not ((scores >= 0) & (scores <= 1)).all():
        raise ValueError("a decision curve needs probabilities in [0, 1]; calibrate the scores")
    tpr, fpr = rates_at(points, threshold)
    return net_benefit(tpr, fpr, points.prior if prior is None else prior, threshold)


def best_net_benefit(
    points: OperatingPoints, threshold: ArrayLike, prior: float | None = None
) -> np.ndarray:
    """Return the largest net benefit that a threshold on the scores reaches.

    Parameters
    ----------
    points : OperatingPoints
        Of any scores.
    threshold, prior
        As for `believed_net_benefit`.

    Returns
    -------
    ndarray of float
        In the shape of `threshold`, never below 0 and accepting all; by the lower envelope of the
        cost lines. How far the believed one lies below is what calibration would gain.

    Raises
    ------
    ValueError
        As `net_benefit`.
    """
    share, pc, scale = _cost_scales(points.prior if prior is None else prior, threshold)
    return share - scale * lower_envelope(points)(pc)


def _cost_scales(
    prior: ArrayLike, threshold: ArrayLike
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the prior, the probability cost, and the scale of the expected cost."""
    prior, t = probabilities(prior, "prior"), probabilities(threshold, "threshold")
    if not (t < 1).all():
        raise ValueError("a threshold probability is below 1, where no false alarm is acceptable")
    scale = prior + (1 - prior) * t / (1 - t)
    return prior, probability_cost(prior, t), scale
