"""Ledger lines, errata and leads as pages show them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from opchar_reproduction.figures.notation import html, spoken_label
from opchar_reproduction.figures.tables import format_like
from opchar_reproduction.percent import per_cent
from opchar_reproduction.report.comparison.otherwise import join_filled
from opchar_reproduction.report.marks import SIGNS, shown_verdict, verdict_in_words
from opchar_reproduction.report.meanings import meanings
from opchar_reproduction.report.pages.layout import Entry
from opchar_reproduction.report.pages.parts.severity import gravity, what_changes
from opchar_reproduction.results import ANALYTIC
from opchar_reproduction.statements.judging import read_leaves

Homes = Mapping[tuple[str, str], str]
Line = dict[Any, Any]
# Decisions on leads (suspected errors), as leads.csv takes them.
DECISIONS = meanings("decision")


def readable(ledger: pd.DataFrame, addresses: Homes) -> list[Line]:
    """Return ledger lines with their numbers written for people and where they stand."""
    lines = ledger.to_dict("records")
    for index, line in enumerate(lines):
        line["place"] = index
        line["shown"] = shown_verdict(line)
        line["printed_text"] = html(_spread(line["published"], line["published_std"]))
        line["reproduced_text"] = _reproduced_text(line)
        line["home"] = addresses[line["paper"], line["artefact"]]
        line["address"] = f"{line['home'].partition('#')[0]}#{line['id']}"
        line["z_text"] = f"{float(line['z']):.1f}".replace("-", "−") if line["z"] else ""
        line["measure"] = _measure(line)
        repeats = f"n = {line['n']}" if line["n"] else ""
        is_named = line["data"] in line["reason"] or line["data"] == ANALYTIC
        data = "" if is_named else line["data"]
        support = (
            f"holds in {per_cent(float(line['support']))} of resamples" if line["support"] else ""
        )
        if support and "; there it holds" in line["reason"]:
            # A test of nothing has one sentence on what was found, and why it is no test.
            line["reason"] = _no_test(line["reason"], support)
            support = ""
        after = "criterion set after results were seen" if line["criterion_set"] == "after" else ""
        other = line["shown"] not in (line["verdict"], "matches", "compatible")
        verdict = f"verdict: {verdict_in_words(line['verdict'])}" if other else ""
        line["rests"] = join_filled(verdict, repeats, support, after, data, between=" · ")
    return lines


def _no_test(reason: str, support: str) -> str:
    """Return the reason of a claim on other data or parameters, with how often it holds there."""
    unstated = "an illustration: the publication does not state its parameters; there it "
    reason = reason.replace(unstated, "the publication does not state parameters; with ours it ", 1)
    for found in ("; there it holds", "; with ours it holds"):
        reason = reason.replace(found, f"{found}, {support.removeprefix('holds ')}", 1)
    return reason


def counts(verdicts: Iterable[str]) -> dict[str, int]:
    """Return how often each mark occurs, in the order of `SIGNS`, zeros left out."""
    found = Counter(verdicts)
    return {verdict: found[verdict] for verdict in SIGNS if found[verdict]}


def by_label(lines: Iterable[Line]) -> dict[tuple[str, str], list[Line]]:
    """Return the lines of each published label, by work and label."""
    found: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        found.setdefault((line["paper"], line["artefact"]), []).append(line)
    return found


def shown_under(entry: Entry, lines: Mapping[tuple[str, str], list[Line]]) -> list[Line]:
    """Return the lines that stand under an artefact, in the order of the ledger."""
    found = [line for label in entry.labels for line in lines.get((entry.paper, label), [])]
    return sorted(found, key=lambda line: line["place"])


def wrong_in_print(errata: pd.DataFrame, ledger: pd.DataFrame, addresses: Homes) -> list[Line]:
    """Return the errata by what they change, with their verdicts and where they stand."""
    verdicts = dict(zip(ledger["id"], ledger["verdict"], strict=True))
    kinds = dict(zip(ledger["id"], ledger["kind"], strict=True))
    items = errata.to_dict("records")
    for item in items:
        item["changes"] = what_changes(item, kinds.get(item["id"], ""))
        item["verdict"] = verdicts.get(item["id"], "")
        item["home"] = addresses.get((item["paper"], item["artefact"]), f"{item['paper']}.html")
        if item["id"] in verdicts:
            item["home"] = f"{item['home'].partition('#')[0]}#{item['id']}"
    return sorted(items, key=gravity)


def with_reasons(items: Iterable[Line], ledger: pd.DataFrame) -> list[Line]:
    """Return errata with the reason why they cannot be, under ``impossible``.

    The reason is the answer of `opchar.printed.check` on the value, or on the first value of the
    same row where the entry is no value. It is empty where the value is possible.
    """
    from opchar_reproduction.report.pages.parts.impossible import impossible

    items = list(items)
    places = {(item["paper"], item["artefact"]) for item in items}
    keys = zip(ledger["paper"], ledger["artefact"], strict=True)
    beside = ledger[[key in places for key in keys]]
    why = impossible(beside)
    of_rows = {
        (line["paper"], line["artefact"], line[side]): why[line["id"]]
        for line in beside[beside["id"].isin(list(why))].to_dict("records")[::-1]
        for side in ("row", "column")
    }
    known = set(ledger["id"])

    def reason(item: Line) -> str:
        cell = item["paper"], item["artefact"], item["row"]
        return why.get(item["id"], "") if item["id"] in known else of_rows.get(cell, "")

    return [item | {"impossible": reason(item)} for item in items]


def gravest(items: Iterable[Line], papers: pd.DataFrame) -> dict[str, Line]:
    """Return the gravest erratum of each publication, in the words of its ``about.yaml``.

    Where that names none it is the first of `wrong_in_print`, without words.
    """
    found: dict[str, Line] = {}
    words = dict(text.split(": ", 1) for text in papers["gravest"] if text)
    for item in items:
        found.setdefault(item["paper"], item | {"said": ""})
        if item["id"] in words:
            found[item["paper"]] = item | {"said": words[item["id"]]}
    return found


def judged_claims(statements: pd.DataFrame, lines: Iterable[Line]) -> list[Line]:
    """Return the judged statements with their claims and verdicts, in the order of the ledger."""
    judged = {
        str(statement["id"]): {**statement, "leaves": read_leaves(statement["leaves"])}
        for statement in statements.to_dict("records")
    }
    return [line | {"said": judged[line["id"]]} for line in lines if line["id"] in judged]


def names(line: Mapping[Any, Any]) -> str:
    """Return the search keys of a line besides its text: its label and its row as typed."""
    return join_filled(spoken_label(line["artefact"]), line["row"], line["column"], between=" ")


def _measure(line: Mapping[Any, Any]) -> str:
    """Return what could have been noticed of a value, as people read it."""
    least = f"a difference of {line['noticed']} would be noticed" if line["noticed"] else ""
    shown = line["agreement"] if line["kind"] == "number" else ""
    if shown == "equivalent":
        shown += f" within {line['margin']}"
    return join_filled(least, shown, between=" · ")


def _reproduced_text(line: Mapping[Any, Any]) -> str:
    if line["kind"] != "number" or not line["reproduced"]:
        return str(line["reproduced"])
    like = _one_more_digit(line["published"])
    std = format_like(float(line["std"]), line["published_std"] or like) if line["std"] else ""
    return _spread(format_like(float(line["reproduced"]), like), std)


def _one_more_digit(printed: str) -> str:
    return f"{printed}0" if re.fullmatch(r"[+-]?\d*\.\d+", printed) else printed


def _spread(value: str, std: str) -> str:
    return f"{value} ± {std}" if std else value
