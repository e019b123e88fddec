"""What the works print: the tables beside their studies (`opchar_reproduction.publication`)."""

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.errors import DataError, nearest
from opchar_reproduction import publication
from opchar_reproduction.publication import file
from opchar_reproduction.safe_yaml import read_yaml

LINES = [
    *("id", "paper", "artefact", "row", "column", "kind", "value", "std", "unit", "where", "claim")
]
ERRATA = [
    *("id", "paper", "artefact", "row", "column", "verdict", "printed", "corrected", "why", "test")
]
CAUSES = [
    *("paper", "artefact", "row", "column", "kind", "variant", "cause", "evidence"),
    "printed_input",
]
CAUSE_KINDS = ("computed", "beside", "looked for", "chance")
TEST = "tests/"
MARGINS = ["unit", "absolute", "relative", "why"]
APART = ["paper", "artefact", "row", "column", "kind", "why"]
# Jobs that write tables read this module: they do not depend on the words of the pages.
APART_KINDS = {
    "property": "describes a data set",
    "complement": "follows from another value of the same table",
    "by construction": "fixed by the method, such as a loss of zero",
    "arithmetic": "counted on one printed list",
    "constant": "follows from a definition alone",
    "repeated": "given a second time in other words",
    "measured": "no: counted once, on one test set, and yet no property of it",
}
LEADS = ["lead", "paper", "place", "decision", "evidence", "test"]
CATALOGUE = ["paper", "artefact", "kind", "caption_in_own_words", "section"]
CHAPTERS = ["paper", "chapter", "title"]
PAPERS = [
    *("paper", "title", "authors", "year", "doi", "citation", "description"),
    *("front", "gravest", "untestable", "fitted"),
]
# What about.yaml says, and of which type; what may be missing has None besides.
ABOUT: dict[str, tuple[type, ...]] = {
    "title": (str,),
    "authors": (list,),
    "year": (int,),
    "doi": (str, type(None)),
    "citation": (str,),
    "description": (str,),
    "front": (str, type(None)),
    "gravest": (str, type(None)),
    "chapters": (dict, type(None)),
    "untestable": (str, type(None)),
    "fitted": (str, type(None)),
    "notes": (str, type(None)),
}


Folders = Mapping[str, Path | str]
"""The folders of publications by key (`publication.folders`), in the order wanted."""


def read_lines(folders: Folders) -> pd.DataFrame:
    """Read the published lines of some works, all columns as the strings printed."""
    lines = read_tables(folders, "values", LINES)
    for key in (["id"], ["paper", "artefact", "row", "column"]):
        for first in lines[lines.duplicated(key)].to_dict("records"):
            named = " | ".join(first[name] for name in key)
            path = file(folders[first["paper"]], "values")
            raise DataError(f"{path}: published line given twice: {named}; remove one")
    return lines


def read_catalogue(folders: Folders) -> pd.DataFrame:
    """Read the list of all figures, tables, equations and algorithms of the works."""
    return read_tables(folders, "catalogue", CATALOGUE)


def read_papers(folders: Folders) -> pd.DataFrame:
    """Read titles, authors, citations and the main figure of each publication."""
    works = [_work(key, folder) for key, folder in folders.items()]
    return pd.DataFrame(works, columns=PAPERS, dtype=str)


def short_title(work: Mapping[Any, Any]) -> str:
    """Return authors and year of a publication."""
    names = [name.split()[-1] for name in str(work["authors"]).split("; ")]
    joined = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{joined} ({work['year']})"


def _work(key: str, folder: Path | str) -> dict[str, str]:
    about = read_about(folder)
    fields = {name: str(about.get(name, "")) for name in PAPERS}
    return fields | {"paper": key, "authors": "; ".join(about["authors"])}


def read_about(folder: Path | str) -> dict[str, Any]:
    """Read the ``about.yaml`` of a publication."""
    path = file(folder, "about")
    about = read_yaml(path)
    if not isinstance(about, dict):
        raise DataError(f"{path}: not a mapping; it has {', '.join(ABOUT)}")
    for key in about:
        if key not in ABOUT:
            raise DataError(f"{path}: unknown key '{key}'{nearest(str(key), list(ABOUT))}")
    for key, kinds in ABOUT.items():
        needed = type(None) not in kinds
        if (key in about or needed) and not isinstance(about.get(key), kinds):
            raise DataError(f"{path}: '{key}' is missing or not a {_word(kinds)}")
    if not about["authors"] or not all(isinstance(each, str) for each in about["authors"]):
        raise DataError(f"{path}: 'authors' is not a list of names")
    return about


