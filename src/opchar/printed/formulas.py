"""Formulas of indices for proofs: over cells, over ranges of rates, and bounds that always hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from opchar.printed.data import rows_of
from opchar.spaces.p_roc import auprec_range

Ends = tuple[Any, Any]
Form = tuple[tuple[Any, ...], tuple[Any, ...]]
COUNTS = ("tp", "fn", "fp", "tn")
_OTHER = " of the other class"


def _forms(kind: str) -> dict[str, Form]:
    """Return sums of TP, FN, FP and TN above and below the line, of axes or of indices."""
    return {
        row["name"]: (tuple(map(int, row["above"].split())), tuple(map(int, row["below"].split())))
        for row in rows_of("forms.csv")
        if row[kind]
    }


# The first five are the axes of ranges.
AXES, _LINEAR = _forms("axis"), _forms("index")
_SAME = dict.fromkeys(
    ("weighted_recall", "micro_precision", "micro_recall", "micro_f1"), "accuracy"
)


def linear_form(name: str) -> Form | None:
    """Return the sums of cells whose ratio an index is, or None for other indices."""
    if name.endswith(_OTHER):
        form = linear_form(name.removesuffix(_OTHER))
        return None if form is None else (form[0][::-1], form[1][::-1])
    family, _, parameter = name.partition(" ")
    if family in ("f_beta", "f_alpha"):
        value = Fraction(parameter)
        of_fp = 1 / (1 + value**2) if family == "f_beta" else value
        return (1, 0, 0, 0), (1, 1 - of_fp, of_fp, 0)
    if family in ("expected_cost", "normalised_expected_cost"):
        miss, alarm = map(int, parameter.split(":"))
        worst = (miss, miss, alarm, alarm) if family.startswith("normalised") else (1, 1, 1, 1)
        return (0, miss, alarm, 0), worst
    return _LINEAR.get(_SAME.get(name, name))


def _ratio_or(above: Any, below: Any, undefined: Any) -> Any:
    if below:
        return above / below
    return math.inf if above > 0 else undefined


def _f(r: Any, t: Any, square: Any = 1) -> Any:
    return (1 + square) * r * t / (square * r + t) if square * r + t else 0 * r


def _signed_product(first: Any, other: Any) -> Any:
    """Return the product of two numbers of one sign, with it; 0 where one is not yet known."""
    return abs(first) * other if first * other > 0 else Fraction(0)


Rates = Callable[..., Any]
# All rise with the rates TPR, TNR, precision and NPV; w is the share of positives, u what 0/0 is.
_RISING: dict[str, Rates] = {
    "youden": lambda t, s, r, v, w, u: t + s - 1,
    "balanced_accuracy": lambda t, s, r, v, w, u: (t + s) / 2,
    "g_mean": lambda t, s, r, v, w, u: t * s,
    "positive_likelihood": lambda t, s, r, v, w, u: _ratio_or(t, 1 - s, u),
    "diagnostic_odds_ratio": lambda t, s, r, v, w, u: _ratio_or(t * s, (1 - t) * (1 - s), u),
    "discriminant_power": lambda t, s, r, v, w, u: _ratio_or(t * s, (1 - t) * (1 - s), u),
    "markedness": lambda t, s, r, v, w, u: r + v - 1,
    "mcc": lambda t, s, r, v, w, u: _signed_product(t + s - 1, r + v - 1),
    "fowlkes_mallows": lambda t, s, r, v, w, u: t * r,
    "aurpc": lambda t, s, r, v, w, u: (t + r) / 2,
    "m_precision": lambda t, s, r, v, w, u: min(_ratio_or(t, t + 1 - s, u), Fraction(1)),
    "m_aurpc": lambda t, s, r, v, w, u: (t + min(_ratio_or(t, t + 1 - s, u), Fraction(1))) / 2,
    "adjusted_f": lambda t, s, r, v, w, u: _f(r, t, Fraction(4)) * _f(v, s, Fraction(1, 4)),
    "macro_precision": lambda t, s, r, v, w, u: (r + v) / 2,
    "macro_recall": lambda t, s, r, v, w, u: (t + s) / 2,
    "macro_f1": lambda t, s, r, v, w, u: (_f(r, t) + _f(v, s)) / 2,
    "weighted_precision": lambda t, s, r, v, w, u: w * r + (1 - w) * v,
    "weighted_f1": lambda t, s, r, v, w, u: w * _f(r, t) + (1 - w) * _f(v, s),
}
_FALLING: dict[str, Rates] = {
    "balanced_error_rate": lambda t, s, r, v, w, u: 1 - (t + s) / 2,
    "negative_likelihood": lambda t, s, r, v, w, u: _ratio_or(1 - t, s, u),
}


def is_curved(name: str) -> bool:
    """Tell whether `curved_ends` knows an index."""
    return of_rates(name) is not None or name.removesuffix(_OTHER) in ("kappa", "auc")


def curved_ends(name: str, ranges: Sequence[Ends]) -> Ends:
    """Return bounds of an index over ranges of TPR, TNR, precision, NPV and prevalence.

    Of MCC, G-mean, adjusted F and Fowlkes-Mallows the bounds are of the square with its sign, of
    the discriminant power of the odds ratio. An AUC belongs to any curve through the point.
    """
    (low, high), shares = ([one[at] for one in ranges[:4]] for at in (0, 1)), ranges[4]
    plain = name.removesuffix(_OTHER)
    if plain == "auc":
        return low[0] * low[1], 1 - (1 - high[0]) * (1 - high[1])
    if plain == "kappa":
        return _kappa_ends(low, high)
    if (known := of_rates(name)) is None:
        return -math.inf, math.inf
    rates, rises = known
    first, last = (low, high) if rises else (high, low)
    return min(rates(*first, w, 0) for w in shares), max(rates(*last, w, math.inf) for w in shares)


def _kappa_ends(low: Sequence[Any], high: Sequence[Any]) -> Ends:
    """Return bounds of kappa, 2J / (t/r + s/v) and 2M / (r/t + v/s): J Youden, M markedness."""
    found = []
    for one, other in ((0, 2), (2, 0)):
        a, b, c, d = low[one], low[one + 1], low[other], low[other + 1]
        e, f, g, h = high[one], high[one + 1], high[other], high[other + 1]
        most = _ratio_or(e, c, math.inf) + _ratio_or(f, d, math.inf)
        least = _ratio_or(a, g, 0) + _ratio_or(b, h, 0)
        first, last = a + b - 1, e + f - 1
        found.append(
            (
                _divide(2 * first, most if first >= 0 else least),
                _divide(2 * last, least if last >= 0 else most),
            )
        )
    return max(one[0] for one in found), min(one[1] for one in found)


def _divide(above: Any, below: Any) -> Any:
    if below == math.inf:
        return Fraction(0)
    return above / below if below else (math.inf if above > 0 else -math.inf if above < 0 else 0)


_ROOTS = ("mcc", "adjusted_f", "g_mean", "fowlkes_mallows")


def is_squared(name: str) -> bool:
    """Tell whether bounds of an index bound its square, with its sign."""
    return name.removesuffix(_OTHER) in _ROOTS


@cache
def of_rates(name: str) -> tuple[Rates, bool] | None:
    """Return an index as a function of rates that never fall, and whether it rises with them."""
    plain = name.removesuffix(_OTHER)
    own = _RISING.get(plain, _FALLING.get(plain))
    if own is None:
        return None
    of_other = lambda t, s, r, v, w, u: own(s, t, v, r, 1 - w, u)  # noqa: E731
    return own if plain == name else of_other, plain in _RISING


def score_ends(name: str, worst: Sequence[Any], best: Sequence[Any], undefined: Any = None) -> Ends:
    """Return bounds of an index between two matrices of one size, of least and most TP and TN.

    Of one matrix these are its value, with 0/0 as told.
    """
    if name in COUNTS:
        ends = [cells[COUNTS.index(name)] for cells in (worst, best)]
        return min(ends), max(ends)
    form = linear_form(name)
    if form is not None:
        tp, fn, fp, tn = zip(worst, best, strict=True)
        corners = {(tp[i], fn[i], fp[j], tn[j]) for i in (0, 1) for j in (0, 1)}
        values = [value for cells in corners for value in _ratios(form, cells, undefined)]
        return min(values), max(values)
    if name == "optimisation_precision":
        if tuple(worst) != tuple(best):
            return -math.inf, math.inf
        (t, _), (s, _) = (_rates(worst, 0)[at] for at in (0, 1))
        accuracy = _ratios(AXES["accuracy"], worst, 0)[0]
        value = accuracy - (abs(t - s) / (t + s) if t + s else 0)
        return value, value
    if undefined is not None and (known := of_rates(name)):
        value = known[0](*(low for low, _ in _rates(worst, undefined)), undefined)
        return value, value
    ends = [curved_ends(name, _rates(cells, undefined)) for cells in (worst, best)]
    if worst == best and name == "kappa" and undefined is None:
        return ends[0]
    return min(one[0] for one in ends), max(one[1] for one in ends)


def _ratios(form: Form, cells: Sequence[Any], undefined: Any) -> list[Any]:
    above, below = (sum(a * b for a, b in zip(part, cells, strict=True)) for part in form)
    if below:
        return [Fraction(above) / below]
    return [0, 1] if undefined is None else [Fraction(undefined)]


def _rates(cells: Sequence[Any], undefined: Any) -> list[Ends]:
    ratios = [_ratios(AXES[name], cells, undefined) for name in tuple(AXES)[:5]]
    return [(min(values), max(values)) for values in ratios]


def mean_ends(known: Mapping[str, Any], target: str) -> Ends:
    """Return bounds of the mean of a score over any parts, from means of others.

    F is a concave function of precision and recall with 0 in three corners and 1 in the last: its
    mean lies between P + R - 1 and the F of the means. Means of sums are sums of means. Of others
    only shares have bounds: kappa and the correlation may be negative, likelihood ratios above one.
    """
    zero, one = Fraction(0), Fraction(1)
    t, s, r = (known.get(name, (zero, one)) for name in ("tpr", "tnr", "precision"))
    if target in ("youden", "balanced_accuracy"):
        low, high = t[0] + s[0], t[1] + s[1]
        return (low - 1, high - 1) if target == "youden" else (low / 2, high / 2)
    family, _, beta = target.partition(" ")
    if target != "f1" and family != "f_beta":
        return (zero, one) if target in _LINEAR else (-math.inf, math.inf)
    square = Fraction(beta or 1) ** 2
    return max(zero, r[0] + t[0] - 1), _f(r[1], t[1], square)


# The areas under precision are logarithms: the only bounds that floats compute.
_SLACK = Fraction(1, 10**9)
_ROOT = 10**12


def _auprec(sizes: Any, auc: Ends) -> Ends:
    p, n, _ = sizes
    low, high = auprec_range((float(auc[0]), float(auc[1])), p / (p + n))
    return Fraction(low) - _SLACK, Fraction(high) + _SLACK


def _nearest_area(sizes: Any, auc: Ends) -> Ends:
    pairs = 2 * sizes[0] * sizes[1]
    nearest = Fraction(math.floor(auc[1] * pairs), pairs)
    return nearest, nearest


def _f_of_means(_: Any, precision: Ends, recall: Ends) -> Ends:
    ends = [(precision[at], recall[at]) for at in (0, 1)]
    low, high = (2 * a * b / (a + b) if a + b > 0 else Fraction(0) for a, b in ends)
    return low, high


def _squares_of(variance: Ends, r2: Ends) -> Ends:
    values = [max(a * b, Fraction(0)) for a, b in product(variance, (1 - end for end in r2))]
    return min(values), max(values)


def _squares(ends: Ends) -> Ends:
    return max(ends[0], Fraction(0)) ** 2, max(ends[1], Fraction(0)) ** 2


def _roots(squares: Ends) -> Ends:
    """Return a root that is too small, and one too large, by less than 10^-12."""
    low, high = (math.isqrt(max(int(end * _ROOT**2), 0)) for end in squares)
    return Fraction(low, _ROOT), Fraction(high + 1, _ROOT)


def _mean_error(sizes: Any, squares: Ends) -> Ends:
    return _roots((squares[0] / sizes[2] if sizes[2] else Fraction(0), squares[1]))


class Inequality(NamedTuple):
    """The scores, the bounded one last; its ends by sizes and the others; what it needs.

    With `each`, every one of the scores is bounded by itself.
    """

    of: str
    ends: Callable[..., Ends]
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


def ends_of_last(name: str, sizes: Any, scores: Sequence[tuple[str, Any, Any]]) -> Ends:
    """Return the least and greatest value of the last score by an inequality."""
    return INEQUALITIES[name].ends(sizes, *((low, high) for _, low, high in scores[:-1]))
