"""Thresholds of scores in percent, on the scale of the file."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np

from opchar.analysis.answered import Answered
from opchar.analysis.answers.decision import Option

# Columns and fields that hold scores.
SCORES = ("threshold", "promised threshold")
FIELDS = ("threshold", "lowest", "highest", "threshold_low", "threshold_high", "sample_threshold")


def turn_to_percent(answers: Answered) -> None:
    """Turn thresholds of models whose scores are in percent back to the scale of the file."""
    models = answers.scored.percent
    for name, table in answers.tables.items():
        if not models or "model" not in table or name == "rejecting":  # of posteriors
            continue
        mine = table["model"].isin(models)
        for column in set(SCORES) & set(table.columns):
            table.loc[mine, column] = table.loc[mine, column].map(in_percent)
        if "applied to" in table:
            mine &= table["applied to"] != ""
            table.loc[mine, "applied to"] += " as a share"
    if answers.decision is not None:
        options = (
            _option_in_percent(each) if each.model in models else each
            for each in answers.decision.options
        )
        answers.decision = replace(answers.decision, options=tuple(options))


def _option_in_percent(option: Option) -> Option:
    turned: dict[str, Any] = {name: in_percent(getattr(option, name)) for name in FIELDS}
    return replace(option, **turned)


def in_percent(value: float) -> float:
    """Return a share in percent with the digits of the file, such that dividing gives it again."""
    if not np.isfinite(value):
        return value
    near = float(f"{100 * value:.15g}")
    return near if near / 100 == value else float(Decimal(repr(float(value))) * 100)
