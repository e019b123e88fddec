"""The stratified bootstrap of functions of operating points, and means over hold-outs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from opchar.arguments import floats
from opchar.spaces.points import OperatingPoints
from opchar.statistics.areas import CONSTANT, normal_quantile, student_quantile, unseen_share
from opchar.statistics.ranking import Floats, Ranked

GROUPS = 2000
# Squares of larger numbers are no numbers of the machine.
LARGEST = 1e150
REPEATS = 500
# What is nearer to 0 or 1 was summed there.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Resampled:
    """Estimates on a sample and on its resamples.

    Shapes: `estimates` (s,); `draws` (repeats, s).
    """

    estimates: Floats
    draws: Floats

    @property
    def errors(self) -> Floats:
        """Standard errors, shape (s,)."""
        return self.draws.std(axis=0, ddof=1)

    def share_interval(
        self, index: int, level: float = 0.95, degrees: float = np.inf
    ) -> tuple[float, float]:
        """Return an interval for an estimate in [0, 1], symmetric in its logit.

        Its width is the quantile of Student's t times the standard deviation of the logits.
        Resamples at 0 or 1 have infinite logits. There the slope of the logit at the estimate
        converts the standard deviation of the draws, as for an AUC. An estimate nearer to 0 or 1
        than that deviation takes the slope at this distance, from which the interval reaches
        inwards. Where all resamples agree, it reaches a share further that none of ``degrees + 1``
        objects need show.

        `index`: Which estimate; at 0 and 1 `percentile_interval` gives the ends.
        `level`: Coverage aimed at, in (0, 1).
        """
        estimate = float(self.estimates[index])
        if np.ptp(self.draws[:, index]) <= CONSTANT:
            reach = unseen_share(degrees + 1, level)
            return max(estimate - reach, 0.0), min(estimate + reach, 1.0)
        if not 0 < estimate < 1:
            return self.percentile_interval(index, level)
        draws, inner = self.draws[:, index], estimate
        if draws.min() > ROUNDING and draws.max() < 1 - ROUNDING:
            spread = logit(draws).std(ddof=1)
        else:
            error = draws.std(ddof=1)
            inner = float(np.clip(estimate, min(error, 0.5), max(1 - error, 0.5)))
            spread = error / (inner * (1 - inner))
        reach = student_quantile(level, degrees) * spread
        first, last = sorted(logit([estimate, inner]))
        return float(expit(first - reach)), float(expit(last + reach))

    def percentile_interval(self, index: int, level: float = 0.95) -> tuple[float, float]:
        """Return the percentile interval of an estimate."""
        normal_quantile(level)
        low, high = np.quantile(self.draws[:, index], [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)


def resample_objects(
    data: Ranked,
    statistics: Callable[[OperatingPoints], ArrayLike],
    rng: np.random.Generator,
    *,
    repeats: int = REPEATS,
    unit: NDArray[np.intp] | None = None,
    strata: bool = True,
    groups: int = GROUPS,
) -> Resampled:
    """Draw objects with replacement within each class, and compute statistics each time.

    Shapes: `unit` (n,).

    `unit`: What is drawn: objects that have several rows, or folds. Rows of a unit stay together.
    `strata`: Whether units are drawn within each class; not possible for units that have both, as
    folds.
    """
    if repeats < 2:
        raise ValueError(f"a bootstrap needs two or more resamples, got {repeats}")
    estimates = np.atleast_1d(np.asarray(statistics(data.points()), dtype=float))
    joined = data.join_groups(groups)
    draw = _by_group(joined, rng) if unit is None and data.importance is None else None
    draw = draw or _by_unit(
        joined, np.arange(len(data.rank)) if unit is None else unit, strata, rng
    )
    draws = np.empty((repeats, len(estimates)))
    for repeat in range(repeats):
        draws[repeat] = statistics(joined.points(draw()))
    return Resampled(estimates, draws)


def _by_group(data: Ranked, rng: np.random.Generator) -> Callable[[], tuple[Floats, Floats]]:
    """Draw how many objects each group gets, which is the same as drawing the objects."""
    sizes = [int(part.sum()) for part in data.counts]
    shares = [part / part.sum() for part in data.counts]

    def draw() -> tuple[Floats, Floats]:
        positives, negatives = (
            rng.multinomial(size, share).astype(float)
            for size, share in zip(sizes, shares, strict=True)
        )
        return positives, negatives

    return draw


def _by_unit(
    data: Ranked, unit: NDArray[np.intp], strata: bool, rng: np.random.Generator
) -> Callable[[], tuple[Floats, Floats]]:
    """Draw units and count their rows."""
    _, unit = np.unique(unit, return_inverse=True)
    number = int(unit.max()) + 1
    parts = [np.arange(number)]
    if strata:
        has_positive = np.bincount(unit, data.is_positive, minlength=number) > 0
        has_negative = np.bincount(unit, ~data.is_positive, minlength=number) > 0
        if (has_positive & has_negative).any():
            raise ValueError("a unit has objects of both classes: it belongs to no stratum")
        parts = [np.flatnonzero(has_positive), np.flatnonzero(has_negative)]
    weight = np.ones(len(unit)) if data.weight is None else data.weight
    k = len(data.distinct)

    def draw() -> tuple[Floats, Floats]:
        while True:
            times = np.zeros(number)
            for part in parts:
                chosen = rng.integers(len(part), size=len(part))
                times[part] = np.bincount(chosen, minlength=len(part))
            drawn = times[unit] * weight
            positives = np.bincount(data.rank, drawn * data.is_positive, minlength=k)
            negatives = np.bincount(data.rank, drawn * ~data.is_positive, minlength=k)
            if positives.any() and negatives.any():
                return positives.astype(float), negatives.astype(float)

    return draw


def mean_of_holdouts(
    values: ArrayLike, test_to_train: float, level: float = 0.95
) -> tuple[float, float, float]:
    """Return the mean over hold-outs that share objects, and an interval for it.

    Shapes: `values` (n,).

    `level`: Coverage aimed at, in (0, 1).

    C. Nadeau and Y. Bengio (2003), "Inference for the generalization error", Machine Learning
    52:239-281. Hold-outs draw the same objects again, so that their values are alike and the
    variance of their mean is more than 1/n of theirs: its factor is 1/n + `test_to_train`. The
    interval is Student's with n - 1 degrees of freedom. More hold-outs narrow it only down to what
    the objects leave open.
    """
    given = floats(values, "values")
    if given.ndim != 1 or len(given) < 2 or not (np.abs(given) < LARGEST).all():
        raise ValueError("a mean of hold-outs needs two values or more, of numbers below 1e150")
    if not 0 < test_to_train < np.inf:
        raise ValueError(f"test objects for each training object must be positive: {test_to_train}")
    mean, n = float(given.mean()), len(given)
    error = float(given.std(ddof=1) * np.sqrt(1 / n + test_to_train))
    reach = student_quantile(level, n - 1) * error
    return mean, mean - reach, mean + reach
