"""Areas under ROC curves with their covariance: the method of DeLong, for weights and repeats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri, stdtr, stdtrit

from opchar.arguments import floats, truths
from opchar.arguments import scores as as_scores

Floats = NDArray[np.float64]
PRIOR_SIZE = 10
# Standard errors up to here are rounding: nothing was seen to vary.
CONSTANT = 1e-8


@dataclass(frozen=True)
class Areas:
    """Areas under the ROC curves of models on the same objects; ties count one half.

    The covariance is over draws of objects within each class; `equal` tells which models have the
    same scores.

    Shapes: `areas` (m,); `covariance` and `equal` (m, m).
    """

    areas: Floats
    covariance: Floats
    n_positive: int
    n_negative: int
    equal: NDArray[np.bool_]

    @property
    def errors(self) -> Floats:
        """Standard error of each area, shape (m,)."""
        return np.sqrt(np.diagonal(self.covariance))

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Return the ends of an interval for each area.

        The interval is symmetric in the logit of the area, which keeps it inside [0, 1], and has
        the quantile of Student's t. With few objects DeLong's variance is often too small when the
        area is large: it is averaged with that of Newcombe's model, which counts for `PRIOR_SIZE`
        objects. Areas of 0 and 1 get Newcombe's score interval. ``docs/analyse.md`` has the
        measured coverage.

        Shapes: `low`, `high` (m,).

        `level`: Coverage aimed at, in (0, 1).
        `low`, `high`: Of each model, in [0, 1].

        Newcombe, Statistics in Medicine 25, 2006, part 2 (method 5).
        """
        sizes = self.n_positive, self.n_negative
        free = min(sizes) - 1
        scale = student_quantile(level, free + PRIOR_SIZE) / normal_quantile(level)
        ends = []
        for area, error in zip(self.areas.tolist(), self.errors.tolist(), strict=True):
            expected = _newcombe_variance(area, *sizes)
            variance = (free * error**2 + PRIOR_SIZE * expected) / (free + PRIOR_SIZE)
            if 0 < area < 1:
                ends.append(_logit_ends(area, scale * float(np.sqrt(variance)), level))
            else:
                ends.append(newcombe_interval(area, *sizes, level))
        low, high = np.array(ends).T
        return low, high

    def difference(self, first: int, second: int, level: float = 0.95) -> tuple[float, ...]:
        """Return the difference of two areas with its interval and two-sided p.

        The interval has the quantile of Student's t. Where no object makes the difference vary, see
        `constant_difference`.

        `level`: Coverage aimed at, in (0, 1).
        """
        change = float(self.areas[first] - self.areas[second])
        variance = (
            self.covariance[first, first]
            + self.covariance[second, second]
            - 2 * self.covariance[first, second]
        )
        error = float(np.sqrt(max(variance, 0.0)))
        number = min(self.n_positive, self.n_negative)
        if error <= CONSTANT:
            return constant_difference(change, number, level, bool(self.equal[first, second]))
        free = max(number - 1, 1)
        reach = student_quantile(level, free) * error
        p = float(2 * stdtr(free, -abs(change) / error))
        return change, max(change - reach, -1.0), min(change + reach, 1.0), p


def areas(
    is_positive: ArrayLike,
    scores: ArrayLike,
    weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    *,
    counted: bool = False,
) -> Areas:
    """Return the areas under the ROC curves of models, with their covariance.

    Shapes: `is_positive`, `weight`, `cluster` (n,); `scores` (m, n) or (n,).
    `counted`: each weight is a number of objects of one class and score.

    Returns: Areas and covariance in the order of the models.

    DeLong, DeLong and Clarke-Pearson, Biometrics 44, 1988; for repeats Obuchowski, Biometrics 53,
    1997.
    """
    positive = truths(is_positive, "is_positive")
    rows = np.atleast_2d(as_scores(scores))
    weights = np.ones(len(positive))
    if weight is not None:
        weights = floats(weight, "weight")
    clusters = None if cluster is None else np.asarray(cluster)
    if positive.ndim != 1 or not (
        rows.shape[1:] == positive.shape == weights.shape
        and (clusters is None or clusters.shape == positive.shape)
    ):
        raise ValueError(
            "labels, scores, weights and clusters must be equally long, got shapes "
            f"{positive.shape}, {rows.shape}, {weights.shape} and "
            f"{positive.shape if clusters is None else clusters.shape}"
        )
    if np.isnan(rows).any() or not ((weights >= 0) & (weights < np.inf)).all():
        raise ValueError("scores and weights must be numbers, and weights finite and not negative")
    found, covariance, numbers = np.zeros(len(rows)), np.zeros((len(rows), len(rows))), []
    placed = [_placements(positive, row, weights) for row in rows]
    for of_class, own in ((positive, 0), (~positive, 1)):
        total = weights[of_class].sum()
        number = int(total if counted else of_class.sum())
        if clusters is not None:
            _, member = np.unique(clusters[of_class], return_inverse=True)
            number = int(member.max(initial=-1)) + 1
        if number < 2 or not 0 < total < np.inf:
            raise ValueError("an area with its error needs two objects of each class, and weights")
        shares = weights[of_class] / total
        heights = np.array([pair[own] for pair in placed])
        found = np.clip(heights @ weights[of_class] / total, 0.0, 1.0)
        # Of equal heights no sum of weights may make another: a perfect order has the area 1.
        found = np.where(np.ptp(heights, axis=1) == 0, heights[:, 0], found)
        summed = (heights - found[:, None]) * (np.sqrt(shares / total) if counted else shares)
        if clusters is not None:
            summed = np.array([np.bincount(member, part, minlength=number) for part in summed])
        covariance += summed @ summed.T * number / (number - 1)
        numbers.append(number)
    equal = (rows[:, None] == rows[None]).all(axis=2)
    return Areas(found, covariance, numbers[0], numbers[1], equal)


