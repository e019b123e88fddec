"""Totals of a ledger: counts by verdict and basis, and lines that follow from others."""

from collections import Counter

import pandas as pd

from opchar_reproduction.report.comparison.outcomes import (
    IMPLIED,
    MEASURED,
    OUTCOMES,
    count_outcomes,
    tally,
)
from opchar_reproduction.report.comparison.verdicts import MEANINGS
from opchar_reproduction.results import BASES, named_stand_ins


def totals(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the lines by work and verdict."""
    table = count_verdicts(ledger["paper"], ledger["verdict"], list(ledger["paper"].unique()))
    table.loc["all"] = table.sum()
    return table.assign(lines=table.sum(axis="columns"))


def count_verdicts(
    by: pd.Series | list[pd.Series], verdicts: pd.Series, order: list[str] | pd.MultiIndex
) -> pd.DataFrame:
    """Count verdicts, one a column, by what rows are named after."""
    counts = pd.crosstab(by, verdicts)
    table = counts.reindex(index=order, columns=list(MEANINGS), fill_value=0).astype(int)
    return table.rename_axis(columns=None)


def verdicts_in_words(verdicts: pd.Series) -> str:
    """Return how many lines have each verdict, those of none left out."""
    counts = verdicts.value_counts()
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in MEANINGS if verdict in counts)


def could_differ(ledger: pd.DataFrame) -> pd.Series:
    """Return for each line whether its value could have come out otherwise."""
    return ledger["apart"].isin(["", MEASURED])


def fixed_lines_by_kind(ledger: pd.DataFrame) -> dict[str, int]:
    """Return how many compared lines follow from others, by kind, most first."""
    kinds = ledger.loc[ledger["detail"] == IMPLIED, "apart"]
    return {str(kind): int(count) for kind, count in kinds.value_counts().items()}


def by_basis(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the lines by basis and verdict."""
    basis = ledger["basis"].replace("", "none")
    return count_verdicts(basis, ledger["verdict"], [*BASES, "none"])


def stand_ins(ledger: pd.DataFrame) -> dict[str, int]:
    """Return each stand-in with the number of lines that use it, most lines first."""
    counts = Counter(name for data in ledger["data"] for name in named_stand_ins(data))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def summary_lines(ledger: pd.DataFrame, page: str) -> list[str]:
    """Return the lines that close a run."""
    found = count_outcomes(tally(ledger), "all")
    used = stand_ins(ledger)
    substitutes = "; ".join(f"{name} ({count} lines)" for name, count in used.items()) or "none"
    return [
        f"{len(ledger):,} published values and claims: "
        + ", ".join(f"{found[name]} {name}" for name in OUTCOMES),
        f"verdicts: {verdicts_in_words(ledger['verdict'])}",
        f"stand-in data: {substitutes}",
        f"report: {page}",
    ]
