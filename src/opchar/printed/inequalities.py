"""Bounds between summary values that hold for every curve and every set of predictions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from opchar.spaces.p_roc import auprec_range

Limits = tuple[Any, Any]
# The areas under precision are logarithms: the only bounds that floats compute.
_SLACK = Fraction(1, 10**9)
_ROOT = 10**12


def _auprec(sizes: Any, auc: Limits) -> Limits:
    p, n, _ = sizes
    low, high = auprec_range((float(auc[0]), float(auc[1])), p / (p + n))
    return Fraction(low) - _SLACK, Fraction(high) + _SLACK


def _nearest_area(sizes: Any, auc: Limits) -> Limits:
    pairs = 2 * sizes[0] * sizes[1]
    nearest = Fraction(math.floor(auc[1] * pairs), pairs)
    return nearest, nearest


def _f_of_means(_: Any, precision: Limits, recall: Limits) -> Limits:
    ends = [(precision[at], recall[at]) for at in (0, 1)]
    low, high = (2 * a * b / (a + b) if a + b > 0 else Fraction(0) for a, b in ends)
    return low, high


def _squares_of(variance: Limits, r2: Limits) -> Limits:
    values = [max(a * b, Fraction(0)) for a, b in product(variance, (1 - end for end in r2))]
    return min(values), max(values)


def _squares(ends: Limits) -> Limits:
    return max(ends[0], Fraction(0)) ** 2, max(ends[1], Fraction(0)) ** 2


def _root(value: Fraction, more: int) -> Fraction:
    """Return a root that is too small, or with one more too large, by less than 10^-12."""
    return Fraction(math.isqrt(max(int(value * _ROOT**2), 0)) + more, _ROOT)


def _mean_error(sizes: Any, squares: Limits) -> Limits:
    least = squares[0] / sizes[2] if sizes[2] else Fraction(0)
    return _root(least, 0), _root(squares[1], 1)


# The least and greatest value of the last score, from sizes and the limits of those before it.
INEQUALITIES: dict[str, Callable[..., Limits]] = {
    "a share lies in its range": lambda _: (Fraction(0), Fraction(1)),
    "a curve through the point has": lambda _, tpr, fpr: (
        tpr[0] * (1 - fpr[1]),
        1 - fpr[0] * (1 - tpr[1]),
    ),
    "a curve through (EER, 1 - EER) has": lambda _, eer: ((1 - eer[1]) ** 2, 1 - eer[0] ** 2),
    "any curve of the AUC has": _auprec,
    # An error adds from one quarter to one, a correct decision at most one quarter.
    "for decisions at one half": lambda _, error: (
        error[0] / 4,
        error[1] + (1 - error[1]) / 4,
    ),
    "both are one index": lambda _, same: same,
    "the next multiple of half a pair of objects is": _nearest_area,
    "F of the printed means is": _f_of_means,
    "no R2 exceeds one": lambda _: (-math.inf, Fraction(1)),
    "no mean of errors or squares is negative": lambda _: (Fraction(0), math.inf),
    "the mean square is the same": lambda _, rmse: _squares(rmse),
    "variance times 1 - R2 is the mean square": lambda _, *both: _squares_of(*both),
    "variance times 1 - R2 is the square": lambda _, variance, r2: (
        _root(_squares_of(variance, r2)[0], 0),
        _root(_squares_of(variance, r2)[1], 1),
    ),
    "variance times 1 - R2 bounds the mean error": lambda sizes, variance, r2: _mean_error(
        sizes, _squares_of(variance, r2)
    ),
    "by the mean of squares": _mean_error,
    "by the root of the mean of squares": lambda sizes, rmse: _mean_error(sizes, _squares(rmse)),
}
