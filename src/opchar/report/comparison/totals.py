"""What the lines of a ledger say as a whole: counts by verdict and basis, and what can confirm."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from opchar.report.comparison.verdicts import COMPARED, MEANINGS, REPRODUCED
from opchar.results import BASES, CONFIRMING, named_stand_ins


def totals(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the lines by work and verdict.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `build` returns it.

    Returns
    -------
    pandas.DataFrame
        A row a work in the order of the ledger and a last row ``all``; a column a verdict in the
        order of `opchar.report.comparison.verdicts.MEANINGS` and a last column ``lines``.
    """
    papers = list(dict.fromkeys(ledger["paper"]))
    counts = pd.crosstab(ledger["paper"], ledger["verdict"])
    table = counts.reindex(index=papers, columns=list(MEANINGS), fill_value=0)
    table.loc["all"] = table.sum()
    table["lines"] = table.sum(axis="columns")
    table.index.name = "paper"
    table.columns.name = None
    return table.astype(int)


# Agreements that allow more than this share of the published value are counted apart.
WIDE = 0.25
CONFIRMATION = ["can", "do", "wide", "after"]


def confirmation(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the values that can confirm a work, and those that do.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `build` returns it.

    Returns
    -------
    pandas.DataFrame
        A row a work and a last row ``all``. ``can``: lines that were compared and rest on the
        work's own data, on definitions, or on stated distributions; ``do``: those of them that
        agree or hold; ``wide`` and ``after``: those of ``do`` that allow more than a quarter of
        the published value, and whose criterion was set after results had been seen.
    """
    can = ledger["basis"].isin(CONFIRMING) & ledger["verdict"].isin(COMPARED)
    do = can & ledger["verdict"].isin(REPRODUCED)
    sharpness = pd.to_numeric(ledger["sharpness"], errors="coerce")
    marks = pd.DataFrame(
        {
            "can": can,
            "do": do,
            "wide": do & (sharpness > WIDE),
            "after": do & (ledger["decided"] == "after"),
        }
    )
    table = marks.groupby(ledger["paper"], sort=False).sum()
    table.loc["all"] = table.sum()
    return table.astype(int)


def by_basis(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the lines by basis and verdict.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `build` returns it.

    Returns
    -------
    pandas.DataFrame
        A row a basis in the order of `opchar.results.BASES`, then one for lines without a result
        (``none``); a column a verdict in the order of `opchar.report.comparison.verdicts.MEANINGS`.
    """
    basis = ledger["basis"].replace("", "none")
    counts = pd.crosstab(basis, ledger["verdict"])
    table = counts.reindex(index=[*BASES, "none"], columns=list(MEANINGS), fill_value=0)
    table.index.name, table.columns.name = "basis", None
    return table.astype(int)


def stand_ins(ledger: pd.DataFrame) -> dict[str, int]:
    """Return each stand-in that lines rest on, with the number of lines, most lines first."""
    counts = Counter(name for data in ledger["data"] for name in named_stand_ins(data))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def summary_lines(ledger: pd.DataFrame, page: str) -> list[str]:
    """Return the lines that close a run.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `build` returns it.
    page : str
        Where the report is.

    Returns
    -------
    list of str
        What can confirm; totals by verdict; the stand-ins used; the place of the report.
    """
    row = totals(ledger).loc["all"]
    can = confirmation(ledger).loc["all"]
    counted = ", ".join(f"{row[verdict]} {verdict}" for verdict in MEANINGS if row[verdict])
    used = stand_ins(ledger)
    named = "; ".join(f"{name} ({count} lines)" for name, count in used.items()) or "none"
    return [
        f"{can['can']} published values can confirm the publications, {can['do']} do",
        f"{row['lines']} published values: {counted}",
        f"stand-ins: {named}",
        f"report: {page}",
    ]
