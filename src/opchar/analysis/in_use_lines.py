"""What thresholds in use do, and what happens in each group, a sentence each."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.analysis.answered import Answered
from opchar.analysis.answers.decision import ROUNDING, Estimate
from opchar.analysis.numbers import count_text, number_text, share_text, threshold_text

SHORT = {
    "tpr": "sensitivity",
    "fpr": "false-positive rate",
    "precision": "precision",
    "npv": "NPV",
    "alerts": "alerts",
    "cost": "cost",
}
OF_GROUPS = ("tpr", "fpr", "precision", "cost")
MOST_GROUPS = 6


def in_use_lines(answers: Answered) -> list[str]:
    """Return what each threshold in use does, and its difference to the recommendation."""
    table, decided, sentences = answers.tables.get("in-use"), answers.decision, []
    if table is None or decided is None:
        return []
    best, base = decided.best.model, decided.base
    for (model, threshold), part in table.groupby(["model", "threshold"], sort=False):
        rows, at = part.set_index("measure"), threshold_text(float(str(threshold)))
        texts = [_measure(rows, name, base) for name in SHORT]
        change = Estimate(*rows.loc["cost", ["difference", "difference low", "difference high"]])
        costs = f"costs {more_text(change.times(base))} per {base:,} objects than"
        if model == best and not rows.loc[["tpr", "fpr"], "difference"].any():
            costs = "accepts the same of these objects and costs the same as"
        sentences.append(
            f"In use, {model} at or above {at}: {'; '.join(texts)}. It {costs} the recommendation."
        )
        alike = str(rows["same objects as"].iloc[0])
        sentences.append(
            f"On these scores, it accepts the same objects as the threshold of {alike}. If it was "
            "chosen on them, its figures look better than they are."
            if alike
            else "These figures hold if the threshold in use was not chosen on these scores."
        )
    return sentences


def _measure(rows: pd.DataFrame, name: str, base: int) -> str:
    """Return a measure with its interval; the cost of as many objects as are counted.

    What is known without a sample has no interval.
    """
    found = Estimate(*rows.loc[name, ["value", "low", "high"]])
    short, text = SHORT[name], share_text
    if name == "cost":
        found, short, text = found.times(base), f"cost of {base:,} objects", number_text
    if np.isnan(found.value):
        return f"{short} –"
    ends = f" ({text(found.low)} to {text(found.high)})" if found.low < found.high else ""
    return f"{short} {text(found.value)}{ends}"


def group_lines(answers: Answered) -> list[str]:
    """Return what is done in each group, the costliest first."""
    table, decided = answers.tables.get("by-group"), answers.decision
    if table is None or decided is None:
        return []
    found, prior = [], "the prior of each group"
    if answers.asked.priors:
        prior = f"{share_text(decided.prior)} {decided.class_phrase}"
    for (model, by, group), rows in table.groupby(["model", "by", "group"], sort=False):
        of, first = rows.set_index("measure"), rows.iloc[0]
        texts = [_measure(of, name, decided.base) for name in OF_GROUPS]
        of_model = model if len(set(table["model"])) > 1 else "scores"
        done = at = threshold_text(float(first["threshold"]))
        if np.isfinite(first["threshold"]):
            done = f"{of_model} at or above {at}"
        counts = f"{count_text(first['rows'], 'row')}, {first['positives']:,} positive"
        cost = float(of["value"]["cost"])
        found.append((cost, f"{by} {group} ({counts}), {done}: {'; '.join(texts)}."))
    found.sort(key=lambda each: (np.isnan(each[0]), -each[0]))
    more = [f"{len(found) - MOST_GROUPS} more in by-group.csv."] * (len(found) > MOST_GROUPS)
    first_line = f"By {by}, the costliest first; precision and cost are at {prior}."
    return [first_line, *(text for _, text in found[:MOST_GROUPS]), *more]


def more_text(change: Estimate) -> str:
    """Return a difference of costs in words, with its interval."""
    is_zero = abs(change.value) <= ROUNDING * max(abs(change.low), abs(change.high))
    is_more = is_zero or change.value > 0
    turned = change if is_more else change.times(-1)
    value = 0.0 if is_zero else turned.value
    ends = f"{number_text(turned.low)} to {number_text(turned.high)}"
    return f"{number_text(value)} {'more' if is_more else 'less'} ({ends})"
