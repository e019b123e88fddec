"""The operating points of a classifier and their upper hull: the structure behind every space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import LARGEST_EXACT, floats, plain_array, scores
from opchar.spaces.blocks import all_whole
from opchar.spaces.integers import all_integers, shares
from opchar.spaces.sorting import rates_by_score, sums_by_score

_WORTH_ANOTHER_PASS = 0.1
# Sums of two products of counts whose sizes have a product below this are 64-bit numbers.
_SAFE_PRODUCT = 2**61
# By how much rounding may have moved a rate.
_SLACK = 4 * float(np.finfo(float).eps)
# Counts up to here are found from their rates.
FROM_RATES = 2**50


@dataclass(frozen=True)
class OperatingPoints:
    """Operating points of one classifier, in ascending order of FPR and then TPR.

    Parameters
    ----------
    fpr, tpr : ndarray of float, shape (n,)
        Rates in [0, 1]; NaN throughout where the sample has no object of that class.
    thresholds : ndarray of float, shape (n,)
        An object is accepted as positive when ``score >= threshold``; NaN where none is known.
    n_positive, n_negative : int or float, optional
        Sizes of the sample behind the rates, when there is one; sums of weights when they are not
        whole.
    counts : tuple of ndarray of int, shape (n,), optional
        False positives and true positives, where they are whole and no rates tell them; Python
        integers where they exceed 2**53.
    """

    fpr: np.ndarray
    tpr: np.ndarray
    thresholds: np.ndarray
    n_positive: float | None = None
    n_negative: float | None = None
    counts: tuple[np.ndarray, np.ndarray] | None = None

    def __len__(self) -> int:
        return len(self.fpr)

    def __getitem__(self, where: slice | np.ndarray) -> OperatingPoints:
        """Return the points at a slice, mask or index array."""
        return OperatingPoints(
            self.fpr[where],
            self.tpr[where],
            self.thresholds[where],
            self.n_positive,
            self.n_negative,
            None if self.counts is None else (self.counts[0][where], self.counts[1][where]),
        )

    @cached_property
    def hull(self) -> OperatingPoints:
        """The upper hull of the points, see `upper_hull`."""
        return upper_hull(self)

    @property
    def prior(self) -> float:
        """Share of the positive class in the sample behind the rates; NaN without one."""
        if self.n_positive is None or self.n_negative is None:
            return float("nan")
        return self.n_positive / (self.n_positive + self.n_negative)

    @cached_property
    def coordinates(self) -> tuple[np.ndarray, np.ndarray, int, int]:
        """``(x, y, x_unit, y_unit)`` with ``fpr = x / x_unit`` and ``tpr = y / y_unit``.

        Counts, which are exact, where a sample with whole weights is known; else the rates and
        ones. The counts are Python integers where products of theirs exceed 64 bits.
        """
        positives, negatives = self.n_positive, self.n_negative
        if not isinstance(positives, int) or not isinstance(negatives, int):
            return self.fpr, self.tpr, 1, 1
        if not positives or not negatives:
            return self.fpr, self.tpr, 1, 1
        counts = self.counts
        if counts is None:
            if max(positives, negatives) > FROM_RATES:
                return self.fpr, self.tpr, 1, 1
            counts = (
                np.rint(self.fpr * negatives).astype(np.int64),
                np.rint(self.tpr * positives).astype(np.int64),
            )
        if positives * negatives > _SAFE_PRODUCT:
            counts = counts[0].astype(object), counts[1].astype(object)
        return *counts, negatives, positives


def operating_points(
    is_positive: ArrayLike, score: ArrayLike, sample_weight: ArrayLike | None = None
) -> OperatingPoints:
    """Return all distinct operating points of a scored sample, from (0, 0) to (1, 1).

    Objects with equal scores are accepted together, so there is one point a distinct score and one
    for accepting none. The first threshold is infinity, or NaN when infinity is itself a score:
    no score reaches NaN.

    Parameters
    ----------
    is_positive : array_like of bool, shape (n,)
        Whether each object is of the positive class.
    score : array_like of float, shape (n,)
        Higher means more positive; infinities are scores like any other.
    sample_weight : array_like of float, shape (n,), optional
        How often each object counts: not negative, one each when not given. Whole weights give
        exactly what repeated objects give.

    Returns
    -------
    OperatingPoints
        Thresholds descend. The rates of a class without objects are NaN.

    Raises
    ------
    ValueError
        If shapes differ, the sample is empty, a score is NaN, or a weight is negative, not finite,
        or zero for all objects.

    Examples
    --------
    >>> points = operating_points([True, False, True, False], [0.9, 0.4, 0.4, 0.1])
    >>> points.tpr.tolist(), points.fpr.tolist(), points.thresholds.tolist()
    ([0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0], [inf, 0.9, 0.4, 0.1])
    """
    is_positive, score = checked_sample(is_positive, score)
    weight = None
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(score))
        if not weight.all():
            kept = weight > 0
            is_positive, score, weight = is_positive[kept], score[kept], weight[kept]
    else:
        n_positive = int(np.count_nonzero(is_positive))
        sizes = n_positive, len(score) - n_positive
        if (rates := rates_by_score(is_positive, score, sizes)) is not None:
            thresholds, tpr, fpr = rates
            return OperatingPoints(fpr, tpr, _with_first(thresholds), *sizes)
    return summed_points(*sums_by_score(is_positive, score, weight))


def summed_points(
    thresholds: np.ndarray, true_positives: np.ndarray, false_positives: np.ndarray
) -> OperatingPoints:
    """Return operating points from what `opchar.spaces.sorting.sums_by_score` returns."""
    n_positive, n_negative = (each[-1:].tolist()[0] for each in (true_positives, false_positives))
    return OperatingPoints(
        fpr=_rate(false_positives, n_negative),
        tpr=_rate(true_positives, n_positive),
        thresholds=_with_first(thresholds),
        n_positive=n_positive,
        n_negative=n_negative,
        counts=(false_positives, true_positives) if isinstance(n_positive, int) else None,
    )


def _with_first(thresholds: np.ndarray) -> np.ndarray:
    """Write the threshold that accepts none in front of distinct scores, and return them."""
    thresholds[0] = np.nan if thresholds[1] == np.inf else np.inf
    return thresholds


def checked_weights(sample_weight: ArrayLike, size: int, *, exact: bool = True) -> np.ndarray:
    """Return the weights of objects as integers where all are whole, else as floats.

    Shapes: `sample_weight`, returned (n,).
    """
    given = plain_array(sample_weight, "sample_weight")
    if given.shape != (size,):
        raise ValueError(f"sample_weight needs one weight for each of {size}, got {given.shape}")
    try:
        weight = floats(given, "sample_weight")
    except OverflowError:
        weight = np.where(given < 0, -np.inf, np.inf)
    whole = all_integers(given)
    if not weight.min(initial=0) >= 0 or (not whole and weight.max(initial=0) == np.inf):
        raise ValueError("weights must be finite and not negative")
    if not weight.any():
        raise ValueError("all weights are zero: the sample is empty")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not whole and not all_whole(weight):
        if total == np.inf:
            raise ValueError("weights are too large for a sum; divide them by one number")
        return weight
    if total < LARGEST_EXACT:
        return weight.astype(np.int64)
    integers = np.array([int(each) for each in (given if whole else weight).tolist()], dtype=object)
    return integers if exact else (integers / integers.max()).astype(float)


def from_rates(
    tpr: ArrayLike, fpr: ArrayLike, thresholds: ArrayLike | None = None
) -> OperatingPoints:
    """Return given pairs of rates as operating points, sorted by FPR and then TPR.

    Parameters
    ----------
    tpr, fpr : array_like of float, shape (n,)
        Rates in [0, 1], such as those of several crisp classifiers or of a printed table.
    thresholds : array_like of float, shape (n,), optional
        NaN when not given.

    Returns
    -------
    OperatingPoints
        The n points; sizes of the sample are unknown (None), equal points are kept.

    Raises
    ------
    ValueError
        If lengths differ, there is no point, or a rate is outside [0, 1].
    """
    tpr, fpr = np.atleast_1d(floats(tpr, "tpr")), np.atleast_1d(floats(fpr, "fpr"))
    given = np.full(tpr.shape, np.nan) if thresholds is None else floats(thresholds, "thresholds")
    given = np.atleast_1d(given)
    if tpr.ndim != 1 or not tpr.shape == fpr.shape == given.shape or not len(tpr):
        raise ValueError(
            f"tpr, fpr and thresholds must be equally long and not empty, got shapes {tpr.shape}, "
            f"{fpr.shape} and {given.shape}"
        )
    for name, rate in (("tpr", tpr), ("fpr", fpr)):
        if not ((rate >= 0) & (rate <= 1)).all():
            raise ValueError(f"{name} must lie in [0, 1], got {rate.tolist()}")
    order = np.lexsort((tpr, fpr))
    return OperatingPoints(fpr[order], tpr[order], given[order])


def upper_hull(points: OperatingPoints) -> OperatingPoints:
    """Return the vertices of the upper convex hull in ROC space (the ROCCH).

    It runs from the first to the last point in order of (FPR, TPR), without points inside an edge.
    From the counts of a sample it is exact; with weights that are not whole, points above an edge
    by no more than rounding count as on it, one by one. Rates alone are taken as they are.

    Parameters
    ----------
    points : OperatingPoints
        Of the sample, see `operating_points`.

    Returns
    -------
    OperatingPoints
        Vertices in ascending order of FPR, slopes strictly falling.

    Raises
    ------
    ValueError
        If a rate is NaN, as in a sample of one class.

    References
    ----------
    soleymani2020, Sec. 2.2 (ROCCH).
    """
    if np.isnan(points.fpr).any() or np.isnan(points.tpr).any():
        raise ValueError("a hull needs objects of both classes: a rate is NaN")
    x, y, _, _ = points.coordinates
    kept = np.arange(len(x))
    if _is_unsorted(x, y):
        kept = np.lexsort([np.unique(each, return_inverse=True)[1] for each in (y, x)])
    x, y = x[kept], y[kept]
    slack = 0.0 if points.n_positive is None or x.dtype.kind in "iO" else _SLACK
    distinct = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))
    kept, x, y = kept[distinct], x[distinct], y[distinct]
    while len(kept) > 2:  # at once only what is below for sure
        above = np.ones(len(kept), dtype=bool)
        above[1:-1] = _turns_right(x[:-2], y[:-2], x[1:-1], y[1:-1], x[2:], y[2:], -slack)
        dropped = len(kept) - int(above.sum())
        kept, x, y = kept[above], x[above], y[above]
        if dropped < _WORTH_ANOTHER_PASS * len(above):
            break
    return points[kept[_monotone_chain(x.tolist(), y.tolist(), slack)]]


def interpolate(points: OperatingPoints, fractions: ArrayLike) -> OperatingPoints:
    """Return points with others between neighbours, on the straight line in ROC space.

    A classifier that draws at random between two thresholds reaches them.

    Shapes: `fractions` (k,).

    Returns: ``(n - 1) * k + 1`` points; thresholds between are NaN.
    """
    n = len(points)
    fractions = floats(fractions, "fractions")
    at = np.append((np.arange(n - 1)[:, None] + fractions).ravel(), n - 1.0)
    thresholds = np.full(len(at), np.nan)
    thresholds[:: len(fractions)] = points.thresholds
    return OperatingPoints(
        np.interp(at, np.arange(n), points.fpr), np.interp(at, np.arange(n), points.tpr), thresholds
    )


def _monotone_chain(x: list[float], y: list[float], slack: float) -> list[int]:
    """Return the indices of the upper hull of points sorted by (x, y)."""
    hull: list[int] = []
    for new in range(len(x)):
        while len(hull) > 1:
            first, middle = hull[-2], hull[-1]
            if _turns_right(x[first], y[first], x[middle], y[middle], x[new], y[new], slack):
                break
            hull.pop()
        hull.append(new)
    return hull


def _turns_right(x0: Any, y0: Any, x1: Any, y1: Any, x2: Any, y2: Any, slack: float) -> Any:
    """Return whether the way 0 -> 1 -> 2 turns strictly clockwise, for numbers or arrays.

    With a slack, whether it does wherever rounding moves by that share; a negative one: may.
    """
    left, right, down, up = x1 - x0, x2 - x1, y1 - y0, y2 - y1
    if not slack:
        return down * right > up * left
    return down * right > up * left + slack * (y1 * right + x2 * down + y2 * left + x1 * up)


def _is_unsorted(x: np.ndarray, y: np.ndarray) -> bool:
    step = np.diff(x)
    return bool(((step < 0) | ((step == 0) & (np.diff(y) < 0))).any())


def _rate(count: np.ndarray, total: float) -> np.ndarray:
    """Return counts over their total; sums of weights, of which nothing else is asked, in place."""
    if not total:
        return np.full(count.shape, np.nan)
    if count.dtype.kind == "f":
        return np.divide(count, total, out=count)
    return shares(count, np.array(total))


def checked_sample(is_positive: ArrayLike, score: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return a scored sample as arrays.

    Shapes: `is_positive`, `score` (n,).
    """
    is_positive, score = plain_array(is_positive, "is_positive"), scores(score)
    if is_positive.shape != score.shape or score.ndim != 1:
        raise ValueError(
            "is_positive and score must be one-dimensional and equally long, got shapes "
            f"{is_positive.shape} and {score.shape}"
        )
    if not len(score):
        raise ValueError("the sample is empty")
    if is_positive.dtype != bool and not np.isin(is_positive, (0, 1)).all():
        raise ValueError("is_positive must be boolean, or 0 and 1")
    if np.isnan(score.min()):
        raise ValueError(f"score {int(np.argmax(np.isnan(score)))} is NaN; it cannot be ranked")
    return is_positive.astype(bool, copy=False), score
