"""What is decided and saved where each object has its own costs."""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logit

from opchar.analysis.answers.decision import Decision, Estimate, Rival
from opchar.analysis.answers.judging import Judged
from opchar.analysis.asking import Asked
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import number_text
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.decisions.at_threshold import effective_number
from opchar.errors import ScoresError
from opchar.spaces.object_costs import object_cost_threshold, object_thresholds
from opchar.spaces.printing import printed_thresholds
from opchar.statistics.areas import student_quantile
from opchar.statistics.calibration import Calibration, calibration
from opchar.statistics.proportions import wilson

Floats = NDArray[np.float64]
Costs = dict[str, Floats]
Paid = dict[tuple[str, str], Floats]
RECOMMENDED, SEARCHED = "recommended threshold", "one threshold"
RULES = (RECOMMENDED, SEARCHED, "a threshold each")
COLUMNS = ["class", "model", "prior", "rule", "threshold", "value", "low", "high", "trivial",
           "saved", "saved low", "saved high", "slope", "intercept", "applied to"]  # fmt: skip
NO_LINE = np.nan, np.nan, ""
MOST = 400


def costs_of_decisions(scored: ScoredSample, asked: Asked) -> Costs:
    """Return what each decision on each object costs.

    A miss may cost less than a hit, as a fraud smaller than the price of a check: such an object is
    never to be accepted.

    Shapes: returned (n,).
    """
    wrong = scored.costs.get("cost")
    known = scored.costs if wrong is None else {"cost_fp": wrong, "cost_fn": wrong}
    usual = {"cost_fp": asked.cost[0], "cost_fn": asked.cost[1], "cost_tp": 0.0, "cost_tn": 0.0}
    found = {name: known.get(name, np.full(len(scored.y), usual[name])) for name in usual}
    excess = np.array([found["cost_fp"] - found["cost_tn"], found["cost_fn"] - found["cost_tp"]])
    never = (excess[0] > 0) & (excess[1] < 0) & (excess[1] > 0).any()
    wrong_row = ~never & ((excess.min(axis=0) < 0) | (excess.sum(axis=0) <= 0))
    if wrong_row.any():
        row = int(wrong_row.argmax())
        shown = ", ".join(f"{name} {values[row]:g}" for name, values in found.items())
        raise ScoresError(
            f"costs of an object of class '{scored.classes[scored.y[row]]}' ({shown}): a wrong "
            "decision must cost at least the right one, and one of both more"
        )
    return found


def with_mean_costs(judged: Judged, scored: ScoredSample) -> tuple[Judged, list[Finding]]:
    """Judge one threshold for all objects at their mean costs, unless others are asked for."""
    if not scored.costs or judged.asked.cost_stated:
        return judged, []
    costs = costs_of_decisions(scored, judged.asked)
    means = []
    for mine, wrong, right in (
        (~judged.is_positive, "cost_fp", "cost_tn"),
        (judged.is_positive, "cost_fn", "cost_tp"),
    ):
        weight = None if judged.weight is None else judged.weight[mine]
        means.append(float(np.average((costs[wrong] - costs[right])[mine], weights=weight)))
    if not min(means) > 0:
        raise ScoresError("costs: false alarms, or misses, cost nothing; give --cost as in 1,5")
    beyond = ", more than a right decision" if {"cost_tp", "cost_tn"} & set(scored.costs) else ""
    text = (
        f"A false alarm costs {number_text(means[0])} on average, a miss {number_text(means[1])}"
        f"{beyond}; the recommended threshold is for these means."
    )
    asked = replace(judged.asked, cost=(means[0], means[1]))
    return replace(judged, asked=asked), [Finding("OPC044", text)]


