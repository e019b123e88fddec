"""The decision: which model and threshold to use at one prior and cost, what it does, how sure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from opchar.analysis.answers.judging import Judged, bands_of, rate_intervals
from opchar.analysis.answers.prior_in_use import PriorInUse
from opchar.analysis.answers.rules import spread_of
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import class_text, number_text, share_text
from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.printing import printed_thresholds
from opchar.statistics.ranking import Floats
from opchar.statistics.rate_curves import Bands

THOUSAND = 1000
# Things are counted among so many objects that there are so many positives, and among ten thousand
# if a thousand had fewer misses or false alarms, but not none.
FEW, MANY_OBJECTS = 5, 10_000_000
# Costs that differ by less are equal.
ROUNDING = 1e-9
# Thresholds of which each is compared with the chosen one.
EVERY = 20_000


@dataclass(frozen=True)
class Estimate:
    """A number with its interval."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Estimate:
        """Return the estimate in another unit; a negative factor turns the interval round."""
        ends = sorted((self.low * factor, self.high * factor))
        return Estimate(self.value * factor, *ends)

    def plus(self, number: float) -> Estimate:
        """Return the estimate with a number added."""
        return Estimate(self.value + number, self.low + number, self.high + number)

    def clip(self, low: float, high: float) -> Estimate:
        """Return the estimate with the ends of its interval in the range of the measure."""
        ends = np.clip([self.low, self.high], low, high)
        return Estimate(self.value, *map(float, ends))

    def widened_by_prior(self, elsewhere: tuple[float, ...]) -> Estimate:
        """Return the estimate with an interval that also covers the uncertainty of the prior.

        Zou and Donner, Construction of confidence limits about effect measures (2008): distances to
        the ends of both intervals are added as squares.
        """
        least, most = min(self.value, *elsewhere), max(self.value, *elsewhere)
        return Estimate(
            self.value,
            self.value - float(np.hypot(self.value - self.low, self.value - least)),
            self.value + float(np.hypot(self.high - self.value, most - self.value)),
        )


@dataclass(frozen=True)
class Option:
    """What one model does at the condition in question."""

    model: str
    threshold: float
    cost: Estimate
    found: Estimate
    missed: Estimate
    false_alarms: Estimate
    precision: Estimate
    lowest: float
    highest: float
    threshold_low: float
    threshold_high: float
    # The largest cost of an object above that of the threshold that is not clearly more, and the
    # threshold that costs least on the sample, with that cost.
    range_more: float
    sample_threshold: float
    sample_cost: float


@dataclass(frozen=True)
class Rival:
    """How much more another model costs than the recommended one."""

    model: str
    more: Estimate

    @property
    def sure(self) -> bool:
        """Whether the interval leaves no doubt about which costs less."""
        return self.more.low > 0


@dataclass(frozen=True)
class Decision:
    """The answer to the main question."""

    positive: str
    prior: float
    cost_fp: float
    cost_fn: float
    without: str
    trivial: float
    options: tuple[Option, ...]
    rivals: tuple[Rival, ...]
    in_use: PriorInUse | None = None
    saving: Estimate | None = None
    each_object: Rival | None = None
    stated: bool = True

    @property
    def class_phrase(self) -> str:
        """The positive class as a part of a sentence."""
        return class_text(self.positive, positive=True)

    @property
    def best(self) -> Option:
        """The model that costs least."""
        return self.options[0]

    @property
    def serves(self) -> bool:
        """Whether the best model costs less than deciding without one, by more than rounding."""
        return self.best.cost.value < self.trivial * (1 - ROUNDING)

    @property
    def base(self) -> int:
        """Among how many objects things are counted."""
        base = THOUSAND
        while base * self.prior < FEW and base < MANY_OBJECTS:
            base *= 10
        errors = self.advice.missed.value, self.advice.false_alarms.value
        if base == THOUSAND and any(0 < number < FEW for number in errors):
            base *= 10
        return base

    def of_base(self, difference: Estimate) -> Estimate:
        """Return a cost of an object as that of the objects among which things are counted."""
        return difference.times(self.base)

    @property
    def advice(self) -> Option:
        """What to do: the best model and its threshold, or accepting all or none."""
        if self.serves:
            return self.best
        every = float(self.without == "accept all")
        ends = (self.prior,) if self.in_use is None else (self.in_use.low, self.in_use.high)
        positives, negatives, precision, costs = (
            Estimate(at(self.prior), min(map(at, ends)), max(map(at, ends)))
            for at in (
                lambda prior: THOUSAND * prior,
                lambda prior: THOUSAND * (1 - prior),
                lambda prior: prior if every else np.nan,
                lambda prior: _trivial(self, prior) if self.each_object is None else self.trivial,
            )
        )
        threshold = -np.inf if every else np.inf
        found, missed, alarms = every, 1 - every, every
        return Option(
            "", threshold, costs, positives.times(found), positives.times(missed),
            negatives.times(alarms), precision,
            *(threshold, threshold, threshold, threshold), 0.0, threshold, costs.value,
        )  # fmt: skip

    @property
    def saved(self) -> Estimate:
        """What the advice saves of the cost of deciding without a model, as a share."""
        if not self.serves:
            return Estimate(0.0, 0.0, 0.0)
        return _share_saved(self) if self.saving is None else self.saving

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        fields = asdict(replace(self, in_use=None))
        del fields["in_use"], fields["saving"]
        fields["costs_given"] = fields.pop("stated")
        known = self.in_use
        estimated = None if known is None else Estimate(known.value, known.low, known.high)
        advice = asdict(self.advice)
        return fields | {
            "prior_estimated": estimated and asdict(estimated),
            "prior_refuted": known is not None and known.is_refuted,
            "serves": self.serves,
            "saved": asdict(self.saved),
            "advice": advice | {"model": advice["model"] or None},
        }


