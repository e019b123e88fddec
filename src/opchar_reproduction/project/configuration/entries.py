"""Marks of studies, and the entries that they become."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from opchar.errors import ConfigError

Entry = dict[str, Any]


@dataclass
class Studies:
    """The studies, artefacts and statements that files mark."""

    experiments: dict[str, Entry] = field(default_factory=dict)
    artefacts: dict[str, Entry] = field(default_factory=dict)
    statements: dict[str, Entry] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)

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
