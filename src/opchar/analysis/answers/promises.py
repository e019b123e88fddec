"""Limits on precision, alerts and both errors, alone and together, and what is promised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from opchar.analysis.answers.judging import Judged
from opchar.analysis.numbers import share_text
from opchar.spaces.printing import printed_thresholds
from opchar.statistics.risk_control import find_control

COLUMNS = ["class", "model", "limits", "threshold", "kept", "why not",
           "found", "false alarms", "precision", "alerts", "promised of"]  # fmt: skip
NAMES = {
    "max_fpr": "false alarms at most {} of the negatives",
    "max_fnr": "misses at most {} of the positives",
    "min_precision": "precision at least {}",
    "max_alert_rate": "alerts at most {} of all objects",
}


def promise_table(judged: Judged, promised_of: str) -> pd.DataFrame:
    """Return the thresholds that keep the limits that are asked for, each alone and all together.

    As `opchar.controlled_threshold`.
    """
    asked = judged.asked.promises
    sets = [{name: value} for name, value in asked.items()]
    sets += [asked] if len(asked) > 1 else []
    rows = [
        _row(judged, m, limits, promised_of) for limits in sets for m in range(len(judged.names))
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _row(judged: Judged, m: int, limits: dict[str, float], promised_of: str) -> tuple[Any, ...]:
    data, positive = judged.ranked[m], judged.is_positive
    score = data.distinct[data.rank]
    limits_text = ", ".join(NAMES[name].format(share_text(value)) for name, value in limits.items())
    front = (judged.name, judged.names[m], limits_text)
    try:
        found = find_control(positive, score, limits, judged.asked.level)
    except ValueError as error:
        return (*front, np.inf, False, str(error), *[np.nan] * 4, promised_of)
    threshold = float(printed_thresholds(found.threshold, data.distinct))
    accepted = score >= threshold
    why = (
        ""
        if accepted.any()
        else "with these objects, it is not sure of any threshold that accepts some"
    )
    return (
        *(*front, threshold, bool(accepted.any()), why),
        float(accepted[positive].mean()),
        float(accepted[~positive].mean()),
        float(positive[accepted].mean()) if accepted.any() else np.nan,
        float(accepted.mean()),
        promised_of,
    )
