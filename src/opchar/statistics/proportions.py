"""Intervals for rates, for what is computed from two of them, and limits that hold for sure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc

from opchar.arguments import scores as as_scores
from opchar.statistics.areas import normal_quantile
from opchar.ties import at_most

Floats = NDArray[np.float64]
# Numbers of objects whose squares are numbers of the machine; intervals of more have no width.
WITHOUT_OVERFLOW = 1e-150, 1e150


def wilson(
    share: ArrayLike, number: ArrayLike, level: float | Floats = 0.95
) -> tuple[Floats, Floats]:
    """Return Wilson's score interval for a share.

    `share`: Observed, in [0, 1].
    `level`: Coverage aimed at, in (0, 1).
    `low`, `high`: Not of zero width where the share is 0 or 1.

    Wilson, Journal of the American Statistical Association 22, 1927.
    """
    p, n = np.asarray(share, dtype=float), np.asarray(number, dtype=float)
    if not ((p > -1e-9) & (p < 1 + 1e-9)).all() or not (n > 0).all():
        raise ValueError("a share lies in [0, 1] and rests on objects")
    z: Any = (
        np.array([normal_quantile(float(each)) for each in level])
        if isinstance(level, np.ndarray)
        else normal_quantile(level)
    )
    p = np.clip(p, 0, 1)
    n = np.clip(n, *WITHOUT_OVERFLOW)
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    low, high = np.clip(centre - reach, 0, 1), np.clip(centre + reach, 0, 1)
    return np.where(p == 0, 0.0, low), np.where(p == 1, 1.0, high)


def of_two_rates(
    value: Callable[[Floats, Floats], Floats],
    tpr: ArrayLike,
    fpr: ArrayLike,
    n_positive: ArrayLike,
    n_negative: ArrayLike,
    level: float | Floats = 0.95,
) -> tuple[Floats, Floats]:
    """Return an interval for a function of TPR and FPR.

    The distances to the limits of each rate are squared and added, with Wilson's intervals.

    `tpr`, `fpr`: Observed rates, in [0, 1], of objects of different classes.
    `level`: Coverage aimed at, in (0, 1).

    Zou and Donner, Statistics in Medicine 27, 2008 (variance estimates recovered from limits).
    """
    tpr, fpr = np.asarray(tpr, dtype=float), np.asarray(fpr, dtype=float)
    at = value(tpr, fpr)
    by_tpr = [value(end, fpr) for end in wilson(tpr, n_positive, level)]
    by_fpr = [value(tpr, end) for end in wilson(fpr, n_negative, level)]
    down = np.hypot(at - np.minimum(*by_tpr), at - np.minimum(*by_fpr))
    up = np.hypot(np.maximum(*by_tpr) - at, np.maximum(*by_fpr) - at)
    return at - down, at + up


def guaranteed_threshold(
    scores: ArrayLike,
    limit: float,
    confidence: float = 0.95,
    *,
    times: NDArray[np.float64] | None = None,
) -> float:
    """Return the lowest threshold that keeps the rate of accepted objects within a limit.

    Shapes: `scores` (n,); `times` (n,), how many objects have each score.

    `limit`: Largest rate, in (0, 1).
    `confidence`: Probability, over draws of such a sample, that the rate of all future objects with
    scores **above** the threshold is within the limit; in (0, 1).

    Tong, Feng and Li, Science Advances 4, 2018 (Neyman-Pearson umbrella).
    """
    _check_limit(limit, confidence)
    given = as_scores(scores)
    if np.isnan(given).any():
        raise ValueError("a score is NaN; it cannot be ranked")
    n = len(given) if times is None else int(times.sum())

    def is_kept(below: int) -> bool:
        return bool(at_most(betainc(below + 1, n - below, 1 - limit), 1 - confidence))

    place = bisect_left(range(n), True, key=is_kept)
    if place == n:
        return float("inf")
    if times is None:
        return float(np.partition(given, place)[place])
    order = np.argsort(given)
    return float(given[order][np.searchsorted(np.cumsum(times[order]), place, side="right")])


def objects_needed(limit: float, confidence: float = 0.95) -> int:
    """Return how many objects it takes to keep a rate within a limit for sure."""
    _check_limit(limit, confidence)
    with np.errstate(over="ignore"):
        number = np.ceil(np.log(1 - confidence) / np.log1p(-limit) - 1e-12)
    if number == np.inf:
        raise ValueError(f"no number of objects keeps a rate within {limit}")
    return int(number)


def _check_limit(limit: float, confidence: float) -> None:
    if not (0 < limit < 1 and 0 < confidence < 1):
        raise ValueError(f"give a limit and a confidence in (0, 1), not {limit} and {confidence}")