def object_cost_tables(
    judged: Judged, scored: ScoredSample, decided: Decision
) -> tuple[dict[str, pd.DataFrame], Decision]:
    """Return the costs of one threshold and of a threshold for each object, and the decision.

    `tables`: ``slope`` and ``intercept`` give the log odds at that prior as a linear function of
    what ``applied to`` names.
    """
    costs = costs_of_decisions(scored, judged.asked)
    at = object_thresholds(**costs)
    prior = decided.prior
    weight = weights_at(judged, prior)
    of_all = np.where(judged.is_positive, costs["cost_tp"], costs["cost_fp"])
    of_none = np.where(judged.is_positive, costs["cost_fn"], costs["cost_tn"])
    means = [mean_cost(each, weight, judged).value for each in (of_none, of_all)]
    without = ("accept none", "accept all")[int(means[1] < means[0])]
    trivial = of_all if without == "accept all" else of_none
    least = np.minimum(of_all, of_none)
    g = judged.condition_at(prior)
    rows, paid, fits = [], {}, {}
    for m, data in enumerate(judged.ranked):
        model, score = judged.names[m], data.distinct[data.rank]
        fits[model] = calibration(judged.is_positive, score, "sigmoid", judged.weight)
        for rule in RULES:
            if rule == RECOMMENDED:
                chosen = judged.chosen_thresholds[m]
                accepted = score >= chosen.thresholds[judged.fold, g]
                threshold, line = chosen.own_thresholds[g], NO_LINE
            elif rule == SEARCHED:
                accepted = _by_search(judged, score, costs, weight)
                found = object_cost_threshold(
                    judged.is_positive, score, **costs, sample_weight=weight
                )
                threshold, line = found.threshold, NO_LINE
            else:
                accepted = _by_object(judged, score, at, prior)
                threshold, line = np.nan, _line(fits[model], score, prior)
            paid[model, rule] = np.where(accepted, of_all, of_none)
            other = np.where(accepted, of_none, of_all)
            cost = decision_cost(accepted, paid[model, rule], other, weight, judged)
            if not np.isnan(threshold):
                threshold = float(printed_thresholds(threshold, data.distinct))
            saved = _saved_share(paid[model, rule], trivial, least, weight, judged)
            more = _unseen_cost(accepted, other - paid[model, rule], weight, judged)
            if part := more / min(means) if min(means) > 0 else 0.0:
                low = saved.value - float(np.hypot(saved.value - saved.low, part))
                saved = replace(saved, low=low)
            rows.append((judged.name, model, prior, rule, threshold, *astuple(cost),
                         min(means), *astuple(saved), *line))  # fmt: skip
    table = pd.DataFrame(rows, columns=COLUMNS)
    each = table[table["rule"] == RULES[-1]]
    best = str(each["model"].iloc[int(each["value"].argmin())])
    tables = {
        "object-costs": table,
        "object-thresholds": _each(judged, best, fits[best], costs, prior),
    }
    if judged.asked.cost_stated:
        return tables, decided
    unstated = _of_objects(decided, table, paid, weight, judged)
    return tables, replace(unstated, without=without, trivial=min(means))


def _of_objects(
    decided: Decision, table: pd.DataFrame, paid: Paid, weight: Floats, judged: Judged
) -> Decision:
    """Return the decision with the costs of the objects in place of their means."""
    own = table.set_index(["model", "rule"])

    def estimate(model: str, rule: str, *names: str) -> Estimate:
        return Estimate(*(float(own.loc[(model, rule), name]) for name in names))  # type: ignore[arg-type]

    options = tuple(
        replace(
            option,
            cost=estimate(option.model, RECOMMENDED, "value", "low", "high"),
            sample_threshold=np.nan,  # of mean costs
            sample_cost=np.nan,
        )
        for option in decided.options
    )
    options = tuple(sorted(options, key=lambda option: option.cost.value))
    best = options[0]

    def more(model: str, rule: str) -> Estimate:
        apart = paid[model, rule] - paid[best.model, RECOMMENDED]
        return mean_cost(apart, weight, judged)

    rivals = [Rival(option.model, more(option.model, RECOMMENDED)) for option in options[1:]]
    each = table[table["rule"] == RULES[-1]]
    model = str(each["model"].iloc[int(each["value"].argmin())])
    return replace(
        decided,
        options=options,
        rivals=tuple(sorted(rivals, key=lambda rival: rival.more.value)),
        saving=estimate(best.model, RECOMMENDED, "saved", "saved low", "saved high"),
        each_object=Rival(model, more(model, RULES[-1])),
    )


def mean_cost(
    values: Floats, weight: Floats, judged: Judged, least: Floats | None = None
) -> Estimate:
    """Return the weighted mean of the objects with its interval by Student's t.

    Rows of one object count together: what they add to the mean is summed before it is squared.

    Shapes: `values`, `weight` and `least` (n,), the latter what no decision undercuts.
    """
    share = weight / weight.sum()
    mean = float(share @ values)
    number = effective_number(weight, judged.unit, weight > 0)
    spread = share @ (values - mean) ** 2 / max(number - 1, 1e-300)
    if judged.unit is not None:
        each = np.bincount(judged.unit, share * (values - mean))
        spread = each @ each * number / max(number - 1, 1e-300)
    spread = float(np.sqrt(spread))
    level, wide = judged.asked.level, judged.widens(share * (values - mean))
    reach = wide * student_quantile(level, max(number - 1, 1e-9)) * spread if spread else 0.0
    floor = -np.inf if least is None else float(share @ least)
    return Estimate(mean, max(mean - reach, floor), mean + reach)


