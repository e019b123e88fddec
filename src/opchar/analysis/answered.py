"""What was asked of a set of scores, and the answers found: tables by question, and findings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd

from opchar import __version__
from opchar.analysis.answers.decision import Decision
from opchar.analysis.asking import Asked
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import threshold_text
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.errors import ScoresError

# Of each table its question and what helps to read it; names of columns.
TEXTS = json.loads((files("opchar.analysis") / "sections.json").read_text(encoding="utf-8"))
SAID: dict[str, str] = TEXTS["questions"]
# Of the answers as JSON.
SCHEMA = 2


@dataclass(repr=False)
class Answered:
    """What the scores say."""

    scored: ScoredSample
    asked: Asked
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    decision: Decision | None = None
    # Whether costs of taking one of several classes for another were given.
    class_costs: bool = False

    @property
    def cautions(self) -> list[str]:
        """The findings as text, each with its code."""
        return [str(each) for each in self.findings]

    def find(self, found: Iterable[Finding]) -> None:
        """Add findings, each once."""
        self.findings += [each for each in found if each not in self.findings]

    def to_frame(self, name: str = "thresholds") -> pd.DataFrame:
        """Return the answer to one question."""
        if name not in self.tables:
            raise ScoresError(f"no table '{name}'; there are {', '.join(self.tables)}")
        return self.tables[name]

    def to_dict(self) -> dict[str, Any]:
        """Return the answers as ``docs/analyse.md`` describes them, version `SCHEMA`."""
        scored, asked = self.scored, self.asked
        sizes = scored.sizes.tolist()
        positive = self.decision.positive if self.decision else None
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
            "decision": _plain(self.decision.as_dict()) if self.decision else None,
            "findings": [{"code": each.code, "text": each.text} for each in self.findings],
            "tables": {
                name: _plain(table.to_dict("records")) for name, table in self.tables.items()
            },
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON: infinite thresholds as words, missing numbers as null."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False)

    def add(self, name: str, table: pd.DataFrame) -> None:
        """Add a table, or rows to it."""
        if len(table):
            parts = [self.tables[name], table] if name in self.tables else [table]
            self.tables[name] = pd.concat(parts, ignore_index=True)


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