def decision(judged: Judged, differences: pd.DataFrame | None) -> Decision:
    """Choose model and threshold at the first prior that is asked for, or that of the scores."""
    prior = judged.asked.priors[0] if judged.asked.priors else judged.prior
    cost_fp, cost_fn = judged.asked.cost
    g = judged.condition_at(prior)
    scale = prior * cost_fn + (1 - prior) * cost_fp
    pc = float(judged.pc[g])
    precision = _precision(judged, prior, g)
    order = np.argsort(judged.cost_bands.estimates[:, g], kind="stable")
    options = tuple(_option(judged, precision, int(m), g, prior, scale) for m in order)
    found = Decision(
        judged.name, float(prior), cost_fp, cost_fn,
        "accept none" if pc <= 0.5 else "accept all", min(pc, 1 - pc) * scale, options,
        _rivals(judged, differences, options, pc, scale),
        stated=judged.asked.cost_stated or judged.costs_differ,
    )  # fmt: skip
    return found if judged.in_use is None else at_uncertain_prior(found, judged.in_use)


def _precision(judged: Judged, prior: float, g: int) -> Bands:
    """Return the precision of all models with intervals, at one condition."""

    def precision(tpr: Floats, fpr: Floats) -> Floats:
        accepted = prior * tpr + (1 - prior) * fpr
        return np.divide(prior * tpr, accepted, out=np.ones_like(accepted), where=accepted > 1e-12)

    rng = judged.asked.spawn(judged.name, "decision", "precision")
    return bands_of(judged, judged.cost_curves.at(g), precision, rng, g)


def _option(judged: Judged, bands: Bands, m: int, g: int, prior: float, scale: float) -> Option:
    precision = Estimate(np.nan, np.nan, np.nan)
    curves, cost = judged.cost_curves, judged.cost_bands
    rates = np.array([curves.tpr[m, g], curves.fpr[m, g]])
    if rates.any():
        ends = np.clip([bands.low[m, 0], bands.high[m, 0]], 0, 1)
        precision = Estimate(float(bands.estimates[m, 0]), *map(float, ends))
    intervals = rate_intervals(judged, judged.accepts(m, g), rates, curves.own_rates[:, m, g])
    tpr, fpr = (Estimate(float(rate), *ends) for rate, ends in zip(rates, intervals, strict=True))
    positives, negatives = THOUSAND * prior, THOUSAND * (1 - prior)
    spread = spread_of(judged, m, prior, most=EVERY)
    ends = [spread.lowest, spread.highest, spread.low, spread.high]
    same = (spread.thresholds >= spread.lowest) & (spread.thresholds <= spread.highest)
    same &= spread.difference_low <= 0
    points, pc = judged.points[m], float(judged.pc[g])
    ends.append(float(lower_envelope(points).threshold(pc)))
    printed = printed_thresholds(
        [judged.chosen_thresholds[m].own_thresholds[g], *ends], judged.ranked[m].distinct
    )
    chosen, lowest, highest, low, high, least = (float(each) for each in printed)
    return Option(
        judged.names[m], chosen,
        Estimate(*(float(each[m, g]) * scale for each in (cost.estimates, cost.low, cost.high))),
        tpr.times(positives),
        Estimate(1 - tpr.value, 1 - tpr.high, 1 - tpr.low).times(positives),
        fpr.times(negatives),
        precision,
        *(lowest, highest, low, high), float(spread.differences[same].max()), least,
        float(np.min(expected_cost(points.tpr, points.fpr, pc))) * scale,
    )  # fmt: skip


def _rivals(
    judged: Judged,
    differences: pd.DataFrame | None,
    options: tuple[Option, ...],
    pc: float,
    scale: float,
) -> tuple[Rival, ...]:
    """Return by how much other models cost more, where the pair was compared."""
    if differences is None:
        return ()
    best, found = options[0].model, []
    nearest = (differences["pc"] - pc).abs() < 1e-12
    for row in differences[nearest].to_dict("records"):
        if best not in (row["model"], row["other model"]):
            continue
        sign = -1 if row["model"] == best else 1
        other = row["other model"] if row["model"] == best else row["model"]
        less = Estimate(row["difference of cost"], row["low"], row["high"])
        found.append(Rival(str(other), less.times(sign * scale)))
    return tuple(sorted(found, key=lambda rival: rival.more.value))


