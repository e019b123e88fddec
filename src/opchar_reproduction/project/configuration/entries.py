"""Marks of studies, and the entries that they become."""

import csv
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from opchar.errors import ConfigError
from opchar_reproduction.publication import file, from_here

Entry = dict[str, Any]


@dataclass
class Studies:
    """The studies, artefacts and statements that files mark."""

    experiments: dict[str, Entry] = field(default_factory=dict)
    artefacts: dict[str, Entry] = field(default_factory=dict)
    statements: dict[str, Entry] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, name: str, entry: Entry, place: str) -> None:
        """Add an entry."""
        if first := self.places.get((kind, name)):
            raise ConfigError(f"{place}: '{name}' is marked already, at {first}")
        getattr(self, kind)[name] = entry
        self.places[kind, name] = place


class Mark(NamedTuple):
    """One mark: its kind, what it says, its function's reference and defaults, and its place."""

    kind: str
    given: dict[str, Any]
    function: str
    defaults: dict[str, Any]
    place: str


def score_tables(tables: list[Any], place: str) -> list[Any]:
    """Return score tables as mappings, those that are written as a text, too."""
    found: list[Any] = []
    for each in tables:
        if isinstance(each, str):
            parts = [" ".join(part.split()).split("; ") for part in each.split("|")]
            if len(parts) != 3 or len(parts[1]) != 1 or [""] in parts:
                raise ConfigError(f'{place}: write scores=["data | protocol | model; model"]')
            sets, (protocol,), models = parts
            found += [{"data": data, "protocol": protocol, "models": models} for data in sets]
        else:
            found.append(each)
    return found


def listed_tables(folder: Path) -> Iterator[tuple[str, Entry]]:
    """Yield the rows of ``tables.csv``, if there is one, each with its place.

    Each row stands for a mark. A cell of `lines` and `choices` has a line for each, or says none;
    `sample` says yes where the profile ``tiny`` makes the table.
    """
    path = file(folder, "tables")
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines, restkey="more cells"), start=1):
            given: Entry = {key: cell for key, cell in row.items() if cell}
            for key in {"lines", "choices"} & set(given):
                given[key] = [] if given[key] == "none" else given[key].splitlines()
            if "sample" in given:
                given["sample"] = given["sample"] == "yes"
            yield f"{from_here(path)}, row {number}", given


def add_sections(found: Studies, owner: str, folder: Path) -> None:
    """Add the sections that marks do not name.

    A figure or table has that of the catalogue, a variant that of all figures and tables of its
    study.
    """
    with (
        suppress(FileNotFoundError, csv.Error),
        file(folder, "catalogue").open(encoding="utf-8", errors="replace", newline="") as lines,
    ):
        for row in csv.DictReader(lines):
            entry = found.artefacts.get(f"{owner}/{row.get('artefact')}", {})
            if row.get("section"):
                entry.setdefault("section", row["section"])
    shown: dict[str, set[str]] = {}
    for entry in found.artefacts.values():
        shown.setdefault(entry["experiment"], set()).add(entry.get("section", ""))
    for name, entry in found.experiments.items():
        for dimension, said in entry.get("variants", {}).get("dimensions", {}).items():
            if said["section"] is None:
                if len(sections := shown.get(name, set())) != 1:
                    place = found.places["experiments", name]
                    raise ConfigError(f"{place}: variant '{dimension}': 'section' is missing")
                (said["section"],) = sections
