"""How to cite: BibTeX of this software, of the works and of the data."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from opchar.errors import DataError
from opchar_reproduction.figures.notation import SPECIAL
from opchar_reproduction.report.content import DataSet

_TYPES = {
    "article": "article",
    "conference-paper": "inproceedings",
    "thesis": "phdthesis",
    "software": "software",
}
_FIELDS = {
    "journal": "journal",
    "collection-title": "booktitle",
    "volume": "volume",
    "issue": "number",
    "year": "year",
    "doi": "doi",
    "url": "url",
    "notes": "note",
}
# Keys whose values are not to be escaped: addresses, and names that a style takes apart.
_RAW = {"doi", "url", "author"}


def read_citation(path: Path | str) -> dict[str, Any]:
    """Read ``CITATION.cff``."""
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: not there; restore it from the repository")
    entry = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    needed = ("title", "authors", "version", "date-released", "license", "references")
    if missing := [key for key in needed if key not in entry]:
        raise DataError(f"{path}: '{missing[0]}' is missing; restore it")
    return dict(entry)


def software(citation: Mapping[str, Any]) -> str:
    """Return the BibTeX entry of this software."""
    fields = {
        "title": citation["title"],
        "author": _authors(citation["authors"]),
        "year": citation["date-released"][:4],
        "version": citation["version"],
        "license": citation["license"],
    }
    return entry("software", "opchar", fields)


def works(papers: pd.DataFrame, citation: Mapping[str, Any]) -> dict[str, str]:
    """Return the BibTeX entries of the works."""
    references = {str(reference["title"]): reference for reference in citation["references"]}
    return {
        paper["paper"]: _work(paper["paper"], references[paper["title"]])
        if paper["title"] in references
        else _other_work(paper)
        for paper in papers.to_dict("records")
    }


def data_sets(data: Iterable[DataSet]) -> dict[str, str]:
    """Return the BibTeX entries of data sets; made-up ones have none.

    The citation stands in the note as its makers ask for it; the year is the last one named.
    """
    entries = {}
    for used in data:
        if not _citable(used):
            continue
        years = re.findall(r"\b(?:19|20)\d\d\b", used.citation)
        fields = {
            "title": used.stand_in or used.title,
            "note": used.citation,
            "year": years[-1] if years else "",
            "url": "" if used.stand_in else used.page,
        }
        entries[used.key] = entry("misc", f"data-{used.key}", fields)
    return entries


def bibliography(papers: pd.DataFrame, citation: Mapping[str, Any], data: Iterable[DataSet]) -> str:
    """Return the BibTeX file of a report: this software, the works and the data sets used."""
    parts = [software(citation), *works(papers, citation).values(), *data_sets(data).values()]
    return "\n".join(parts)


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    r"""Return a BibTeX entry, without the fields that are empty."""
    lines = [
        f"  {name} = {{{_value(name, str(value))}}},\n" for name, value in fields.items() if value
    ]
    return f"@{kind}{{{key},\n{''.join(lines)}}}\n"


def _work(key: str, reference: Mapping[str, Any]) -> str:
    fields = {"title": reference["title"], "author": _authors(reference["authors"])}
    fields |= {ours: reference[name] for name, ours in _FIELDS.items() if name in reference}
    if "start" in reference:
        fields["pages"] = "--".join(
            reference[part] for part in ("start", "end") if part in reference
        )
    for name, ours in (("institution", "school"), ("publisher", "publisher")):
        if name in reference:
            fields[ours] = reference[name]["name"]
    return entry(_TYPES.get(reference["type"], "misc"), key, fields)


def _other_work(paper: Mapping[Any, str]) -> str:
    fields = {
        "title": paper["title"],
        "author": paper["authors"].replace("; ", " and "),
        "note": paper["citation"],
        "year": paper["year"],
        "doi": paper["doi"],
    }
    return entry("misc", paper["paper"], fields)


def _authors(authors: Iterable[Mapping[str, str]]) -> str:
    """Return authors as BibTeX separates them; bodies are in braces, so that they stay whole."""
    return " and ".join(
        f"{author['family-names']}, {author['given-names']}"
        if "family-names" in author
        else f"{{{author['name']}}}"
        for author in authors
    )


def _value(name: str, text: str) -> str:
    if name in _RAW:
        return text
    escaped = "".join(SPECIAL.get(character, character) for character in " ".join(text.split()))
    return f"{{{escaped}}}" if name == "title" else escaped


def _citable(used: DataSet) -> bool:
    return not used.citation.startswith("none") and used.licence != "synthetic"
