"""Each model judged once: sorted scores, cross-fitted thresholds, rates with their covariance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from opchar.analysis.asking import LARGEST_RATIO, Asked
from opchar.analysis.numbers import class_text
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.decisions.smooth_curves import Labelled
from opchar.decisions.threshold_rules import Rule, thresholds_by
from opchar.errors import ScoresError
from opchar.spaces.cost import expected_cost, lower_envelope, probability_cost
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints
from opchar.statistics.cross_fitting import CrossFitted, cross_fitted_by_counts, drawn_folds
from opchar.statistics.fold_widening import moved_by_rows, widening_factor
from opchar.statistics.proportions import wilson
from opchar.statistics.ranking import Ranked, rank_scores
from opchar.statistics.rate_curves import Bands, RateCurves, Value, near_thresholds, rate_curves

if TYPE_CHECKING:
    from opchar.analysis.answers.prior_in_use import PriorInUse

Floats = NDArray[np.float64]
GRID = np.linspace(0.02, 0.98, 41)
MANY = 3
# Intervals of each condition, and the band over all, as fields and columns are called.
BAND_ENDS = ("low", "high", "band_low", "band_high")


@dataclass(frozen=True)
class Judged:
    """Models with scores of one class against the rest, which `rest` names.

    Shapes: `fold` (n,); `unit` (n,).
    """

    name: str
    names: tuple[str, ...]
    ranked: tuple[Ranked, ...]
    fold: NDArray[np.intp]
    unit: NDArray[np.intp] | None
    asked: Asked
    in_use: PriorInUse | None = None
    costs_differ: bool = False
    folds_given: bool = False
    rest: str = "the other classes"

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        """Whether an object is of the positive class, shape (n,)."""
        return self.ranked[0].is_positive

    @property
    def weight(self) -> Floats | None:
        """Weights of the rows."""
        return self.ranked[0].weight

    @property
    def is_counted(self) -> bool:
        """Whether these are numbers of objects."""
        return self.ranked[0].counted

    @cached_property
    def prior(self) -> float:
        """The share of positives in the scores."""
        return float(np.average(self.is_positive, weights=self.weight))

    @cached_property
    def priors(self) -> tuple[float, ...]:
        """The prior of the scores and those that are asked for, ascending."""
        return tuple(sorted({self.prior, *self.asked.priors}))

    @cached_property
    def grid(self) -> Floats:
        """Priors at which F-measures are judged."""
        return np.unique([*GRID, *self.priors])

    @cached_property
    def pc(self) -> Floats:
        """Probability costs PC(+) at which costs are judged."""
        return np.unique([*GRID, *self.pc_of(np.array(self.priors))])

    def pc_of(self, prior: Floats) -> Floats:
        """Return the probability cost of priors under the costs that are asked for."""
        return probability_cost(prior, self.asked.cost_weight)

    def condition_at(self, prior: float) -> int:
        """Return the place in `pc` of a prior under the costs that are asked for."""
        return int(np.abs(self.pc - self.pc_of(np.array(prior))).argmin())

    @cached_property
    def points(self) -> tuple[OperatingPoints, ...]:
        """Operating points of all objects, by model."""
        return tuple(data.points() for data in self.ranked)

    @cached_property
    def chosen_thresholds(self) -> tuple[CrossFitted, ...]:
        """Thresholds of least cost by the rule, then of the best F for each alpha, by model."""
        return tuple(
            settle(cross_fitted_by_counts(data, self.fold, partial(self._thresholds, data)))
            for data in self.ranked
        )

    def by_rule(self, data: Ranked, rule: Rule, pc: Floats) -> CrossFitted:
        """Return the thresholds of one rule at operating conditions, ascending in PC(+)."""
        index = np.searchsorted(self.pc, pc)
        if rule == self.asked.rule != "search" and np.array_equal(self.pc[index], pc):
            known = next(m for m, each in enumerate(self.ranked) if each is data)
            return self.chosen_thresholds[known].part(index)
        return settle(
            cross_fitted_by_counts(
                data, self.fold, lambda counts: _least_cost(data, counts, pc, rule)
            )
        )

    def _thresholds(self, data: Ranked, counts: tuple[Floats, Floats]) -> Floats:
        points = data.points(counts)
        best = [_least_cost(data, counts, self.pc, self.asked.rule)]
        best += [upper_envelope(points, alpha).threshold(self.grid) for alpha in self.asked.alphas]
        return np.concatenate(best)

    @cached_property
    def cost_curves(self) -> RateCurves:
        """Rates at the thresholds of least cost."""
        return self._curves(slice(0, len(self.pc)), self.cost, largest=False)

    @cached_property
    def f_curves(self) -> dict[float, RateCurves]:
        """Rates at the thresholds of the best F, by alpha."""
        found = {}
        for index, alpha in enumerate(self.asked.alphas):
            start = len(self.pc) + index * len(self.grid)
            part = slice(start, start + len(self.grid))
            found[alpha] = self._curves(part, self.f_value(alpha), largest=True)
        return found

    def cost(self, tpr: Floats, fpr: Floats) -> Floats:
        """Return the normalised expected cost, over `pc`."""
        return expected_cost(tpr, fpr, self.pc)

    def f_value(self, alpha: float) -> Value:
        """Return the F-measure as a function of the rates, over `grid`."""
        return lambda tpr, fpr: f_measure(tpr, fpr, self.grid, alpha)

    @cached_property
    def cost_bands(self) -> Bands:
        """Least costs with intervals and bands."""
        rng = self.asked.spawn(self.name, "cost")
        return bands_of(self, self.cost_curves, self.cost, rng)

    @cached_property
    def f_bands(self) -> dict[float, Bands]:
        """The best F-measures with intervals and bands, by alpha."""
        found = {}
        for number, (alpha, curves) in enumerate(self.f_curves.items()):
            rng = self.asked.spawn(self.name, "F", alpha)
            first = len(self.pc) + number * len(self.grid)
            found[alpha] = bands_of(self, curves, self.f_value(alpha), rng, first)
        return found

    def _curves(self, part: slice, value: Value, *, largest: bool) -> RateCurves:
        chosen = [each.part(part) for each in self.chosen_thresholds]
        count = 6 if len(self.ranked) <= MANY else 4
        sizes = self.effective
        near = [
            near_thresholds(points, value, largest=largest, numbers=sizes, count=count)
            for points in self.points
        ]
        for rows, each in zip(near, chosen, strict=True):
            rows[0] = each.own_thresholds
        return rate_curves(self.ranked, chosen, near, self.fold, self.unit)

    @property
    def draws_folds(self) -> bool:
        """Whether intervals are for other folds, and not for other rows of these."""
        return self.asked.unit == "folds" and self.folds_given

    def accepts(self, m: int, condition: int) -> NDArray[np.bool_]:
        """Return what a model accepts at the thresholds that the other folds chose, shape (n,)."""
        data, chosen = self.ranked[m], self.chosen_thresholds[m]
        return data.distinct[data.rank] >= chosen.thresholds[self.fold, condition]

    def moves(self, values: NDArray[Any], slopes: Any = (1, 1), part: Any = True) -> Floats:
        """Return how each row of a part moves the means of both classes, times slopes."""
        classes = self.is_positive & part, ~self.is_positive & part
        one, other = map(moved_by_rows, [values] * 2, classes, [self.weight] * 2, slopes)
        return one + other

    def widens(self, moved: Floats, rows: NDArray[np.bool_] | slice = slice(None)) -> float:
        """Return by how much intervals are wider where folds are drawn; else 1."""
        if not self.draws_folds:
            return 1.0
        return widening_factor(moved[rows], self.fold[rows], self.asked.level)

    def numbers_for(self, accepted: NDArray[np.bool_]) -> tuple[float, float]:
        """Return how many positives and negatives tell as much; fewer where folds are drawn.

        Shapes: `accepted` (n,).
        """
        classes = self.is_positive, ~self.is_positive
        wide = [self.widens(moved_by_rows(accepted, each, self.weight)) for each in classes]
        return self.effective[0] / wide[0] ** 2, self.effective[1] / wide[1] ** 2

    @cached_property
    def effective(self) -> tuple[float, float]:
        """Numbers of positives and negatives, less where weights differ or objects repeat."""
        weight = np.ones(len(self.fold)) if self.weight is None else self.weight
        found = []
        for of_class in (self.is_positive, ~self.is_positive):
            weights = weight[of_class]
            if self.unit is not None:
                _, unit_index = np.unique(self.unit[of_class], return_inverse=True)
                weights = np.bincount(unit_index, weights).astype(float)
            total = float(weights.sum())
            found.append(total if self.is_counted else total**2 / float(weights @ weights))
        return found[0], found[1]


def settle(found: CrossFitted) -> CrossFitted:
    """Return figures of the decision itself where all objects lead to accepting all or none.

    The thresholds of the folds are then those of another decision.
    """
    accepted = accepts_all_or_none(found.own_tpr, found.own_fpr)
    rate = np.where(accepted, found.own_tpr, np.nan)
    threshold = np.where(rate > 0, -np.inf, np.inf)
    return replace(
        found,
        thresholds=np.where(accepted, threshold, found.thresholds),
        tpr=np.where(accepted, rate, found.tpr),
        fpr=np.where(accepted, rate, found.fpr),
    )


def accepts_all_or_none(tpr: Floats, fpr: Floats) -> NDArray[np.bool_]:
    """Return where a decision accepts all objects, or none, so that its rates are known."""
    return (tpr == fpr) & ((tpr == 0) | (tpr == 1))


def rate_intervals(
    judged: Judged, accepted: NDArray[np.bool_], rates: Floats, own_rates: Floats
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return intervals of TPR and FPR.

    Each spans two Wilson intervals: of the held-out rate, and of its mean with the optimistic one.
    `bands_of` does the same for what depends on both rates.

    Shapes: `accepted` (n,); `rates`, `own_rates` (2,).
    """
    tpr, fpr = map(float, rates)
    if accepts_all_or_none(*own_rates):
        return (tpr, tpr), (fpr, fpr)
    numbers = np.array(judged.numbers_for(accepted))
    ends = [wilson(each, numbers, judged.asked.level) for each in (rates, (rates + own_rates) / 2)]
    low, high = np.min(ends, axis=0)[0], np.max(ends, axis=0)[1]
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))