def newcombe_interval(
    area: float, n_positive: int, n_negative: int, level: float = 0.95
) -> tuple[float, float]:
    """Return a score interval for an AUC, which has a width at 0 and 1, too.

    `area`: AUC, in [0, 1].
    `level`: Coverage aimed at, in (0, 1).

    Newcombe, Statistics in Medicine 25, 2006, part 2 (method 5).
    """
    z = normal_quantile(level)
    if not (0 <= area <= 1 and n_positive >= 1 and n_negative >= 1):
        raise ValueError("an area lies in [0, 1] and rests on objects of both classes")

    def excess(value: float) -> float:
        return (area - value) ** 2 - z**2 * _newcombe_variance(value, n_positive, n_negative)

    return _root(excess, 0.0, area), _root(excess, 1.0, area)


def unseen_share(number: float, level: float = 0.95) -> float:
    """Return the largest share that is seen in none of some objects with probability 1 - level.

    Clopper and Pearson, Biometrika 26, 1934: ``1 - (1 - level)^(1 / number)``.
    """
    normal_quantile(level)
    if not number > 0:
        raise ValueError(f"number must be positive, got {number}")
    with np.errstate(over="ignore"):
        return float(-np.expm1(np.log1p(-level) / number))


def constant_difference(
    change: float, number: float, level: float, same: bool
) -> tuple[float, float, float, float]:
    """Return a difference that did not vary between objects with an interval and two-sided p.

    Differences lie in [-1, 1]: a share that was not seen in `number` pairs of objects moves their
    mean by twice that share at most. Models with the `same` scores do not differ.
    """
    if same:
        normal_quantile(level)
        return 0.0, 0.0, 0.0, 1.0
    reach = 2 * unseen_share(number, level)
    p = float((1 - abs(change) / 2) ** number)
    return change, max(change - reach, -1.0), min(change + reach, 1.0), p


def normal_quantile(level: float) -> float:
    """Return the two-sided normal quantile of a level, as 1.96 for 0.95.

    `level`: Coverage aimed at, in (0, 1).
    """
    if not 0 < level < 1:
        raise ValueError(f"a level lies between 0 and 1, got {level}")
    return float(-ndtri((1 - level) / 2))


def student_quantile(level: float, degrees: float) -> float:
    """Return the two-sided quantile of Student's t, as 2.05 for 0.95 and 29 degrees of freedom.

    `level`: Coverage aimed at, in (0, 1).
    """
    normal_quantile(level)
    if degrees == np.inf:
        return normal_quantile(level)
    return float(stdtrit(max(degrees, 1), (1 + level) / 2))


def _logit_ends(estimate: float, error: float, level: float) -> tuple[float, float]:
    centre, reach = logit(estimate), normal_quantile(level) * error / (estimate * (1 - estimate))
    return float(expit(centre - reach)), float(expit(centre + reach))


def _newcombe_variance(area: float, n_positive: int, n_negative: int) -> float:
    """Return the variance of an AUC in the model of Hanley and McNeil, with a mean class size."""
    mean = (n_positive + n_negative) / 2 - 1
    pairs = 1 + mean * (1 - area) / (2 - area) + mean * area / (1 + area)
    return area * (1 - area) * pairs / (n_positive * n_negative)


def _root(excess: Callable[[float], float], far: float, near: float) -> float:
    """Return where a function that is negative at `near` turns positive on the way to `far`."""
    low, high = near, far
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= 0 else (low, middle)
    return (low + high) / 2


def _placements(positive: np.ndarray, score: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return the weighted share of the other class on the right side of each object."""
    _, rank = np.unique(score, return_inverse=True)
    number = int(rank.max()) + 1
    of_positive = np.bincount(rank[positive], weight[positive], minlength=number)
    of_negative = np.bincount(rank[~positive], weight[~positive], minlength=number)
    # Divided by what the sums end with: below and above all of a class are 0 and 1 exactly.
    sums = np.cumsum(of_negative), np.cumsum(of_positive)
    below = (sums[0] - of_negative / 2) / max(sums[0][-1], 1e-300)
    above = 1 - (sums[1] - of_positive / 2) / max(sums[1][-1], 1e-300)
    return below[rank[positive]], above[rank[~positive]]
