"""Indices that weigh errors by cost, or performance by its sensitivity to the prior."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import cost_weight, counts, floats, probabilities
from opchar.metrics.counts import Array, as_matrices, class_rates, ratio
from opchar.metrics.indices.rates import fnr, fpr, tpr
from opchar.spaces.cost import condition_of
from opchar.spaces.cost import expected_cost as cost_of_rates


def expected_cost(
    tp: ArrayLike,
    fn: ArrayLike,
    fp: ArrayLike,
    tn: ArrayLike,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
    prior: ArrayLike | None = None,
) -> Array:
    """Return EC = FNR P(+) C_FN + FPR P(-) C_FP (soleymani2020, Eq. 1).

    Parameters
    ----------
    tp, fn, fp, tn : array_like
        Counts.
    cost_fn, cost_fp : float
        Cost of a missed positive and of a false alarm, finite and not negative.
    prior : array_like, optional
        P(+) in [0, 1]; that of the counts when not given.

    Returns
    -------
    numpy.ndarray
        In [0, max(cost_fn, cost_fp)]; the error rate with unit costs and the sample's prior.

    Raises
    ------
    ValueError
        When a cost is negative or not finite, both are zero, or a prior is outside [0, 1].
    """
    positive = _prior(tp, fn, fp, tn, prior)
    _check_costs(cost_fn, cost_fp)
    missed, alarmed = fnr(tp, fn, fp, tn), fpr(tp, fn, fp, tn)
    return missed * positive * cost_fn + alarmed * (1 - positive) * cost_fp


def normalised_expected_cost(
    tp: ArrayLike,
    fn: ArrayLike,
    fp: ArrayLike,
    tn: ArrayLike,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
    prior: ArrayLike | None = None,
) -> Array:
    """Return NEC = (1 - TPR - FPR) PC(+) + FPR (soleymani2020, Eqs. 6 and 7).

    Parameters
    ----------
    tp, fn, fp, tn : array_like
        Counts.
    cost_fn, cost_fp : float
        Costs, not negative and not both zero; one of them may be infinite.
    prior : array_like, optional
        P(+) in [0, 1]; that of the counts when not given.

    Returns
    -------
    numpy.ndarray
        In [0, 1].

    Raises
    ------
    ValueError
        When a cost is negative, both are zero, or a prior is outside [0, 1].
    """
    positive = _prior(tp, fn, fp, tn, prior)
    pc = condition_of(positive, cost_fn, cost_fp)
    return cost_of_rates(tpr(tp, fn, fp, tn), fpr(tp, fn, fp, tn), pc)


def expected_loss(
    matrices: ArrayLike, costs: ArrayLike | None = None, priors: ArrayLike | None = None
) -> Array:
    """Return the system loss L of a multi-class classifier (landgrebe2007, Eq. 4.6).

    Parameters
    ----------
    matrices : array_like, shape (..., C, C)
        Confusion matrices, rows are true classes; turned into rates row by row.
    costs : array_like, shape (C, C), optional
        Cost of calling class i class j; the diagonal holds *profits*, which are subtracted. One
        for every error and no profits when not given.
    priors : array_like, shape (C,), optional
        Class priors; those of the counts when not given.

    Returns
    -------
    numpy.ndarray, shape (...)
        The loss.

    Raises
    ------
    ValueError
        If the costs are not C x C, or one is NaN.
    """
    stack = as_matrices(matrices)
    signed = _signed_costs(costs, stack.shape[-1])
    loss_of_class = np.einsum("...ij,ij->...i", class_rates(stack), signed)
    return np.einsum("...i,...i->...", _priors(stack, priors), loss_of_class)


def mean_subjective_utility(
    matrices: ArrayLike, costs: ArrayLike | None = None, priors: ArrayLike | None = None
) -> Array:
    """Return the loss rescaled so that no error is 1 and chance 0 (landgrebe2007, Eqs. 4.18-4.19).

    Chance is a classifier that spreads each class evenly over all labels. The sum of Eq. 4.18 as
    printed leaves out the diagonal, which would give a classifier without errors 0, not the 1
    that Eq. 4.19 asks for; it is taken over all cells here.

    Parameters
    ----------
    matrices, priors
        As of `expected_loss`.
    costs : array_like, shape (C, C), optional
        As of `expected_loss`, with the zero diagonal that the thesis works with.

    Returns
    -------
    numpy.ndarray, shape (...)
        At most 1; negative below chance.

    Raises
    ------
    ValueError
        When the diagonal of `costs` is not zero.
    """
    stack = as_matrices(matrices)
    classes = stack.shape[-1]
    signed = _signed_costs(costs, classes)
    if np.diag(signed).any():
        raise ValueError("the mean subjective utility takes costs with a zero diagonal")
    chance = np.einsum("...i,i->...", _priors(stack, priors), signed.sum(axis=1)) / classes
    return 1 - ratio(expected_loss(stack, costs, priors), chance)


def prior_sensitivity(
    fnr_low: ArrayLike, fpr_low: ArrayLike, fnr_high: ArrayLike, fpr_high: ArrayLike
) -> Array:
    """Return Sens, how far the operating point drifts over a prior range (landgrebe2007, Eq. 2.3).

    Parameters
    ----------
    fnr_low, fpr_low : array_like
        Error rates at the lowest prior.
    fnr_high, fpr_high : array_like
        Error rates at the highest prior.

    Returns
    -------
    numpy.ndarray
        In [0, 1], 0 for a point that stays.
    """
    rates = [probabilities(rate, "rates") for rate in (fnr_low, fnr_high, fpr_high, fpr_low)]
    return np.hypot(rates[0] - rates[1], rates[2] - rates[3]) / np.sqrt(2)


def acc_sens(
    auc: ArrayLike, sens: ArrayLike, weight_error: float = 1.0, weight_sens: float = 1.0
) -> Array:
    """Return AccSens, integrated error and prior sensitivity in one (landgrebe2007, Eq. 2.4).

    Parameters
    ----------
    auc : array_like
        Integrated accuracy over the prior range, in [0, 1].
    sens : array_like
        Prior sensitivity, in [0, 1].
    weight_error, weight_sens : float
        The weights w_e and w_s.

    Returns
    -------
    numpy.ndarray
        In [0, 1] with unit weights; low is good.

    Examples
    --------
    >>> float(acc_sens(0.942, 0.340).round(3))
    0.244
    """
    error = 1 - probabilities(auc, "auc")
    return np.sqrt(
        (weight_error * error**2 + weight_sens * np.square(probabilities(sens, "sens"))) / 2
    )


def _check_costs(cost_fn: float, cost_fp: float) -> None:
    cost_weight(cost_fn, cost_fp)
    if not np.isfinite([cost_fn, cost_fp]).all():
        raise ValueError("costs must be finite; the normalised expected cost has a limit")


def _prior(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, prior: ArrayLike | None
) -> Array:
    if prior is None:
        positives = counts(tp) + counts(fn)
        return ratio(positives, positives + (counts(fp) + counts(tn)))
    given = floats(prior, "prior")
    if not ((given >= 0) & (given <= 1)).all():
        raise ValueError("a prior lies in [0, 1]")
    return given


def _priors(stack: Array, priors: ArrayLike | None) -> Array:
    if priors is None:
        return ratio(np.einsum("...ij->...i", stack), np.einsum("...ij->...", stack)[..., None])
    given = floats(priors, "priors")
    if given.shape != stack.shape[-1:] or (given < 0).any() or not np.isclose(given.sum(), 1):
        raise ValueError(f"priors must be {stack.shape[-1]} numbers that sum to 1")
    return given


def _signed_costs(costs: ArrayLike | None, classes: int) -> Array:
    if costs is None:
        return 1.0 - np.eye(classes)
    given = floats(costs, "costs")
    if np.isnan(given).any():
        raise ValueError("a cost is NaN")
    if given.shape != (classes, classes):
        raise ValueError(f"costs must be {classes} x {classes}, not {given.shape}")
    return given - 2 * np.diag(np.diag(given))
