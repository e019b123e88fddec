"""Where on its ROC curve a classifier operates when the prior changes, and how far that is.

A work that speaks of the operating point "for a prior" may mean several points. Each function here
is one rule: it takes operating points and priors and returns ``(tpr, fpr)`` of one point a
prior.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from opchar.arguments import probabilities
from opchar.metrics.indices.costs import acc_sens, prior_sensitivity
from opchar.spaces.brier import rates_at
from opchar.spaces.det import equal_error_rate
from opchar.spaces.points import OperatingPoints, from_rates
from opchar.spaces.roc import partial_auc
from opchar.ties import first_least

Rates = tuple[np.ndarray, np.ndarray]
OperatingRule = Callable[[OperatingPoints, np.ndarray], Rates]


def _check_priors(priors: np.ndarray) -> np.ndarray:
    """Return priors, none of which is NaN: no point would be nearest or best."""
    found = probabilities(priors, "priors")
    if np.isnan(found).any():
        raise ValueError("priors must not be NaN")
    return np.atleast_1d(found)


def least_error_points(points: OperatingPoints, priors: np.ndarray) -> Rates:
    """Return the points with the least expected error for each prior, at equal costs.

    Shapes: `priors` (k,); `tpr` and `fpr` (k,).
    """
    hull, priors = points.hull, _check_priors(priors)
    errors = priors[:, None] * (1 - hull.tpr) + (1 - priors[:, None]) * hull.fpr
    best = first_least(errors, axis=1)
    return hull.tpr[best], hull.fpr[best]


def equal_error_points(points: OperatingPoints, priors: np.ndarray) -> Rates:
    """Return the points at which both errors, weighted with their priors, are nearest to equal.

    For equal priors that is the point of equal errors; for others the errors are equal once they
    include the priors, as in Eq. 2.1.

    landgrebe2007, Eq. 2.1 and Sec. 2.2.2 (equal error optimisation).

    Shapes: `priors` (k,); `tpr` and `fpr` (k,).
    """
    priors = _check_priors(priors)
    excess = priors[:, None] * (1 - points.tpr) - (1 - priors[:, None]) * points.fpr
    nearest = first_least(np.abs(excess), axis=1)
    return points.tpr[nearest], points.fpr[nearest]


def reweighted_points(points: OperatingPoints, priors: np.ndarray) -> Rates:
    """Return where the threshold goes when posteriors are weighted anew for each prior.

    It starts at the equal-error point and falls, on log odds, by ``log(p / (1 - p))``. That
    presumes outputs that are posteriors.

    Shapes: `priors` (k,); `tpr` and `fpr` (k,).
    """
    start, priors = equal_error_rate(points).threshold, _check_priors(priors)
    with np.errstate(divide="ignore"):
        return rates_at(points, start - np.log(priors / (1 - priors)))


def sample_points(points: OperatingPoints, number: int) -> OperatingPoints:
    """Return the operating points at evenly spaced thresholds on the posterior.

    landgrebe2007, Sec. 2.3.3: thresholds on the estimated posterior.
    """
    if number < 2:
        raise ValueError(f"at least two steps are needed, not {number}")
    posterior = np.linspace(0, 1, number + 1)[1:-1]
    inner = np.log(posterior / (1 - posterior))
    thresholds = np.concatenate([[np.inf], inner[::-1], [-np.inf]])
    tpr, fpr = rates_at(points, thresholds)
    return OperatingPoints(fpr, tpr, thresholds, points.n_positive, points.n_negative)


class Drift(NamedTuple):
    """What a range of priors does to a classifier."""

    auc: float
    auc_exchanged: float
    sens: float
    acc_sens: float
    error: float
    fnr_range: float
    fpr_range: float


def drift(points: OperatingPoints, rule: OperatingRule, low: float, high: float) -> Drift:
    """Measure how a classifier performs, and moves, over a range of priors.

    landgrebe2007, Eqs. 2.2 to 2.4.

    `low` and `high`: range of the prior of the positive class, ``0 < low < high < 1``.
    """
    if not 0 < low < high < 1:
        raise ValueError(f"priors must satisfy 0 < low < high < 1, got {low} and {high}")
    tpr, fpr = rule(points, np.array([low, high, 0.5]))
    fnr = 1 - tpr
    exchanged = from_rates(1 - points.fpr, 1 - points.tpr)
    area = mean_height(points, fpr[0], fpr[1], float(tpr[:2].mean()))
    other = mean_height(exchanged, fnr[1], fnr[0], float(1 - fpr[:2].mean()))
    sens = float(prior_sensitivity(fnr[0], fpr[0], fnr[1], fpr[1]))
    return Drift(
        area,
        other,
        sens,
        float(acc_sens(area, sens)),
        float((fnr[2] + fpr[2]) / 2),
        float(abs(fnr[0] - fnr[1])),
        float(abs(fpr[0] - fpr[1])),
    )


def mean_height(points: OperatingPoints, low: float, high: float, otherwise: float) -> float:
    """Return the mean TPR over the FPR from `low` to `high`, or `otherwise` unless low < high."""
    return partial_auc(points, low, high) / (high - low) if high > low else otherwise


def mean_weighted_error(
    points: OperatingPoints, rule: OperatingRule, low: float, high: float, steps: int = 256
) -> float:
    """Return the mean expected error over a range of priors, at the operating point of each prior.

    landgrebe2007, Sec. 2.2.4: the classification error integrated over the range of priors.

    `low` and `high`: range of the prior of the positive class, ``0 < low < high < 1``. Returned:
    mean of ``p FNR + (1 - p) FPR``.
    """
    priors = low + (high - low) * (np.arange(steps) + 0.5) / steps
    errors = []
    for few in np.array_split(priors, max(steps // 8, 1)):  # memory grows with points times priors
        tpr, fpr = rule(points, few)
        errors.append(few * (1 - tpr) + (1 - few) * fpr)
    return float(np.concatenate(errors).mean())
