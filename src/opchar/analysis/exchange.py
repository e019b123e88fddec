"""Answers as JSON for other programs, in a versioned format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from opchar import __version__
from opchar.analysis.numbers import threshold_text

if TYPE_CHECKING:
    from opchar.analysis.answered import Answered

SCHEMA = 2


def as_dict(answers: Answered) -> dict[str, Any]:
    """Return answers as ``docs/analyse.md`` describes them."""
    scored, asked = answers.scored, answers.asked
    sizes = scored.sizes.tolist()
    positive = answers.decision.positive if answers.decision else None
    given = {
        "prior": list(asked.priors), "cost_fp": asked.cost[0], "cost_fn": asked.cost[1],
        "alphas": list(asked.alphas), "limits": list(asked.limits), "max_fpr": asked.max_fpr,
        "max_fnr": asked.max_fnr, "max_alert_rate": asked.max_alert_rate,
        "min_precision": asked.min_precision, "threshold": dict(asked.thresholds),
        "by": None if scored.by is None else scored.by[0], "rule": asked.rule,
        "confidence": asked.level, "resamples": asked.resamples, "random_state": asked.seed,
    }  # fmt: skip
    return {
        "schema": SCHEMA,
        "opchar": __version__,
        "read": {
            "source": scored.source,
            "rows": sum(sizes),
            "classes": dict(zip(scored.classes, sizes, strict=True)),
            "positive": positive,
            "models": list(scored.models),
            "notes": list(scored.notes),
        },
        "asked": given,
        "decision": _plain(answers.decision.as_dict()) if answers.decision else None,
        "findings": [{"code": each.code, "text": each.text} for each in answers.findings],
        "tables": {name: _rows(table) for name, table in answers.tables.items()},
    }


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [_plain(row) for row in table.to_dict("records")]


def _plain(value: Any, name: str = "") -> Any:
    """Return a value that JSON can hold; infinite thresholds are words."""
    if isinstance(value, dict):
        return {str(key): _plain(each, str(key)) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, name) for each in value]
    if isinstance(value, float | np.floating):
        if np.isfinite(value):
            return float(value)
        endless = "threshold" in name or name in ("lowest", "highest")
        return threshold_text(float(value)) if endless and not np.isnan(value) else None
    return value.item() if isinstance(value, np.generic) else value
