"""Precision-recall space for any prior, and areas over recall and over priors (P-ROC)."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import probabilities
from opchar.spaces.blocks import blocks
from opchar.spaces.points import OperatingPoints

FirstPoint = Literal["next", "one", "zero"]
_SERIES_BELOW = 1e-3
# Of larger ratios the square is no number of the machine.
LARGEST_SQUARED = 1e150
_SERIES_TERMS = 8


def precision(tpr: ArrayLike, fpr: ArrayLike, prior: ArrayLike) -> np.ndarray:
    """Return the precision of operating points under a prior.

    Parameters
    ----------
    tpr, fpr : array_like of float
        Rates in [0, 1]; all three arguments broadcast.
    prior : array_like of float
        Prior of the positive class, P(+), in [0, 1].

    Returns
    -------
    ndarray of float
        In [0, 1]; NaN where nothing is accepted (0/0).

    Raises
    ------
    ValueError
        If a rate or prior is not between 0 and 1.

    References
    ----------
    soleymani2020, Eq. 2; landgrebe2007, Eq. 2.7, with skew ``(1 - prior) / prior``.

    Examples
    --------
    >>> precision(0.88, [0.04, 0.06], 0.25).round(4).tolist()
    [0.88, 0.8302]
    """
    tpr, fpr = probabilities(tpr, "tpr"), probabilities(fpr, "fpr")
    return _precision(tpr, fpr, probabilities(prior, "prior"))


def _precision(tpr: np.ndarray, fpr: np.ndarray, prior: np.ndarray) -> np.ndarray:
    accepted_rightly = prior * tpr
    with np.errstate(invalid="ignore"):  # 0/0 where nothing is accepted
        return np.asarray(accepted_rightly / (accepted_rightly + (1 - prior) * fpr))


def _precisions(points: OperatingPoints, prior: float) -> np.ndarray:
    """Return the precision of each point, whose rates need no check.

    Shapes: returned (n,).
    """
    checked = probabilities(prior, "prior")
    found = np.empty(len(points))
    for part in blocks(len(points)):
        found[part] = _precision(points.tpr[part], points.fpr[part], checked)
    return found


def precision_recall_curve(
    points: OperatingPoints, prior: float, first: FirstPoint = "next"
) -> tuple[np.ndarray, np.ndarray]:
    """Return recall and precision of operating points under a prior.

    Parameters
    ----------
    points : OperatingPoints
        In ascending order, as `operating_points` and `from_rates` give them.
    prior : float
        Prior of the positive class, in (0, 1].
    first : {"next", "one", "zero"}
        Precision where nothing is accepted, see `auprec`.

    Returns
    -------
    recall, precision : ndarray of float, shape (n,)
        In [0, 1], in the order of `points`; NaN where the rate of a class is unknown.

    Examples
    --------
    >>> from opchar.spaces.points import from_rates
    >>> recall, height = precision_recall_curve(from_rates([0, 0.5, 1], [0, 0.1, 1]), 0.5)
    >>> height.round(4).tolist()
    [0.8333, 0.8333, 0.5]
    """
    return points.tpr, _with_first(_precisions(points, prior), first)


def auprec(points: OperatingPoints, prior: float, first: FirstPoint = "next") -> float:
    """Return the area under precision over recall (TPR) by the trapezoidal rule.

    Parameters
    ----------
    points : OperatingPoints
        In ascending order, as `operating_points` and `from_rates` give them.
    prior : float
        Prior of the positive class, in (0, 1].
    first : {"next", "one", "zero"}
        Precision where nothing is accepted. ``"next"``: that of the next point, which is the limit
        along the straight ROC segment from (0, 0), on which precision is constant; ``"one"``: as
        scikit-learn draws it; ``"zero"``.

    Returns
    -------
    float
        In [0, 1]; NaN for a sample of one class.

    References
    ----------
    landgrebe2007, Eq. 2.8, which leaves the first point open.
    """
    recall, height = precision_recall_curve(points, prior, first)
    return float(_trapezoid_weights(recall) @ height)


def iauprec(points: OperatingPoints, low: float, high: float, first: FirstPoint = "next") -> float:
    """Return the mean of `auprec` over the priors between `low` and `high`, in closed form.

    Parameters
    ----------
    points : OperatingPoints
        Of the sample, see `operating_points`.
    low, high : float
        Range of the prior of the positive class, ``0 <= low < high <= 1``.
    first : {"next", "one", "zero"}
        See `auprec`.

    Returns
    -------
    float
        In [0, 1]: the integral over the prior divided by ``high - low``; NaN for a sample of one
        class.

    Raises
    ------
    ValueError
        If the range is not one.

    References
    ----------
    landgrebe2007, Eq. 2.9.
    """
    if not 0 <= low < high <= 1:
        raise ValueError(f"priors must satisfy 0 <= low < high <= 1, got {low} and {high}")
    if np.isnan(points.fpr).any():
        return float("nan")
    upper = _precision_integral(points.tpr, points.fpr, high)
    mean = (upper - _precision_integral(points.tpr, points.fpr, low)) / (high - low)
    return float(_trapezoid_weights(points.tpr) @ _with_first(mean, first))


def average_precision(points: OperatingPoints, prior: float) -> float:
    """Return the mean of the precisions at which positives are accepted (a step integral).

    Parameters
    ----------
    points : OperatingPoints
        In ascending order.
    prior : float
        Prior of the positive class, in (0, 1]; that of the sample gives the usual value.

    Returns
    -------
    float
        In [0, 1]; NaN for a sample of one class.
    """
    checked, reached, area = probabilities(prior, "prior"), 0.0, 0.0
    for part in blocks(len(points)):
        tpr, fpr = points.tpr[part], points.fpr[part]
        if np.isnan(checked) or np.isnan(fpr).any():
            return float("nan")
        height = _precision(tpr, fpr, checked)
        if np.isnan(height[0]):
            height[np.isnan(height)] = 0.0  # where nothing is accepted
        area += float(np.diff(tpr, prepend=reached) @ height)
        reached = tpr[-1]
    return area


def gain(value: ArrayLike, prior: float) -> np.ndarray:
    """Return the gain of a precision or recall over accepting everything.

    Flach and Kull, Precision-recall-gain curves, NIPS 2015 (soleymani2018, ref. 7).

    Returned: ``(value - prior) / ((1 - prior) value)``: 0 at the prior, 1 at 1, minus infinity at
    0.
    """
    value = probabilities(value, "value")
    if not 0 < prior < 1:
        raise ValueError(f"a gain is over a prior in (0, 1), got {prior}")
    least = np.full(value.shape, -np.inf)
    with np.errstate(over="ignore"):
        return np.divide(value - prior, (1 - prior) * value, out=least, where=value > 0)


def auprg(points: OperatingPoints, prior: float) -> float:
    """Return the area under the precision-recall-gain curve.

    Parameters
    ----------
    points : OperatingPoints
        In ascending order, ending in (1, 1).
    prior : float
        Prior of the positive class, in (0, 1).

    Returns
    -------
    float
        At most 1: the trapezoid of precision gain over recall gains in [0, 1], straight between
        points as interpolation there is; NaN for a sample of one class.

    References
    ----------
    Flach and Kull, Precision-recall-gain curves, NIPS 2015.
    """
    found = points.tpr > 0
    if not found.any() or np.isnan(points.fpr).any():
        return float("nan")
    recall_gain = gain(points.tpr[found], prior)
    precision_gain = gain(precision(points.tpr[found], points.fpr[found], prior), prior)
    start = int(np.searchsorted(recall_gain, 0.0))
    x, y = recall_gain[start:], precision_gain[start:]
    if x[0] > 0:
        before = (recall_gain[start - 1], precision_gain[start - 1]) if start else (x[0], y[0])
        slope = (y[0] - before[1]) / (x[0] - before[0]) if start else 0.0
        x, y = np.append(0.0, x), np.append(y[0] - slope * x[0], y)
    with np.errstate(invalid="ignore"):
        return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def _trapezoid_weights(recall: np.ndarray) -> np.ndarray:
    """Return w so that ``w @ height`` is the trapezoidal integral over `recall`."""
    half_step = np.diff(recall) / 2
    return np.append(half_step, 0.0) + np.append(0.0, half_step)


def _with_first(height: np.ndarray, first: FirstPoint) -> np.ndarray:
    """Return `height` with its leading undefined values, where nothing is accepted, filled in."""
    if first not in get_args(FirstPoint):
        raise ValueError(f"first is 'next', 'one' or 'zero', not {first!r}")
    if not np.isnan(height[0]):
        return height
    undefined = np.isnan(height)
    if undefined.all():
        return height
    height[undefined] = {"next": height[undefined.argmin()], "one": 1.0, "zero": 0.0}[first]
    return height


def _precision_integral(tpr: np.ndarray, fpr: np.ndarray, prior: float) -> np.ndarray:
    """Integrate precision over the prior from 0 to `prior`; NaN where nothing is accepted.

    With ``r = (tpr - fpr) / fpr``, precision is ``p (1 + r) / (1 + r p)``.
    """
    integral = np.where(tpr > 0, prior, np.where(fpr > 0, 0.0, np.nan))
    both = (fpr > 0) & (tpr > 0)
    r = tpr[both] / fpr[both] - 1
    u = r * prior
    near_diagonal = np.abs(u) < _SERIES_BELOW
    far = np.where(near_diagonal, 1.0, r)
    above = u - np.log1p(u)
    huge = far > LARGEST_SQUARED
    inner = above / np.where(huge, 1.0, far * np.where(huge, 1.0, far))
    inner[huge] = above[huge] / far[huge] / far[huge]
    small = u[near_diagonal]
    inner[near_diagonal] = prior**2 * sum((-small) ** k / (k + 2) for k in range(_SERIES_TERMS))
    integral[both] = (1 + r) * inner
    return integral
