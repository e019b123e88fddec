"""Bounds between summary values that hold for every curve and every set of predictions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

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


def _roots(squares: Limits) -> Limits:
    """Return a root that is too small, and one too large, by less than 10^-12."""
    low, high = (math.isqrt(max(int(end * _ROOT**2), 0)) for end in squares)
    return Fraction(low, _ROOT), Fraction(high + 1, _ROOT)


def _mean_error(sizes: Any, squares: Limits) -> Limits:
    return _roots((squares[0] / sizes[2] if sizes[2] else Fraction(0), squares[1]))


class Inequality(NamedTuple):
    """The scores, the bounded one last; its ends by sizes and the others; what it needs.

    With `each`, every one of the scores is bounded by itself.
    """

    of: str
    ends: Callable[..., Limits]
    needs: str = ""
    sized: bool = False
    each: bool = False


INEQUALITIES = {
    "a share lies in its range": Inequality(
        "auc auprec eer brier", lambda _: (Fraction(0), Fraction(1)), each=True
    ),
    "a curve through the point has": Inequality(
        "tpr fpr auc",
        lambda _, tpr, fpr: (tpr[0] * (1 - fpr[1]), 1 - fpr[0] * (1 - tpr[1])),
        "the positive class",
    ),
    "a curve through (EER, 1 - EER) has": Inequality(
        "eer auc", lambda _, eer: ((1 - eer[1]) ** 2, 1 - eer[0] ** 2)
    ),
    "any curve of the AUC has": Inequality("auc auprec", _auprec, "sizes", sized=True),
    # An error adds from one quarter to one, a correct decision at most one quarter.
    "for decisions at one half": Inequality(
        "error_rate brier", lambda _, error: (error[0] / 4, error[1] + (1 - error[1]) / 4)
    ),
    "the next multiple of half a pair of objects is": Inequality(
        "auc auc", _nearest_area, "sizes of one matrix", sized=True
    ),
    "F of the printed means is": Inequality("precision tpr f1", _f_of_means, "F of means"),
    "both are one index": Inequality("one index", lambda _, same: same),
    "no R2 exceeds one": Inequality("r2", lambda _: (-math.inf, Fraction(1)), each=True),
    "no mean of errors or squares is negative": Inequality(
        "mae rmse mse variance", lambda _: (Fraction(0), math.inf), each=True
    ),
    "the mean square is the same": Inequality("rmse mse", lambda _, rmse: _squares(rmse)),
    "variance times 1 - R2 is the mean square": Inequality(
        "variance r2 mse", lambda _, *both: _squares_of(*both), "variance"
    ),
    "variance times 1 - R2 is the square": Inequality(
        "variance r2 rmse", lambda _, *both: _roots(_squares_of(*both)), "variance"
    ),
    "variance times 1 - R2 bounds the mean error": Inequality(
        "variance r2 mae",
        lambda sizes, *both: _mean_error(sizes, _squares_of(*both)),
        "variance",
        sized=True,
    ),
    "by the mean of squares": Inequality("mse mae", _mean_error, sized=True),
    "by the root of the mean of squares": Inequality(
        "rmse mae", lambda sizes, rmse: _mean_error(sizes, _squares(rmse)), sized=True
    ),
}


def ends_of_last(name: str, sizes: Any, scores: Sequence[tuple[str, Any, Any]]) -> Limits:
    """Return the least and greatest value of the last score by an inequality."""
    return INEQUALITIES[name].ends(sizes, *((low, high) for _, low, high in scores[:-1]))
