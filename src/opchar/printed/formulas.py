"""Formulas of indices for proofs: over cells, and over ranges of the rates of a matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from opchar.printed.data import rows_of

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
    plain = name.removesuffix(_OTHER)
    return plain in _RISING or plain in _FALLING or plain in ("kappa", "auc")


def curved_ends(name: str, ranges: Sequence[Ends]) -> Ends:
    """Return bounds of an index over ranges of TPR, TNR, precision, NPV and prevalence.

    Of MCC, G-mean, adjusted F and Fowlkes-Mallows the bounds are of the square with its sign, of
    the discriminant power of the odds ratio. An AUC belongs to any curve through the point.
    """
    if name.endswith(_OTHER):
        t, s, r, v, (least, most) = ranges
        swapped = [s, t, v, r, (1 - most, 1 - least)]
        return curved_ends(name.removesuffix(_OTHER), swapped)
    low, high = ([one[at] for one in ranges[:4]] for at in (0, 1))
    shares = ranges[4]
    if name == "auc":
        return low[0] * low[1], 1 - (1 - high[0]) * (1 - high[1])
    if name == "kappa":
        return _kappa_ends(low, high)
    if name in _FALLING:
        return _FALLING[name](*high, 0, 0), _FALLING[name](*low, 0, math.inf)
    if name not in _RISING:
        return -math.inf, math.inf
    rising = _RISING[name]
    return min(rising(*low, w, 0) for w in shares), max(rising(*high, w, math.inf) for w in shares)


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
        corners = [(tp[i], fn[i], fp[j], tn[j]) for i in (0, 1) for j in (0, 1)]
        values = [value for cells in corners for value in _ratios(form, cells, undefined)]
        return min(values), max(values)
    if name == "optimisation_precision":
        if tuple(worst) != tuple(best):
            return -math.inf, math.inf
        (t, _), (s, _) = (_rates(worst, 0)[at] for at in (0, 1))
        accuracy = _ratios(AXES["accuracy"], worst, 0)[0]
        value = accuracy - (abs(t - s) / (t + s) if t + s else 0)
        return value, value
    ends = [curved_ends(name, _rates(cells, undefined)) for cells in (worst, best)]
    if undefined is not None and name.removesuffix(_OTHER) in _RISING | _FALLING:
        own = (_RISING | _FALLING)[name.removesuffix(_OTHER)]
        rates = [one[0] for one in _rates(worst, undefined)]
        if name.endswith(_OTHER):
            rates = [rates[1], rates[0], rates[3], rates[2], 1 - rates[4]]
        value = own(*rates, undefined)
        return value, value
    if worst == best and name == "kappa" and undefined is None:
        return ends[0]
    return min(one[0] for one in ends), max(one[1] for one in ends)


def _ratios(form: Form, cells: Sequence[Any], undefined: Any) -> list[Any]:
    above, below = (sum(a * b for a, b in zip(part, cells, strict=True)) for part in form)
    if below:
        return [Fraction(above) / below]
    return [0, 1] if undefined is None else [Fraction(undefined)]


def _rates(cells: Sequence[Any], undefined: Any) -> list[Ends]:
    found = []
    for name in tuple(AXES)[:5]:
        values = _ratios(AXES[name], cells, undefined)
        found.append((min(values), max(values)))
    return found


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
