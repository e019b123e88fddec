"""Indices of two-class matrices in whole numbers, and the names that tables give them.

``headings.csv`` lists them. A gain rises with TP and falls with FP at fixed numbers of positives
and negatives, a cost does the reverse, a call rises with both; of the rest nothing is known before
all counts are. The scale says what the ratio is: the value, its square with its sign, or the odds
ratio of a discriminant power.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files

import opchar.metrics as metrics

Ratio = tuple[int, int]
COUNTS = ("tp", "fn", "fp", "tn")
_ROOT_SCALE = 10**30
_F = re.compile(r"f_?(?:beta )?(\d+(?:\.\d+)?)(?:[ -]?(?:score|measure))?")
_ALPHA = re.compile(r"f[_ -]?alpha[ (=]*(0?\.\d+|[01])\)?")
_NORMALISED = re.compile(r"(?:nec|normali[sz]ed[ _](?:expected[ _])?cost)[ (]*(\d+)\s*:\s*(\d+)\)?")
_COST = re.compile(r"(?:expected[ _])?(?:cost|loss)[ (]*(\d+)\s*:\s*(\d+)\)?")
_AVERAGED = {"precision": "precision", "recall": "tpr", "f1": "f1"}


@cache
def known() -> dict[str, dict[str, str]]:
    """Return the lines of ``headings.csv`` by index."""
    text = files("opchar.published").joinpath("headings.csv").read_text(encoding="utf-8")
    return {line["index"]: line for line in csv.DictReader(text.splitlines())}


@dataclass(frozen=True)
class Exact:
    """An index of two classes by a ratio of whole numbers; linear ones are so in TP and FP.

    The name is one of ``headings.csv``, or as in ``"f_beta 2"``, ``"expected_cost 5:1"``.
    """

    name: str
    formula: Callable[[int, int, int, int], Ratio]
    sense: str = "gain"
    scale: str = "same"
    linear: bool = False

    def ratio(self, tp: int, fn: int, fp: int, tn: int) -> Ratio:
        """Return numerator and denominator; 0/0 is 0, as it is usually printed."""
        return _defined(self.formula(tp, fn, fp, tn))

    def of_ratio(self, limits: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        """Return the limits of the ratio for limits of the value."""
        if self.scale == "same":
            return limits
        if self.scale == "square":
            return limits[0] * abs(limits[0]), limits[1] * abs(limits[1])
        low, high = (math.exp(math.pi / math.sqrt(3) * float(limit)) for limit in limits)
        return Fraction(low * (1 - 1e-12)), Fraction(high * (1 + 1e-12))

    def quick(self, tp: int, fn: int, fp: int, tn: int) -> float:
        """Return the value as a float of the ratio."""
        above, below = self.ratio(tp, fn, fp, tn)
        ratio = above / below if below else math.inf
        if self.scale == "square":
            return math.copysign(math.sqrt(abs(ratio)), ratio)
        if self.scale == "odds":
            return math.sqrt(3) / math.pi * math.log(ratio) if ratio > 0 else -math.inf
        return ratio

    def value(self, tp: int, fn: int, fp: int, tn: int) -> float:
        """Return the value by `opchar.metrics`; that of the ratio for 0/0 or an index not there."""
        function = getattr(metrics, self.name, self.quick)
        found = float(function(tp, fn, fp, tn))
        return self.quick(tp, fn, fp, tn) if math.isnan(found) else found


def meaning(heading: str) -> str | None:
    """Return the index or size that a heading names, or None for one that is not known."""
    plain = re.sub(r"[\[(]\s*\d+\s*%\s*ci\s*[\])]", "", heading.lower())
    plain = re.sub(r"[\[(]?\s*(%|in percent|percent)\s*[\])]?", "", plain).strip()
    if plain in known():
        return plain
    if costs := _COST.fullmatch(plain):
        return f"expected_cost {costs[1]}:{costs[2]}"
    if costs := _NORMALISED.fullmatch(plain):
        return f"normalised_expected_cost {costs[1]}:{costs[2]}"
    if alpha := _ALPHA.fullmatch(plain):
        return f"f_alpha {alpha[1]}"
    squeezed = re.sub(r"[^a-z0-9+-]" if "lr" in plain else r"[^a-z0-9+]", "", plain)
    for name, line in known().items():
        if squeezed in line["headings"].split():
            return name
    beta = _F.fullmatch(plain)
    return f"f_beta {beta[1]}" if beta and float(beta[1]) > 0 else None


def exact(name: str) -> Exact | None:
    """Return an index of two classes by name, or None for what no single matrix has."""
    kind, _, part = name.partition("_")
    weighed = name.rpartition(" ")
    if weighed[0] in _WEIGHED:
        return _WEIGHED[weighed[0]](name, weighed[2])
    if kind in ("macro", "weighted", "micro") and part in _AVERAGED:
        formula = _RATIOS["accuracy"] if kind == "micro" else _averaged(kind, part)
        return Exact(name, formula, linear=kind == "micro" or part == "recall")
    if name not in _RATIOS:
        return None
    line = known()[name]
    return Exact(name, _RATIOS[name], line["sense"], line["scale"], line["linear"] == "yes")


def is_linear(name: str) -> bool:
    """Tell whether an index is known and linear in TP and FP."""
    index = exact(name)
    return index is not None and index.linear


def other_class(index: Exact) -> Exact:
    """Return a gain of the positive class for the negative class."""
    return replace(
        index,
        name=f"{index.name} of the other class",
        formula=lambda tp, fn, fp, tn: index.formula(tn, fp, fn, tp),
    )


def _f_beta(name: str, beta: str) -> Exact:
    u, v = (Fraction(beta) ** 2).as_integer_ratio()
    return Exact(name, lambda tp, fn, fp, tn: ((u + v) * tp, (u + v) * tp + u * fn + v * fp))


def _f_alpha(name: str, alpha: str) -> Exact:
    u, v = Fraction(alpha).as_integer_ratio()
    return Exact(name, lambda tp, fn, fp, tn: (v * tp, v * tp + u * fp + (v - u) * fn))


def _cost(name: str, costs: str) -> Exact:
    miss, alarm = map(int, costs.split(":"))
    return Exact(
        name,
        lambda tp, fn, fp, tn: (miss * fn + alarm * fp, tp + fn + fp + tn),
        "cost",
        linear=True,
    )


def _normalised_cost(name: str, costs: str) -> Exact:
    miss, alarm = map(int, costs.split(":"))
    return Exact(
        name,
        lambda tp, fn, fp, tn: (miss * fn + alarm * fp, miss * (tp + fn) + alarm * (fp + tn)),
        "cost",
        linear=True,
    )


_WEIGHED = {
    "f_beta": _f_beta,
    "f_alpha": _f_alpha,
    "expected_cost": _cost,
    "normalised_expected_cost": _normalised_cost,
}


def _averaged(kind: str, part: str) -> Callable[[int, int, int, int], Ratio]:
    of_class = _RATIOS[_AVERAGED[part]]

    def formula(tp: int, fn: int, fp: int, tn: int) -> Ratio:
        (a, b), (c, d) = (_defined(of_class(*at)) for at in ((tp, fn, fp, tn), (tn, fp, fn, tp)))
        first, second = (1, 1) if kind == "macro" else (tp + fn, fp + tn)
        return first * a * d + second * c * b, (first + second) * b * d

    return formula


def _sum(first: Ratio, second: Ratio, less: int = 0) -> Ratio:
    (a, b), (c, d) = _defined(first), _defined(second)
    return a * d + c * b - less * b * d, b * d


def _mean(first: Ratio, second: Ratio) -> Ratio:
    above, below = _sum(first, second)
    return above, 2 * below


def _defined(ratio: Ratio) -> Ratio:
    return ratio if ratio[0] or ratio[1] else (0, 1)


def _mcc(tp: int, fn: int, fp: int, tn: int) -> Ratio:
    over = tp * tn - fp * fn
    return over * abs(over), (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)


def _adjusted_f(tp: int, fn: int, fp: int, tn: int) -> Ratio:
    first = _defined((5 * tp, 5 * tp + 4 * fn + fp))
    second = _defined((5 * tn, 5 * tn + fp + 4 * fn))
    return first[0] * second[0], first[1] * second[1]


def _adjusted_g_mean(tp: int, fn: int, fp: int, tn: int) -> Ratio:
    if tp == 0:
        return 0, 1
    root = math.isqrt(tp * tn * _ROOT_SCALE**2 // max((tp + fn) * (fp + tn), 1))
    return root + tn * _ROOT_SCALE, (1 + fp + tn) * _ROOT_SCALE


def _optimisation_precision(tp: int, fn: int, fp: int, tn: int) -> Ratio:
    one, other = tp * (fp + tn), tn * (tp + fn)
    return _sum((tp + tn, tp + fn + fp + tn), (-abs(one - other), one + other))


def _m_precision(tp: int, fn: int, fp: int, tn: int) -> Ratio:
    return tp * (tn + fp), tp * (tn + fp) + fp * (tp + fn)


_RATIOS: dict[str, Callable[..., Ratio]] = {
    "tp": lambda tp, fn, fp, tn: (tp, 1),
    "fn": lambda tp, fn, fp, tn: (fn, 1),
    "fp": lambda tp, fn, fp, tn: (fp, 1),
    "tn": lambda tp, fn, fp, tn: (tn, 1),
    "accuracy": lambda tp, fn, fp, tn: (tp + tn, tp + fn + fp + tn),
    "error_rate": lambda tp, fn, fp, tn: (fn + fp, tp + fn + fp + tn),
    "tpr": lambda tp, fn, fp, tn: (tp, tp + fn),
    "tnr": lambda tp, fn, fp, tn: (tn, tn + fp),
    "fpr": lambda tp, fn, fp, tn: (fp, tn + fp),
    "fnr": lambda tp, fn, fp, tn: (fn, tp + fn),
    "precision": lambda tp, fn, fp, tn: (tp, tp + fp),
    "npv": lambda tp, fn, fp, tn: (tn, tn + fn),
    "false_discovery_rate": lambda tp, fn, fp, tn: (fp, tp + fp),
    "false_omission_rate": lambda tp, fn, fp, tn: (fn, tn + fn),
    "posfrac": lambda tp, fn, fp, tn: (tp + fp, tp + fn + fp + tn),
    "positive_likelihood": lambda tp, fn, fp, tn: (tp * (tn + fp), fp * (tp + fn)),
    "negative_likelihood": lambda tp, fn, fp, tn: (fn * (tn + fp), tn * (tp + fn)),
    "diagnostic_odds_ratio": lambda tp, fn, fp, tn: (tp * tn, fp * fn),
    "discriminant_power": lambda tp, fn, fp, tn: (tp * tn, fp * fn),
    "youden": lambda tp, fn, fp, tn: _sum((tp, tp + fn), (tn, tn + fp), 1),
    "mcc": _mcc,
    "kappa": lambda tp, fn, fp, tn: (
        2 * (tp * tn - fn * fp),
        (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn),
    ),
    "f1": lambda tp, fn, fp, tn: (2 * tp, 2 * tp + fn + fp),
    "adjusted_f": _adjusted_f,
    "markedness": lambda tp, fn, fp, tn: _sum((tp, tp + fp), (tn, tn + fn), 1),
    "balanced_accuracy": lambda tp, fn, fp, tn: _mean((tp, tp + fn), (tn, tn + fp)),
    "balanced_error_rate": lambda tp, fn, fp, tn: _mean((fn, tp + fn), (fp, tn + fp)),
    "g_mean": lambda tp, fn, fp, tn: (tp * tn, (tp + fn) * (tn + fp)),
    "adjusted_g_mean": _adjusted_g_mean,
    "optimisation_precision": _optimisation_precision,
    "fowlkes_mallows": lambda tp, fn, fp, tn: (tp * tp, (tp + fp) * (tp + fn)),
    "jaccard": lambda tp, fn, fp, tn: (tp, tp + fn + fp),
    "aurpc": lambda tp, fn, fp, tn: _mean((tp, tp + fn), (tp, tp + fp)),
    "m_precision": _m_precision,
    "m_aurpc": lambda tp, fn, fp, tn: _mean((tp, tp + fn), _m_precision(tp, fn, fp, tn)),
}
