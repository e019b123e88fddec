"""The ledger: one line for every published line, with the reproduced one and a verdict."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from opchar.errors import DataError
from opchar.report.samples import samples_of
from opchar.report.verdicts import (
    MEANINGS,
    NOT_BUILT,
    Verdict,
    as_fine_as,
    judge_claim,
    judge_number,
    judge_text,
)

COLUMNS = [
    "id",
    "paper",
    "artefact",
    "row",
    "column",
    "kind",
    "published",
    "published_std",
    "reproduced",
    "std",
    "n",
    "unit",
    "data",
    "z",
    "spread",
    "verdict",
    "reason",
]
KEY = ["paper", "artefact", "row", "column"]
Line = Mapping[Any, Any]
INPUT = "(input)"
UNAVAILABLE = "unavailable"
# Errata of formulas and sentences that are no published line have ids of another form.
_LINE_ID = re.compile(r":\d{4}$")
_STAND_IN = re.compile(r"(?:^|[;,+&]\s*|\band )(stand-in\b[^;]*)")


def build(
    published: pd.DataFrame,
    results: pd.DataFrame,
    errata: pd.DataFrame,
    built: Collection[str],
) -> pd.DataFrame:
    """Set every published line beside the reproduced one.

    Parameters
    ----------
    published : pandas.DataFrame
        Published lines (`opchar.report.published.read_lines`).
    results : pandas.DataFrame
        Result lines of all experiments (`opchar.results.COLUMNS`) with a column ``paper``. Lines
        that are keyed to nothing published are passed over.
    errata : pandas.DataFrame
        What is known to be wrong in print (`opchar.report.published.read_errata`); ids that do not
        end in a colon and four digits belong to no published line and are passed over.
    built : collection of str
        Addresses ``<paper>/<label>`` of the published labels that configured artefacts show
        (see `labels_built`).

    Returns
    -------
    pandas.DataFrame
        The columns `COLUMNS`, all texts, in the order of `published`. ``published`` holds the
        number or text as printed, or the statement; ``reproduced`` the shortest text that reads
        back to the same number, or ``holds`` / ``fails``.

    Raises
    ------
    opchar.errors.DataError
        If two experiments give the same line, an erratum has no published line, or a published
        number cannot be read.
    """
    reproduced = _by_key(results)
    wrong = {str(entry["id"]): entry for entry in errata.to_dict("records")}
    if unknown := sorted(set(filter(_LINE_ID.search, wrong)) - set(published["id"])):
        raise DataError(f"errata.csv: no published line has the id {unknown[0]!r}; correct the id")
    built = set(built)
    lines = []
    for line in published.to_dict("records"):
        ours = reproduced.get(tuple(line[name] for name in KEY))
        try:
            verdict = judge(line, ours, wrong.get(line["id"]), address(line) in built)
        except ValueError as error:
            raise DataError(f"data/published, line {line['id']}: {error}; correct it") from None
        lines.append(_entry(line, ours, verdict))
    return pd.DataFrame(lines, columns=COLUMNS, dtype=str)


def judge(
    line: Line,
    ours: Line | None,
    erratum: Line | None,
    built: bool,
) -> Verdict:
    """Judge one published line.

    Parameters
    ----------
    line : mapping
        The published line.
    ours : mapping or None
        The result line with the same key.
    erratum : mapping or None
        Its entry in ``errata.csv``.
    built : bool
        Whether a configured artefact shows the line.

    Returns
    -------
    Verdict
        Stand-ins and missing data come before any comparison; an input is compared whatever the
        data. A line known to be wrong is an ``erratum`` only if ours contradicts the print and
        agrees with the corrected value.
    """
    if ours is None:
        return Verdict("pending", "the experiment gives no such line" if built else NOT_BUILT)
    note, data = str(ours["note"]), str(ours["data"])
    if data.startswith(UNAVAILABLE):
        return Verdict("unavailable", _join(data, note))
    if ours["kind"] != line["kind"] and not _undefined_in_both(line, ours):
        reason = f"the experiment gives a {ours['kind']} where the work has a {line['kind']}"
        return Verdict("pending", reason)
    found = _compare(line, ours, line["value"])
    if (replaced := "; ".join(named_stand_ins(data))) and INPUT not in line["column"] + line["row"]:
        said = found.verdict if line["kind"] == "claim" else ""
        return Verdict("not comparable", _join(f"computed from {replaced}", said, note))
    if erratum is not None:
        return _judge_erratum(line, ours, erratum, found)
    reason = _join(found.reason, "" if line["kind"] == "text" else note)
    return found._replace(reason=reason)


def _judge_erratum(line: Line, ours: Line, erratum: Line, found: Verdict) -> Verdict:
    if line["kind"] == "claim":
        if found.verdict == "fails":
            return Verdict("erratum", _join(erratum["why"], str(ours["note"])))
        return Verdict("differs", _join("listed in errata.csv, but it holds here", ours["note"]))
    printed = line["value"]
    if line["kind"] == "number":
        printed = as_fine_as(printed, erratum["corrected"])
    as_printed = _compare(line, ours, printed)
    if as_printed.verdict == "agrees":
        reason = "listed in errata.csv, but the printed value is reproduced"
        return as_printed._replace(reason=reason)
    corrected = _compare(line, ours, erratum["corrected"])
    if corrected.verdict == "agrees":
        reason = f"{erratum['why']} (corrected: {erratum['corrected']})"
        return found._replace(verdict="erratum", reason=reason)
    reason = f"neither as printed nor as corrected to {erratum['corrected']}: {corrected.reason}"
    return as_printed._replace(reason=reason)


def _compare(line: Line, ours: Line, printed: str) -> Verdict:
    value = float(ours["value"])
    if line["kind"] == "claim":
        return judge_claim(value == 1.0)
    if line["kind"] == "text":
        text = printed if ours["kind"] == "number" else str(ours["note"])
        return judge_text(printed, text)
    n: int | None = None if pd.isna(ours["n"]) else int(ours["n"])
    return judge_number(
        printed,
        value,
        printed_std=line["std"],
        std=float(ours["std"]),
        n=n,
        tolerance=float(ours["tolerance"]),
        samples=samples_of(line["unit"], str(ours["unit"])),
    )


def _undefined_in_both(line: Line, ours: Line) -> bool:
    dash = line["kind"] == "text" and line["value"].strip() in {"-", "–", "—"}
    return dash and ours["kind"] == "number" and math.isnan(float(ours["value"]))


def _entry(line: Line, ours: Line | None, verdict: Verdict) -> dict[str, str]:
    entry = {name: line[name] for name in ["id", *KEY, "kind", "unit"]}
    entry["published"] = line["claim"] if line["kind"] == "claim" else line["value"]
    entry["published_std"] = line["std"]
    entry |= dict.fromkeys(["reproduced", "std", "n", "data"], "")
    if ours is not None:
        entry["reproduced"] = _shown(ours)
        entry["std"] = "" if math.isnan(float(ours["std"])) else repr(float(ours["std"]))
        entry["n"] = "" if pd.isna(ours["n"]) else str(int(ours["n"]))
        entry["data"] = str(ours["data"])
    entry["z"] = "" if math.isnan(verdict.z) else f"{verdict.z + 0.0:.4g}"
    entry["spread"] = verdict.spread
    return entry | {"verdict": verdict.verdict, "reason": verdict.reason}


def _shown(ours: Line) -> str:
    if ours["kind"] == "text":
        return str(ours["note"])
    if ours["kind"] == "claim":
        return "holds" if float(ours["value"]) == 1.0 else "fails"
    return repr(float(ours["value"])).removesuffix(".0")


def _by_key(results: pd.DataFrame) -> dict[tuple[str, ...], Line]:
    if not len(results):
        return {}
    different = results.drop_duplicates([*KEY, "kind", "value", "note"])
    if (twice := different.duplicated(KEY)).any():
        first = " | ".join(str(part) for part in different.loc[twice, KEY].iloc[0])
        raise DataError(f"two experiments give the result line {first}; let one of them give it")
    return {tuple(line[name] for name in KEY): line for line in different.to_dict("records")}


def _join(*parts: object) -> str:
    return "; ".join(str(part) for part in parts if str(part))


def address(line: Line) -> str:
    """Return ``<paper>/<label>`` of a published or ledger line."""
    return f"{line['paper']}/{line['artefact']}"


def named_stand_ins(data: str) -> list[str]:
    """Return the stand-ins that a data label names.

    Examples
    --------
    >>> named_stand_ins("sonar; stand-in for phoneme (two Gaussian classes)")
    ['stand-in for phoneme (two Gaussian classes)']
    """
    return [match.strip() for match in _STAND_IN.findall(data)]


def labels_built(artefacts: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the addresses of the published labels that configured artefacts show.

    Parameters
    ----------
    artefacts : mapping of str to mapping
        Config entries by address; ``lines`` names the published labels when they are not the
        artefact's own.

    Examples
    --------
    >>> sorted(labels_built({"p/figure-4": {"lines": ["figure-4a", "figure-4b"]}, "p/table-1": {}}))
    ['p/figure-4a', 'p/figure-4b', 'p/table-1']
    """
    built = set()
    for name, entry in artefacts.items():
        paper, _, label = name.partition("/")
        built |= {f"{paper}/{shown}" for shown in entry.get("lines") or [label]}
    return built


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
        order of `opchar.report.verdicts.MEANINGS` and a last column ``lines``.
    """
    papers = list(dict.fromkeys(ledger["paper"]))
    counts = pd.crosstab(ledger["paper"], ledger["verdict"])
    table = counts.reindex(index=papers, columns=list(MEANINGS), fill_value=0)
    table.loc["all"] = table.sum()
    table["lines"] = table.sum(axis="columns")
    table.index.name = "paper"
    table.columns.name = None
    return table.astype(int)


def stand_ins(ledger: pd.DataFrame) -> dict[str, int]:
    """Return each stand-in that lines rest on, with the number of lines, most lines first."""
    counts = Counter(name for data in ledger["data"] for name in named_stand_ins(data))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def summary_lines(ledger: pd.DataFrame, page: str) -> list[str]:
    """Return the three lines that close a run.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `build` returns it.
    page : str
        Where the report is.

    Returns
    -------
    list of str
        Totals by verdict; the stand-ins used; the place of the report.
    """
    row = totals(ledger).loc["all"]
    counted = ", ".join(f"{row[verdict]} {verdict}" for verdict in MEANINGS if row[verdict])
    used = stand_ins(ledger)
    named = "; ".join(f"{name} ({count} lines)" for name, count in used.items()) or "none"
    return [f"{row['lines']} published lines: {counted}", f"stand-ins: {named}", f"report: {page}"]


def select(ledger: pd.DataFrame, labels: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Return the lines of some ``(paper, label)`` pairs, in ledger order."""
    wanted = pd.MultiIndex.from_frame(ledger[["paper", "artefact"]]).isin(list(labels))
    return ledger[wanted]
