"""Indices of two-class matrices in whole numbers, and the names that tables give them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

import opchar.metrics as metrics

Ratio = tuple[int, int]
# How an index moves with TP and FP: a gain rises with TP and falls with FP, a cost does the
# reverse, a call rises with both; of the rest nothing is known before all counts are.
Sense = Literal["gain", "cost", "call", "unknown"]
Scale = Literal["same", "square", "odds"]
_ROOT_SCALE = 10**30
# What a table may call an index; letters and digits only.
ALIASES = {
    "accuracy": "acc accuracy correct oa overallaccuracy ca",
    "error_rate": "err error errorrate misclassification",
    "tpr": "tpr sens sensitivity recall hitrate detectionrate se r rec truepositiverate",
    "tnr": "tnr spec specificity sp selectivity truenegativerate",
    "fpr": "fpr fallout falsepositiverate far fprate falsealarmrate",
    "fnr": "fnr missrate falsenegativerate frr",
    "precision": "precision ppv prec p positivepredictivevalue pr",
    "npv": "npv negativepredictivevalue",
    "false_discovery_rate": "fdr falsediscoveryrate",
    "false_omission_rate": "for falseomissionrate",
    "posfrac": "posfrac",
    "positive_likelihood": "lr+ plr positivelikelihood positivelikelihoodratio",
    "negative_likelihood": "lr- nlr negativelikelihood negativelikelihoodratio",
    "diagnostic_odds_ratio": "dor diagnosticoddsratio",
    "youden": "youden youdenj j informedness bm yi",
    "mcc": "mcc matthews phi",
    "kappa": "kappa cohenskappa k",
    "discriminant_power": "dp discriminantpower",
    "adjusted_f": "agf adjustedf",
    "markedness": "mk markedness",
    "balanced_accuracy": "bacc bcr balancedaccuracy bac",
    "balanced_error_rate": "ber hter balancederrorrate",
    "g_mean": "gmean gm geometricmean",
    "adjusted_g_mean": "agm adjustedgmean",
    "optimisation_precision": "op optimisationprecision optimizedprecision",
    "jaccard": "jaccard iou csi threatscore",
    "aurpc": "aurpc",
    "m_precision": "mprecision",
    "m_aurpc": "maurpc",
    "f1": "f f1 fmeasure fscore f1score f1measure dice",
    "tp": "tp truepositives",
    "fn": "fn falsenegatives",
    "fp": "fp falsepositives",
    "tn": "tn truenegatives",
    "auc": "auc auroc rocauc aucroc areaundertheroccurve",
    "auprec": "auprec auprc prauc aucpr averageprecision ap aupr",
    "eer": "eer equalerrorrate",
    "brier": "brier brierscore",
    "macro_precision": "macroprecision precisionmacro macrop",
    "macro_recall": "macrorecall recallmacro acsa uar macror",
    "macro_f1": "macrof1 f1macro macrof macrofscore",
    "weighted_precision": "weightedprecision precisionweighted",
    "weighted_recall": "weightedrecall recallweighted",
    "weighted_f1": "weightedf1 f1weighted",
    "micro_precision": "microprecision precisionmicro",
    "micro_recall": "microrecall recallmicro",
    "micro_f1": "microf1 f1micro microf",
    "aurpc_ova": "aurpcova",
    "auroc_ova": "aurocova",
    "objects": "n objects samples instances cases size total",
    "positives": "positives npos pos p+",
    "negatives": "negatives nneg neg",
}
_KNOWN = {alias: name for name, words in ALIASES.items() for alias in words.split()}
_PARAMETER = re.compile(r"f_?(?:beta=)?(\d+(?:\.\d+)?)(?:[ -]?(?:score|measure))?")
_COST = re.compile(r"(?:expected )?(?:cost|loss)[ (]*(\d+)\s*:\s*(\d+)\)?")
LINEAR = {
    *("accuracy", "error_rate", "tpr", "tnr", "fpr", "fnr", "posfrac", "youden"),
    *("balanced_accuracy", "balanced_error_rate", "expected_cost", "tp", "fn", "fp", "tn"),
    *("macro_recall", "weighted_recall", "micro_recall", "micro_precision", "micro_f1"),
}
COUNTS = ("tp", "fn", "fp", "tn")


@dataclass(frozen=True)
class Exact:
    """An index of two classes, computed in whole numbers.

    Attributes
    ----------
    name : str
        As in `opchar.metrics`, or ``"kappa"``, a count, ``"f_beta 2"``, ``"expected_cost 5:1"``.
    formula : callable
        Numerator and denominator, of ``(tp, fn, fp, tn)``.
    sense : {"gain", "cost", "call", "unknown"}
        How it moves with TP and FP at fixed numbers of positives and negatives.
    scale : {"same", "square", "odds"}
        What the ratio is of the value: itself, its square with its sign, or the odds ratio.
    library : callable
        The same index of floats.
    """

    name: str
    formula: Callable[[int, int, int, int], Ratio]
    sense: Sense
    scale: Scale
    library: Callable[..., Any]

    def ratio(self, tp: int, fn: int, fp: int, tn: int) -> Ratio:
        """Return numerator and denominator; 0/0 is 0, as it is usually printed."""
        return _defined(self.formula(tp, fn, fp, tn))

    @property
    def linear(self) -> bool:
        """Whether it is linear in TP and FP at fixed numbers of positives and negatives."""
        return self.name.partition(" ")[0] in LINEAR

    def of_ratio(self, limits: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        """Return the limits of the ratio for limits of the value."""
        if self.scale == "same":
            return limits
        if self.scale == "square":
            return limits[0] * abs(limits[0]), limits[1] * abs(limits[1])
        low, high = (math.exp(math.pi / math.sqrt(3) * float(limit)) for limit in limits)
        return Fraction(low * (1 - 1e-12)), Fraction(high * (1 + 1e-12))

    def value(self, tp: int, fn: int, fp: int, tn: int) -> float:
        """Return the value by the function of the library; where it has none, with 0 for 0/0."""
        found = float(self.library(tp, fn, fp, tn))
        if not math.isnan(found):
            return found
        return self.quick(tp, fn, fp, tn)

    def quick(self, tp: int, fn: int, fp: int, tn: int) -> float:
        """Return the value as a float of the ratio."""
        above, below = self.ratio(tp, fn, fp, tn)
        ratio = above / below if below else math.inf
        if self.scale == "square":
            return math.copysign(math.sqrt(abs(ratio)), ratio)
        if self.scale == "odds":
            return math.sqrt(3) / math.pi * math.log(ratio) if ratio > 0 else -math.inf
        return ratio


def meaning(name: str) -> str | None:
    """Return the index or size that a heading names, or None for one that is not known.

    Parameters
    ----------
    name : str
        As in ``"Recall (%)"``, ``"F2"``, ``"cost 5:1"``, or a name of `opchar.metrics`.

    Returns
    -------
    str or None

    Examples
    --------
    >>> meaning("Sens. [%]"), meaning("F0.5"), meaning("Macro-F1"), meaning("colour")
    ('tpr', 'f_beta 0.5', 'macro_f1', None)
    """
    plain = re.sub(r"[\[(]?\s*(%|in percent|percent)\s*[\])]?", "", name).strip()
    lower = plain.lower().replace("@", " ").strip()
    if lower in ALIASES:
        return lower
    if costs := _COST.fullmatch(lower):
        return f"expected_cost {costs[1]}:{costs[2]}"
    squeezed = re.sub(r"[^a-z0-9+]" if "lr" not in lower else r"[^a-z0-9+-]", "", lower)
    if squeezed in _KNOWN:
        return _KNOWN[squeezed]
    if (beta := _PARAMETER.fullmatch(lower)) and float(beta[1]) > 0:
        return f"f_beta {beta[1]}"
    return lower if re.fullmatch(r"(f_beta \d+(\.\d+)?|expected_cost \d+:\d+)", lower) else None


def exact(name: str) -> Exact | None:
    """Return an index of two classes by name, or None for what no single matrix has.

    Parameters
    ----------
    name : str
        As `meaning` returns it.

    Returns
    -------
    Exact or None
    """
    if name.startswith("f_beta "):
        beta = Fraction(name.split()[1])
        u, v = (beta**2).as_integer_ratio()
        return Exact(
            name,
            lambda tp, fn, fp, tn: ((u + v) * tp, (u + v) * tp + u * fn + v * fp),
            "gain",
            "same",
            lambda *counts: metrics.f_beta(*counts, beta=float(beta)),
        )
    if name.startswith("expected_cost "):
        miss, alarm = map(int, name.split()[1].split(":"))
        return Exact(
            name,
            lambda tp, fn, fp, tn: (miss * fn + alarm * fp, tp + fn + fp + tn),
            "cost",
            "same",
            lambda *counts: metrics.expected_cost(*counts, cost_fn=miss, cost_fp=alarm),
        )
    kind, _, part = name.partition("_")
    if kind in ("macro", "weighted", "micro") and part in _AVERAGED:
        return Exact(name, _averaged(kind, part), "gain", "same", _averaged_floats(kind, part))
    if name not in _RATIOS:
        return None
    sense, scale = _SENSES.get(name, "gain"), _SCALES.get(name, "same")
    return Exact(name, _RATIOS[name], sense, scale, _LIBRARY.get(name) or getattr(metrics, name))


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


def _kappa_of_floats(tp: float, fn: float, fp: float, tn: float) -> float:
    n = tp + fn + fp + tn
    by_chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n**2
    return ((tp + tn) / n - by_chance) / (1 - by_chance) if by_chance != 1 else 0.0


_LIBRARY: dict[str, Callable[..., Any]] = {
    "kappa": _kappa_of_floats,
    **{name: lambda *counts, at=at: counts[at] for at, name in enumerate(COUNTS)},
}
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
    "jaccard": lambda tp, fn, fp, tn: (tp, tp + fn + fp),
    "aurpc": lambda tp, fn, fp, tn: _mean((tp, tp + fn), (tp, tp + fp)),
    "m_precision": _m_precision,
    "m_aurpc": lambda tp, fn, fp, tn: _mean((tp, tp + fn), _m_precision(tp, fn, fp, tn)),
}
_COSTS = (
    *("fn", "fp", "error_rate", "fpr", "fnr", "false_discovery_rate", "false_omission_rate"),
    *("negative_likelihood", "balanced_error_rate"),
)
_SENSES: dict[str, Sense] = {
    **dict.fromkeys(_COSTS, "cost"),
    "posfrac": "call",
    "optimisation_precision": "unknown",
}
_SCALES: dict[str, Scale] = {
    **dict.fromkeys(("mcc", "adjusted_f", "g_mean"), "square"),
    "discriminant_power": "odds",
}
_AVERAGED = {"precision": "precision", "recall": "tpr", "f1": "f1"}


def other_class(index: Exact) -> Exact:
    """Return a gain of the positive class for the negative class."""
    return replace(
        index,
        name=f"{index.name} of the other class",
        formula=lambda tp, fn, fp, tn: index.formula(tn, fp, fn, tp),
        library=lambda tp, fn, fp, tn: index.library(tn, fp, fn, tp),
    )


def _averaged(kind: str, part: str) -> Callable[[int, int, int, int], Ratio]:
    of_class = _RATIOS[_AVERAGED[part]]
    if kind == "micro":
        return _RATIOS["accuracy"]

    def ratio(tp: int, fn: int, fp: int, tn: int) -> Ratio:
        (a, b), (c, d) = (_defined(of_class(*at)) for at in ((tp, fn, fp, tn), (tn, fp, fn, tp)))
        first, second = (1, 1) if kind == "macro" else (tp + fn, fp + tn)
        return first * a * d + second * c * b, (first + second) * b * d

    return ratio


def _averaged_floats(kind: str, part: str) -> Callable[..., float]:
    of_class = getattr(metrics, _AVERAGED[part])

    def value(tp: float, fn: float, fp: float, tn: float) -> float:
        if kind == "micro":
            return float(metrics.accuracy(tp, fn, fp, tn))
        both = [float(of_class(tp, fn, fp, tn)), float(of_class(tn, fp, fn, tp))]
        weights = None if kind == "macro" else [tp + fn, fp + tn]
        return float(np.average(both, weights=weights))

    return value
