"""The ledger: one line for every published line, with the reproduced one and a verdict."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from opchar.errors import DataError
from opchar_reproduction.percent import per_cent
from opchar_reproduction.report.comparison.causes import (
    CAUSE_MARKS,
    SUPPORTED,
    UNLIKE,
    UNPROVEN,
    Shown,
    by_chance,
    proven,
    with_printed_inputs,
)
from opchar_reproduction.report.comparison.otherwise import (
    digits,
    join_filled,
    otherwise,
    under_variant,
)
from opchar_reproduction.report.comparison.outcomes import with_outcomes
from opchar_reproduction.report.comparison.power import agreement, by_unit
from opchar_reproduction.report.comparison.published_values import first_fitting
from opchar_reproduction.report.comparison.samples import counted_on, evident_sizes
from opchar_reproduction.report.comparison.verdicts import (
    NOT_BUILT,
    REPRODUCED,
    Verdict,
    as_fine_as,
    judge_claim,
    judge_number,
    judge_text,
)
from opchar_reproduction.results import named_stand_ins
from opchar_reproduction.statements.judging import read_leaves

COLUMNS = [
    *("id", "paper", "artefact", "row", "column", "kind", "published", "published_std"),
    *("reproduced", "std", "n", "unit", "basis", "criterion_set", "leaves", "support", "data"),
    *("z", "spread", "sharpness", "noticed", "within", "margin", "apart", "variants", "variant"),
    *("variant_value", "variant_z", "variant_passes", "verdict", "agreement", "outcome", "detail"),
    "reason",
]
KEY = ["paper", "artefact", "row", "column"]
Line = Mapping[Any, Any]
UNAVAILABLE = "unavailable"
REPRODUCED_AFTER_ALL = "listed in errata.csv, but the published value is reproduced"
NO_EVIDENCE = "no evidence"
IN_PARTS = "fails in"
READ_BACK = "an input, read back"
# A claim holds, or fails, when it does in at least this share of its resamples.
SURE = 0.95
WHY_NOT = {
    "stand-in": "computed from {data}",
    "illustration": "an illustration: the publication does not state its parameters",
}
# Errata of formulas and sentences that are no published line have ids of another form.
_LINE_ID = re.compile(r":\d{4}$")


def build(
    published: pd.DataFrame,
    results: pd.DataFrame,
    errata: pd.DataFrame,
    built: Collection[str],
    statements: pd.DataFrame | None = None,
    variants: Mapping[str, Line] | None = None,
    causes: pd.DataFrame | None = None,
    margins: pd.DataFrame | None = None,
    apart: pd.DataFrame | None = None,
    shown: Shown | None = None,
) -> pd.DataFrame:
    """Set every published line beside the reproduced one.

    Returned: ``reproduced`` the shortest text that reads back to the same number, or ``holds`` /
    ``fails``.
    """
    reproduced = _by_key(results)
    judged = _by_id(statements)
    wrong = {str(entry["id"]): entry for entry in errata.to_dict("records")}
    if unknown := sorted(set(filter(_LINE_ID.search, wrong)) - set(published["id"])):
        raise DataError(f"errata.csv: no published line has the id {unknown[0]!r}; correct the id")
    built = set(built)
    why = [] if causes is None else by_chance(causes.to_dict("records"), results)
    why = with_printed_inputs(why, results)
    fixed = [] if apart is None else apart.to_dict("records")
    allowed = by_unit(margins)
    pairs = [
        (line, judged.get(line["id"]) or reproduced.get(tuple(line[name] for name in KEY)))
        for line in published.to_dict("records")
    ]
    counted = evident_sizes(pairs)
    found = []
    for line, ours in pairs:
        line["counted"] = counted.get(line["id"], 0)
        try:
            verdict = judge(line, ours, wrong.get(line["id"]), address(line) in built)
        except ValueError as error:
            raise DataError(f"values.csv, line {line['id']}: {error}; correct it") from None
        cell = (variants or {}).get(line["id"])
        found.append((line, ours, otherwise(verdict, cell), cell))
    if shown is not None:
        judged_as = {line["id"]: verdict.verdict for line, _, verdict, _ in found}
        why = proven(why, [line for line, _ in pairs], judged_as, *shown)
    lines = []
    for line, ours, verdict, cell in found:
        verdict = _with_cause(line, verdict, why)
        entry = _entry(line, ours, verdict)
        entry |= agreement(line, verdict.verdict, verdict.power, allowed)
        entry["apart"] = str((first_fitting(line, fixed) or {"kind": ""})["kind"])
        lines.append(dict.fromkeys(COLUMNS, "") | entry | under_variant(cell))
    return with_outcomes(pd.DataFrame(lines, columns=COLUMNS, dtype=str))


def judge(line: Line, ours: Line | None, erratum: Line | None, built: bool) -> Verdict:
    """Judge one published line."""
    if ours is None:
        return Verdict("pending", "the experiment gives no such line" if built else NOT_BUILT)
    note, data = str(ours["note"]), str(ours["data"])
    if data.startswith(UNAVAILABLE):
        return Verdict("unavailable", join_filled(data, note))
    if ours["kind"] != line["kind"] and not _undefined_in_both(line, ours):
        reason = f"the experiment gives a {ours['kind']} where the publication has a {line['kind']}"
        return Verdict("pending", reason)
    if not ours.get("control_fails", True):
        reason = f"{NO_EVIDENCE}: it also holds on its control ({ours['control']})"
        return Verdict("not comparable", join_filled(reason, note))
    found = _compare(line, ours, line["value"])
    basis = str(ours["basis"])
    if basis == "input":
        if found.verdict in REPRODUCED:
            told = note if line["kind"] == "claim" else ""
            return found._replace(verdict="input", reason=join_filled(READ_BACK, told), z=math.nan)
        return found._replace(verdict="differs", z=math.nan)
    if basis in WHY_NOT:
        if line["kind"] == "claim":
            parts = note.startswith(IN_PARTS)
            note = f"there it {note}" if parts else join_filled(f"there it {found.verdict}", note)
        why = WHY_NOT[basis].format(data="; ".join(dict.fromkeys(named_stand_ins(data))))
        return Verdict("not comparable", join_filled(why, note))
    if erratum is not None:
        return _judge_erratum(line, ours, erratum, found)
    support = float(ours.get("support", math.nan))
    if (support if found.verdict == "holds" else 1 - support) < SURE:
        share = f"{per_cent(support)} of the resamples (drawn: {ours['units']})"
        undecided = f"{NO_EVIDENCE}: it {found.verdict} as measured, and holds in {share}"
        return Verdict("not comparable", join_filled(undecided, note))
    reason = join_filled(found.reason, "" if line["kind"] == "text" else note)
    return found._replace(reason=reason)


def _with_cause(line: Line, verdict: Verdict, causes: Sequence[Line]) -> Verdict:
    """Return the verdict with the cause of a difference, where one is listed."""
    if verdict.verdict not in UNLIKE:
        return verdict
    entry = first_fitting(line, causes)
    if entry is None:
        return verdict
    apart = line["id"] not in entry.get("reproduced", line["id"])
    kind = UNPROVEN if apart and entry["kind"] == SUPPORTED else str(entry["kind"])
    text = f"{CAUSE_MARKS[kind]}{entry['cause']}{', not this one' * apart}"
    shown = f" ({entry['evidence']})" if entry["evidence"] else ""
    return verdict._replace(reason=join_filled(verdict.reason, text + shown))


def _judge_erratum(line: Line, ours: Line, erratum: Line, found: Verdict) -> Verdict:
    verdict, why = erratum["verdict"] or "erratum", erratum["why"]
    right = f"corrected: {erratum['corrected']}" if erratum["corrected"] else ""
    if line["kind"] == "claim":
        if found.verdict == "fails":
            return Verdict(verdict, join_filled(right, why, str(ours["note"])))
        return Verdict(
            "differs", join_filled("listed in errata.csv, but it holds here", ours["note"])
        )
    if not erratum["corrected"]:
        if found.verdict == "agrees":
            return found._replace(reason=REPRODUCED_AFTER_ALL)
        return found._replace(verdict=verdict, reason=why)
    printed = line["value"]
    if line["kind"] == "number":
        printed = as_fine_as(printed, erratum["corrected"])
    as_printed = _compare(line, ours, printed)
    if as_printed.verdict == "agrees":
        return as_printed._replace(reason=REPRODUCED_AFTER_ALL)
    corrected = _compare(line, ours, erratum["corrected"])
    if corrected.verdict == "agrees":
        return found._replace(verdict=verdict, reason=f"{why} ({right})")
    reason = f"neither as published nor as corrected to {erratum['corrected']}: {corrected.reason}"
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
        samples=counted_on(line, ours),
    )


def _undefined_in_both(line: Line, ours: Line) -> bool:
    dash = line["kind"] == "text" and line["value"].strip() in {"-", "–", "—"}
    return dash and ours["kind"] == "number" and math.isnan(float(ours["value"]))


def _entry(line: Line, ours: Line | None, verdict: Verdict) -> dict[str, str]:
    entry = {name: line[name] for name in ["id", *KEY, "kind", "unit"]}
    entry["published"] = line["claim"] if line["kind"] == "claim" else line["value"]
    entry["published_std"] = line["std"]
    if ours is not None:
        entry |= {
            "reproduced": _format_value(ours),
            "std": "" if math.isnan(float(ours["std"])) else repr(float(ours["std"])),
            "n": "" if pd.isna(ours["n"]) else str(int(ours["n"])),
            "data": str(ours["data"]),
            "basis": str(ours["basis"]),
            "criterion_set": str(ours.get("criterion_set", "")),
            "leaves": _count_leaves(str(ours.get("leaves", ""))),
            "support": digits(float(ours.get("support", math.nan))),
        }
    return entry | {
        "z": digits(verdict.z),
        "sharpness": digits(verdict.sharpness),
        "spread": verdict.spread,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
    }


def _format_value(ours: Line) -> str:
    if ours["kind"] == "text":
        return str(ours["note"])
    if ours["kind"] == "claim":
        return "holds" if float(ours["value"]) == 1.0 else "fails"
    return repr(float(ours["value"])).removesuffix(".0")


def _by_id(statements: pd.DataFrame | None) -> dict[str, Line]:
    """Return the judged statements as result lines, by the id of the published line."""
    if statements is None:
        return {}
    return {
        str(statement["id"]): {
            **statement,
            "kind": "claim",
            "value": float(bool(statement["holds"])),
            "std": math.nan,
            "n": None,
            "unit": "",
            "tolerance": math.nan,
            "note": join_filled(
                _failing_leaves(str(statement.get("leaves", ""))), statement["evidence"]
            ),
        }
        for statement in statements.to_dict("records")
    }


def _count_leaves(text: str) -> str:
    """Return how many parts of a claim hold; empty for a claim of one part."""
    leaves = read_leaves(text)
    return f"{sum(leaf['holds'] for leaf in leaves)} of {len(leaves)}" if leaves else ""


def _failing_leaves(text: str) -> str:
    """Return the parts of a claim that fail, in words."""
    leaves = read_leaves(text)
    failing = [f"'{leaf['says']}'" for leaf in leaves if not leaf["holds"]]
    some = f"{IN_PARTS} {len(failing)} of {len(leaves)} parts: {', '.join(failing)}"
    return some if failing else ""


def _by_key(results: pd.DataFrame) -> dict[tuple[str, ...], Line]:
    if not len(results):
        return {}
    different = results.drop_duplicates([*KEY, "kind", "value", "note"])
    if (twice := different.duplicated(KEY)).any():
        first = " | ".join(str(part) for part in different.loc[twice, KEY].iloc[0])
        raise DataError(f"two experiments give the result line {first}; let one of them give it")
    return {tuple(line[name] for name in KEY): line for line in different.to_dict("records")}


def address(line: Line) -> str:
    """Return ``<paper>/<label>`` of a published or ledger line."""
    return f"{line['paper']}/{line['artefact']}"


def labels_built(artefacts: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the addresses of the published labels that configured artefacts show."""
    built = set()
    for name, entry in artefacts.items():
        paper, _, label = name.partition("/")
        built |= {f"{paper}/{shown}" for shown in entry.get("lines") or [label]}
    return built


def select(ledger: pd.DataFrame, labels: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Return the lines of some ``(paper, label)`` pairs, in ledger order."""
    wanted = pd.MultiIndex.from_frame(ledger[["paper", "artefact"]]).isin(list(labels))
    return ledger[wanted]
