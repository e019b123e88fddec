"""What the checks need to know, each fact copied from a publication with its place."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from opchar.errors import DataError
from opchar_reproduction.publication import file
from opchar_reproduction.report.comparison.published_values import Folders, read_lines, read_tables

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
    tables = [_columns(folders, name, columns) for name, columns in COLUMNS.items()]
    return Facts(read_lines(folders), *tables)


def read_decided(folders: Folders) -> pd.DataFrame:
    """Read what was decided of each finding."""
    decided = _columns(folders, "decisions", DECIDED)
    for row in decided[~decided["decision"].isin(DECISIONS)].to_dict("records"):
        path = file(folders[row["paper"]], f"{FOLDER}/decisions")
        raise DataError(
            f"{path}: decision {row['decision']!r}; write one of {', '.join(DECISIONS)}"
        )
    return decided


def _columns(folders: Folders, name: str, columns: list[str]) -> pd.DataFrame:
    """Read a table of each publication that has facts."""
    read = {key: folder for key, folder in folders.items() if (Path(folder) / FOLDER).is_dir()}
    return read_tables(read, f"{FOLDER}/{name}", columns)
