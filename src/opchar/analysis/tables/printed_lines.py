"""Text around and within a table that other programs print: frames, footers, second headers."""

from __future__ import annotations

import re

import pandas as pd

_RULE = re.compile(r"[\s|+:]*[-=]{3,}[-=+|:\s]*")
_FOOTER = re.compile(r"\(?[\d,]+ rows?\b.*", re.I)
# What Orange writes below the names: the kind of each column, and its role.
_ROLES = {"", "class", "meta", "ignore", "weight", "c", "m", "i", "w"}


def without_frame(text: str) -> str:
    """Return the table of a text that databases print, without rules, outer bars and footer."""
    head = [line for line in text[:10_000].splitlines() if line.strip()][:3]
    if not any(_RULE.fullmatch(line) for line in head[:2]):
        return text
    lines = [line for line in text.splitlines() if line.strip() and not _RULE.fullmatch(line)]
    while len(lines) > 1 and _FOOTER.fullmatch(lines[-1].strip()):
        lines.pop()
    if all(line.lstrip().startswith("|") and line.rstrip().endswith("|") for line in lines):
        lines = [line.strip()[1:-1] for line in lines]
    return "\n".join(line.strip() if "|" in line else line for line in lines)


def without_roles(lines: list[str], separator: str, text: str) -> str:
    """Return a table without the two lines below the names in which Orange says what they are."""
    if separator != "\t" or len(lines) < 4:
        return text
    roles = [cell.strip().lower() for cell in lines[2].split("\t")]
    if "class" not in roles or not set(roles) <= _ROLES:
        return text
    return "\n".join(line for number, line in enumerate(text.splitlines()) if number not in (1, 2))


def without_comments(text: str, separator: str) -> str:
    """Return a table without lines that begin with # and have one cell, where others have more."""
    if "\n#" not in text:
        return text
    kept = [line for line in text.splitlines() if not line.startswith("#") or separator in line]
    return "\n".join(kept)


def row_of_names(table: pd.DataFrame) -> int | None:
    """Return the first row that has the names of the columns once more, as joined files have."""
    if any(pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes):
        return None
    found = (table == list(table.columns)).all(axis=1).to_numpy()
    return int(found.argmax()) + 1 if found.any() else None
