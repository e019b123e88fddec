"""What `opchar check` found of a table, in words, as JSON and as a page."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from string import Template
from typing import Any

from opchar.pages import day_made, shared_text
from opchar.pages.policy import with_policy
from opchar.printed import words
from opchar.printed.checking import IF_OF_ONE_CLASS
from opchar.printed.data import text_of, words_of
from opchar.printed.exact_indices import COUNTS
from opchar.printed.headings import ERRORS, SIZES
from opchar.printed.inference import Inference, SharedSizes
from opchar.printed.protocol import Answer, Protocol
from opchar.printed.row import CURVES, OF_CLASS, of_other_class
from opchar.printed.tables import Table

_BADGES = {"possible": "holds", "impossible": "differs", "not decided": ""}
_TRIED = "of {n} ways to obtain such a table, listed below, {counts}"
_TRY = "<code>--infer</code> tries some and lists them"
_COLOURS = {"possible": "32", "impossible": "31", "not decided": "33"}
_ELSE, _OF_PROTOCOL = words_of("else"), words_of("protocol")
_NOT_AVERAGED, _OR_AVERAGED = words_of("not averaged").values()


@dataclass(frozen=True)
class Found:
    """A table, its protocol with what of it was stated, and the answers."""

    table: Table
    protocol: Protocol
    stated: Mapping[str, Any]
    answers: dict[str, Answer]
    shared: SharedSizes
    inferred: Inference | None = None

    def stated_and_assumed(self) -> tuple[list[str], list[str]]:
        """Return what was stated and what is assumed, in words."""
        stated, assumed = stated_and_assumed(self.table, self.protocol, self.stated)
        if any(IF_OF_ONE_CLASS in answer.hints for answer in self.answers.values()):
            assumed = [line.replace(_NOT_AVERAGED, _OR_AVERAGED) for line in assumed]
        return stated, assumed

    def as_json(self) -> dict[str, Any]:
        """Return everything that was found, for `json.dumps`."""
        answers = self.answers
        stated, assumed = self.stated_and_assumed()
        return {
            "verdict": words.verdict(self.table, answers, self.protocol),
            "stated": stated,
            "assumed": assumed,
            "protocol": asdict(self.protocol),
            "not checked": sorted({h for answer in answers.values() for h in answer.unchecked}),
            "taken": dict(self.table.taken),
            "units": dict(self.table.units),
            "rows": {label: asdict(answer) for label, answer in answers.items()},
            "sizes": asdict(self.shared),
            "inference": asdict(self.inferred) if self.inferred else None,
        }


def stated_and_assumed(
    table: Table, protocol: Protocol, stated: Mapping[str, Any]
) -> tuple[list[str], list[str]]:
    """Return what was stated and what is assumed, in words; the latter of columns that there are.

    A choice that follows from one that was stated, as means from folds, is assumed.
    """
    told = _in_words(table, protocol)
    lines = [told[name] for name in stated if name in told]
    lines += [f"{size:,} {name} (in the table's text)" for name, size in table.stated.items()]
    sizes = (*SIZES, *COUNTS)
    sized = [h for h in table.columns if table.taken[h] in sizes and h not in table.questions]
    if sized:
        counts = {table.taken[h] for h in sized} & set(COUNTS)
        by = "the printed matrix" if table.of_matrix and counts else ", ".join(sized)
        lines.append(f"sizes of each row by {by}")
    assumed = [told[name] for name in _that_matter(table, protocol) if name not in stated]
    return lines, [" ".join(filter(None, (line, _ELSE.get(line)))) for line in assumed]


def _that_matter(table: Table, protocol: Protocol) -> list[str]:
    """Return the attributes of a protocol on which the answers for a table depend."""
    scores = not protocol.confusion
    # A report names the class, or the average, of each of its rows.
    plain = scores and bool(table.labels("row"))
    spreads = any(value.spread for row in table.rows.values() for value in row.values())
    one_class = protocol.average == "class" and not protocol.classes
    matter = {
        "rounding": True,
        "averages": scores,
        "average": plain and bool(_headings(table)),
        "of_class": plain and one_class and bool(_headings(table, of_a_side=True)),
        "folding": scores and not protocol.pooled and not protocol.parts,
        "spread": spreads,
        "f": "f1" in _columns(table).values() and not protocol.pooled,
    }
    return [name for name, counts in matter.items() if counts]


def _columns(table: Table) -> dict[str, str]:
    """Return the columns that are read, with the index of each."""
    return {h: n for h, n in table.taken.items() if n and h not in table.questions}


def _headings(table: Table, *, of_a_side: bool = False) -> list[str]:
    """Return the columns that may be averages over classes, or of which class is not clear."""
    taken = _columns(table)
    names = list(taken.values())
    return [
        h
        for h, n in taken.items()
        if (of_other_class(n, names) if of_a_side else n in OF_CLASS and "average" not in h.lower())
    ]


def _in_words(table: Table, protocol: Protocol) -> dict[str, str]:
    """Return what a protocol says, by attribute: ``words.csv`` has the sentences, some by value."""
    taken, parts = _columns(table), [f"{p} + {n}" for p, n in protocol.parts]
    by_class = "macro" if protocol.classes and protocol.average == "class" else protocol.average
    said = {
        **vars(protocol),
        **{name: getattr(protocol, name) or 0 for name in SIZES},
        "classes": _enumeration([f"{size:,}" for size in protocol.classes]),
        "parts": _enumeration(parts),
        "averages": _of_what(taken, table, protocol),
        "scores": _are(_headings(table)),
        "of_a_side": _are(_headings(table, of_a_side=True)),
        "f": next((h for h, name in taken.items() if name == "f1"), "F"),
    }
    found = {}
    for names, sentence in _OF_PROTOCOL.items():
        name, _, value = names.partition(" ")
        own = by_class if name == "average" else getattr(protocol, name)
        if value in ("", str(own)):
            found[name] = sentence.format(**said)
    return found


def _of_what(taken: Mapping[str, str], table: Table, protocol: Protocol) -> str:
    """Return of which objects the scores of a row are."""
    if not protocol.pooled:
        return "scores are means over the folds"
    matrix = set(taken.values()) - {*CURVES, *ERRORS, *SIZES}
    many = protocol.classes or table.stated.get("classes", 0) > 2
    one = "all test folds together" if protocol.tested > 1 else "one test set"
    if many or not matrix:
        return f"all scores of a row are of {one}"
    classes = len(table.labels("class")) > 1 or len(table.rows) > 2
    two = "each class against the others" if table.of_matrix and classes else "two classes"
    return f"all scores of a row come from one confusion matrix: {one}, {two}"


def _are(names: Sequence[str]) -> str:
    names = names or ["precision", "recall", "F"]
    return f"{_enumeration(names)} {'is' if len(names) == 1 else 'are'}"


def _enumeration(names: Sequence[str]) -> str:
    *first, last = names or ["no"]
    return f"{', '.join(first)} and {last}" if first else last


def answer_lines(found: Found) -> list[str]:
    """Return the answers as lines of text, the verdict first."""
    table, answers = found.table, found.answers
    stated, assumed = found.stated_and_assumed()
    lines = [words.verdict(table, answers, found.protocol)]
    if found.inferred is not None:
        ways = words.ways_tried(found.inferred)
        lines.append(f"of {len(ways)} ways to obtain such a table {words.ways_in_short(ways)}")
    lines += [f"stated: {'; '.join(stated)}"] if stated else []
    lines += [f"assumed: {'; '.join(assumed)}"] if assumed else []
    lines += [*words.not_checked(table, answers), "columns read as"]
    lines += [f"  {line}" for line in words.meanings(table)]
    for label, answer in answers.items():
        lines.append(f"{label}: {_in_colour(answer.status)}")
        lines += [f"  {line}" for line in words.below_a_row(answer)]
    lines += words.shared_sizes_in_words(found.shared)
    return lines + words.choices_in_words(found.inferred)


def _in_colour(status: str) -> str:
    """Return a status in its colour where a terminal shows it."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return status
    return f"\033[{_COLOURS[status]}m{status}\033[0m"