def bands_of(
    judged: Judged, curves: RateCurves, value: Value, rng: np.random.Generator, first: int = 0
) -> Bands:
    """Return intervals and bands of shares, without width where all, or no, objects are accepted.

    `first`: The place of the first condition among those of the thresholds.
    """
    found, wide = curves.band(value, rng, judged.asked.level), np.ones(curves.tpr.shape)
    if judged.draws_folds:
        slopes = np.array(curves.slopes(value))
        for m, g in np.ndindex(wide.shape):
            moved = judged.moves(judged.accepts(m, first + g), slopes[:, m, g])
            wide[m, g] = judged.widens(moved)
    wide[accepts_all_or_none(*curves.own_rates)] = 0.0
    return found.widened_by(wide)


def _least_cost(data: Ranked, counts: tuple[Floats, Floats], pc: Floats, rule: Rule) -> Floats:
    if rule == "search":
        return lower_envelope(data.points(counts)).threshold(pc)
    return thresholds_by(compact(data, counts), pc, rule)


def compact(data: Ranked, counts: tuple[Floats, Floats]) -> Labelled:
    """Return objects with weights, those of the same class and score merged into one."""
    kept = [each > 0 for each in counts]
    weight = np.concatenate([each[own] for each, own in zip(counts, kept, strict=True)])
    return Labelled(
        np.repeat([True, False], [int(each.sum()) for each in kept]),
        np.concatenate([data.distinct[each] for each in kept]),
        weight if data.importance is not None else weight.astype(np.int64),
    )


