"""Gather the score tables of a run for the explorer of the report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from opchar.files import write_text
from opchar.scores import read_scores
from opchar_reproduction.report.explorer.tables import explorer_data


def run(models: Sequence[str], *, scores: Sequence[Path], output: Path) -> None:
    """Write what the explorer shows of score tables."""
    tables = ((name, read_scores(path)) for name, path in zip(models, scores, strict=True))
    write_text(json.dumps(explorer_data(tables), separators=(",", ":"), ensure_ascii=False), output)
