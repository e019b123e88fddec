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

    It is the prior less the expected cost, where a miss costs one: with the probability cost of
    prior and cost weight t, ``prior - ((1 - t) prior + t (1 - prior)) / (1 - t)`` times the
    normalised expected cost.

    Vickers and Elkin, Medical Decision Making 26, 2006.

    `threshold`: threshold probability t, in [0, 1): at which an object is as well accepted as not,
    so that a false alarm costs ``t / (1 - t)`` of what a true positive is worth. Returned: ``prior
    * tpr - (1 - prior) * fpr * t / (1 - t)``, at most the prior; 0 for accepting none.
    """
    prior, pc, scale = _cost_scales(prior, threshold)
    return prior - scale * expected_cost(tpr, fpr, pc)


def believed_net_benefit(
    points: OperatingPoints, threshold: ArrayLike, prior: float | None = None
) -> np.ndarray:
    """Return the net benefit of accepting each object whose score is the threshold probability."""
    scores = points.thresholds[1:]
    if not ((scores >= 0) & (scores <= 1)).all():
        raise ValueError("a decision curve needs probabilities in [0, 1]; calibrate the scores")
    tpr, fpr = rates_at(points, threshold)
    return net_benefit(tpr, fpr, points.prior if prior is None else prior, threshold)


def best_net_benefit(
    points: OperatingPoints, threshold: ArrayLike, prior: float | None = None
) -> np.ndarray:
    """Return the largest net benefit that a threshold on the scores reaches."""
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
