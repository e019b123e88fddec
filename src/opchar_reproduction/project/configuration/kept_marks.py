"""Marks as read before: the marks of a text are kept by its content."""

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.configuration.entries import Mark
from opchar_reproduction.project.configuration.model import pack_keys, unpack_keys
from opchar_reproduction.project.sealed import read_sealed, write_sealed

KEPT = Path(".opchar/marks.json")
READER = "opchar_reproduction.project.configuration.studies"


class KeptMarks:
    """The marks of texts, by the digest of text and place; those that were asked for stay."""

    def __init__(self) -> None:
        self._seal = sources().code_hash(READER) if KEPT.parent.is_dir() else ""
        self._known: dict[str, str] = read_sealed(KEPT, self._seal) or {}
        self._now: dict[str, str] = {}

    def find(self, *place: str) -> list[Mark] | None:
        """Return the marks of a text at a place, if they are known."""
        if (key := _key(place)) not in self._known:
            return None
        self._now[key] = self._known[key]
        return _unpack(self._known[key])

    def keep(self, marks: list[Mark], *place: str) -> None:
        """Keep marks that come back as they are."""
        with suppress(TypeError):
            said = json.dumps(pack_keys([list(mark) for mark in marks]))
            if _unpack(said) == marks:
                self._now[_key(place)] = said

    def write(self) -> None:
        """Write what was asked for, if that is other than what was known."""
        if self._seal and self._now != self._known:
            write_sealed(self._now, KEPT, self._seal)


def _key(place: tuple[str, ...]) -> str:
    return sha256(json.dumps(place).encode()).hexdigest()


def _unpack(said: str) -> list[Mark]:
    return [Mark(*fields) for fields in json.loads(said, object_hook=unpack_keys)]
