"""Precision-recall operating characteristics without approximation: exact areas and a bound."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from opchar.spaces.points import OperatingPoints
from opchar.spaces.roc import with_corners

_SERIES_BELOW = 1e-4
_SERIES_TERMS = 6
_gauss_legendre = lru_cache(np.polynomial.legendre.leggauss)


def exact_auprec(points: OperatingPoints, prior: float) -> float:
    """Return the area under precision over recall of the straight-line ROC curve, exactly.

    Between two operating points the ROC curve is straight (objects with equal scores come in random
    order, or the classifier draws between two thresholds); precision is then a hyperbola of the
    recall and no straight line, as the trapezoid of Eq. 2.8 takes it. With
    ``FPR = a + b TPR`` and skew ``lam``, precision is ``t / (c + d t)`` with ``c = lam a`` and
    ``d = 1 + lam b``, whose integral is elementary. Nothing is taken from a convex hull.

    Parameters
    ----------
    points : OperatingPoints
        In ascending order; joined to (0, 0) and (1, 1).
    prior : float
        Prior of the positive class, in (0, 1].

    Returns
    -------
    float
        In [0, 1]; NaN for a sample of one class.

    Raises
    ------
    ValueError
        For a prior outside its range.

    References
    ----------
    landgrebe2007, Eqs. 2.7 and 2.8.

    Examples
    --------
    >>> from opchar.spaces.points import from_rates
    >>> round(exact_auprec(from_rates([0, 1], [0, 1]), 0.1), 6)
    0.1
    """
    if not (0 < prior <= 1 and np.isfinite(1 / float(prior))):
        raise ValueError(f"the prior must lie in (0, 1] and have a skew, got {prior}")
    return float(exact_auprecs(points, np.array([prior], dtype=float))[0])


def exact_auprecs(points: OperatingPoints, priors: np.ndarray) -> np.ndarray:
    """Return `exact_auprec` of many priors.

    Shapes: `priors` (k,); returned (k,).
    """
    fpr, tpr = with_corners(points)
    if np.isnan(fpr).any() or np.isnan(tpr).any():
        return np.full(len(priors), np.nan)
    rising = np.diff(tpr) > 0
    skew = ((1 - priors) / priors)[:, None]
    start, stop = tpr[:-1][rising], tpr[1:][rising]
    slope = np.diff(fpr)[rising] / (stop - start)
    d = 1 + skew * slope
    c = skew * (fpr[:-1][rising] - slope * start)
    start, stop = np.broadcast_to(start, d.shape), np.broadcast_to(stop, d.shape)
    return np.sum(_hyperbola_area(start, stop, c, d), axis=-1)


def _hyperbola_area(
    start: np.ndarray, stop: np.ndarray, c: np.ndarray, d: np.ndarray
) -> np.ndarray:
    """Integrate ``t / (c + d t)`` from `start` to `stop`; the denominator is not negative there.

    Where the denominator hardly changes along the way, its logarithm is replaced by a series.
    """
    low, high = c + d * start, c + d * stop
    width = stop - start
    area = width / d
    # Where the denominator rounds to zero, the segment is too short for its logarithm to count.
    through_origin = (np.abs(c) <= np.finfo(float).eps) | (low <= 0)
    relative = np.divide(high - low, low, out=np.full(low.shape, np.inf), where=low > 0)
    nearly_flat = ~through_origin & (np.abs(relative) < _SERIES_BELOW)
    curved = ~through_origin & ~nearly_flat
    area[curved] -= c[curved] * np.log(high[curved] / low[curved]) / d[curved] ** 2
    x, s, w = relative[nearly_flat], start[nearly_flat], width[nearly_flat]
    powers = [(-x) ** k * (s / (k + 1) + w / (k + 2)) for k in range(_SERIES_TERMS)]
    area[nearly_flat] = w / low[nearly_flat] * np.sum(powers, axis=0)
    return area


def exact_iauprec(
    points: OperatingPoints, low: float, high: float, *, over: str = "prior", nodes: int = 64
) -> float:
    """Return the mean of `exact_auprec` over a range of priors, or over the skews of that range.

    The thesis defines the integral over the skew and states its range in priors; equal steps of
    the skew put more weight on small priors.

    Parameters
    ----------
    points : OperatingPoints
        Of the sample, see `operating_points`.
    low, high : float
        Range of the prior of the positive class, ``0 < low < high <= 1``.
    over : {"prior", "skew"}
        What equal steps are taken of.
    nodes : int
        Of the Gauss-Legendre rule; the integrand is smooth in the prior.

    Returns
    -------
    float
        In [0, 1]; NaN for a sample of one class.

    Raises
    ------
    ValueError
        If the range is not one, or `over` is neither.

    References
    ----------
    landgrebe2007, Eq. 2.9, divided by the length of the range.
    """
    if not 0 < low < high <= 1:
        raise ValueError(f"priors must satisfy 0 < low < high <= 1, got {low} and {high}")
    if over not in ("prior", "skew"):
        raise ValueError(f"the mean is taken over the prior or the skew, not '{over}'")
    if over == "skew":
        inverse, weight = nodes_between(1 / high, 1 / low, nodes)
        return float(weight @ exact_auprecs(points, 1 / inverse))
    priors, weight = nodes_between(low, high, nodes)
    return float(weight @ exact_auprecs(points, priors))


def nodes_between(low: float, high: float, nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes of the Gauss-Legendre rule over a range, and their weights in a mean.

    Shapes: `points` and `weights` (nodes,).
    """
    node, weight = _gauss_legendre(nodes)
    return low + (high - low) * (node + 1) / 2, weight / 2


def least_auprec(area: float, prior: float) -> float:
    """Return a lower bound on AUPRC that every ROC curve of a given AUC obeys.

    With ``f(t)`` the FPR at recall ``t`` and skew ``lam = (1 - prior) / prior``, AUPRC is the
    integral of ``t / (t + lam f(t))`` and the integral of ``f`` is ``1 - AUC``. The integrand is
    convex in ``f``, so the least value follows from one Lagrange multiplier: ``t + lam f = sqrt(c
    t)`` where that leaves ``f`` positive. The bound is convex in the AUC, so by Jensen's inequality
    it holds for means over folds, too.

    Follows from landgrebe2007, Eqs. 2.5, 2.7 and 2.8 as an integral over all recall.
    """
    if not (0 <= area <= 1 and 0 < prior < 1):
        raise ValueError(f"AUC must lie in [0, 1] and the prior in (0, 1), got {area} and {prior}")
    deficit = (1 - prior) / prior * (1 - area)
    if deficit <= 1 / 6:
        return 1 - float(np.sqrt(6 * deficit)) / 3
    return (2 / 3) / (1.5 * deficit + 0.75)


def auprec_range(auc: tuple[float, float], prior: float) -> tuple[float, float]:
    """Return bounds on AUPRC that every ROC curve with an AUC in a range obeys.

    The least is `least_auprec`; the greatest has all negatives of one score, below a share AUC of
    the positives: ``1 - lam ln((1 + lam) / (AUC + lam))``, by the chord of the convex integrand.
    Between both any value is taken, by mixing the two curves.
    """
    least, skew = least_auprec(auc[0], prior), (1 - prior) / prior
    return least, 1 - skew * float(np.log((1 + skew) / (auc[1] + skew)))
