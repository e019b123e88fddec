"""Text around and within a table that programs print: titles, frames, footers, units, names."""

from __future__ import annotations

import csv
import io
import re

import pandas as pd

from opchar.analysis.tables.cells import MISSING, cell_numbers, is_missing, label_text
from opchar.typed import is_number

FEW = 3
_VALUE = re.compile(r"[\s+\-\u2212.,<>≤≥$€£]*\d").match
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


def title_lines(lines: list[str], separators: list[str]) -> int:
    """Return how many lines without a separator stand above a table of two columns or more."""
    for first in range(1, len(lines) - 2):
        above = lines[first - 1].strip()
        if any(separator in above for separator in separators) or " " not in above:
            return 0
        for separator in separators:
            rows = list(csv.reader(lines[first:], delimiter=separator))
            if len({len(row) for row in rows}) == 1 < len(rows[0]) and not are_values(rows[0]):
                return first
    return 0


def are_values(header: list[str], table: pd.DataFrame | None = None) -> bool:
    """Return whether what should be names are numbers, or a number and a class of the table."""
    numbers = [name for name in header if is_number(name) and name.lower() not in MISSING]
    if len(numbers) == len(header):
        return all(numbers != [str(k + start) for k in range(len(header))] for start in (0, 1))
    if table is None or all(float(name).is_integer() for name in numbers):
        return False
    return any(
        len(values := {label_text(value) for value in table[name].unique()}) <= FEW
        and label_text(name) in values
        for name in header
        if table[name].nunique() <= FEW
    )


def without_remarks(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return a table without rows of units on top and of remarks below, and what was left out."""
    if table.shape[1] < 2 or pd.api.types.is_numeric_dtype(table.iloc[:, 0]):
        return table, []
    first, last = 0, len(table)
    while last > FEW and _is_remark(table, last - 1):
        last -= 1
    while (
        first < FEW and first + FEW < last and not table.iloc[first].astype(str).map(_VALUE).any()
    ):
        first += 1
    if first and not _are_units(table.iloc[:first], table.iloc[first:last]):
        first = 0
    left = [*range(first), *range(last, len(table))]
    if not left:
        return table, []
    cells = [", ".join(filter(None, map(str, table.iloc[row]))) for row in left]
    said = [f"row {row + 1} left out ({text})" for row, text in zip(left, cells, strict=True)]
    kept = io.StringIO(table.iloc[first:last].to_csv(index=False))
    return pd.read_csv(kept, keep_default_na=False, low_memory=False), said


def _are_units(above: pd.DataFrame, below: pd.DataFrame) -> bool:
    """Return whether rows have words where all others have numbers, and no cell of these."""
    return not any(above[name].isin(set(below[name]) - {""}).any() for name in above) and any(
        not is_missing(above[name]).any()
        and (cell_numbers(below[name]).notna() | is_missing(below[name])).all()
        for name in above
    )


def _is_remark(table: pd.DataFrame, row: int) -> bool:
    """Return whether a row has words in its first cell, as no other row, and nothing else."""
    text = str(table.iloc[row, 0]).strip()
    empty = table.iloc[row, 1:].map(lambda cell: pd.isna(cell) or cell == "")
    is_text = re.search(r"\W", text) is not None and not is_number(text.replace(",", ""))
    return is_text and bool(empty.all()) and (table.iloc[:, 0] == text).sum() <= 1


def row_of_names(table: pd.DataFrame) -> int | None:
    """Return the first row that has the names of the columns once more, as joined files have."""
    if any(pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes):
        return None
    found = (table == list(table.columns)).all(axis=1).to_numpy()
    return int(found.argmax()) + 1 if found.any() else None
