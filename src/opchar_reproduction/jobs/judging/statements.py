"""Judge the claims of a work on the measurements of its experiments."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.files import write_csv
from opchar.seeds import spawner
from opchar_reproduction.results import files_by_study
from opchar_reproduction.statements.judging import COLUMNS, find, judge
from opchar_reproduction.statements.measurements import (
    OF_SHORT_TEXTS,
    Measurements,
    read_measurements,
)


@OF_SHORT_TEXTS
def run(
    entries: Mapping[str, Mapping[str, Any]],
    resamples: int,
    seed: int,
    *,
    results: Iterable[Path],
    curves: Iterable[Path],
    table: Path,
    first: str = "",
) -> None:
    """Write one line for every statement; the verdict on `first` is said before all others."""
    rows, by_study = [], files_by_study(results, curves)
    read: dict[tuple[str, ...], Measurements] = {}

    def measured(*names: str) -> Measurements:
        if names not in read:
            files = [by_study[name] for name in names]
            read[names] = read_measurements([one for one, _ in files], [two for _, two in files])
        return read[names]

    if first:
        found = find(entries[first], measured(*entries[first]["reads"]))
        print(f"{first} {'holds' if found.holds else 'fails'}: {found.evidence}", flush=True)
    for identifier, entry in entries.items():
        also = {name: measured(name) for name in entry["also_judged_on"]}
        spawn = spawner(seed, "statements")
        rows.append(judge(identifier, entry, measured(*entry["reads"]), spawn, resamples, also))
    write_csv(pd.DataFrame(rows, columns=COLUMNS), table)
