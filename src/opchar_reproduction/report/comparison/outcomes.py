"""Five outcomes of a published line, the same in headline, cards, bars, tables and files."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from opchar_reproduction.report.comparison.power import agreement_of
from opchar_reproduction.report.comparison.samples import sample_of
from opchar_reproduction.report.comparison.verdicts import COMPARED
from opchar_reproduction.report.meanings import meanings

OUTCOMES = meanings("outcome")
TESTED = ("matches", "compatible", "differs", "wrong or contradictory")
# What a tested line rests on, by the bases of `opchar_reproduction.results.BASES`.
EVIDENCE = {"data": "experiment", "simulation": "experiment", "exact": "formula"}
# Counted once on one test set, and yet no property of it: stays among the tested lines.
MEASURED = "measured"
EXTREME = "at the floor or ceiling"
OTHER_PROTOCOL = "agrees under another protocol"
PROVEN = "proven"
CONTRADICTION = "contradicts another passage"
IMPLIED = "implied by other values"
SAYS_NOTHING = "interval wider than the value"
_WHY_NOT = {
    "input": "printed as an input",
    "unavailable": "data not public",
    "pending": "not built",
}
_WHY_NOT_COMPARABLE = {
    "input": "printed as an input",
    "stand-in": "stand-in data",
    "illustration": "illustration without stated parameters",
}
UNDECIDED = "not decided by its test"
KINDS = ("values", "claims")


def outcome_of(line: Mapping[Any, Any]) -> tuple[str, str]:
    """Return the outcome of a ledger line, a key of `OUTCOMES`, and its detail.

    A value that agrees only under a protocol variant chosen after results differs here. A
    comparison whose half width exceeds the published value says nothing.
    """
    verdict, evidence = line["verdict"], EVIDENCE.get(line["basis"], "")
    if verdict == "erratum":
        return "wrong or contradictory", PROVEN
    if verdict == "inconsistent":
        return "wrong or contradictory", CONTRADICTION
    if verdict not in COMPARED or not evidence:
        why = _WHY_NOT_COMPARABLE.get(line["basis"], UNDECIDED)
        return "not testable", _WHY_NOT.get(verdict, why)
    if line["apart"] not in ("", MEASURED):
        return "not testable", IMPLIED
    if verdict in ("agrees otherwise", "holds otherwise"):
        return "differs", OTHER_PROTOCOL
    if verdict in ("differs", "fails"):
        return "differs", ""
    exact = line["spread"] == "last digit"
    if line["kind"] == "claim" or line["agreement"] == "equivalent" or exact:
        return "matches", EXTREME if is_extreme(line) else ""
    if line["sharpness"] and float(line["sharpness"]) > 1:
        return "not testable", SAYS_NOTHING
    return "compatible", ""


def is_extreme(line: Mapping[Any, Any]) -> bool:
    """Tell whether both numbers are zero, or all of what was counted."""
    if line["kind"] != "number":
        return False
    numbers = float(line["published"]), float(line["reproduced"])
    sample = sample_of(line["unit"])
    ends = (0.0,) if sample is None else (0.0, sample.scale)
    return any(all(abs(number - end) < 1e-12 for number in numbers) for end in ends)


def with_outcomes(lines: pd.DataFrame) -> pd.DataFrame:
    """Return ledger lines with the columns ``outcome`` and ``detail``, those they had replaced."""
    found = [outcome_of(line) for line in lines.to_dict("records")]
    return lines.assign(
        outcome=[outcome for outcome, _ in found], detail=[detail for _, detail in found]
    )


def evidence(ledger: pd.DataFrame) -> pd.Series:
    """Return the basis of each tested line, ``experiment`` or ``formula``; else empty."""
    tested = ledger["outcome"].isin(TESTED)
    return ledger["basis"].map(EVIDENCE).where(tested, "").fillna("")


def tally(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the lines by publication, evidence and kind, and by outcome.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `opchar_reproduction.report.comparison.ledger.build` returns it.

    Returns
    -------
    pandas.DataFrame
        Columns ``paper`` (last ``all``), ``evidence`` (``experiment``, ``formula`` or empty),
        ``kind`` (``values`` or ``claims``), one a key of `OUTCOMES`, ``tested``, their sum without
        ``not testable``, and ``ends``, the matches at the floor or ceiling.
    """
    keys = {
        "paper": ledger["paper"],
        "evidence": evidence(ledger),
        "kind": (ledger["kind"] == "claim").map({True: "claims", False: "values"}),
    }
    marks = pd.DataFrame({name: ledger["outcome"] == name for name in OUTCOMES})
    marks["ends"] = ledger["detail"] == EXTREME
    every = [keys, {**keys, "paper": pd.Series("all", index=ledger.index)}]
    table = pd.concat([marks.groupby(list(by.values()), sort=False).sum() for by in every])
    table.index.names = list(keys)
    table = table.astype(int).reset_index()
    return table.assign(tested=table[list(TESTED)].sum(axis="columns"))


def count_outcomes(
    table: pd.DataFrame, paper: str, evidence: str = "", kind: str = ""
) -> dict[str, int]:
    """Return the counts of `tally` of a publication, summed over what is not named."""
    chosen = table[table["paper"] == paper]
    if evidence:
        chosen = chosen[chosen["evidence"] == evidence]
    if kind:
        chosen = chosen[chosen["kind"] == kind]
    return {name: int(chosen[name].sum()) for name in (*OUTCOMES, "tested", "ends")}


def details(ledger: pd.DataFrame, outcome: str) -> dict[str, int]:
    """Return the details of the lines of an outcome with their numbers, most first."""
    found = ledger.loc[ledger["outcome"] == outcome, "detail"].value_counts()
    return {str(name): int(count) for name, count in found.items() if name}


def by_margin(
    ledger: pd.DataFrame, factors: tuple[float, ...] = (0.5, 1.0, 2.0)
) -> dict[float, dict[str, int]]:
    """Return how many experimental values match when all margins are multiplied by a factor."""
    lines = _measured_lines(ledger[ledger["kind"] != "claim"])

    def found(line: Mapping[Any, Any], factor: float) -> str:
        within, margin = (float(line[name] or "nan") for name in ("within", "margin"))
        return agreement_of(line["kind"], line["verdict"], within, factor * margin)

    return {x: _split([one for one in lines if found(one, x) == "equivalent"]) for x in factors}


def equal_digits(ledger: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Return how many experimental numbers equal the print to its last and to the second digit."""
    lines = _measured_lines(ledger[ledger["kind"] == "number"])

    def equal(line: Mapping[Any, Any], digits: int) -> bool:
        return round(float(line["reproduced"]), digits) == round(float(line["published"]), digits)

    last = [one for one in lines if equal(one, len(one["published"].partition(".")[2]))]
    second = [one for one in lines if equal(one, 2)]
    return {"numbers": _split(lines), "all digits": _split(last), "two decimals": _split(second)}


def _measured_lines(ledger: pd.DataFrame) -> list[dict[Any, Any]]:
    return ledger[evidence(ledger) == "experiment"].to_dict("records")


def _split(lines: list[dict[Any, Any]]) -> dict[str, int]:
    """Count the lines, and those with zero, or all of what was counted, on both sides."""
    return {"all": len(lines), "ends": sum(map(is_extreme, lines))}
