"""Totals of a ledger: counts by verdict and basis, and of lines that can confirm a work."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pandas as pd

from opchar.report.comparison.power import AGREEMENTS
from opchar.report.comparison.verdicts import COMPARED, MEANINGS
from opchar.results import BASES, named_stand_ins

# Spreads of `opchar.report.comparison.verdicts.SPREADS` where something is random.
RANDOM = ("both", "ours", "printed", "printed, one repeat", "binomial")
# Sums that leave the last of the summands no choice: shares, percentages, scenarios.
WHOLE = (1.0, 100.0, 50.0)


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


# What kind of evidence a reproduced value is: groups of the bases of `opchar.results.BASES`.
GROUPS = {
    "experiments": ("data", "simulation"),
    "definitions": ("exact",),
}
FIXED = "could not differ"
APART = "inputs, substitutes, illustrations"
# Counted once on one test set, and yet no property of it: stays in the totals.
MEASURED = "measured"
CLAIMS = {"hold": ("holds", "holds otherwise"), "fail": ("fails", "erratum", "inconsistent")}
CONFIRMATION = ["can", *AGREEMENTS, *CLAIMS, "after", "apart"]


def groups(ledger: pd.DataFrame) -> pd.Series:
    """Return for each line the kind of evidence that it is."""
    found = pd.Series(APART, index=ledger.index, dtype=object)
    compared = ledger["verdict"].isin(COMPARED)
    for name, bases in GROUPS.items():
        found[compared & ledger["basis"].isin(bases)] = name
    found[(found != APART) & ~could_differ(ledger)] = FIXED
    return found


def could_differ(ledger: pd.DataFrame) -> pd.Series:
    """Return for each line whether its value could have come out otherwise."""
    return ledger["apart"].isin(["", MEASURED])


def tally(ledger: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Count the comparisons and their outcomes in each group of `GROUPS`."""
    kinds = groups(ledger)
    claim, hold = ledger["kind"] == "claim", ledger["verdict"].isin(CLAIMS["hold"])
    found = {}
    for name in GROUPS:
        values = ledger.loc[(kinds == name) & ~claim, "agreement"].value_counts()
        found[name] = {
            "values": int(values.sum()),
            "equivalent": int(values.get("equivalent", 0)),
            "alike": int(values.get("not distinguishable", 0)),
            "different": int(values.get("different", 0)),
            "claims": int(((kinds == name) & claim).sum()),
            "hold": int(((kinds == name) & claim & hold).sum()),
        }
    return found


def confirmation(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the values and claims that can confirm a work, and what was found of them.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `build` returns it.

    Returns
    -------
    pandas.DataFrame
        A row a work and a last row ``all``, columns `CONFIRMATION`. ``can``: lines that were
        compared, rest on the work's own data, on definitions, or on stated distributions, and
        could have come out otherwise; of these, numbers and texts by
        `opchar.report.comparison.power.AGREEMENTS`, claims that ``hold`` and ``fail``, and
        ``after``: claims that hold by a criterion set after results had been seen. ``apart``:
        lines that were compared and could not have come out otherwise.
    """
    kinds = groups(ledger)
    can, claim = kinds.isin(list(GROUPS)), ledger["kind"] == "claim"
    marks = pd.DataFrame({"can": can})
    for name in AGREEMENTS:
        marks[name] = can & (ledger["agreement"] == name)
    for name, verdicts in CLAIMS.items():
        marks[name] = can & claim & ledger["verdict"].isin(verdicts)
    marks["after"] = marks["hold"] & (ledger["criterion_set"] == "after")
    marks["apart"] = kinds == FIXED
    table = marks.groupby(ledger["paper"], sort=False).sum()
    table.loc["all"] = table.sum()
    return table.astype(int)


def fixed_lines_by_kind(ledger: pd.DataFrame) -> dict[str, int]:
    """Return how many compared lines could not have come out otherwise, by kind, most first."""
    kinds = ledger.loc[groups(ledger) == FIXED, "apart"]
    return {str(kind): int(count) for kind, count in kinds.value_counts().items()}


def unable_to_vary(ledger: pd.DataFrame) -> pd.DataFrame:
    """Return the lines in the totals of experiments that could not have come out otherwise."""
    kinds = groups(ledger)
    lines = ledger[(kinds == "experiments") & (ledger["kind"] != "claim")]
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
    """Return each stand-in that lines rest on, with the number of lines, most lines first."""
    counts = Counter(name for data in ledger["data"] for name in named_stand_ins(data))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def summary_lines(ledger: pd.DataFrame, page: str) -> list[str]:
    """Return the lines that close a run."""
    row = totals(ledger).loc["all"]
    can = confirmation(ledger).loc["all"]
    counted = ", ".join(f"{row[verdict]} {verdict}" for verdict in MEANINGS if row[verdict])
    used = stand_ins(ledger)
    named = "; ".join(f"{name} ({count} lines)" for name, count in used.items()) or "none"
    return [
        f"{can['can']} published values and claims can confirm the publications: "
        + ", ".join(f"{can[name]} {name}" for name in [*AGREEMENTS, *CLAIMS]),
        f"{row['lines']} published values: {counted}",
        f"stand-ins: {named}",
        f"report: {page}",
    ]
