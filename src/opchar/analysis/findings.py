"""Findings to be careful about: stable codes, how each is detected, why it matters, what to do."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

from opchar.errors import OpcharError, nearest


@dataclass(frozen=True)
class Kind:
    """A kind of finding."""

    title: str
    detected: str
    matters: str
    cure: str


@dataclass(frozen=True)
class Finding:
    """Something to know before reading the answers."""

    code: str
    text: str

    def __str__(self) -> str:
        """Return code and text, as a page shows them."""
        return f"{self.code}: {self.text}"


KINDS = {
    code: Kind(**texts)
    for code, texts in json.loads(
        (files("opchar.analysis") / "findings.json").read_text(encoding="utf-8")
    ).items()
}


def explanation(code: str) -> str:
    """Return what a code means, as lines of text."""
    kind = KINDS.get(code.upper())
    if kind is None:
        hint = nearest(code.upper(), list(KINDS))
        raise OpcharError(f"no finding '{code}'{hint}; there are {', '.join(KINDS)}")
    return (
        f"{code.upper()}: {kind.title}\n\nHow it is detected: {kind.detected}\n"
        f"Why it matters: {kind.matters}\nWhat to do: {kind.cure}"
    )


def catalogue() -> str:
    """Return the page of the documentation on all findings, as Markdown."""
    parts = [
        "# Findings",
        "Findings warn of problems in the scores before the answers of `opchar analyse` are read. "
        "Codes keep their meaning between versions; `opchar explain OPC012` prints one of them. "
        "A finding does not change the exit status unless `--fail-on` names its code.",
    ]
    for code, kind in KINDS.items():
        parts += [
            f"## {code}: {kind.title}",
            f"- **How it is detected.** {kind.detected}\n- **Why it matters.** {kind.matters}\n"
            f"- **What to do.** {kind.cure}",
        ]
    return "\n\n".join(parts) + "\n"
