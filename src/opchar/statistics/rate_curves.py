"""Rates of models over operating conditions, with their covariance on the same objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from opchar.spaces.points import OperatingPoints
from opchar.statistics.acceptance_rates import class_rates, few_rows, select_rows, symmetric_root
from opchar.statistics.areas import normal_quantile
from opchar.statistics.cross_fitting import CrossFitted
from opchar.statistics.proportions import of_two_rates
from opchar.statistics.ranking import Floats, Ranked
from opchar.ties import first_least

Value = Callable[[Floats, Floats], Floats]
R = TypeVar("R", float, Floats)
STEP = 1e-6
BATCH, DRAWS = 500, 4000
CANDIDATES = 400
REACH = 1.0
# A threshold that moves one object is exactly one standard error off: it counts as within it, also
# where slopes are rounded.
ONE_OBJECT = 1e-7


@dataclass(frozen=True)
class RateCurves:
    """TPR and FPR of m models at g operating conditions, on the same objects.

    `n_positive` and `n_negative` are the effective numbers where objects are weighted. Thresholds
    of `own_rates` were chosen and judged on the same objects. `near_indices` point at the rates of
    thresholds that can hardly be told from those chosen. `roots` are symmetric roots of the
    covariance of the TPR, and of the FPR, at them. Unlike scaled eigenvectors there is one only, so
    that the errors drawn depend on no choice among many.

    Shapes: `tpr`, `fpr` (m, g); covariances (m g, m g), model after model; `own_rates` (2, m, g);
    `near_indices` (m, s, g); `near_rates` (2, k); `roots` (k, k).
    """

    tpr: Floats
    fpr: Floats
    tpr_covariance: Floats
    fpr_covariance: Floats
    n_positive: float
    n_negative: float
    own_rates: Floats
    near_indices: NDArray[np.intp]
    near_rates: Floats
    roots: tuple[Floats, Floats]

    @cached_property
    def conditions(self) -> int:
        """The number g of operating conditions."""
        return self.tpr.shape[1]

    def at(self, condition: int) -> RateCurves:
        """Return the rates at one operating condition, at a fraction of the work of all."""
        part = slice(condition, condition + 1)
        kept = np.arange(len(self.tpr)) * self.conditions + condition
        return replace(
            self,
            tpr=self.tpr[:, part],
            fpr=self.fpr[:, part],
            tpr_covariance=self.tpr_covariance[np.ix_(kept, kept)],
            fpr_covariance=self.fpr_covariance[np.ix_(kept, kept)],
            own_rates=self.own_rates[:, :, part],
            near_indices=self.near_indices[:, :, part],
        )

    def band(self, value: Value, rng: np.random.Generator, level: float = 0.95) -> Bands:
        """Return a function of the rates for each model, with intervals and a band.

        `level`: Probability that an interval covers, and that the band of a model covers
        everywhere, in (0, 1).
        """
        draws = self._draws(rng)
        ends = []
        for m in range(len(self.tpr)):
            errors = self._errors(value, m)[:1]
            drawn = ((errors @ one)[None] for one in draws)
            reaches = self._reaches(np.linalg.norm(errors, axis=-1)[None], drawn, level)
            for reach in (reaches[0][0], reaches[1]):
                ends.append(self._ends(value, m, np.broadcast_to(reach, self.conditions)))
        shaped = np.array(ends).reshape(len(self.tpr), 4, self.conditions)
        return Bands(value(self.tpr, self.fpr), *shaped.transpose(1, 0, 2))

    def differences(
        self,
        value: Value,
        pairs: Sequence[tuple[int, int]],
        rng: np.random.Generator,
        level: float = 0.95,
    ) -> Bands:
        """Return differences between models, with a band over all conditions and all pairs at once.

        `level`: Probability that an interval covers, and that all differences are covered
        everywhere, in (0, 1).

        The standard errors are for paired shares with half an object more in each of the four cells
        (Agresti and Min, Statistics in Medicine 24, 2005). Two models that agree on all objects of
        a sample may differ on others.
        """
        by_tpr, by_fpr = self.slopes(value)
        errors = [self._errors(value, m) for m in range(len(self.tpr))]
        apart = [
            np.linalg.norm(_cross_differences(errors[one], errors[two]), axis=-1)
            for one, two in pairs
        ]
        drawn = (_of_pairs([each @ one for each in errors], pairs) for one in self._draws(rng))
        single, whole = self._reaches(np.array(apart), drawn, level)
        values = value(self.tpr, self.fpr)
        change = np.array([values[one] - values[two] for one, two in pairs])
        spread = np.sqrt(
            [
                by_tpr[one] ** 2 * self._paired_variance(self.tpr, self.tpr_covariance, one, two, 0)
                + by_fpr[one] ** 2
                * self._paired_variance(self.fpr, self.fpr_covariance, one, two, 1)
                for one, two in pairs
            ]
        )
        ends = [change + sign * reach * spread for reach in (single, whole) for sign in (-1, 1)]
        return Bands(change, *ends)

    def slopes(self, value: Value) -> tuple[Floats, Floats]:
        """Return the derivatives of a value by TPR and by FPR, shapes (s, g) each."""
        return slopes_of(value, self.tpr, self.fpr)

    def _errors(self, value: Value, m: int) -> Floats:
        """Return what the errors of a model are made of, shape (s, g, 2 k).

        Row by row, times 2 k standard normal numbers, they are the errors at the thresholds that
        might have been chosen as well.
        """
        near = self.near_indices[m]
        tpr, fpr = self.near_rates[0][near], self.near_rates[1][near]
        by_tpr, by_fpr = slopes_of(value, tpr, fpr)
        errors = [by_tpr[..., None] * self.roots[0][near], by_fpr[..., None] * self.roots[1][near]]
        return np.concatenate(errors, axis=-1)

    def _reaches(
        self, spread: Floats, drawn: Iterable[Floats], level: float
    ) -> tuple[Floats, float]:
        """Return how many standard errors cover each condition, and all at once.

        The latter as quantile of Student's t, whose tails few objects have.

        Shapes: `spread` (p, s, g); `drawn` (p, s, g, b).
        """
        largest = float(spread.max())
        used = np.where(spread > 1e-7 * largest, spread, np.inf) if largest else np.inf
        scale = np.broadcast_to(used, spread.shape)[..., None]
        far = np.concatenate([np.abs(each / scale).max(axis=1) for each in drawn], axis=-1)
        least = normal_quantile(level)
        single = np.maximum(np.quantile(far, level, axis=-1), least)
        whole = max(float(np.quantile(far.max(axis=(0, 1)), level)), least)
        degrees = max(min(self.n_positive, self.n_negative) - 1, 1)
        return single, float(stdtrit(degrees, ndtr(whole)))

    def _draws(self, rng: np.random.Generator) -> list[Floats]:
        """Return standard normal numbers for the roots, (2 k, BATCH) at a time."""
        number = sum(map(len, self.roots))
        return [rng.standard_normal((number, BATCH)) for _ in range(DRAWS // BATCH)]

    def _ends(self, value: Value, m: int, reach: Floats) -> Floats:
        """Return ends of intervals, from rates on other folds to halfway to optimistic ones.

        An object far from its class is missed by the thresholds of the other folds, and by few of
        the thresholds in use. Their rates lie between the two.
        """
        # Of two or three objects the reach is so far that its level rounds to one.
        level = np.minimum(1 - 2 * ndtr(-reach), np.nextafter(1, 0))
        numbers = (self.n_positive, self.n_negative)
        judged = np.array([self.tpr[m], self.fpr[m]])
        rates = [judged, (judged + self.own_rates[:, m]) / 2]
        ends = [of_two_rates(value, pair[0], pair[1], *numbers, level) for pair in rates]
        lows, highs = zip(*ends, strict=True)
        return np.array([np.minimum(*lows), np.maximum(*highs)])

    def _paired_variance(
        self, rate: Floats, covariance: Floats, one: int, two: int, of_class: int
    ) -> Floats:
        """Return the adjusted variance of the difference of one rate between two models."""
        n = (self.n_positive, self.n_negative)[of_class]
        diagonal = np.arange(self.conditions)
        first, second = one * self.conditions + diagonal, two * self.conditions + diagonal
        variance = (
            covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]
        )
        change = rate[one] - rate[two]
        differing = np.maximum(variance, 0) * n + change**2
        shrunk = change * n / (n + 2)
        return ((n * differing + 1) / (n + 2) - shrunk**2) / (n + 2)


def slopes_of(measure: Callable[..., R], tpr: R, fpr: R) -> tuple[R, R]:
    """Return the derivatives of a function of TPR and FPR by both, by central differences."""
    found: list[R] = []
    for by_tpr, by_fpr in ((STEP, 0.0), (0.0, STEP)):
        up = measure(tpr + by_tpr, fpr + by_fpr)
        found.append((up - measure(tpr - by_tpr, fpr - by_fpr)) / (2 * STEP))
    return found[0], found[1]


def _cross_differences(first: Floats, second: Floats) -> Floats:
    """Return differences for each threshold of one model with each of the other."""
    apart = first[:, None] - second[None]
    return apart.reshape(-1, *apart.shape[2:])


def _of_pairs(drawn: Sequence[Floats], pairs: Sequence[tuple[int, int]]) -> Floats:
    return np.array([_cross_differences(drawn[one], drawn[two]) for one, two in pairs])


@dataclass(frozen=True)
class Bands:
    """Values over operating conditions with intervals for each, and a band for all.

    Shapes: all (m, g), of m models or differences of pairs of them.
    """

    estimates: Floats
    low: Floats
    high: Floats
    band_low: Floats
    band_high: Floats

    def widened_by(self, times: Floats, least: float = 0.0) -> Bands:
        """Return what is some times as wide, within `least` and 1; without width at 0 times."""
        ends = {}
        for name in ("low", "high", "band_low", "band_high"):
            end, middle = getattr(self, name), self.estimates
            wide = np.clip(middle + times * (end - middle), least, 1.0)
            ends[name] = np.where(times == 1, end, np.where(times == 0, middle, wide))
        return replace(self, **ends)


def rate_curves(
    models: Sequence[Ranked],
    chosen: Sequence[CrossFitted],
    near: Sequence[Floats],
    fold: NDArray[np.intp],
    unit: NDArray[np.intp] | None = None,
) -> RateCurves:
    """Judge models on the same objects by thresholds that may differ between folds.

    Shapes: `near` (s, g); `fold`, `unit` (n,).

    A threshold that was chosen on the data goes with their chance errors, also where it is judged
    on other folds, which share most of the choice. Intervals of models therefore reach halfway to
    the optimistic rates. The widths of differences cover all thresholds whose loss does not differ
    clearly from the best. ``docs/analyse.md`` has the measured coverage.
    """
    shape = near[0].shape
    orders = [np.argsort(-each.ravel(), kind="stable") for each in near]
    flat = [each.ravel()[order][None] for each, order in zip(near, orders, strict=True)]
    indices = np.array([np.argsort(order) for order in orders]).reshape(-1, *shape)
    indices += (np.arange(len(near)) * near[0].size)[:, None, None]
    tpr, fpr = class_rates(models, [each.thresholds for each in chosen], fold, unit)
    few = few_rows(models[0].is_positive, unit, models[0].times)
    once = np.zeros(len(few), dtype=np.intp)
    units = None if unit is None else unit[few]
    near_tpr, near_fpr = class_rates(
        [select_rows(model, few) for model in models], flat, once, units
    )
    of_few = (near_tpr, tpr), (near_fpr, fpr)
    roots = [symmetric_root(few[1]) * np.sqrt(few[2] / whole[2]) for few, whole in of_few]
    return RateCurves(
        *(tpr[0], fpr[0], tpr[1], fpr[1], tpr[2], fpr[2]),
        own_rates=np.array([[c.own_tpr for c in chosen], [c.own_fpr for c in chosen]]),
        near_indices=indices,
        near_rates=np.array([near_tpr[0].ravel(), near_fpr[0].ravel()]),
        roots=(roots[0], roots[1]),
    )


def near_thresholds(
    points: OperatingPoints,
    value: Value,
    *,
    largest: bool = False,
    numbers: tuple[float, float] | None = None,
    count: int = 5,
    reach: float = REACH,
) -> Floats:
    """Return thresholds as good as the best by these data, for each operating condition.

    Shapes: returned (count, g).
    """
    most = np.linspace(0, len(points) - 1, min(len(points), CANDIDATES)).round().astype(int)
    points = points[most]
    tpr, fpr = points.tpr[:, None], points.fpr[:, None]
    values = value(tpr, fpr) * (-1 if largest else 1)
    best = first_least(values)
    by_tpr, by_fpr = slopes_of(value, points.tpr[best], points.fpr[best])
    positives, negatives = numbers or (points.n_positive or 1, points.n_negative or 1)
    moved = by_tpr**2 * np.abs(tpr - points.tpr[best]) / positives
    moved = moved + by_fpr**2 * np.abs(fpr - points.fpr[best]) / negatives
    worse = values - np.take_along_axis(values, best[None], axis=0)
    as_good = worse <= reach * np.sqrt(moved) * (1 + ONE_OBJECT)
    found = np.empty((count, len(best)))
    for g in range(len(best)):
        members = np.flatnonzero(as_good[:, g])
        spread = np.linspace(0, len(members) - 1, count - 1).round().astype(int)
        found[:, g] = points.thresholds[np.append(best[g], members[spread])]
    return found
