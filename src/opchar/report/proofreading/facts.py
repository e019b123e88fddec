"""What the checks need to know, each fact copied from a publication with its place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from opchar.errors import DataError
from opchar.report.comparison.published import read_lines

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
    """The published lines, and what is known of their texts.

    Attributes
    ----------
    lines : pandas.DataFrame
        `opchar.report.comparison.published.LINES`.
    sums : pandas.DataFrame
        Columns of a table whose values add up to a total in each row; ``row`` is a pattern,
        ``columns`` are joined by semicolons.
    orders : pandas.DataFrame
        What is nowhere greater than what: ``columns`` of one row, ``rows`` of one column (``*``
        stands for the same on both sides), or a column ``down`` its rows.
    names : pandas.DataFrame
        Lists of names that are distinct; ``same_as`` names another list of the same names.
    abbreviations : pandas.DataFrame
        Where an abbreviation or symbol is defined; used without a definition where ``stands_for``
        is empty.
    labels : pandas.DataFrame
        Each figure, table, equation, section, theorem that is numbered, and, joined by semicolons,
        words for what it shows.
    references : pandas.DataFrame
        Each place where a publication refers to one of these, and words for what its sentence
        speaks of.
    """

    lines: pd.DataFrame
    sums: pd.DataFrame
    orders: pd.DataFrame
    names: pd.DataFrame
    abbreviations: pd.DataFrame
    labels: pd.DataFrame
    references: pd.DataFrame


def read_facts(folder: Path | str, papers: list[str]) -> Facts:
    """Read the published lines and the facts of some publications.

    Parameters
    ----------
    folder : path-like
        ``data/published``.
    papers : list of str
        Keys of the publications.

    Raises
    ------
    opchar.errors.DataError
        If a file is missing or lacks a column.
    """
    tables = [_table(Path(folder) / FOLDER / f"{n}.csv", c) for n, c in COLUMNS.items()]
    chosen = [table[table["paper"].isin(papers)].reset_index(drop=True) for table in tables]
    return Facts(read_lines(folder, papers), *chosen)


def read_decided(folder: Path | str, papers: list[str]) -> pd.DataFrame:
    """Read what was decided of each finding.

    Raises
    ------
    opchar.errors.DataError
        If the file is missing, lacks a column or has an unknown decision.
    """
    path = Path(folder) / FOLDER / "decisions.csv"
    decided = _table(path, DECIDED)
    if wrong := sorted(set(decided["decision"]) - set(DECISIONS)):
        raise DataError(f"{path}: decision {wrong[0]!r}; write one of {', '.join(DECISIONS)}")
    return decided[decided["paper"].isin(papers)].reset_index(drop=True)


def _table(path: Path, columns: list[str]) -> pd.DataFrame:
    if not path.is_file():
        raise DataError(f"{path}: not there; restore it from the repository")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := [name for name in columns if name not in frame.columns]:
        raise DataError(f"{path}: column {missing[0]!r} is missing; restore it")
    return frame[columns]
