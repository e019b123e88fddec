"""Write a verdict for every published line, and summaries of all."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from opchar.files import write_csv
from opchar_reproduction.report.comparison.ledger import build
from opchar_reproduction.report.comparison.sources import read_sources
from opchar_reproduction.report.comparison.summaries import (
    by_artefact,
    by_cause,
    multiple_comparisons,
)


def run(
    labels: Mapping[str, Sequence[str]],
    papers: Iterable[str],
    *,
    results: Iterable[Path],
    statements: Iterable[Path],
    weights: Sequence[Path],
    published: Iterable[Path],
    table: Path,
    summaries: Iterable[Path],
) -> None:
    """Write the ledger and its three summaries."""
    folders = {path.parent.name: path.parent for path in published}
    sources = read_sources(
        {paper: folders[paper] for paper in papers},
        {address: {"lines": shown} for address, shown in labels.items()},
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
