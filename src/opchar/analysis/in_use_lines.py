"""What thresholds in use do, and what happens in each group, a sentence each."""

from __future__ import annotations

from typing import Any

import numpy as np

from opchar.analysis.answered import Answered
from opchar.analysis.answers.decision import THOUSAND, Estimate
from opchar.analysis.numbers import count_text, number_text, share_text, threshold_text

SHORT = {
    "tpr": "sensitivity",
    "fpr": "false-positive rate",
    "precision": "precision",
    "npv": "NPV",
    "alerts": "alerts",
    "cost": "cost of an object",
}
OF_GROUPS = ("tpr", "fpr", "precision", "cost")
MOST_GROUPS = 6


def in_use_lines(answers: Answered) -> list[str]:
    """Return what each threshold in use does, and its difference to the recommendation."""
    table = answers.tables.get("in-use")
    decided = answers.decision
    best, base = (decided.best.model, decided.base) if decided else ("", THOUSAND)
    sentences = []
    for (model, threshold), part in (
        table.groupby(["model", "threshold"], sort=False) if (table is not None) else ()
    ):
        rows, at = part.set_index("measure"), threshold_text(float(str(threshold)))
        texts = [
            f"{short} {_interval(rows.loc[name], name == 'cost')}" for name, short in SHORT.items()
        ]
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


def _interval(row: Any, cost: bool) -> str:
    text = number_text if cost else share_text
    if np.isnan(row["value"]):
        return "–"
    return f"{text(row['value'])} ({text(row['low'])} to {text(row['high'])})"


def group_lines(answers: Answered) -> list[str]:
    """Return what is done in each group, the costliest first."""
    table = answers.tables.get("by-group")
    if table is None:
        return []
    found = []
    for (model, by, group), rows in table.groupby(["model", "by", "group"], sort=False):
        of, first = rows.set_index("measure"), rows.iloc[0]
        texts = [f"{SHORT[name]} {_interval(of.loc[name], name == 'cost')}" for name in OF_GROUPS]
        with_model = f" with {model}" if table["model"].nunique() > 1 else ""
        at = threshold_text(float(first["threshold"]))
        with_model += f" at or above {at}" if np.isfinite(first["threshold"]) else f", {at}"
        counts = f"{count_text(first['rows'], 'row')}, {first['positives']:,} positive"
        cost = float(of["value"]["cost"])
        found.append((cost, f"{by} {group}{with_model} ({counts}): {'; '.join(texts)}."))
    found.sort(key=lambda each: (np.isnan(each[0]), -each[0]))
    more = [f"{len(found) - MOST_GROUPS} more in by-group.csv."] * (len(found) > MOST_GROUPS)
    return [text for _, text in found[:MOST_GROUPS]] + more


def more_text(change: Estimate) -> str:
    """Return a difference of costs in words, with its interval."""
    sign = 1 if change.value >= 0 else -1
    turned = change.times(sign)
    ends = f"{number_text(turned.low)} to {number_text(turned.high)}"
    return f"{number_text(turned.value)} {'more' if sign > 0 else 'less'} ({ends})"
