"""Write a verdict for every published line, and summaries of all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opchar.files import write_csv
from opchar_reproduction.report.comparison.ledger import build
from opchar_reproduction.report.comparison.sources import read_sources
from opchar_reproduction.report.comparison.summaries import (
    by_artefact,
    by_cause,
    multiple_comparisons,
)

if TYPE_CHECKING:
    from opchar_reproduction.project.plan import Plan


def run(
    plan: Plan,
    profile: str,
    *,
    results: Iterable[Path],
    statements: Iterable[Path],
    weights: Sequence[Path],
    table: Path,
    summaries: Iterable[Path],
) -> None:
    """Write the ledger and its three summaries."""
    sources = read_sources(
        plan.works(),
        {name: plan.config.artefacts[name] for name in plan.profile_artefacts(profile)},
        results=results,
        statements=statements,
        weights=weights,
    )
    lines = build(*sources)
    comparisons, artefacts, causes = summaries
    write_csv(multiple_comparisons(lines), comparisons)
    write_csv(by_artefact(lines), artefacts)
    write_csv(by_cause(lines), causes)
    write_csv(lines, table)
