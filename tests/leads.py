"""Suspected errors of the works, as ``leads.csv`` of each decides them."""

import re
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from opchar_reproduction.publication import file, folders
from opchar_reproduction.report.comparison.published_values import read_leads

LEADS = read_leads(folders())


def values_of(paper: str) -> Path:
    """Return the file of the printed numbers and claims of a work."""
    return file(folders(paper)[paper], "values")


def decide(lead: str, decision: str, *found: str) -> None:
    """Check that a lead is decided as computed, with the computed numbers in its evidence.

    `decision`: false by the work's own definitions; two places of the work contradict each other;
    ambiguous print that holds when read as meant; not to be decided by the print alone; no error;
    `*found`: what the test found, each number after the word before it, in the order of the
    evidence.
    """
    row = LEADS.set_index("lead").loc[lead]
    assert row["decision"] == decision
    assert found
    told = ".*?".join(rf"(?<![\w.]){re.escape(part)}(?!\w|\.\d)" for part in found)
    assert re.search(told, row["evidence"]), (found, row["evidence"])


def number(value: float, digits: int = 4) -> str:
    """Write a number with some significant digits, as evidence does."""
    return f"{float(value):.{digits}g}"


def numbers(values: Iterable[float], digits: int = 4) -> str:
    """Write several numbers, separated by commas."""
    return ", ".join(number(value, digits) for value in values)


def printed(paper: str, artefact: str) -> pd.DataFrame:
    """Return the printed numbers of an artefact as floats, in the order of print.

    Columns ``row``, ``column``, ``value`` and ``std`` (NaN where no spread is printed).
    """
    lines = pd.read_csv(values_of(paper), dtype=str, keep_default_na=False)
    chosen = lines[(lines["artefact"] == artefact) & (lines["kind"] == "number")]
    values = chosen[["value", "std"]].replace("", "nan").astype(float)
    return chosen[["row", "column"]].join(values).reset_index(drop=True)


def printed_table(paper: str, artefact: str, what: str = "value") -> pd.DataFrame:
    """Return the printed numbers of an artefact, or their spreads, as a table in print's order."""
    lines = printed(paper, artefact)
    rows, columns = lines["row"].unique(), lines["column"].unique()
    return lines.pivot_table(what, "row", "column", dropna=False).loc[rows, columns]
