"""What the checks need to know, each fact copied from a publication with its place."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from opchar.errors import DataError
from opchar_reproduction.report.comparison.published_values import Folders, read_lines

FOLDER = "proofreading"
COLUMNS = {
    "sums": ["paper", "artefact", "row", "columns", "total", "what"],
    "orders": ["paper", "artefact", "over", "lesser", "greater", "what"],
    "names": ["paper", "list", "where", "same_as", "name"],
    "abbreviations": ["paper", "short", "where", "stands_for"],
    "labels": ["paper", "kind", "label", "where", "shows"],
    "references": ["paper", "where", "sentence", "kind", "label", "speaks_of"],
}
DECIDED = ["check", "paper", "place", "case", "sentence", "decision", "why"]
DECISIONS = ("error", "inconsistent", "notation", "undecided", "correct")


class Facts(NamedTuple):
    """The published lines, and what is known of their texts."""

    lines: pd.DataFrame
    sums: pd.DataFrame
    orders: pd.DataFrame
    names: pd.DataFrame
    abbreviations: pd.DataFrame
    labels: pd.DataFrame
    references: pd.DataFrame


def read_facts(folders: Folders) -> Facts:
    """Read the published lines and the facts of some publications."""
    tables = [_concat_works(folders, name, columns) for name, columns in COLUMNS.items()]
    return Facts(read_lines(folders), *tables)


def read_decided(folders: Folders) -> pd.DataFrame:
    """Read what was decided of each finding."""
    decided = _concat_works(folders, "decisions", DECIDED)
    for row in decided[~decided["decision"].isin(DECISIONS)].to_dict("records"):
        path = _file(folders[row["paper"]], "decisions")
        raise DataError(
            f"{path}: decision {row['decision']!r}; write one of {', '.join(DECISIONS)}"
        )
    return decided


def _concat_works(folders: Folders, name: str, columns: list[str]) -> pd.DataFrame:
    read = [folder for folder in folders.values() if (Path(folder) / FOLDER).is_dir()]
    parts = [_table(_file(folder, name), columns) for folder in read]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _file(folder: Path | str, name: str) -> Path:
    return Path(folder) / FOLDER / f"{name}.csv"


def _table(path: Path, columns: list[str]) -> pd.DataFrame:
    if not path.is_file():
        raise DataError(f"{path}: not there; restore it from the repository")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := [name for name in columns if name not in frame.columns]:
        raise DataError(f"{path}: column {missing[0]!r} is missing; restore it")
    return frame[columns]
