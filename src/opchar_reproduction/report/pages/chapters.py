"""The pages of a publication: one a chapter, section or range of slides."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opchar_reproduction.figures.labels import label_in_words
from opchar_reproduction.report.pages.layout import Entry

_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True)
class Chapter:
    """A page of a publication.

    `paper` and `key`: the publication, and the part of it: ``4.2``, ``A``, ``slides 36-40``.
    """

    paper: str
    key: str
    title: str
    entries: tuple[Entry, ...]

    @property
    def name(self) -> str:
        """The name of the part, such as ``Section 4.2``."""
        if self.key.startswith("slide"):
            return self.key.capitalize().replace("-", "–")
        return f"{'Appendix' if self.key.isalpha() else 'Section'} {self.key}"

    @property
    def page(self) -> str:
        """The name of its page, without the ending."""
        return f"{self.paper}-{self.key.replace(' ', '-')}"


def divide_into_chapters(
    paper: str, found: Iterable[Entry], listed: Sequence[Mapping[Any, Any]]
) -> list[Chapter]:
    """Divide the entries of a publication into pages."""
    titles = {str(row["chapter"]): str(row["title"]) for row in listed}
    parts: dict[str, list[Entry]] = {}
    for entry in found:
        parts.setdefault(part_of(entry.section, titles), []).append(entry)
    return [
        Chapter(
            paper, key, titles.get(key, ""), tuple(sorted(entries, key=lambda entry: entry.added))
        )
        for key, entries in parts.items()
    ]


def part_of(section: str, known: Iterable[str]) -> str:
    """Return the part that a section belongs to."""
    if section.startswith("slide"):
        first = int(match[0]) if (match := _NUMBERS.search(section)) else 0
        ranges = [(key, [int(n) for n in _NUMBERS.findall(key)]) for key in known]
        inside = [key for key, ends in ranges if ends and ends[0] <= first <= ends[-1]]
        return inside[0] if inside else "slides"
    first_place = re.split(r"[,\-–]", section)[0].strip()
    matching = [key for key in known if first_place == key or first_place.startswith(f"{key}.")]
    return max(matching, key=len) if matching else first_place.split(".")[0] or "other"


def homes(chapters: Iterable[Chapter]) -> dict[tuple[str, str], str]:
    """Return the address of each published label."""
    addresses: dict[tuple[str, str], str] = {}
    for chapter in chapters:
        for entry in chapter.entries:
            for label in {entry.label: None} | dict.fromkeys(entry.labels):
                if entry.label == label or (entry.paper, label) not in addresses:
                    addresses[entry.paper, label] = f"{chapter.page}.html#{entry.label}"
    return addresses


def spoken_names(chapters: Iterable[Chapter]) -> dict[tuple[str, str], str]:
    """Return each published label in words, by publication and label."""
    found: dict[tuple[str, str], str] = {}
    for chapter in chapters:
        for entry in chapter.entries:
            for label in entry.labels:
                found.setdefault((entry.paper, label), label_in_words(label, entry.section))
            found[entry.paper, entry.label] = entry.name
    return found
