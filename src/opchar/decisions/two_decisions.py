"""Measures of a decision as functions of TPR and FPR, and the difference of two decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from opchar.statistics.areas import normal_quantile
from opchar.statistics.rate_curves import STEP, slopes_of

Floats = NDArray[np.float64]
Measure = Callable[[float, float], float]


class Interval(NamedTuple):
    """A number with its interval."""

    value: float
    low: float
    high: float


def measure_of(name: str, prior: float, cost_fn: float, cost_fp: float) -> Measure:
    """Return a measure as a function of TPR and FPR."""
    p = prior
    return {
        "tpr": lambda t, f: t,
        "fnr": lambda t, f: 1 - t,
        "fpr": lambda t, f: f,
        "tnr": lambda t, f: 1 - f,
        "precision": lambda t, f: _ratio(p * t, (1 - p) * f),
        "npv": lambda t, f: _ratio((1 - p) * (1 - f), p * (1 - t)),
        "alerts": lambda t, f: p * t + (1 - p) * f,
        "cost": lambda t, f: p * (1 - t) * cost_fn + (1 - p) * f * cost_fp,
    }[name]


def paired_difference(
    value: Measure,
    positive: NDArray[np.bool_],
    decisions: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    weight: Floats,
    sizes: tuple[float, float],
    confidence: float,
) -> tuple[float, float, list[tuple[float, float]]]:
    """Return a difference of two decisions on the same objects, linearised, and its reach.

    Half an object more in each of the four cells, as in Agresti and Min (2005). The slopes by TPR
    and FPR of both are returned, too.

    Shapes: `positive`, `weight` (n,).
    """
    classes = positive, ~positive
    rates = [[float(np.average(d[c], weights=weight[c])) for c in classes] for d in decisions]
    change = value(*rates[0]) - value(*rates[1])
    variance = 0.0
    pairs = [slopes_of(value, *each) for each in rates]
    for place, (mine, n) in enumerate(zip(classes, sizes, strict=True)):
        slopes = [pair[place] for pair in pairs]
        moved = slopes[0] * decisions[0][mine] - slopes[1] * decisions[1][mine]
        moved = moved - (slopes[0] * rates[0][place] - slopes[1] * rates[1][place])
        most = max(abs(slopes[0]), abs(slopes[1]))
        squares = float(np.average(moved**2, weights=weight[mine]))
        variance += (n * squares + most**2) / (n + 2) ** 2
    return change, normal_quantile(confidence) * float(np.sqrt(variance)), pairs


def difference_of(name: str, change: float, reach: float) -> Interval:
    """Return a difference with its interval; those of shares lie from -1 to 1."""
    if name == "cost":
        return Interval(change, change - reach, change + reach)
    return Interval(change, max(change - reach, -1.0), min(change + reach, 1.0))


def _ratio(part: float, rest: float) -> float:
    return part / (part + rest) if part + rest > 2 * STEP else np.nan