def page(found: Found, name: str, command: str, version: str) -> str:
    """Return a page of the answers, with the file's name, the command and the version."""
    table, answers = found.table, found.answers
    rows = []
    for label, answer in answers.items():
        cells = []
        for heading in table.columns:
            value = table.rows[label].get(heading)
            text = "" if value is None else value.text + (f" ± {value.spread}" * bool(value.spread))
            mark = ' class="in"' if heading in (*answer.contradiction, *answer.also) else ""
            cells.append(f"<td{mark}>{escape(text)}</td>")
        lines = "<br>".join(map(escape, words.below_a_row(answer)))
        badge = f'<span class="badge {_BADGES[answer.status]}">{answer.status}</span>'
        rows.append(f"<tr><th>{escape(label)}</th><td>{badge}</td>{''.join(cells)}</tr>")
        rows.append(f'<tr class="why"><td colspan="{len(cells) + 2}">{lines}</td></tr>')
    stated, assumed = found.stated_and_assumed()
    text = Template(text_of("page.html")).substitute(
        name=escape(name),
        style=shared_text("style.css"),
        verdict=escape(words.verdict(table, answers, found.protocol)),
        stated=escape(f"You stated: {'; '.join(stated)}." if stated else "You stated no size."),
        assumed="".join(f"<li>{escape(line)}</li>" for line in assumed),
        others=_others(found),
        unchecked="\n".join(f"<p>{escape(line)}</p>" for line in words.not_checked(table, answers)),
        headings="".join(f"<th>{escape(heading)}</th>" for heading in table.columns),
        rows="\n".join(rows),
        shared=_items("The size of the test set", words.shared_sizes_in_words(found.shared)),
        inference=_items(
            "Other assumptions that were tried", words.choices_in_words(found.inferred)
        ),
        taken="".join(f"<li>{escape(line)}</li>" for line in words.meanings(table)),
        command=escape(command),
        version=escape(version),
        day=day_made(),
    )
    return with_policy(text)


def _others(found: Found) -> str:
    """Return what other assumptions leave, or how to try them."""
    if found.inferred is None:
        return _TRY
    ways = words.ways_tried(found.inferred)
    return _TRIED.format(n=len(ways), counts=words.ways_in_short(ways))


def _items(title: str, lines: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(line.strip())}</li>" for line in lines)
    return f"<h2>{title}</h2><ul>{items}</ul>" if items else ""
