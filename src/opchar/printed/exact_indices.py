"""Indices of two classes as ratios of whole numbers, for searches that no rounding may decide."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from opchar.metrics.registry import INDICES

Ratio = tuple[int, int]
Formula = Callable[[int, int, int, int], Ratio]
COUNTS = ("tp", "fn", "fp", "tn")
_ROOT_SCALE = 10**30
_FUNCTIONS = {index.name: index.function for index in INDICES if index.of == "counts"}


@dataclass(frozen=True)
class ExactIndex:
    """An index of two classes by a ratio of whole numbers."""

    name: str
    formula: Formula
    sense: Literal["gain", "cost", "call", "unknown"] = "gain"
    scale: Literal["same", "square", "odds"] = "same"
    linear: bool = False

    def ratio(self, tp: int, fn: int, fp: int, tn: int) -> Ratio:
        """Return numerator and denominator; 0/0 is 0, as it is usually printed."""
        return _require_defined(self.formula(tp, fn, fp, tn))

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
        found = float(_FUNCTIONS.get(self.name, self.quick)(tp, fn, fp, tn))
        return self.quick(tp, fn, fp, tn) if math.isnan(found) else found

    def bounds(
        self, low: NDArray[np.float64], high: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return bounds of the ratio over boxes of TP, FN, FP and TN."""
        kind, _, part = self.name.partition("_")
        if kind == "weighted" and part in _AVERAGED:
            exact = EXACT[_AVERAGED[part]]
            (least, most), (least_of_other, most_of_other) = (
                index.bounds(low, high) for index in (exact, exact.of_other_class())
            )
            (p, n), (more_p, more_n) = (
                np.maximum(one.reshape(2, 2, -1).sum(1), 1) for one in (low, high)
            )
            shares = p / (p + more_n), more_p / (more_p + n)
            return (
                np.minimum(*(w * least + (1 - w) * least_of_other for w in shares)),
                np.maximum(*(w * most + (1 - w) * most_of_other for w in shares)),
            )
        if self.sense == "unknown" or self.name.split(" ")[0] in _UNSTEADY:
            return np.full(low.shape[1], -np.inf), np.full(low.shape[1], np.inf)
        call = self.sense == "call"
        rises = _RISES.get(self.name, (True, False, call, not call))
        rising = np.array(rises)[:, None]
        first, last = np.where(rising, low, high), np.where(rising, high, low)
        pair = (last, first) if self.sense == "cost" else (first, last)
        found = []
        for counts, unknown in zip(pair, (-np.inf, np.inf), strict=True):
            above, below = (np.asarray(part, dtype=float) for part in self.formula(*counts))
            ratio = np.divide(above, below, out=np.full(low.shape[1], np.inf), where=below != 0)
            found.append(np.where((above == 0) & (below == 0), unknown, ratio))
        if self.name.startswith("kappa"):  # it falls with errors as long as it is not negative
            several = (low < high).any(axis=0)
            return (
                np.where(several & (found[0] < 0), -1.0, found[0]),
                np.where(several, np.maximum(found[1], 0), found[1]),
            )
        return found[0], found[1]

    def of_other_class(self) -> ExactIndex:
        """Return the index with the classes exchanged."""
        return replace(
            self,
            name=f"{self.name} of the other class",
            formula=lambda tp, fn, fp, tn: self.formula(tn, fp, fn, tp),
        )


def exact_index(name: str) -> ExactIndex | None:
    """Return an index of two classes by name, or None for what no single matrix has."""
    kind, _, part = name.partition("_")
    family, _, parameter = name.rpartition(" ")
    if family in ("f_beta", "f_alpha"):
        return ExactIndex(name, _f(family, Fraction(parameter)))
    if family in ("expected_cost", "normalised_expected_cost"):
        return ExactIndex(name, _cost(family, *parameter.split(":")), "cost", linear=True)
    if (kind == "micro" and part in _AVERAGED) or name == "weighted_recall":
        return replace(EXACT["accuracy"], name=name)
    if name == "macro_recall":
        return replace(EXACT["balanced_accuracy"], name=name)
    if kind in ("macro", "weighted") and part in _AVERAGED:
        return ExactIndex(name, _average(kind, part))
    return EXACT.get(name)


def _f(family: str, parameter: Fraction) -> Formula:
    """Return F as TP over TP and a weighted sum of FP and FN."""
    square = parameter**2
    of_fp = 1 / (1 + square) if family == "f_beta" else parameter
    u, v = of_fp.as_integer_ratio()
    return lambda tp, fn, fp, tn: (v * tp, v * tp + u * fp + (v - u) * fn)


def _cost(family: str, of_miss: str, of_alarm: str) -> Formula:
    miss, alarm = int(of_miss), int(of_alarm)
    worst = (miss, alarm) if family.startswith("normalised") else (1, 1)
    return lambda tp, fn, fp, tn: (
        miss * fn + alarm * fp,
        worst[0] * (tp + fn) + worst[1] * (fp + tn),
    )


# Beyond fixed numbers of positives and negatives a count moves these in both directions.
_UNSTEADY = ("optimisation_precision", "adjusted_g_mean", "m_aurpc", "expected_cost")
# Shares of all objects rise with TP (and FN), and fall with all other counts.
_RISES = {"prevalence": (True, True, False, False), "detection_rate": (True, False, False, False)}
_AVERAGED = {"precision": "precision", "recall": "tpr", "f1": "f1"}


