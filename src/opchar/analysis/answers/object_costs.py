"""What is decided and saved where each object has its own costs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logit

from opchar.analysis.answers.judging import Judged
from opchar.analysis.asking import Asked
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import number_text
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.errors import ScoresError
from opchar.spaces.object_costs import object_cost, object_cost_threshold, object_thresholds
from opchar.spaces.printing import printed_thresholds
from opchar.statistics.calibration import Calibration, calibration

Floats = NDArray[np.float64]
Costs = dict[str, Floats]
RULES = ("one threshold", "a threshold each")
MOST = 400


def costs_of_decisions(scored: ScoredSample, asked: Asked) -> Costs:
    """Return what each decision on each object costs.

    Parameters
    ----------
    scored : ScoredSample
        With columns of costs; what has none costs what was asked for, and right decisions nothing.
    asked : Asked

    Returns
    -------
    dict of str to ndarray of float, shape (n,)
        ``cost_fp``, ``cost_fn``, ``cost_tp`` and ``cost_tn``.

    Raises
    ------
    ScoresError
        If a wrong decision costs less than the right one, or neither wrong decision costs anything.
    """
    wrong = scored.costs.get("cost")
    known = scored.costs if wrong is None else {"cost_fp": wrong, "cost_fn": wrong}
    usual = {"cost_fp": asked.cost[0], "cost_fn": asked.cost[1], "cost_tp": 0.0, "cost_tn": 0.0}
    found = {name: known.get(name, np.full(len(scored.y), usual[name])) for name in usual}
    excess = np.array([found["cost_fp"] - found["cost_tn"], found["cost_fn"] - found["cost_tp"]])
    if (wrong_row := (excess.min(axis=0) < 0) | (excess.sum(axis=0) <= 0)).any():
        row = int(wrong_row.argmax())
        shown = ", ".join(f"{name} {values[row]:g}" for name, values in found.items())
        raise ScoresError(
            f"costs of an object of class '{scored.classes[scored.y[row]]}' ({shown}): a wrong "
            "decision must cost at least the right one, and one of both more"
        )
    return found


def with_mean_costs(judged: Judged, scored: ScoredSample) -> tuple[Judged, list[Finding]]:
    """Judge one threshold for all objects at their mean costs, unless others are asked for.

    Returns
    -------
    Judged
        At the mean cost of a false alarm over negatives and of a miss over positives, beyond the
        right decision.
    findings : list of Finding
    """
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
    text = (
        f"A false alarm costs {number_text(means[0])} on average, a miss {number_text(means[1])}; "
        "the recommended threshold is for these."
    )
    asked = replace(judged.asked, cost=(means[0], means[1]))
    return replace(judged, asked=asked), [Finding("OPC044", text)]


def object_cost_tables(judged: Judged, scored: ScoredSample) -> dict[str, pd.DataFrame]:
    """Return the costs of one threshold and of a threshold for each object, and the latter.

    Parameters
    ----------
    judged : Judged
    scored : ScoredSample
        With columns of costs.

    Returns
    -------
    dict of str to pandas.DataFrame
        ``object-costs``: by model and rule the cost of an object at the first prior that is asked
        for, on folds that nothing was chosen on. ``object-thresholds``: of the model that costs
        least the score from which objects with given costs are accepted; of more than `MOST` pairs
        of costs some, evenly.
    """
    costs = costs_of_decisions(scored, judged.asked)
    at = object_thresholds(**costs)
    prior = judged.asked.priors[0] if judged.asked.priors else judged.prior
    weight = _weights(judged, prior)
    rows = []
    for model, score in scored.scores_of_class(scored.classes.index(judged.name)).items():
        for rule in RULES:
            accepted = _cross_fitted_decisions(judged, score, costs, at, weight, prior, rule)
            found = object_cost(
                judged.is_positive,
                accepted.astype(float),
                **costs,
                threshold=0.5,
                sample_weight=weight,
                confidence=judged.asked.level,
            )
            threshold = np.nan
            if rule == RULES[0]:
                one = object_cost_threshold(judged.is_positive, score, **costs,
                                            sample_weight=weight).threshold  # fmt: skip
                threshold = float(printed_thresholds(np.array([one]), np.unique(score))[0])
            trivial = min(found.accept_all, found.accept_none)
            saved = 1 - found.cost / trivial if trivial > 0 else 0.0
            rows.append((judged.name, model, prior, rule, threshold, found.cost, found.low,
                         found.high, trivial, saved))  # fmt: skip
    names = ["class", "model", "prior", "rule", "threshold", "value", "low", "high", "trivial",
             "saved"]  # fmt: skip
    table = pd.DataFrame(rows, columns=names)
    best = str(table["model"].iloc[int(table["value"].argmin())])
    score = scored.scores_of_class(scored.classes.index(judged.name))[best]
    fitted = calibration(judged.is_positive, score, "sigmoid", judged.weight)
    return {"object-costs": table, "object-thresholds": _each(judged, best, fitted, costs, prior)}


def _weights(judged: Judged, prior: float) -> Floats:
    """Return weights of the objects under which positives are as frequent as in use."""
    weights = np.ones(len(judged.fold)) if judged.weight is None else judged.weight
    share = np.where(judged.is_positive, prior / judged.prior, (1 - prior) / (1 - judged.prior))
    return weights * share


def _cross_fitted_decisions(
    judged: Judged,
    score: Floats,
    costs: Costs,
    at: Floats,
    weight: Floats,
    prior: float,
    rule: str,
) -> NDArray[np.bool_]:
    """Return which objects are accepted by the thresholds chosen on the other folds."""
    accepted = np.zeros(len(score), dtype=bool)
    for fold in np.unique(judged.fold):
        held_out, others = judged.fold == fold, judged.fold != fold
        positive = judged.is_positive[others]
        if rule == RULES[0]:
            part = {name: values[others] for name, values in costs.items()}
            found = object_cost_threshold(
                positive, score[others], **part, sample_weight=weight[others]
            )
            accepted[held_out] = score[held_out] >= found.threshold
        else:
            known = None if judged.weight is None else judged.weight[others]
            fitted = calibration(positive, score[others], "sigmoid", known)
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
