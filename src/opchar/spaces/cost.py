"""Cost space: normalised expected cost over probability cost, and its lower envelope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import cost_weight, floats, probabilities
from opchar.spaces.envelope import Envelope, inner_breakpoints
from opchar.spaces.integers import shares
from opchar.spaces.points import OperatingPoints


def expected_cost(tpr: ArrayLike, fpr: ArrayLike, pc: ArrayLike) -> np.ndarray:
    """Return the normalised expected cost of operating points.

    Parameters
    ----------
    tpr, fpr : array_like of float
        Rates in [0, 1]; all arguments broadcast.
    pc : array_like of float
        Probability cost PC(+), in [0, 1].

    Returns
    -------
    ndarray of float
        In [0, 1]: FPR at ``pc = 0``, ``1 - TPR`` at ``pc = 1``.

    Raises
    ------
    ValueError
        If `pc` is not between 0 and 1.

    References
    ----------
    soleymani2020, Eqs. 7 and 8.

    Examples
    --------
    >>> expected_cost(0.8, 0.15, [0, 0.5, 1]).round(4).tolist()
    [0.15, 0.175, 0.2]
    """
    tpr, fpr = floats(tpr, "tpr"), floats(fpr, "fpr")
    pc = probabilities(pc, "pc")
    return (1 - tpr) * pc + fpr * (1 - pc)


def probability_cost(prior: ArrayLike, m: ArrayLike) -> np.ndarray:
    """Return the probability cost PC(+) of a prior and a cost weight.

    Parameters
    ----------
    prior : array_like of float
        Prior of the positive class, P(+), in [0, 1]; broadcasts with `m`.
    m : array_like of float
        Cost weight ``C_FP / (C_FP + C_FN)``, in [0, 1].

    Returns
    -------
    ndarray of float
        In [0, 1]; 1 wherever ``m = 0`` and 0 wherever ``m = 1``; NaN where one of both is NaN.

    References
    ----------
    soleymani2020, Eqs. 6, 12 and 13.

    Examples
    --------
    >>> probability_cost(0.2, [0, 0.5, 0.8, 1]).round(4).tolist()
    [1.0, 0.2, 0.0588, 0.0]
    """
    weight = probabilities(m, "m")
    positive, negative = cost_parts(prior, 1 - weight, weight)
    return np.asarray(positive / (positive + negative))


def condition_of(prior: ArrayLike, cost_fn: float, cost_fp: float) -> np.ndarray:
    """Return the probability cost of priors and costs."""
    positive, negative = cost_parts(prior, *finite_costs(cost_fn, cost_fp))
    return np.asarray(positive / (positive + negative))


def finite_costs(cost_fn: float, cost_fp: float) -> tuple[float, float]:
    """Return costs in the ratio of two others, whose sum is finite; 0 and 1 in the limit."""
    m = cost_weight(cost_fn, cost_fp)
    if np.isinf([cost_fn, cost_fp]).any():
        return 1 - m, m
    scale = 0.25 if np.isinf(cost_fn + cost_fp) else 1.0
    return cost_fn * scale, cost_fp * scale


def cost_parts(
    prior: ArrayLike, miss: ArrayLike, alarm: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what misses and false alarms add to the cost of all wrong decisions.

    PC(+) is the first over the sum. Given both costs, none of which is one less the other, ratios
    keep their digits where one cost is small. Where both parts
    are zero, the costs alone set them.
    """
    prior, miss, alarm = probabilities(prior, "prior"), np.asarray(miss), np.asarray(alarm)
    positive, negative = np.broadcast_arrays(prior * miss, (1 - prior) * alarm)
    none = positive + negative <= 0
    return np.where(none, alarm == 0, positive), np.where(none, alarm != 0, negative)


def crossing_pc(
    tpr_i: ArrayLike, fpr_i: ArrayLike, tpr_j: ArrayLike, fpr_j: ArrayLike
) -> np.ndarray:
    """Return the probability cost at which the cost lines of two crisp classifiers cross.

    `tpr_i`, `fpr_i`, `tpr_j`, `fpr_j`: Rates of the two classifiers, in [0, 1]; all arguments
    broadcast.
    Returns: In (0, 1), or NaN where the lines do not cross inside.

    soleymani2020, Eq. 14.
    """
    tpr_i, fpr_i, tpr_j, fpr_j = (probabilities(v, "rates") for v in (tpr_i, fpr_i, tpr_j, fpr_j))
    at_zero, at_one = fpr_j - fpr_i, tpr_j - tpr_i
    crosses = at_zero * at_one > 0
    never = np.full(crosses.shape, np.nan)
    shared = np.broadcast_to(at_zero, crosses.shape)
    return np.divide(shared, at_zero + at_one, out=never, where=crosses)


def operating_range(tpr: ArrayLike, fpr: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return where crisp classifiers are cheaper than both trivial ones.

    `tpr`, `fpr`: Rates in [0, 1], which broadcast.
    `low`, `high`: The range of PC(+); NaN for classifiers no better than chance, which have none.

    soleymani2020, Sec. 2.3 (after Drummond and Holte).
    """
    tpr, fpr = probabilities(tpr, "tpr"), probabilities(fpr, "fpr")
    better = tpr > fpr
    low, high = np.full(better.shape, np.nan), np.full(better.shape, np.nan)
    np.divide(fpr, tpr + fpr, out=low, where=better)
    np.divide(1 - fpr, (1 - fpr) + (1 - tpr), out=high, where=better)
    return low, high


@dataclass(frozen=True)
class CostEnvelope(Envelope):
    """Lower envelope of the cost lines over the probability cost PC(+), see `Envelope`."""

    def __call__(self, pc: ArrayLike) -> np.ndarray:
        """Return the least normalised expected cost at given probability costs."""
        tpr, fpr = self.rates(pc)
        return expected_cost(tpr, fpr, pc)


def lower_envelope(points: OperatingPoints) -> CostEnvelope:
    """Return the lower envelope of the cost lines of operating points, with exact breakpoints.

    Parameters
    ----------
    points : OperatingPoints
        Of the sample, see `operating_points`.

    Returns
    -------
    CostEnvelope
        One line a vertex of the ROC hull.

    Raises
    ------
    ValueError
        If the sample has one class.

    References
    ----------
    soleymani2020, Sec. 2.3 (cost curves).

    Examples
    --------
    >>> from opchar.spaces.points import from_rates
    >>> envelope = lower_envelope(from_rates([0, 0.8, 1], [0, 0.2, 1]))
    >>> envelope.breakpoints.round(4).tolist()
    [0.0, 0.2, 0.8, 1.0]
    """
    hull = points.hull
    x, y, negatives, positives = hull.coordinates
    fpr_grows = np.diff(x) * positives
    tpr_grows = np.diff(y) * negatives
    total = fpr_grows + tpr_grows
    inside = (tpr_grows > 0) & (total > 0)
    crossings = np.ones(len(total))
    crossings[inside] = shares(fpr_grows[inside], total[inside])
    return CostEnvelope(*inner_breakpoints(crossings, hull))
