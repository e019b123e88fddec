"""What the works print: the committed tables of ``data/published``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from opchar.errors import DataError

LINES = [
    "id",
    "paper",
    "artefact",
    "row",
    "column",
    "kind",
    "value",
    "std",
    "unit",
    "where",
    "claim",
]
ERRATA = [
    *("id", "paper", "artefact", "row", "column", "verdict", "printed", "corrected", "why", "test"),
]
CAUSES = ["paper", "artefact", "row", "column", "kind", "cause", "evidence"]
CAUSE_KINDS = ("computed", "looked for")
LEADS = ["lead", "paper", "place", "decision", "evidence", "test"]
CATALOGUE = ["paper", "artefact", "kind", "caption_in_own_words", "section"]
CHAPTERS = ["paper", "chapter", "title"]
PAPERS = ["paper", "title", "authors", "year", "doi", "citation", "description"]


def read_lines(folder: Path | str, papers: Sequence[str]) -> pd.DataFrame:
    """Read the published lines of some works, all columns as the strings printed.

    Parameters
    ----------
    folder : path-like
        ``data/published``.
    papers : sequence of str
        Keys of the works, in the order wanted.

    Returns
    -------
    pandas.DataFrame
        One row a printed number, statement or text, with the columns `LINES`.

    Raises
    ------
    opchar.errors.DataError
        If a file is missing, lacks a column or gives an id or a key twice.
    """
    parts = [_read(Path(folder) / f"{paper}.csv", LINES) for paper in papers]
    lines = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=LINES)
    for key in (["id"], ["paper", "artefact", "row", "column"]):
        if (twice := lines.duplicated(key)).any():
            first = " | ".join(lines.loc[twice, key].iloc[0])
            raise DataError(f"{folder}: published line given twice: {first}; remove one")
    return lines


def read_catalogue(folder: Path | str) -> pd.DataFrame:
    """Read the list of all figures, tables, equations and algorithms of the works."""
    return _read(Path(folder) / "artefacts.csv", CATALOGUE)


def read_papers(folder: Path | str) -> pd.DataFrame:
    """Read titles, authors and citations of the works."""
    return _read(Path(folder) / "papers.csv", PAPERS)


def read_chapters(folder: Path | str) -> pd.DataFrame:
    """Read the chapters, sections or ranges of slides that have a page of their own."""
    return _read(Path(folder) / "chapters.csv", CHAPTERS)


def read_errata(folder: Path | str) -> pd.DataFrame:
    """Read the printed lines that contradict the work's own definitions or inputs."""
    return _read(Path(folder) / "errata.csv", ERRATA, verdict="erratum")


def read_causes(folder: Path | str) -> pd.DataFrame:
    """Read why lines differ: clusters of them, with what was computed.

    Parameters
    ----------
    folder : path-like
        ``data/published``.

    Returns
    -------
    pandas.DataFrame
        The columns `CAUSES`; ``row`` and ``column`` are patterns as of `fnmatch.fnmatchcase`,
        ``kind`` is one of `CAUSE_KINDS`, ``evidence`` the tables that show it.

    Raises
    ------
    opchar.errors.DataError
        If the file or a column is missing, or a kind is unknown.
    """
    path = Path(folder) / "causes.csv"
    causes = _read(path, CAUSES)
    if wrong := sorted(set(causes["kind"]) - set(CAUSE_KINDS)):
        raise DataError(f"{path}: kind {wrong[0]!r}; write one of {', '.join(CAUSE_KINDS)}")
    return causes


def read_leads(folder: Path | str) -> pd.DataFrame:
    """Read the suspected errors of the works, each with a decision and its evidence."""
    return _read(Path(folder) / "leads.csv", LEADS)


def _read(path: Path, columns: list[str], **absent: str) -> pd.DataFrame:
    """Read columns of a table; those in `absent` may be missing or empty and have a default."""
    if not path.is_file():
        raise DataError(f"{path}: not there; restore it from the repository")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    for name, default in absent.items():
        given = frame[name] if name in frame else pd.Series("", index=frame.index)
        frame[name] = given.replace("", default)
    if missing := [name for name in columns if name not in frame.columns]:
        raise DataError(f"{path}: column {missing[0]!r} is missing; restore it")
    return frame[columns]
