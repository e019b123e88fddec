"""What the works print: the committed tables of ``data/published``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

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
CAUSES = ["paper", "artefact", "row", "column", "kind", "reading", "cause", "evidence"]
CAUSE_KINDS = ("computed", "beside", "looked for")
TEST = "tests/"
MARGINS = ["unit", "absolute", "relative", "why"]
APART = ["paper", "artefact", "row", "column", "kind", "why"]
APART_KINDS = {
    "property": "describes a data set",
    "complement": "follows from another value of the same table",
    "by construction": "a zero, or a whole set, that the method cannot miss",
    "arithmetic": "counted on one printed list",
    "constant": "follows from a definition alone",
    "repeated": "given a second time in other words",
    "measured": "no: counted once, on one test set, and yet no property of it",
}
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
        ``kind`` is one of `CAUSE_KINDS`; a computed cause is shown by ``reading``, a reading of
        the protocol, or by the test that ``evidence`` names; one computed beside by the tables
        that ``evidence`` names.

    Raises
    ------
    opchar.errors.DataError
        If the file or a column is missing, a kind is unknown, or nothing shows a computed cause.
    """
    path = Path(folder) / "causes.csv"
    causes = _read(path, CAUSES)
    if wrong := sorted(set(causes["kind"]) - set(CAUSE_KINDS)):
        raise DataError(f"{path}: kind {wrong[0]!r}; write one of {', '.join(CAUSE_KINDS)}")
    shown = (causes["reading"] != "") | causes["evidence"].str.startswith(TEST)
    for entry in causes[(causes["kind"] == "computed") & ~shown].to_dict("records"):
        place = f"{entry['artefact']}, {entry['row']}"
        raise DataError(f"{path}: nothing shows the cause of {place}; name a reading or a test")
    return causes


def read_margins(folder: Path | str) -> pd.DataFrame:
    """Read below what a difference counts as none, for each unit, with the reason.

    Raises
    ------
    opchar.errors.DataError
        If the file or a column is missing, a unit has no margin, two, or one that is not positive.
    """
    path = Path(folder) / "margins.csv"
    margins = _read(path, MARGINS)
    if (twice := margins["unit"].duplicated()).any():
        raise DataError(f"{path}: two margins for {margins['unit'][twice].iloc[0]!r}; remove one")
    sizes = margins[["absolute", "relative"]].apply(pd.to_numeric, errors="coerce").max(axis=1)
    if not (sizes > 0).all():
        raise DataError(f"{path}: no margin for {margins['unit'][~(sizes > 0)].iloc[0]!r}; give it")
    return margins


def read_apart(folder: Path | str) -> pd.DataFrame:
    """Read which values could not have come out otherwise, with the reason.

    Returns
    -------
    pandas.DataFrame
        The columns `APART`; ``artefact``, ``row`` and ``column`` are patterns as of
        `fnmatch.fnmatchcase`, ``kind`` is a key of `APART_KINDS`.

    Raises
    ------
    opchar.errors.DataError
        If the file or a column is missing, or a kind is unknown.
    """
    path = Path(folder) / "apart.csv"
    apart = _read(path, APART)
    if wrong := sorted(set(apart["kind"]) - set(APART_KINDS)):
        raise DataError(f"{path}: kind {wrong[0]!r}; write one of {', '.join(APART_KINDS)}")
    return apart


def first_fitting(
    line: Mapping[Any, Any], entries: Sequence[Mapping[Any, Any]]
) -> Mapping[Any, Any] | None:
    """Return the first entry that fits a published line, or None.

    Parameters
    ----------
    line : mapping
        With ``paper``, ``artefact``, ``row`` and ``column``.
    entries : sequence of mapping
        With the same names, the last three patterns as of `fnmatch.fnmatchcase`; special ones
        first.
    """
    for entry in entries:
        if entry["paper"] == line["paper"] and all(
            fnmatchcase(line[name], entry[name]) for name in ("artefact", "row", "column")
        ):
            return entry
    return None


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
