"""What each rule for the threshold gives, and how sure the threshold is."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.analysis.answers.judging import Judged, compact
from opchar.analysis.options import RULES
from opchar.decisions.smooth_curves import Labelled
from opchar.decisions.threshold_rules import reason
from opchar.decisions.threshold_spread import Draw, ThresholdSpread, spread_in
from opchar.spaces.printing import printed_thresholds
from opchar.statistics.ranking import Ranked

COLUMNS = ["class", "model", "prior", "rule", "threshold", "value", "optimistic", "chosen", "why"]
REPEATS = 100
# Thresholds that a table has.
MOST = 200


def rule_table(judged: Judged) -> pd.DataFrame:
    """Return what each rule gives at each prior: threshold, and cost on other folds."""
    priors = np.array(judged.priors)
    pc = judged.pc_of(priors)
    scale = priors * judged.asked.cost[1] + (1 - priors) * judged.asked.cost[0]
    rows = []
    for model, data in zip(judged.names, judged.ranked, strict=True):
        for rule in RULES:
            found = judged.by_rule(data, rule, pc)
            value = ((1 - found.tpr) * pc + found.fpr * (1 - pc)) * scale
            optimistic = ((1 - found.own_tpr) * pc + found.own_fpr * (1 - pc)) * scale
            thresholds = printed_thresholds(found.own_thresholds, data.distinct)
            chosen = rule == judged.asked.rule
            rows += [
                (judged.name, model, prior, rule, *each, chosen, reason(rule))
                for prior, *each in zip(
                    *(priors.tolist(), thresholds.tolist(), value.tolist(), optimistic.tolist()),
                    strict=True,
                )
            ]
    return pd.DataFrame(rows, columns=COLUMNS)


def spread_of(
    judged: Judged, m: int, prior: float, repeats: int = REPEATS, most: int = MOST
) -> ThresholdSpread:
    """Return how sure the threshold of a model is at a prior, see `opchar.threshold_spread`."""
    data = judged.ranked[m]
    cost_fp, cost_fn = judged.asked.cost
    g = judged.condition_at(prior)
    own = judged.chosen_thresholds[m].own_thresholds[g]
    drawn = _of_drawn_folds(judged, data) if judged.draws_folds else None
    return spread_in(
        compact(data, data.counts),
        prior,
        (cost_fp, cost_fn), rule=judged.asked.rule, level=judged.asked.level,
        repeats=repeats, most=most,
        rng=judged.asked.spawn(judged.name, "spread", judged.names[m]),
        sizes=judged.numbers_for(data.distinct[data.rank] >= own), drawn=drawn,
        priors=None if judged.in_use is None else judged.in_use.draws,
    )  # fmt: skip


def _of_drawn_folds(judged: Judged, data: Ranked) -> Draw:
    """Return what draws folds and gives their objects."""
    folds = np.unique(judged.fold)
    counts = np.array([data.weights_of(judged.fold == each) for each in folds])

    def draw(rng: np.random.Generator) -> Labelled:
        while True:
            times = rng.multinomial(len(folds), np.full(len(folds), 1 / len(folds)))
            positives, negatives = np.tensordot(times, counts, 1)
            if positives.any() and negatives.any():
                return compact(data, (positives, negatives))

    return draw


def spread_table(judged: Judged, model: str, prior: float) -> pd.DataFrame:
    """Return what other thresholds of a model cost at a prior, beside the chosen one."""
    m = judged.names.index(model)
    # The interval of the threshold is not in the table.
    table = spread_of(judged, m, prior, repeats=2).to_frame()
    table["threshold"] = printed_thresholds(table["threshold"], judged.ranked[m].distinct)
    table = table.drop_duplicates("threshold")
    front = {"class": judged.name, "model": model, "prior": prior}
    return pd.DataFrame(front, index=table.index).join(table).reset_index(drop=True)
