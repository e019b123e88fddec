"""Costs that differ between objects: the threshold of each, and what decisions cost."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from opchar.arguments import floats, label_vector
from opchar.retired import accept_old_arguments
from opchar.spaces.points import checked_weights
from opchar.spaces.preferences import bayes_threshold, excess_costs
from opchar.spaces.scored.sample import points_of, positive_label
from opchar.ties import EQUAL

Floats = NDArray[np.float64]


class ObjectCost(NamedTuple):
    """What decisions cost, in the units of the costs and for each object on average."""

    cost: float
    low: float
    high: float
    accept_all: float
    accept_none: float

    @property
    def savings(self) -> float:
        """Share of the better trivial decision's cost that is saved, at most 1."""
        return 1 - self.cost / min(self.accept_all, self.accept_none)


class CostThreshold(NamedTuple):
    """The one threshold that costs least on a sample."""

    threshold: float
    cost: float


def object_thresholds(
    cost_fn: ArrayLike, cost_fp: ArrayLike, *, cost_tp: ArrayLike = 0.0, cost_tn: ArrayLike = 0.0
) -> Any:
    """Return `opchar.bayes_threshold` of costs by position: the old name and form.

    Parameters
    ----------
    cost_fn, cost_fp, cost_tp, cost_tn : array_like, shape (n,)
        See `opchar.bayes_threshold`.

    Returns
    -------
    float or numpy.ndarray, shape (n,)
        The threshold on the probability of each object.
    """
    return bayes_threshold(cost_fn=cost_fn, cost_fp=cost_fp, cost_tp=cost_tp, cost_tn=cost_tn)


@accept_old_arguments(level="confidence")
def object_cost(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    cost_fn: ArrayLike,
    cost_fp: ArrayLike,
    cost_tp: ArrayLike = 0.0,
    cost_tn: ArrayLike = 0.0,
    threshold: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    confidence: float = 0.95,
) -> ObjectCost:
    """Return what decisions cost where each object has costs of its own.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `opchar.spaces.scored.points_of`.
    cost_fn, cost_fp, cost_tp, cost_tn
        See `opchar.bayes_threshold`.
    threshold : array_like of float, shape (n,) or scalar, optional
        Objects that score at least so much are accepted; `opchar.bayes_threshold` when not given,
        for scores that are probabilities.
    confidence : float
        Coverage of the interval, in (0, 1).

    Returns
    -------
    ObjectCost
        Mean cost of an object with its interval, and those of both trivial decisions.

    Raises
    ------
    ValueError
        As `points_of` and `opchar.bayes_threshold`; without a threshold, for scores outside [0, 1];
        for a confidence out of range.

    Examples
    --------
    >>> found = object_cost([1, 0, 1], [0.2, 0.1, 0.4], cost_fn=[90, 40, 3], cost_fp=10)
    >>> found.cost, round(found.accept_all, 4), found.accept_none
    (1.0, 3.3333, 31.0)
    """
    positive, score, weight = _sample(y_true, y_score, pos_label, sample_weight)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie in (0, 1), got {confidence}")
    excess_costs(cost_fn, cost_fp, cost_tp, cost_tn)
    if threshold is None:
        if not ((score >= 0) & (score <= 1)).all():
            raise ValueError("thresholds by costs need probabilities in [0, 1]; give a threshold")
        at = bayes_threshold(cost_fn=cost_fn, cost_fp=cost_fp, cost_tp=cost_tp, cost_tn=cost_tn)
    else:
        at = floats(threshold, "threshold")
    accepted = np.where(positive, cost_tp, cost_fp)
    rejected = np.where(positive, cost_fn, cost_tn)
    cost_of_object = np.where(score >= np.asarray(at), accepted, rejected)
    share = weight / weight.sum()
    mean = float(share @ cost_of_object)
    number = 1 / float(share @ share)
    spread = float(np.sqrt(share @ (cost_of_object - mean) ** 2 / max(number - 1, 1e-300)))
    reach = float(stdtrit(max(number - 1, 1e-9), (1 + confidence) / 2)) * spread if spread else 0.0
    return ObjectCost(
        mean, mean - reach, mean + reach, float(share @ accepted), float(share @ rejected)
    )


def object_cost_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    cost_fn: ArrayLike,
    cost_fp: ArrayLike,
    cost_tp: ArrayLike = 0.0,
    cost_tn: ArrayLike = 0.0,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> CostThreshold:
    """Return the one threshold on any scores that costs least, each object with its own costs.

    Of thresholds that cost the same, the one that accepts most is taken.

    Parameters
    ----------
    y_true, y_score, cost_fn, cost_fp, cost_tp, cost_tn, pos_label, sample_weight
        See `object_cost`.

    Returns
    -------
    CostThreshold
        The threshold and its cost.
    """
    positive, score, weight = _sample(y_true, y_score, pos_label, sample_weight)
    false_alarm, miss = excess_costs(cost_fn, cost_fp, cost_tp, cost_tn)
    at_stake = weight * np.where(positive, miss, false_alarm)
    distinct, rank = np.unique(score, return_inverse=True)
    missed, alarms = (
        np.append(0.0, np.bincount(rank, at_stake * of_class, len(distinct)))
        for of_class in (positive, ~positive)
    )
    # By the number of distinct scores that are not accepted; sums only, whatever their range.
    costs = np.cumsum(missed) + np.cumsum(np.append(alarms[1:], 0.0)[::-1])[::-1]
    least_at_stake = costs.min()  # below zero where misses cost less than hits
    equal = least_at_stake * (1 + EQUAL if least_at_stake > 0 else 1 - EQUAL)
    first = int(np.argmax(costs <= equal))
    right = weight @ np.where(positive, cost_tp, cost_tn)
    least = float((costs[first] + right) / weight.sum())
    return CostThreshold(float(np.append(distinct, np.inf)[first]), least)


def _sample(
    y_true: ArrayLike, y_score: ArrayLike, pos_label: Any, sample_weight: ArrayLike | None
) -> tuple[NDArray[np.bool_], Floats, Floats]:
    points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    labels, score = label_vector(y_true), floats(y_score, "y_score")
    weight = np.ones(len(score))
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(score)).astype(float)
    return labels == positive_label(labels, pos_label), score, weight