def decision_cost(
    accepted: NDArray[np.bool_], paid: Floats, other: Floats, weight: Floats, judged: Judged
) -> Estimate:
    """Return the mean cost of a decision with its interval, which allows for unseen errors.

    Shapes: all (n,); `paid` is the cost of the decision on each object, `other` of the opposite.
    """
    found = mean_cost(paid, weight, judged, np.minimum(paid, other))
    more = _unseen_cost(accepted, other - paid, weight, judged)
    return replace(found, high=found.value + float(np.hypot(found.high - found.value, more)))


def _unseen_cost(
    accepted: NDArray[np.bool_], extra: Floats, weight: Floats, judged: Judged
) -> float:
    """Return how much more an object may cost by errors of a class that has none on these objects.

    Wilson's limit of their share. A decision that accepts all or none cannot err in one class.

    Shapes: `accepted` and `weight` (n,); `extra` (n,), what an error costs.
    """
    more = 0.0
    for mine in (judged.is_positive, ~judged.is_positive):
        own = weight * mine
        if own @ (accepted != judged.is_positive) == 0 < own.sum() and 0 < accepted.mean() < 1:
            number = effective_number(own, judged.unit, own > 0)
            share = float(wilson(0, number, judged.asked.level)[1])
            more += (share * (own @ extra) / weight.sum()) ** 2
    return float(np.sqrt(more))


def _saved_share(
    paid: Floats, trivial: Floats, least: Floats, weight: Floats, judged: Judged
) -> Estimate:
    """Return the share of the trivial cost that is saved, its interval by linearisation.

    Its upper end is at most the share that right decisions on all objects save.

    Shapes: `paid`, `trivial`, `least` and `weight` (n,); `least` is the cost of a right decision.
    """
    share = weight / weight.sum()
    without = float(share @ trivial)
    if not without > 0:
        return Estimate(0.0, 0.0, 0.0)
    ratio = float(share @ paid) / without
    around = mean_cost((paid - ratio * trivial) / without, weight, judged)
    high = min(1 - ratio - around.low, 1 - float(share @ least) / without)
    return Estimate(1 - ratio, 1 - ratio - around.high, high)


def _line(fitted: Calibration, score: Floats, prior: float) -> tuple[float, float, str]:
    """Return slope and intercept of the log odds at a prior, and what they are applied to."""
    shift = float(logit(prior) - logit(fitted.prior))
    slope, intercept = (float(each) for each in fitted.coefficients)
    plain = np.allclose(fitted.log_odds(score[:2]), slope * score[:2] + intercept)
    return slope, intercept + shift, "score" if plain else "log odds of the score"


def weights_at(judged: Judged, prior: float) -> Floats:
    """Return weights of the objects under which positives are as frequent as in use."""
    weights = np.ones(len(judged.fold)) if judged.weight is None else judged.weight
    share = np.where(judged.is_positive, prior / judged.prior, (1 - prior) / (1 - judged.prior))
    return weights * share


def _by_search(judged: Judged, score: Floats, costs: Costs, weight: Floats) -> NDArray[np.bool_]:
    """Return which objects the cheapest thresholds of the other folds accept."""
    accepted = np.zeros(len(score), dtype=bool)
    for fold in np.unique(judged.fold):
        held_out, others = judged.fold == fold, judged.fold != fold
        part = {name: values[others] for name, values in costs.items()}
        found = object_cost_threshold(
            judged.is_positive[others], score[others], **part, sample_weight=weight[others]
        )
        accepted[held_out] = score[held_out] >= found.threshold
    return accepted


def _by_object(judged: Judged, score: Floats, at: Floats, prior: float) -> NDArray[np.bool_]:
    """Return which objects reach their own threshold after calibration on the other folds."""
    accepted = np.zeros(len(score), dtype=bool)
    for fold in np.unique(judged.fold):
        held_out, others = judged.fold == fold, judged.fold != fold
        known = None if judged.weight is None else judged.weight[others]
        fitted = calibration(judged.is_positive[others], score[others], "sigmoid", known)
        accepted[held_out] = fitted.probabilities(score[held_out], prior) >= at[held_out]
    return accepted


def _each(
    judged: Judged, model: str, fitted: Calibration, costs: Costs, prior: float
) -> pd.DataFrame:
    """Return the threshold for each pair of costs."""
    frame = pd.DataFrame(costs).drop_duplicates().sort_values(["cost_fn", "cost_fp"])
    if len(frame) > MOST:
        frame = frame.iloc[np.linspace(0, len(frame) - 1, MOST).round().astype(int)]
    given: Any = {name: frame[name].to_numpy() for name in frame}
    probability = object_thresholds(**given)
    with np.errstate(divide="ignore"):
        odds = logit(probability) - logit(prior) + logit(fitted.prior)
    thresholds = fitted.threshold(odds)
    front = {"class": judged.name, "model": model, "prior": prior}
    found = {"probability at or above": probability, "threshold": thresholds}
    return pd.DataFrame(front | given | found)