def _average(kind: str, part: str) -> Formula:
    of_class = EXACT[_AVERAGED[part]].ratio

    def formula(tp: int, fn: int, fp: int, tn: int) -> Ratio:
        first, second = (1, 1) if kind == "macro" else (tp + fn, fp + tn)
        (a, b), (c, d) = of_class(tp, fn, fp, tn), of_class(tn, fp, fn, tp)
        return first * a * d + second * c * b, (first + second) * b * d

    return formula


def _require_defined(ratio: Ratio) -> Ratio:
    above, below = ratio
    if isinstance(below, np.ndarray):
        return above, np.where((above == 0) & (below == 0), 1, below)
    return ratio if above or below else (0, 1)


def _sum(first: Ratio, second: Ratio, less: int = 0, parts: int = 1) -> Ratio:
    """Return the sum of two ratios, less a whole number, over a number of parts."""
    (a, b), (c, d) = _require_defined(first), _require_defined(second)
    return a * d + c * b - less * b * d, parts * b * d


def _mcc(tp: int, fn: int, fp: int, tn: int) -> Ratio:
    over = tp * tn - fp * fn
    return over * abs(over), (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)


def _kappa(tp: int, fn: int, fp: int, tn: int) -> Ratio:
    return 2 * (tp * tn - fn * fp), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)


def _adjusted_f(tp: int, fn: int, fp: int, tn: int) -> Ratio:
    first = _require_defined((5 * tp, 5 * tp + 4 * fn + fp))
    second = _require_defined((5 * tn, 5 * tn + fp + 4 * fn))
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


_LINEAR: dict[str, Formula] = {
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
    "posfrac": lambda tp, fn, fp, tn: (tp + fp, tp + fn + fp + tn),
    "prevalence": lambda tp, fn, fp, tn: (tp + fn, tp + fn + fp + tn),
    "detection_rate": lambda tp, fn, fp, tn: (tp, tp + fn + fp + tn),
    "youden": lambda tp, fn, fp, tn: _sum((tp, tp + fn), (tn, tn + fp), less=1),
    "balanced_accuracy": lambda tp, fn, fp, tn: _sum((tp, tp + fn), (tn, tn + fp), parts=2),
    "balanced_error_rate": lambda tp, fn, fp, tn: _sum((fn, tp + fn), (fp, tn + fp), parts=2),
}
_CURVED: dict[str, Formula] = {
    "precision": lambda tp, fn, fp, tn: (tp, tp + fp),
    "npv": lambda tp, fn, fp, tn: (tn, tn + fn),
    "false_discovery_rate": lambda tp, fn, fp, tn: (fp, tp + fp),
    "false_omission_rate": lambda tp, fn, fp, tn: (fn, tn + fn),
    "positive_likelihood": lambda tp, fn, fp, tn: (tp * (tn + fp), fp * (tp + fn)),
    "negative_likelihood": lambda tp, fn, fp, tn: (fn * (tn + fp), tn * (tp + fn)),
    "diagnostic_odds_ratio": lambda tp, fn, fp, tn: (tp * tn, fp * fn),
    "discriminant_power": lambda tp, fn, fp, tn: (tp * tn, fp * fn),
    "mcc": _mcc,
    "kappa": _kappa,
    "f1": lambda tp, fn, fp, tn: (2 * tp, 2 * tp + fn + fp),
    "adjusted_f": _adjusted_f,
    "markedness": lambda tp, fn, fp, tn: _sum((tp, tp + fp), (tn, tn + fn), less=1),
    "g_mean": lambda tp, fn, fp, tn: (tp * tn, (tp + fn) * (tn + fp)),
    "adjusted_g_mean": _adjusted_g_mean,
    "optimisation_precision": _optimisation_precision,
    "fowlkes_mallows": lambda tp, fn, fp, tn: (tp * tp, (tp + fp) * (tp + fn)),
    "jaccard": lambda tp, fn, fp, tn: (tp, tp + fn + fp),
    "aurpc": lambda tp, fn, fp, tn: _sum((tp, tp + fn), (tp, tp + fp), parts=2),
    "m_precision": _m_precision,
    "m_aurpc": lambda *counts: _sum(
        (counts[0], counts[0] + counts[1]), _m_precision(*counts), parts=2
    ),
}
_COSTS = (
    *("fn", "fp", "error_rate", "fpr", "fnr", "balanced_error_rate", "negative_likelihood"),
    *("false_discovery_rate", "false_omission_rate"),
)
_SENSES = dict.fromkeys(_COSTS, "cost") | {"posfrac": "call", "optimisation_precision": "unknown"}
_SCALES = dict.fromkeys(("mcc", "adjusted_f", "g_mean", "fowlkes_mallows"), "square")
_SCALES |= {"discriminant_power": "odds"}
EXACT = {
    name: ExactIndex(
        name,
        formula,
        _SENSES.get(name, "gain"),  # type: ignore[arg-type]
        _SCALES.get(name, "same"),  # type: ignore[arg-type]
        name in _LINEAR,
    )
    for name, formula in (_LINEAR | _CURVED).items()
}
