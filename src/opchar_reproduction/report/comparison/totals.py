"""Totals of a ledger: counts by verdict and basis, and lines that follow from others."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pandas as pd

from opchar_reproduction.report.comparison.outcomes import (
    IMPLIED,
    MEASURED,
    OUTCOMES,
    count_outcomes,
    evidence,
    tally,
)
from opchar_reproduction.report.comparison.verdicts import MEANINGS
from opchar_reproduction.results import BASES, named_stand_ins

# Spreads of `opchar_reproduction.report.comparison.verdicts.SPREADS` where something is random.
RANDOM = ("both", "ours", "printed", "printed, one repeat", "binomial")
# Sums that leave the last of the summands no choice: shares, percentages, scenarios.
WHOLE = (1.0, 100.0, 50.0)


def totals(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the lines by work and verdict."""
    papers = list(dict.fromkeys(ledger["paper"]))
    counts = pd.crosstab(ledger["paper"], ledger["verdict"])
    table = counts.reindex(index=papers, columns=list(MEANINGS), fill_value=0)
    table.loc["all"] = table.sum()
    table["lines"] = table.sum(axis="columns")
    table.index.name = "paper"
    table.columns.name = None
    return table.astype(int)


def could_differ(ledger: pd.DataFrame) -> pd.Series:
    """Return for each line whether its value could have come out otherwise."""
    return ledger["apart"].isin(["", MEASURED])


def fixed_lines_by_kind(ledger: pd.DataFrame) -> dict[str, int]:
    """Return how many compared lines follow from others, by kind, most first."""
    kinds = ledger.loc[ledger["detail"] == IMPLIED, "apart"]
    return {str(kind): int(count) for kind, count in kinds.value_counts().items()}


def unable_to_vary(ledger: pd.DataFrame) -> pd.DataFrame:
    """Return the lines in the totals of experiments that could not have come out otherwise."""
    compared = (ledger["kind"] != "claim") & (ledger["outcome"] != "wrong in print")
    lines = ledger[(evidence(ledger) == "experiment") & compared]
    still = ~lines["spread"].isin(RANDOM) & (lines["apart"] != MEASURED)
    found = dict.fromkeys(lines.loc[still, "id"], "nothing in it is random")
    for _, table in lines[lines["kind"] == "number"].groupby(["paper", "artefact"], sort=False):
        found |= _implied_lines(table)
    return pd.DataFrame(list(found.items()), columns=["id", "why"])


def _implied_lines(table: pd.DataFrame) -> dict[str, str]:
    """Return the lines of one artefact that others of it imply."""
    found: dict[str, str] = {}
    sides = [
        table.pivot_table(name, "row", "column", aggfunc="first").astype(float)
        for name in ("published", "reproduced")
    ]
    ids = table.pivot_table("id", "row", "column", aggfunc="first")
    columns = list(ids.columns)
    sets = [list(pair) for pair in combinations(columns, 2)]
    if len(columns) > 2:
        sets.append(columns)
    for names in sets:
        sums = [side[names].sum(axis="columns", skipna=False).dropna() for side in sides]
        if len(sums[0]) > 1 and _whole(sums[0]) == 1.0 and _whole(sums[1]) > 0.5:
            why = f"{' + '.join(names)} is the same in every row"
            found |= {str(line): why for line in ids[names[-1]].dropna()}
    for name in columns:
        parent = name.partition(" significant")[0]
        if parent != name and parent in columns:
            none = ids[name][sides[0][parent] == 0].dropna()
            found |= {str(line): f"{parent} is 0" for line in none}
    return found


def _whole(sums: pd.Series) -> float:
    """Return the largest share of the sums that equal one whole, within rounding."""
    return max(float(((sums - whole).abs() <= 0.0006 * whole).mean()) for whole in WHOLE)


def by_basis(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the lines by basis and verdict."""
    basis = ledger["basis"].replace("", "none")
    counts = pd.crosstab(basis, ledger["verdict"])
    table = counts.reindex(index=[*BASES, "none"], columns=list(MEANINGS), fill_value=0)
    table.index.name, table.columns.name = "basis", None
    return table.astype(int)


def stand_ins(ledger: pd.DataFrame) -> dict[str, int]:
    """Return each stand-in with the number of lines that use it, most lines first."""
    counts = Counter(name for data in ledger["data"] for name in named_stand_ins(data))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def summary_lines(ledger: pd.DataFrame, page: str) -> list[str]:
    """Return the lines that close a run."""
    found = count_outcomes(tally(ledger), "all")
    verdicts = totals(ledger).loc["all"]
    named = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in MEANINGS if verdicts[verdict])
    used = stand_ins(ledger)
    substitutes = "; ".join(f"{name} ({count} lines)" for name, count in used.items()) or "none"
    return [
        f"{len(ledger):,} published values and claims: "
        + ", ".join(f"{found[name]} {name}" for name in OUTCOMES),
        f"verdicts: {named}",
        f"stand-in data: {substitutes}",
        f"report: {page}",
    ]
