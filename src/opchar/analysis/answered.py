"""What was asked of a set of scores, and the answers found: tables by question, and findings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from opchar.analysis.answers.decision import Decision
from opchar.analysis.asking import Asked
from opchar.analysis.exchange import as_dict
from opchar.analysis.findings import Finding
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.errors import ScoresError

SAID = {
    "in-use": "What does the threshold in use do?",
    "by-group": "What does the threshold do in each group?",
    "errors": "How often is the class of the largest score wrong?",
    "confusion": "Which classes are taken for which?",
    "areas": "How well do the scores rank the objects?",
    "thresholds": "Where should the threshold be for these priors, costs and preferences?",
    "priors": "How frequent are positives in use?",
    "object-costs": "What is saved when each object has its own costs?",
    "object-thresholds": "What is the threshold of each object?",
    "rules": "What do the three rules for the threshold give?",
    "threshold-costs": "What do other thresholds cost?",
    "every-threshold": "Which threshold is best for which range of priors or costs?",
    "envelopes": "What is the least cost and the best F over all conditions?",
    "points": "Which rates are attainable?",
    "promises": "Which threshold keeps the given limits, one by one and together?",
    "limits": "What is attainable within a limit on one error, and what is guaranteed?",
    "calibration": "Are the scores probabilities?",
    "rejecting": "What is gained by rejecting the least certain objects?",
    "area-differences": "Do the models differ in AUC?",
    "cost-differences": "By how much do the models differ in cost, over all priors and costs?",
    "better": "Which model is clearly better, and where?",
    "volumes": "How much volume is under the multi-class ROC surface?",
    "surfaces": "Which shares of the classes can be right at once?",
    "weights": "Which class weights cost least, and can others cost less?",
    "needed": "For which statements are there too few objects?",
}


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