def one_against_rest(scored: ScoredSample, column: int, asked: Asked) -> Judged:
    """Set one class against the rest."""
    is_positive = scored.y == column
    name = scored.classes[column]
    weight = scored.weight
    classes = ((is_positive, f"of class '{name}'"), (~is_positive, "of the other classes"))
    for of_class, of_what in classes:
        number = int(of_class.sum())
        if scored.unit is not None:
            number = len(np.unique(scored.unit[of_class]))
        if number < 2:
            raise ScoresError(f"{number} object {of_what}: nothing can be said of less than two")
    models = scored.scores_of_class(column)
    fold = folds_of(scored, is_positive, asked)
    if weight is not None:
        for of_class, of_what in classes:
            *others, largest = np.sort(np.bincount(fold[of_class], weight[of_class]))
            if largest > LARGEST_RATIO * sum(others):
                raise ScoresError(
                    f"weights: the objects {of_what} in one fold weigh more than "
                    f"{LARGEST_RATIO:g} times all others together"
                )
    ranked = [
        rank_scores(is_positive, score, weight, counted=scored.counted) for score in models.values()
    ]
    return Judged(
        name,
        tuple(models),
        tuple(ranked),
        fold,
        scored.unit,
        asked,
        costs_differ=bool(scored.costs),
        folds_given=fold is scored.fold and not scored.counted,
        rest=class_text(scored.classes[1 - column]) if len(scored.classes) == 2 else Judged.rest,
    )


def folds_of(scored: ScoredSample, labels: NDArray, asked: Asked) -> NDArray[np.intp]:
    """Return the folds of the scores, or drawn ones where there are none that can be used.

    Folds serve where each object is in one of them, and the others of each have both classes.
    """
    if scored.fold is not None and serves(scored, labels):
        return scored.fold
    sizes = sizes_of(scored)
    if labels is scored.y and (few := np.flatnonzero(sizes < 2)).size:
        # One object cannot be in two folds: it is drawn with those of the largest class.
        labels = np.where(np.isin(labels, few), sizes.argmax(), labels)
    return drawn_folds(labels, asked.spawn("folds"), asked.folds, scored.unit)


def sizes_of(scored: ScoredSample) -> NDArray[np.intp]:
    """Return how many objects each class has, shape (C,)."""
    if scored.unit is None:
        return np.bincount(scored.y, minlength=len(scored.classes))
    return np.array(
        [len(np.unique(scored.unit[scored.y == c])) for c in range(len(scored.classes))]
    )


def serves(scored: ScoredSample, labels: NDArray) -> bool:
    """Return whether the folds of the scores are disjoint and leave both classes to choose on."""
    if scored.fold is None:
        return False
    if scored.unit is not None:
        _, unit_index = np.unique(scored.unit, return_inverse=True)
        first = np.zeros(int(unit_index.max()) + 1, dtype=np.intp)
        first[unit_index] = scored.fold
        if (first[unit_index] != scored.fold).any():
            return False
    folds = int(scored.fold.max()) + 1
    return all(
        np.unique(scored.fold[labels == value]).size > 1 or folds < 1 for value in np.unique(labels)
    )
