"""Costs, priors and preferences: one parametrisation, and what others follow from it.

A false alarm costs ``cost_fp``, a missed positive ``cost_fn``, and ``prior`` is P(+) in use. The
other forms in use say the same in one number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from opchar.arguments import cost_weight, floats, probabilities
from opchar.retired import accept_old_arguments
from opchar.spaces.cost import cost_parts, finite_costs
from opchar.spaces.scored.sample import by_condition, check_same_index, is_pandas


class Preference(NamedTuple):
    """What a prior and two costs are in other parametrisations.

    `m`: cost weight ``C_FP / (C_FP + C_FN)``, in [0, 1] (soleymani2020, Eq. 12). `pc`: probability
    cost PC(+), in [0, 1] (soleymani2020, Eq. 6). `skew`: ``(1 - prior) C_FP / (prior C_FN)``: the
    slope of lines of equal cost in ROC space (landgrebe2007, Sec. 2.2.4); infinite where misses do
    not count. `alpha`: weight of precision in ``F = TP / (TP + alpha FP + (1 - alpha) FN)`` with
    which a false alarm and a miss count in the ratio of their costs: equal to `m`. `beta`: of
    F-beta: ``sqrt((1 - alpha) / alpha)``.
    """

    m: float
    pc: float
    skew: float
    alpha: float
    beta: float
    bayes_threshold: float


@accept_old_arguments("cost_fp", "cost_fn")
def preference(prior: float, *, cost_fn: float = 1.0, cost_fp: float = 1.0) -> Preference:
    """Return a prior and two costs in the other parametrisations.

    Parameters
    ----------
    prior : float
        P(+) in use, in [0, 1].
    cost_fn, cost_fp : float
        Cost of a missed positive and of a false alarm, not negative and not both zero.

    Returns
    -------
    Preference
        The same condition in each form; `skew` and `beta` may be infinite.

    Raises
    ------
    ValueError
        If prior or costs are out of range.

    Examples
    --------
    >>> found = preference(0.02, cost_fn=5)
    >>> round(found.m, 4), round(found.pc, 4), round(found.skew, 4)
    (0.1667, 0.0926, 9.8)
    """
    at = float(probabilities(prior, "prior"))
    m, (miss, alarm) = cost_weight(cost_fn, cost_fp), finite_costs(cost_fn, cost_fp)
    positive, negative = cost_parts(at, miss, alarm)
    with np.errstate(divide="ignore", over="ignore"):
        skew = float(np.divide(negative, positive))
        beta = float(np.sqrt(np.divide(miss, alarm)))
    return Preference(m, float(positive / (positive + negative)), skew, m, beta, m)


@accept_old_arguments("cost_fp", "cost_fn")
def bayes_threshold(
    prior: float | None = None,
    *,
    cost_fn: ArrayLike = 1.0,
    cost_fp: ArrayLike = 1.0,
    cost_tp: ArrayLike = 0.0,
    cost_tn: ArrayLike = 0.0,
    training_prior: float | None = None,
) -> Any:
    """Return the probability of the positive class from which accepting costs less.

    Parameters
    ----------
    prior : float, optional
        P(+) in use, in [0, 1]; it counts where `training_prior` is given.
    cost_fn, cost_fp : array_like of float, shape (n,) or scalar
        Cost of a missed positive and of a false alarm, of all objects or of each.
    cost_tp, cost_tn : array_like of float, shape (n,) or scalar
        Costs of right decisions, such as that of looking at an accepted object; at most those of
        the wrong ones. Of some objects a miss may cost less than that look: their threshold is 1.
    training_prior : float, optional
        P(+) under which the probabilities were made, in (0, 1), when it is not that in use.

    Returns
    -------
    float, ndarray or pandas.Series
        In [0, 1]: ``(c_FP - c_TN) / (c_FP - c_TN + c_FN - c_TP)`` under the prior in use. One
        infinite cost gives the limit.

    Raises
    ------
    ValueError
        If an argument is out of range, `prior` is missing beside `training_prior`, or a wrong
        decision costs less than the right one, or both cost the same for both classes.

    References
    ----------
    Elkan, The foundations of cost-sensitive learning (2001), Eq. 2 and Theorem 2.

    Examples
    --------
    >>> round(bayes_threshold(cost_fn=5), 4), bayes_threshold(cost_fn=[100, 10], cost_fp=5).round(2)
    (0.1667, array([0.05, 0.33]))
    >>> round(bayes_threshold(0.02, cost_fn=5, training_prior=0.5), 4)
    0.9074
    """
    given = cost_fn, cost_fp, cost_tp, cost_tn
    check_same_index(*given)
    at = np.nan if prior is None else float(probabilities(prior, "prior"))
    if prior is not None and np.isnan(at):
        return at
    if all(np.ndim(each) == 0 for each in given) and not (np.any(cost_tp) or np.any(cost_tn)):
        costs = float(cost_fn), float(cost_fp)  # type: ignore[arg-type]
        found: Any = np.float64(cost_weight(*costs))
        missed: Any
        alarms: Any
        missed, alarms = finite_costs(*costs)
    else:
        alarms, missed = excess_costs(*given)
        missed = np.maximum(missed, 0.0)  # less than a hit: from a probability of 1
        # Halves of the largest numbers have a sum.
        part = np.where(np.maximum(alarms, missed) > 1e300, 0.5, 1.0)
        found = np.asarray(alarms * part / (alarms * part + missed * part))
    if training_prior is not None:
        if prior is None:
            raise ValueError("training_prior needs the prior in use: give prior")
        trained = float(probabilities(training_prior, "training_prior"))
        with np.errstate(divide="ignore"):
            positive, negative = map(np.log, cost_parts(at, missed, alarms))
        found = expit(logit(trained) - positive + negative)
    return by_condition(
        np.asarray(found), next((each for each in given if is_pandas(each)), found), "threshold"
    )


def excess_costs(
    cost_fn: ArrayLike, cost_fp: ArrayLike, cost_tp: ArrayLike, cost_tn: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what a false alarm and a miss cost beyond the right decision.

    Of some objects a miss may cost less than a hit: accepting these never pays.
    """
    fn, fp, tp, tn = np.broadcast_arrays(
        *(floats(each, "costs") for each in (cost_fn, cost_fp, cost_tp, cost_tn))
    )
    false_alarm, miss = fp - tn, fn - tp
    known = np.isfinite(false_alarm) & np.isfinite(miss)
    never = (false_alarm > 0) & (miss > 0).any()
    right = (false_alarm >= 0) & (never | (miss >= 0)) & ((false_alarm > 0) | (miss > 0))
    if not (known & right).all():
        raise ValueError("a wrong decision must cost at least the right one, and one of both more")
    return false_alarm, miss


def costs_from_skew(skew: float, prior: float) -> tuple[float, float]:
    """Return costs that sum to one, of a skew and a prior.

    `skew`: ``(1 - prior) C_FP / (prior C_FN)``, positive.
    """
    if not skew > 0:
        raise ValueError(f"skew must be positive, got {skew:g}")
    return costs_from_pc(1 / (1 + skew), prior)


def costs_from_pc(pc: float, prior: float) -> tuple[float, float]:
    """Return costs of a false alarm and of a miss that sum to one, of a PC(+) and a prior.

    Examples
    --------
    >>> [round(cost, 4) for cost in costs_from_pc(0.5, 0.02)]
    [0.02, 0.98]
    """
    weight, at = float(probabilities(pc, "pc")), float(probabilities(prior, "prior"))
    if not 0 < at < 1:
        raise ValueError(f"prior must lie between 0 and 1, both excluded, got {at:g}")
    false_alarm, miss = (1 - weight) * at, weight * (1 - at)
    return false_alarm / (false_alarm + miss), miss / (false_alarm + miss)
