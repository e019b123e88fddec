"""What was asked of a set of scores, and the answers found: tables by question, and findings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import pandas as pd

from opchar.analysis.answers.decision import Decision
from opchar.analysis.asking import Asked
from opchar.analysis.exchange import as_dict
from opchar.analysis.findings import Finding
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.errors import ScoresError

# Of each table its question and what helps to read it; names of columns.
TEXTS = json.loads((files("opchar.analysis") / "sections.json").read_text(encoding="utf-8"))
SAID: dict[str, str] = TEXTS["questions"]


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
        return as_dict(self)

    def to_json(self) -> str:
        """Return `to_dict` as JSON: infinite thresholds as words, missing numbers as null."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False)

    def add(self, name: str, table: pd.DataFrame) -> None:
        """Add a table, or rows to it."""
        if len(table):
            parts = [self.tables[name], table] if name in self.tables else [table]
            self.tables[name] = pd.concat(parts, ignore_index=True)
