"""Tables of names and words that stand in files beside the code."""

from __future__ import annotations

import csv
from pathlib import Path


def text_of(name: str) -> str:
    """Return the text of a file beside this one."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file beside this one, by the names of its columns."""
    return list(csv.DictReader(text_of(name).splitlines()))


def words_of(table: str) -> dict[str, str]:
    """Return the words of a table of ``words.csv``, by what they name."""
    return {row["name"]: row["words"] for row in rows_of("words.csv") if row["table"] == table}