def _word(kinds: tuple[type, ...]) -> str:
    return {str: "text", int: "number", list: "list", dict: "mapping"}[kinds[0]]


def read_chapters(folders: Folders) -> pd.DataFrame:
    """Read the chapters, sections or ranges of slides that have a page of their own."""
    rows = [
        (key, str(chapter), str(title))
        for key, folder in folders.items()
        for chapter, title in (read_about(folder).get("chapters") or {}).items()
    ]
    return pd.DataFrame(rows, columns=CHAPTERS, dtype=str)


def read_errata(folders: Folders) -> pd.DataFrame:
    """Read the printed lines that contradict the work's own definitions or inputs."""
    errata = read_tables(folders, "errata", ERRATA, verdict="erratum")
    open_ones = errata[(errata["verdict"] == "erratum") & (errata["corrected"] == "")]
    for entry in open_ones.to_dict("records"):
        path = file(folders[entry["paper"]], "errata")
        raise DataError(
            f"{path}: {entry['id']} has no corrected value; give it, or the verdict 'inconsistent'"
        )
    return errata


def read_causes(folders: Folders) -> pd.DataFrame:
    """Read why lines differ: clusters of them, with what was computed."""
    causes = read_tables(folders, "causes", CAUSES, printed_input="")
    _refuse_unknown(folders, "causes", causes, CAUSE_KINDS)
    shown = (causes["variant"] != "") | causes["evidence"].str.startswith(TEST)
    for entry in causes[(causes["kind"] == "computed") & ~shown].to_dict("records"):
        path = file(folders[entry["paper"]], "causes")
        cell = f"{entry['artefact']}, {entry['row']}"
        raise DataError(f"{path}: nothing shows the cause of {cell}; name a variant or a test")
    return causes


def read_margins(path: Path = publication.MARGINS) -> pd.DataFrame:
    """Read the size below which a difference is negligible, for each unit, with the reason."""
    margins = _read_columns(path, MARGINS)
    if (twice := margins["unit"].duplicated()).any():
        raise DataError(f"{path}: two margins for {margins['unit'][twice].iloc[0]!r}; remove one")
    sizes = margins[["absolute", "relative"]].apply(pd.to_numeric, errors="coerce").max(axis=1)
    if not (sizes > 0).all():
        raise DataError(f"{path}: no margin for {margins['unit'][~(sizes > 0)].iloc[0]!r}; give it")
    return margins


def read_apart(folders: Folders) -> pd.DataFrame:
    """Read which values could not have come out otherwise, with the reason."""
    apart = read_tables(folders, "apart", APART)
    _refuse_unknown(folders, "apart", apart, APART_KINDS)
    return apart


def _refuse_unknown(
    folders: Folders, name: str, table: pd.DataFrame, known: Collection[str]
) -> None:
    """Refuse a row of a kind that is not known."""
    for row in table[~table["kind"].isin(list(known))].to_dict("records"):
        path = file(folders[row["paper"]], name)
        raise DataError(f"{path}: kind {row['kind']!r}; write one of {', '.join(known)}")


def first_fitting(
    line: Mapping[Any, Any], entries: Sequence[Mapping[Any, Any]]
) -> Mapping[Any, Any] | None:
    """Return the first entry that fits a published line, or None."""
    for entry in entries:
        if entry["paper"] == line["paper"] and all(
            fnmatchcase(line[name], entry[name]) for name in ("artefact", "row", "column")
        ):
            return entry
    return None


def read_leads(folders: Folders) -> pd.DataFrame:
    """Read the suspected errors of the works, each with a decision and its evidence."""
    return read_tables(folders, "leads", LEADS)


def read_tables(folders: Folders, name: str, columns: list[str], **absent: str) -> pd.DataFrame:
    """Read a table of each work, one below the other."""
    parts = []
    for key, folder in folders.items():
        path = file(folder, name)
        part = _read_columns(path, columns, **absent)
        if other := sorted(set(part["paper"]) - {key}):
            raise DataError(f"{path}: a line of paper '{other[0]}' in the folder of '{key}'")
        parts.append(part)
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _read_columns(path: Path, columns: list[str], **absent: str) -> pd.DataFrame:
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
