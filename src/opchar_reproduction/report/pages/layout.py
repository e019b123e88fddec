"""Which published lines stand under which figure or table, and in what order a page shows them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from opchar_reproduction.figures.labels import label_in_words

_PART = re.compile(r"^(?P<whole>.*\d)(?:-(?:left|right)|[a-z]{1,3}|\.\d+)$")
_KINDS = ["figure", "table", "algorithm", "theorem", "lemma", "definition", "equation"]


@dataclass(frozen=True)
class Entry:
    """A figure, table, equation, algorithm or passage of a work on its page."""

    paper: str
    label: str
    kind: str
    title: str
    caption: str
    section: str
    labels: tuple[str, ...] = ()
    config: Mapping[str, Any] | None = field(default=None, repr=False)
    added: bool = False

    @property
    def address(self) -> str:
        """``<paper>/<label>``."""
        return f"{self.paper}/{self.label}"

    @property
    def name(self) -> str:
        """The label in words, such as ``Figure 4.12``."""
        return label_in_words(self.label, self.section) + (" (added by us)" if self.added else "")

    @property
    def place(self) -> str:
        """Where the publication has it, such as ``Section 3.2``."""
        if self.section.startswith("slide"):
            return self.section.capitalize().replace("-", "–")
        return f"Section {self.section}"


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts ``figure-2`` before ``figure-10`` and ``4.1`` before ``A.1``."""
    parts = re.findall(r"\d+|[^\d\W]+", text)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)


def entries(
    paper: str,
    catalogue: pd.DataFrame,
    artefacts: Mapping[str, Mapping[str, Any]],
    ledger: pd.DataFrame,
    sections: Mapping[str, str],
) -> list[Entry]:
    """Lay out the page of a work."""
    own = f"{paper}/"
    configured = {
        name.removeprefix(own): entry for name, entry in artefacts.items() if name.startswith(own)
    }
    listed = {row["artefact"]: row for row in catalogue.to_dict("records") if row["paper"] == paper}
    published = list(dict.fromkeys(ledger["artefact"]))
    labels = _shown_under(published, listed, configured)
    found = [
        _entry(paper, label, listed.get(label), configured.get(label), labels[label], sections)
        for label in labels
    ]
    position_of = {label: float(position) for position, label in enumerate(listed)}
    return sorted(found, key=lambda entry: _order(entry, position_of))


def _order(entry: Entry, position_of: Mapping[str, float]) -> tuple[Any, ...]:
    """Sort by section, then as catalogued; what is not catalogued follows its own kind."""
    label = natural(entry.label)
    kind = entry.label.partition("-")[0]
    before = [
        position
        for other, position in position_of.items()
        if other.partition("-")[0] == kind and natural(other) < label
    ]
    position = position_of.get(entry.label, max(before, default=float(len(position_of))) + 0.5)
    return _section_key(entry.section), position, label


def _shown_under(
    published: Sequence[str], listed: Iterable[str], configured: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[str]]:
    labels: dict[str, list[str]] = {label: [] for label in [*listed, *configured]}
    for owner, entry in configured.items():
        labels[owner] += [label for label in entry.get("lines") or [owner] if label in published]
    placed = {label for shown in labels.values() for label in shown}
    for label in published:
        if label in labels and label not in labels[label]:
            labels[label].append(label)
        elif label not in placed:
            labels.setdefault(_whole(label, labels), []).append(label)
    return labels


def _whole(label: str, known: Iterable[str]) -> str:
    """Return the known artefact that `label` is a part of (``figure-4a``), or `label`."""
    match = _PART.match(label)
    return match["whole"] if match and match["whole"] in set(known) else label


def _entry(
    paper: str,
    label: str,
    listed: Mapping[Any, Any] | None,
    config: Mapping[str, Any] | None,
    labels: Sequence[str],
    sections: Mapping[str, str],
) -> Entry:
    given, listed = config or {}, listed or {}
    first = label.partition("-")[0]
    kind = {"eq": "equation"}.get(first, first if first in _KINDS else "passage")
    caption = str(listed.get("caption_in_own_words", ""))
    section = given.get("section") or listed.get("section") or sections.get(label, "")
    return Entry(
        paper=paper,
        label=label,
        kind=str(given.get("kind") or listed.get("kind") or kind),
        title=str(given.get("title") or caption),
        caption=" ".join(str(given.get("caption") or "").split()),
        section=str(section),
        labels=tuple(labels),
        config=config,
        added=config is not None and not listed and not labels,
    )


def _section_key(section: str) -> tuple[tuple[int, int, str], ...]:
    """Sort by the first place named: ``slides 13,15`` as 13, ``3.2.2-3.2.3`` as 3.2.2."""
    first = re.split(r"[,\-–]", section.removeprefix("slides").removeprefix("slide").strip())[0]
    return natural(first)
