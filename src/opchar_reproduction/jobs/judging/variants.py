"""Weigh the variants of a work by what it prints, and tell in which of them statements hold."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.files import write_csv
from opchar.seeds import spawner
from opchar_reproduction.report.comparison.published_values import read_errata, read_lines
from opchar_reproduction.report.specification import specification
from opchar_reproduction.report.variant_tables import CELLS, WEIGHTS
from opchar_reproduction.report.variants import artefacts, weigh
from opchar_reproduction.results import REPEATS, files_by_study, read_curves, read_results
from opchar_reproduction.statements.measurements import (
    OF_SHORT_TEXTS,
    Measurements,
    read_measurements,
)


@OF_SHORT_TEXTS
def run(
    paper: str,
    experiments: Sequence[str],
    declared: Mapping[str, Sequence[str]],
    blocks: Mapping[str, Mapping[str, Any]],
    entries: Mapping[str, Mapping[str, Any]],
    seed: int,
    *,
    results: Iterable[Path],
    curves: Iterable[Path],
    other_results: Iterable[Path],
    other_curves: Iterable[Path],
    published: Sequence[Path],
    tables: Iterable[Path],
) -> None:
    """Write weights, cells and statements of all variants."""
    primary = files_by_study(results, curves)
    others = files_by_study(other_results, other_curves)
    folder = {paper: published[0].parent}
    errata = read_errata(folder)
    given = artefacts(
        read_lines(folder),
        {name: read_results(primary[name][0]) for name in experiments if _belongs_to(paper, name)},
        {name: read_results(files[0]) for name, files in others.items()},
        declared,
        list(errata.loc[errata["verdict"] == "erratum", "id"]),
        repeats={name: read_curves(primary[name][1]).get(REPEATS) for name in others},
        blocks=blocks,
    )
    spawn = spawner(seed, "readings")  # what variants were called when these draws were first made
    weighed = [weigh(artefact, spawn) for artefact in given]
    read = {
        name for entry in entries.values() for name in [*entry["reads"], *entry["also_judged_on"]]
    }
    judged = specification(
        entries,
        {name: read_measurements(*([file] for file in primary[name])) for name in read},
        {name: _by_variant(*files) for name, files in others.items() if name in read},
    )
    first, second, third = tables
    write_csv(_table([weights for weights, _ in weighed], WEIGHTS), first)
    write_csv(_table([cells for _, cells in weighed], CELLS), second)
    write_csv(judged, third)


def _table(parts: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _belongs_to(paper: str, name: str) -> bool:
    return name.split("/")[0] == paper


def _by_variant(table: Path, curves: Path) -> dict[str, Measurements]:
    """Return the measurements of each variant, in the order of the table."""
    lines, frames = read_results(table), read_curves(curves)
    kept = {name: frame.drop(columns="variant") for name, frame in frames.items()}
    rows = {name: frame.groupby("variant").indices for name, frame in frames.items()}
    return {
        str(variant): Measurements(
            part.reset_index(drop=True),
            {
                name: frame.iloc[rows[name].get(variant, [])].reset_index(drop=True)
                for name, frame in kept.items()
            },
        )
        for variant, part in lines.groupby("variant", sort=False)
    }
