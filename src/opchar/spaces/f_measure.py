"""F-measure space: F curves over the prior, their crossings and their upper envelope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats, probabilities
from opchar.spaces.envelope import Envelope, inner_breakpoints
from opchar.spaces.integers import shares
from opchar.spaces.points import OperatingPoints


def f_measure(tpr: ArrayLike, fpr: ArrayLike, prior: ArrayLike, alpha: ArrayLike) -> np.ndarray:
    """Return the F-measure, the weighted harmonic mean of precision and recall.

    Parameters
    ----------
    tpr, fpr : array_like of float
        Rates in [0, 1]; all arguments broadcast.
    prior : array_like of float
        Prior of the positive class, P(+), in [0, 1].
    alpha : array_like of float
        Weight of precision, in [0, 1]: 0 gives recall, 1 precision, 1/2 the plain F_1.

    Returns
    -------
    ndarray of float
        In [0, 1]. Where the formula is 0/0 its limit is taken, along the prior and then alpha:
        with no false positives F does not depend on the prior, and accepting nothing gives 0. NaN
        where an argument is NaN.

    Raises
    ------
    ValueError
        If a prior or `alpha` is not between 0 and 1.

    References
    ----------
    soleymani2020, Eqs. 3, 9 and 10 (the last read with products, see the errata).

    Examples
    --------
    >>> f_measure(0.88, 0.04, prior=0.25, alpha=[0.25, 0.5, 0.75]).round(2).tolist()
    [0.88, 0.88, 0.88]
    """
    tpr, fpr = floats(tpr, "tpr"), floats(fpr, "fpr")
    prior, alpha = probabilities(prior, "prior"), probabilities(alpha, "alpha")
    right = prior * tpr
    total = alpha * (right + (1 - prior) * fpr) + (1 - alpha) * prior
    without_false_positives = alpha * tpr + (1 - alpha)
    with np.errstate(invalid="ignore"):
        limit = np.divide(
            tpr,
            without_false_positives,
            out=np.zeros(np.broadcast(tpr, alpha).shape),
            where=~(without_false_positives <= 0),
        )
        limit = np.broadcast_to(limit, total.shape).copy()
        return np.divide(np.broadcast_to(right, total.shape), total, out=limit, where=~(total <= 0))


def crossing_prior(
    tpr_i: ArrayLike, fpr_i: ArrayLike, tpr_j: ArrayLike, fpr_j: ArrayLike, alpha: ArrayLike
) -> np.ndarray:
    """Return the prior at which the F curves of two crisp classifiers cross.

    `tpr_i`, `fpr_i`, `tpr_j`, `fpr_j`: Rates of the two classifiers, in [0, 1]; all arguments
    broadcast.
    `alpha`: Weight of precision, in [0, 1].
    Returns: In (0, 1), or NaN where the curves do not cross inside: then one classifier is at least
    as good for every prior. They cross if and only if the classifier with the larger TPR has the
    smaller TPR/FPR (and 0 < alpha < 1).

    soleymani2020, Eq. 11; soleymani2018, Eq. 11.
    """
    tpr_i, fpr_i, tpr_j, fpr_j, alpha = (
        probabilities(value, "rates and alpha") for value in (tpr_i, fpr_i, tpr_j, fpr_j, alpha)
    )
    precision_falls = alpha * (fpr_j * tpr_i - fpr_i * tpr_j)
    recall_grows = (1 - alpha) * (tpr_j - tpr_i)
    crosses = precision_falls * recall_grows > 0
    never = np.full(crosses.shape, np.nan)
    return np.divide(
        np.broadcast_to(precision_falls, crosses.shape),
        precision_falls + recall_grows,
        out=never,
        where=crosses,
    )


@dataclass(frozen=True)
class FEnvelope(Envelope):
    """Upper envelope of the F curves over the prior P(+).

    Parameters
    ----------
    breakpoints, points
        See `Envelope`; operating conditions are priors.
    alpha : float
        Weight of precision.
    """

    alpha: float

    def __call__(self, prior: ArrayLike) -> np.ndarray:
        """Return the best F-measure at given priors."""
        tpr, fpr = self.rates(prior)
        return f_measure(tpr, fpr, prior, self.alpha)


def upper_envelope(points: OperatingPoints, alpha: float) -> FEnvelope:
    """Return the upper envelope of the F curves of operating points, with exact breakpoints.

    1/F is a line in the skew ``(1 - P)/P``, so the envelope follows from the vertices of the ROC
    hull in order. O(n log n).

    Parameters
    ----------
    points : OperatingPoints
        Of the sample, see `operating_points`.
    alpha : float
        Weight of precision, in [0, 1].

    Returns
    -------
    FEnvelope
        Points in ascending order of FPR; the first alone, with F = 0, where no TPR is positive.

    Raises
    ------
    ValueError
        If alpha is outside [0, 1] or the sample has one class.

    References
    ----------
    soleymani2020, Secs. 3.1 and 3.2.

    Examples
    --------
    >>> from opchar.spaces.points import from_rates
    >>> envelope = upper_envelope(from_rates([0.55, 0.5], [0.08, 0.03]), alpha=0.5)
    >>> envelope.breakpoints.round(4).tolist(), envelope.points.tpr.tolist()
    ([0.0, 0.3197, 1.0], [0.5, 0.55])
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must lie in [0, 1], got {alpha}")
    hull = points.hull
    rising = hull[: int(np.argmax(hull.tpr)) + 1]
    useful = rising[rising.tpr > 0]
    if not len(useful):
        return FEnvelope(np.array([0.0, 1.0]), hull[:1], alpha)
    x, y, negatives, _ = useful.coordinates
    falling, growing = x[1:] * y[:-1] - x[:-1] * y[1:], y[1:] - y[:-1]
    if falling.dtype == object:
        whole = np.maximum(falling + growing * negatives, 1)
        falling, growing = shares(falling, whole), shares(growing * negatives, whole)
        negatives = 1
    precision_falls, recall_grows = alpha * falling, (1 - alpha) * growing * negatives
    crossings = np.zeros(len(x) - 1)
    falls = precision_falls > 0
    crossings[falls] = precision_falls[falls] / (precision_falls + recall_grows)[falls]
    return FEnvelope(*inner_breakpoints(crossings, useful), alpha)