def at_uncertain_prior(found: Decision, in_use: PriorInUse) -> Decision:
    """Return the decision with intervals that cover the uncertainty of its estimated prior."""
    ends = in_use.low, in_use.high
    options = tuple(_with_prior(found, option, ends) for option in found.options)
    best = found.best
    rivals = []
    for rival in found.rivals:
        other = next(each for each in found.options if each.model == rival.model)
        more = tuple(_cost(found, other, at) - _cost(found, best, at) for at in ends)
        rivals.append(replace(rival, more=rival.more.widened_by_prior(more)))
    without = (_trivial(found, at) for at in ends)
    saved = tuple(1 - _cost(found, best, at) / cost for at, cost in zip(ends, without, strict=True))
    return replace(
        found,
        options=options,
        rivals=tuple(rivals),
        in_use=in_use,
        saving=_share_saved(found).widened_by_prior(saved),
    )


def _share_saved(found: Decision) -> Estimate:
    """Return what the best model saves of the cost of deciding without one."""
    return found.best.cost.times(-1 / found.trivial).plus(1)


def _with_prior(found: Decision, option: Option, ends: tuple[float, float]) -> Option:
    tpr, fpr = _rates(found, option)

    def precision(prior: float) -> float:
        accepted = prior * tpr + (1 - prior) * fpr
        return prior * tpr / accepted if accepted > 0 else 1.0

    def wider(known: Estimate, at: Callable[[float], float], most: float) -> Estimate:
        return known.widened_by_prior(tuple(map(at, ends))).clip(0, most)

    return replace(
        option,
        cost=option.cost.widened_by_prior(tuple(_cost(found, option, at) for at in ends)),
        found=wider(option.found, lambda at: THOUSAND * at * tpr, THOUSAND),
        missed=wider(option.missed, lambda at: THOUSAND * at * (1 - tpr), THOUSAND),
        false_alarms=wider(option.false_alarms, lambda at: THOUSAND * (1 - at) * fpr, THOUSAND),
        precision=wider(option.precision, precision, 1),
    )


def _rates(found: Decision, option: Option) -> tuple[float, float]:
    tpr = option.found.value / (THOUSAND * found.prior)
    return tpr, option.false_alarms.value / (THOUSAND * (1 - found.prior))


def _cost(found: Decision, option: Option, prior: float) -> float:
    tpr, fpr = _rates(found, option)
    return prior * (1 - tpr) * found.cost_fn + (1 - prior) * fpr * found.cost_fp


def _trivial(found: Decision, prior: float) -> float:
    """Return the cost, at a prior, of the way without a model that the decision names."""
    if found.without == "accept none":
        return prior * found.cost_fn
    return (1 - prior) * found.cost_fp


def decision_findings(found: Decision, areas: pd.DataFrame, judged: Judged) -> Iterator[Finding]:
    """Return what to be careful about in the decision."""
    best = found.best
    costs = f"{number_text(best.cost.value)} an object"
    if not found.serves:
        yield Finding(
            "OPC002",
            f"The best model, {best.model}, does not cost less than to {found.without} "
            f"({costs}, {number_text(found.trivial)}).",
        )
    elif best.cost.high >= found.trivial:
        yield Finding(
            "OPC003",
            f"{best.model} costs {costs} ({number_text(best.cost.low)} to "
            f"{number_text(best.cost.high)}); to {found.without} costs "
            f"{number_text(found.trivial)}.",
        )
    unsure = [rival.model for rival in found.rivals if not rival.sure]
    if unsure and found.serves:
        yield Finding(
            "OPC004", f"{best.model} and {', '.join(unsure)} have no clear difference in cost here."
        )
    area_of = areas[areas["measure"] == "AUC"].set_index("model")["value"]
    largest = str(area_of.idxmax())
    if area_of[largest] > area_of[best.model]:
        yield Finding(
            "OPC040",
            f"{largest} has the larger AUC ({area_of[largest]:.3f}; {best.model} "
            f"{area_of[best.model]:.3f}), {best.model} the lower cost.",
        )
    if found.prior < judged.prior / 2:
        precision = found.advice.precision
        there = (
            f"precision is {share_text(precision.value)} there ({share_text(precision.low)} to "
            f"{share_text(precision.high)})"
        )
        if np.isnan(precision.value):
            there = "nothing is accepted there"
        elif found.in_use is None or not found.in_use.is_refuted:
            there += "; report this precision"
        yield Finding(
            "OPC041",
            f"{share_text(judged.prior)} of the scores are {found.class_phrase}, "
            f"{share_text(found.prior)} in use: {there}.",
        )
