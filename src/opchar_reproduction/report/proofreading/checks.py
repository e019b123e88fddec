"""The checks: of tables, lists, abbreviations, labels and references. Each returns findings."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any, NamedTuple

import pandas as pd

from opchar.printed.numbers import NUMBER
from opchar_reproduction.report.comparison.otherwise import join_filled
from opchar_reproduction.report.comparison.published_values import LEADS, Folders
from opchar_reproduction.report.comparison.verdicts import last_digit
from opchar_reproduction.report.proofreading.facts import Facts, read_decided, read_facts


class Finding(NamedTuple):
    """What looks wrong in print."""

    check: str
    paper: str
    place: str
    case: str


def findings(facts: Facts) -> list[Finding]:
    """Return the findings of all checks, check by check."""
    return [Finding(name, *found) for name, (_, check) in CHECKS.items() for found in check(facts)]


Found = Iterator[tuple[str, str, str]]


def _sums(facts: Facts) -> Found:
    """Find rows whose values do not add up to their total within rounding."""
    for fact in facts.sums.to_dict("records"):
        names = fact["columns"].split(";")
        table = _table(facts, fact["paper"], fact["artefact"])
        for row, values in table.items():
            if not fnmatchcase(row, fact["row"]) or not set(names) <= set(values):
                continue
            printed = [values[name] for name in names]
            allowed = sum((last_digit(value) / 2 for value in printed), Decimal(0))
            if all(value == value.to_integral_value() for value in printed):
                allowed = Decimal(0)
            if abs(sum(printed) - Decimal(fact["total"])) > allowed:
                case = f"{row}: {' + '.join(map(str, printed))} = {sum(printed)}, {fact['what']}"
                yield fact["paper"], fact["artefact"], f"{case}: {fact['total']}"


def _orders(facts: Facts) -> Found:
    """Find a lesser value that is printed greater."""
    for fact in facts.orders.to_dict("records"):
        table = _table(facts, fact["paper"], fact["artefact"])
        for one, lesser, other, greater in _pairs(fact, table):
            if lesser > greater:
                case = f"{one} {lesser} > {other} {greater}: {fact['what']}"
                yield fact["paper"], fact["artefact"], case


def _pairs(
    fact: dict, table: dict[str, dict[str, Decimal]]
) -> Iterator[tuple[str, Decimal, str, Decimal]]:
    """Return each pair of values that an order compares, with their names."""
    if fact["over"] == "columns":
        for row, values in table.items():
            if {fact["lesser"], fact["greater"]} <= set(values):
                one, other = (f"{row}, {fact[name]}" for name in ("lesser", "greater"))
                yield one, values[fact["lesser"]], other, values[fact["greater"]]
    elif fact["over"] == "rows":
        for row, values in table.items():
            stem = _star_meaning(row, fact["lesser"])
            other = "" if stem is None else fact["greater"].replace("*", stem)
            for name in values.keys() & table.get(other, {}).keys():
                yield f"{row}, {name}", values[name], f"{other}, {name}", table[other][name]
    else:
        rows = [(row, values) for row, values in table.items() if fact["lesser"] in values]
        for (one, above), (other, below) in pairwise(rows):
            name = fact["lesser"]
            yield f"{one}, {name}", above[name], f"{other}, {name}", below[name]


def _star_meaning(row: str, pattern: str) -> str | None:
    """Return what the star of a pattern stands for in a row."""
    before, _, after = pattern.partition("*")
    if row.startswith(before) and row.endswith(after) and len(row) > len(before) + len(after):
        return row[len(before) : len(row) - len(after)]
    return None


def _names(facts: Facts) -> Found:
    """Find a name that stands twice in a list, and lists of the same names that differ."""
    lists = {
        (str(paper), str(name)): lines
        for (paper, name), lines in facts.names.groupby(["paper", "list"], sort=False)
    }
    for (paper, name), lines in lists.items():
        for twice in lines.loc[lines["name"].duplicated(), "name"]:
            yield paper, name, f"{twice} stands there twice"
        other = lines["same_as"].iloc[0]
        if not other:
            continue
        ours, theirs = set(lines["name"]), set(lists[paper, other]["name"])
        if ours != theirs:
            here, there = sorted(ours - theirs), sorted(theirs - ours)
            yield paper, name, f"{', '.join(here)} here, {', '.join(there)} in {other}"


def _abbreviations(facts: Facts) -> Found:
    """Find an abbreviation of two meanings, a meaning of two abbreviations, and one undefined."""
    for (paper, short), lines in facts.abbreviations.groupby(["paper", "short"], sort=False):
        meanings = list(dict.fromkeys(lines.loc[lines["stands_for"] != "", "stands_for"]))
        if len(meanings) > 1:
            yield str(paper), str(short), f"stands for {' and for '.join(meanings)}"
        if not meanings:
            yield str(paper), str(short), f"used in {lines['where'].iloc[0]}, defined nowhere"
    defined = facts.abbreviations[facts.abbreviations["stands_for"] != ""]
    for (paper, meaning), lines in defined.groupby(["paper", "stands_for"], sort=False):
        shorts = list(dict.fromkeys(lines["short"]))
        if len(shorts) > 1:
            yield str(paper), shorts[0], f"{' and '.join(shorts)} stand for {meaning}"


def _labels(facts: Facts) -> Found:
    """Find a label that is used twice."""
    keys = ["paper", "kind", "label"]
    twice = facts.labels[facts.labels.duplicated(keys, keep=False)]
    for (paper, kind, label), lines in twice.groupby(keys, sort=False):
        yield str(paper), f"{kind} {label}", f"used twice, in {' and in '.join(lines['where'])}"


def _references(facts: Facts) -> Found:
    """Find references to missing places, or to places that lack the words of the sentence."""
    keys = ["paper", "kind", "label"]
    shown: dict[tuple[str, ...], set[str]] = {}
    for line in facts.labels.to_dict("records"):
        words = shown.setdefault(tuple(line[key] for key in keys), set())
        words |= set(line["shows"].split(";"))
    for line in facts.references.to_dict("records"):
        target = tuple(line[key] for key in keys)
        where = f"{line['where']}: {line['kind']} {line['label']}"
        if target not in shown:
            yield line["paper"], where, f"there is no {line['kind']} {line['label']}"
        elif absent := [word for word in line["speaks_of"].split(";") if word not in shown[target]]:
            case = f"the sentence speaks of: {', '.join(absent)}: {line['sentence']}"
            yield line["paper"], where, case


CHECKS: dict[str, tuple[str, Callable[[Facts], Found]]] = {
    "sums": ("Values of a row add up to their total, within rounding.", _sums),
    "orders": ("What cannot be greater is not; a refinement is no worse.", _orders),
    "names": ("Names of a list are distinct, and the same in lists of the same.", _names),
    "abbreviations": ("An abbreviation is defined, and has one meaning.", _abbreviations),
    "labels": ("A number of a figure, table, equation or section is used once.", _labels),
    "references": ("A reference leads to a place with the words of its sentence.", _references),
}


def _table(facts: Facts, paper: str, artefact: str) -> dict[str, dict[str, Decimal]]:
    """Return the printed numbers of an artefact by row and column, in the order of print."""
    lines = facts.lines
    chosen = lines[(lines["paper"] == paper) & (lines["artefact"] == artefact)]
    table: dict[str, dict[str, Decimal]] = {}
    for line in chosen[chosen["kind"] == "number"].to_dict("records"):
        if re.fullmatch(NUMBER, line["value"]):
            table.setdefault(line["row"], {})[line["column"]] = Decimal(line["value"])
    return table


def undecided_findings(
    found: list[Finding], decided: pd.DataFrame
) -> tuple[list[Finding], list[Finding]]:
    """Return the findings without a decision, and the decisions whose finding is gone."""
    names = list(Finding._fields)
    known = {Finding(*row) for row in decided[names].itertuples(index=False)}
    return [each for each in found if each not in known], sorted(known - set(found))


def leads_found(folders: Folders) -> pd.DataFrame:
    """Check some publications and return the lines of the page of suspected errors."""
    decided = read_decided(folders)
    new, _ = undecided_findings(findings(read_facts(folders)), decided)
    lines: list[dict[Any, Any]] = decided.to_dict("records")
    lines += [each._asdict() | {"sentence": each.place, "decision": "undecided"} for each in new]
    rows = [
        (
            f"P{number}",
            line["paper"],
            line["sentence"],
            line["decision"],
            join_filled(line["case"], line.get("why", "")),
            f"opchar proofread: {line['check']}",
        )
        for number, line in enumerate(lines, 1)
    ]
    return pd.DataFrame(rows, columns=LEADS)


def finding_lines(facts: Facts, decided: pd.DataFrame) -> tuple[bool, list[str]]:
    """Return the findings as lines of text, and whether any is undecided."""
    found = findings(facts)
    new, gone = undecided_findings(found, decided)
    listed = []
    for name, (says, _) in CHECKS.items():
        of_check = [each for each in found if each.check == name]
        listed.append(f"{name}: {says} {len(getattr(facts, name))} facts, {len(of_check)} findings")
        lines = decided[decided["check"] == name].to_dict("records")
        listed += [f"  {line['paper']}, {line['sentence']}: {line['decision']}" for line in lines]
        listed += [
            f"  not decided: {each.paper}, {each.place}: {each.case}"
            for each in new
            if each.check == name
        ]
    listed += [
        f"decided, and found no more: {each.paper}, {each.place}: {each.case}" for each in gone
    ]
    return bool(new or gone), listed
