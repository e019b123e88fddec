"""Costs, priors and preferences: one parametrisation, and what others follow from it.

A false alarm costs ``cost_fp``, a missed positive ``cost_fn``, and ``prior`` is P(+) in use. The
other forms in use say the same in one number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit

from opchar.arguments import cost_weight, probabilities
from opchar.spaces.cost import probability_cost


class Preference(NamedTuple):
    """What a prior and two costs are in other parametrisations.

    Attributes
    ----------
    m : float
        Cost weight ``C_FP / (C_FP + C_FN)``, in [0, 1] (soleymani2020, Eq. 12).
    pc : float
        Probability cost PC(+), in [0, 1] (soleymani2020, Eq. 6).
    skew : float
        ``(1 - prior) C_FP / (prior C_FN)``: the slope of lines of equal cost in ROC space
        (landgrebe2007, Sec. 2.2.4); infinite where misses do not count.
    alpha : float
        Weight of precision in ``F = TP / (TP + alpha FP + (1 - alpha) FN)`` with which a false
        alarm and a miss count in the ratio of their costs: equal to `m`. F has no fixed price of an
        error, so its best threshold is another one than that of the cost.
    beta : float
        Of F-beta: ``sqrt((1 - alpha) / alpha)``.
    bayes_threshold : float
        Probability of the positive class under `prior` from which accepting costs less; equal to
        `m`.
    """

    m: float
    pc: float
    skew: float
    alpha: float
    beta: float
    bayes_threshold: float


def preference(prior: float, cost_fp: float = 1.0, cost_fn: float = 1.0) -> Preference:
    """Return a prior and two costs in the other parametrisations.

    Parameters
    ----------
    prior : float
        P(+) in use, in [0, 1].
    cost_fp, cost_fn : float
        Cost of a false alarm and of a missed positive, not negative and not both zero.

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
    >>> found = preference(0.02, cost_fp=1, cost_fn=5)
    >>> round(found.m, 4), round(found.pc, 4), round(found.skew, 4)
    (0.1667, 0.0926, 9.8)
    """
    at = float(probabilities(prior, "prior"))
    m = cost_weight(cost_fn, cost_fp)
    pc = float(probability_cost(at, m))
    skew = (1 - pc) / pc if pc else np.inf
    beta = float(np.sqrt((1 - m) / m)) if m else np.inf
    return Preference(m, pc, skew, m, beta, m)


def bayes_threshold(
    prior: float, cost_fp: float = 1.0, cost_fn: float = 1.0, *, training_prior: float | None = None
) -> float:
    """Return the probability of the positive class from which accepting costs less.

    Parameters
    ----------
    prior : float
        P(+) in use, in [0, 1].
    cost_fp, cost_fn : float
        Cost of a false alarm and of a missed positive, not negative and not both zero.
    training_prior : float, optional
        P(+) under which the probabilities were made, in (0, 1), when it is not that in use.

    Returns
    -------
    float
        In [0, 1]. Without `training_prior`, ``cost_fp / (cost_fp + cost_fn)`` whatever the prior.

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    Elkan, The foundations of cost-sensitive learning (2001), Eq. 2 and Theorem 2.

    Examples
    --------
    >>> round(bayes_threshold(0.02, 1, 5), 4)
    0.1667
    >>> round(bayes_threshold(0.02, 1, 5, training_prior=0.5), 4)
    0.9074
    """
    at = float(probabilities(prior, "prior"))
    if np.isnan(at):
        return at
    if training_prior is None:
        return cost_weight(cost_fn, cost_fp)
    trained = float(probabilities(training_prior, "training_prior"))
    pc = float(probability_cost(at, cost_weight(cost_fn, cost_fp)))
    return float(expit(logit(trained) - logit(pc)))


def costs_from_skew(skew: float, prior: float) -> tuple[float, float]:
    """Return costs that sum to one, of a skew and a prior.

    Parameters
    ----------
    skew : float
        ``(1 - prior) C_FP / (prior C_FN)``, positive.
    prior : float
        P(+) in use, in (0, 1).

    Returns
    -------
    cost_fp, cost_fn : float
        Costs of a false alarm and of a missed positive, in [0, 1].

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> [round(cost, 4) for cost in costs_from_skew(9.8, 0.02)]
    [0.1667, 0.8333]
    """
    if not skew > 0:
        raise ValueError(f"skew must be positive, got {skew:g}")
    return costs_from_pc(1 / (1 + skew), prior)


def costs_from_pc(pc: float, prior: float) -> tuple[float, float]:
    """Return costs that sum to one, of a probability cost and a prior.

    Parameters
    ----------
    pc : float
        PC(+), in [0, 1].
    prior : float
        P(+) in use, in (0, 1).

    Returns
    -------
    cost_fp, cost_fn : float
        Costs of a false alarm and of a missed positive, in [0, 1].

    Raises
    ------
    ValueError
        If an argument is out of range.

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
