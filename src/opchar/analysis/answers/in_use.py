"""What thresholds that are already in use do, beside the recommended one, and by groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.answers.decision import Decision
from opchar.analysis.answers.judging import Judged
from opchar.analysis.answers.object_costs import (
    costs_of_decisions,
    decision_cost,
    mean_cost,
    weights_at,
)
from opchar.analysis.answers.summary import aim_text
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import number_text
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.decisions.at_threshold import MEASURES, AtThreshold, Interval, of_decisions
from opchar.decisions.two_decisions import Measure, difference_of, measure_of, paired_difference
from opchar.errors import ScoresError, nearest
from opchar.spaces.cost import lower_envelope
from opchar.statistics.ranking import Floats
from opchar.statistics.rate_curves import slopes_of

Accepted = NDArray[np.bool_]
COLUMNS = ["class", "model", "threshold", "measure", "value", "low", "high", "recommended",
           "difference", "difference low", "difference high", "same objects as"]  # fmt: skip


def thresholds_in_use(judged: Judged, scored: ScoredSample) -> dict[str, float]:
    """Return the threshold in use of each model that has one; those in percent as shares."""
    found: dict[str, float] = {}
    for given, value in judged.asked.thresholds:
        name = scored.columns.get(given, given)
        if name and name not in judged.names:
            hint = nearest(name, list(judged.names))
            known = ", ".join(judged.names)
            raise ScoresError(f"--threshold: no model '{name}'{hint}; there are {known}")
        found |= dict.fromkeys([name] if name else judged.names, value)
    return {name: at / 100 if name in scored.percent else at for name, at in found.items()}


def in_use_table(judged: Judged, scored: ScoredSample, decided: Decision) -> pd.DataFrame:
    """Return the effects of thresholds in use, with differences to the recommended one."""
    weight = _weight(judged)
    advised = _accepted_by_advice(judged, decided)
    rows = []
    for model, threshold in thresholds_in_use(judged, scored).items():
        data = judged.ranked[judged.names.index(model)]
        accepted = data.distinct[data.rank] >= threshold
        one, two = (_what(judged, decided, each, threshold) for each in (accepted, advised))
        alike = _same_objects(judged, model, threshold, decided)
        for name in MEASURES:
            values, other = getattr(one, name), getattr(two, name).value
            change = _difference(judged, weight, name, accepted, advised, decided)
            if name == "cost" and _by_object(judged, scored):
                values, other, change = _costs(judged, scored, decided, accepted, advised)
            rows.append(
                (judged.name, model, threshold, name, *values, other, *change, alike)
            )  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def group_table(judged: Judged, scored: ScoredSample, decided: Decision) -> pd.DataFrame:
    """Return the same measures for each group of rows."""
    if scored.by is None:
        return pd.DataFrame()
    column, values = scored.by
    in_use: dict[str, float] = thresholds_in_use(judged, scored) or {decided.advice.model: np.nan}
    rows: list[tuple[Any, ...]] = []
    for model, threshold in in_use.items():
        accepted, at = _accepted_by_advice(judged, decided), threshold
        if np.isnan(threshold):
            at = decided.advice.threshold
        else:
            data = judged.ranked[judged.names.index(model)]
            accepted = data.distinct[data.rank] >= threshold
        for group in np.unique(values):
            mine = values == group
            found = _what(judged, decided, accepted, at, mine)
            if _by_object(judged, scored) and not np.isnan(found.cost.value):
                found = replace(found, cost=_group_cost(judged, scored, found, accepted, mine))
            front = (judged.name, model or decided.without, at, column, str(group), int(mine.sum()))
            positives = int(judged.is_positive[mine].sum())
            rows += [(*front, positives, name, *getattr(found, name)) for name in MEASURES]
    names = ["class", "model", "threshold", "by", "group", "rows", "positives", "measure"]
    return pd.DataFrame(rows, columns=[*names, "value", "low", "high"])


def in_use_findings(table: pd.DataFrame, judged: Judged, scored: ScoredSample) -> Iterator[Finding]:
    """Return which thresholds in use lie outside the scores."""
    for model, threshold in dict(zip(table["model"], table["threshold"], strict=True)).items():
        scores = judged.ranked[judged.names.index(model)].distinct
        if not scores[0] < threshold <= scores[-1]:
            unit = 100 if model in scored.percent else 1
            ends = (
                f"{number_text(unit * float(scores[0]))} to {number_text(unit * float(scores[-1]))}"
            )
            yield Finding(
                "OPC017",
                f"The threshold {number_text(unit * threshold)} lies outside the scores of {model} "
                f"({ends}). Is it on their scale?",
            )


def _weight(judged: Judged) -> Floats:
    return np.ones(len(judged.fold)) if judged.weight is None else judged.weight


def _accepted_by_advice(judged: Judged, decided: Decision) -> Accepted:
    """Return which objects the recommendation accepts, by thresholds chosen on the other folds."""
    if not decided.serves:
        return np.full(len(judged.fold), decided.without == "accept all")
    g = judged.condition_at(decided.prior)
    return judged.accepts(judged.names.index(decided.best.model), g)


def _what(
    judged: Judged,
    decided: Decision,
    accepted: Accepted,
    threshold: float,
    mine: Accepted | None = None,
) -> AtThreshold:
    rows = slice(None) if mine is None else mine
    found = of_decisions(
        judged.is_positive[rows], accepted[rows], _weight(judged)[rows],
        None if judged.unit is None else judged.unit[rows], threshold=threshold,
        prior=decided.prior if judged.asked.priors else None, cost_fn=decided.cost_fn,
        cost_fp=decided.cost_fp, confidence=judged.asked.level, counted=judged.is_counted,
    )  # fmt: skip
    if not judged.draws_folds or np.isnan(found.cost.value):
        return found
    wider: dict[str, Any] = {}
    for name in MEASURES:
        value, low, high = getattr(found, name)
        slopes = slopes_of(_measure(name, decided), found.tpr.value, found.fpr.value)
        moved = judged.moves(accepted, slopes, True if mine is None else mine)
        wide = judged.widens(np.nan_to_num(moved), rows)
        most = np.inf if name == "cost" else 1.0
        ends = max(value - wide * (value - low), 0.0), min(value + wide * (high - value), most)
        wider[name] = Interval(value, *ends)
    return replace(found, **wider)


def _difference(
    judged: Judged, weight: Floats, name: str, one: Accepted, two: Accepted, decided: Decision
) -> Interval:
    """Return the difference of two decisions on the same objects, wider where folds are drawn."""
    value = _measure(name, decided)
    change, reach, pairs = paired_difference(
        value, judged.is_positive, (one, two), weight, judged.effective, judged.asked.level
    )
    apart = judged.moves(one, pairs[0]) - judged.moves(two, pairs[1])
    return difference_of(name, change, reach * judged.widens(apart))


def _measure(name: str, decided: Decision) -> Measure:
    return measure_of(name, decided.prior, decided.cost_fn, decided.cost_fp)


def _by_object(judged: Judged, scored: ScoredSample) -> bool:
    return bool(scored.costs) and not judged.asked.cost_stated


def _costs(
    judged: Judged, scored: ScoredSample, decided: Decision, one: Accepted, two: Accepted
) -> tuple[Any, float, Any]:
    """Return the costs of decisions by the costs of each object."""
    weight, paid = weights_at(judged, decided.prior), [_cost(judged, scored, x) for x in (one, two)]
    found = decision_cost(one, paid[0], _cost(judged, scored, ~one), weight, judged)
    change = mean_cost(paid[0] - paid[1], weight, judged)
    return astuple(found), mean_cost(paid[1], weight, judged).value, astuple(change)


def _cost(judged: Judged, scored: ScoredSample, accepted: Accepted) -> Floats:
    """Return what the decision on each object costs."""
    costs = costs_of_decisions(scored, judged.asked)
    of_positive = np.where(accepted, costs["cost_tp"], costs["cost_fn"])
    return np.where(
        judged.is_positive, of_positive, np.where(accepted, costs["cost_fp"], costs["cost_tn"])
    )


def _group_cost(
    judged: Judged, scored: ScoredSample, at_means: AtThreshold, accepted: Accepted, mine: Accepted
) -> Interval:
    """Return the cost of a group by the costs of its objects."""
    weight = _weight(judged) * mine
    if judged.asked.priors:
        positive = judged.is_positive
        prior, own = at_means.prior, weight[positive].sum() / weight.sum()
        weight = weight * np.where(positive, prior / own, (1 - prior) / (1 - own))
    paid, other = (_cost(judged, scored, each) for each in (accepted, ~accepted))
    return Interval(*astuple(decision_cost(accepted, paid, other, weight, judged)))


def _same_objects(judged: Judged, model: str, threshold: float, decided: Decision) -> str:
    """Return the criteria whose best threshold on these scores accepts the same objects."""
    m = judged.names.index(model)
    data, points = judged.ranked[m], judged.points[m]
    own = judged.chosen_thresholds[m].own_thresholds
    g = judged.condition_at(decided.prior)
    found = {
        "least cost": own[g],
        "least cost on these scores": lower_envelope(points).threshold(judged.pc[g : g + 1])[0],
        "largest TPR less FPR": points.thresholds[int(np.argmax(points.tpr - points.fpr))],
    }
    for number, alpha in enumerate(judged.asked.alphas):
        start = len(judged.pc) + number * len(judged.grid)
        at = int(np.abs(judged.grid - judged.prior).argmin())
        found[f"best {aim_text(f'F, alpha {alpha:g}')}"] = own[start + at]
    place = np.searchsorted(data.distinct, threshold)
    alike = [name for name, at in found.items() if np.searchsorted(data.distinct, at) == place]
    return ", ".join(alike[:1] if alike[:1] == ["least cost"] else alike)
