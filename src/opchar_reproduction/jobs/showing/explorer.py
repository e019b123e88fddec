"""Gather the score tables of a run for the explorer of the report."""

from collections.abc import Iterable
from pathlib import Path

from opchar.files import write_json
from opchar.scores import read_models
from opchar_reproduction.report.explorer.tables import explorer_data


def run(*, scores: Iterable[Path], output: Path) -> None:
    """Write what the explorer shows of each score table."""
    tables = (
        (f"{model} ({path.stem})", table)
        for path in scores
        for model, table in read_models(path).items()
    )
    write_json(explorer_data(tables), output)
