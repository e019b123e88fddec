"""What `opchar check` found of a table, and what was stated and assumed, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from opchar.printed.checking import IF_OF_ONE_CLASS
from opchar.printed.exact_indices import COUNTS
from opchar.printed.inference import Inference
from opchar.printed.protocol import Answer, Protocol
from opchar.printed.row import CURVES, OF_CLASS, of_other_class
from opchar.printed.sizes import SharedSizes
from opchar.printed.tables import Table
from opchar.printed.units import ERRORS, SIZES
from opchar.printed.words import verdict

_ELSE = {
    "scores are means over the folds": " (else say --averages pooled)",
    "each fold has its share of each class": " (else say --folding unknown)",
}
_NOT_AVERAGED = "of one class, not averaged over classes"
_AVERAGES = {
    "class": _NOT_AVERAGED,
    "macro": "plain (macro) averages over the classes",
    "weighted": "averages weighted by class size",
    "micro": "micro averages over the classes",
}
_OR_AVERAGED = "of one class; a row that is possible for averages over classes is not decided"


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
            "verdict": verdict(self.table, answers, self.protocol),
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
    words = [told[name] for name in stated if name in told]
    words += [f"{size:,} {name} (in the table's text)" for name, size in table.stated.items()]
    sizes = (*SIZES, *COUNTS)
    sized = [h for h in table.columns if table.taken[h] in sizes and h not in table.questions]
    if sized:
        counts = {table.taken[h] for h in sized} & set(COUNTS)
        by = "the printed matrix" if table.of_matrix and counts else ", ".join(sized)
        words.append(f"sizes of each row by {by}")
    assumed = [told[name] for name in _that_matter(table, protocol) if name not in stated]
    return words, [f"{line}{_ELSE.get(line, '')}" for line in assumed]


def _that_matter(table: Table, protocol: Protocol) -> list[str]:
    """Return the attributes of a protocol on which the answers for a table depend."""
    scores = not protocol.confusion
    # A report names the class, or the average, of each of its rows.
    plain = scores and any(table.kinds.get(label, "row") == "row" for label in table.rows)
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
    """Return what a protocol says, by attribute."""
    total, p, n = (getattr(protocol, name) or 0 for name in SIZES)
    taken = _columns(table)
    kind = "macro" if protocol.classes and protocol.average == "class" else protocol.average
    f = next((h for h, name in taken.items() if name == "f1"), "F")
    means = "computed from the mean precision and recall of the folds"
    spread = {"sd": "a standard deviation", "se": "a standard error"}
    either = "a standard deviation or standard error"
    parts = [f"{positives} + {negatives}" for positives, negatives in protocol.parts]
    return {
        "positives": f"{p:,} positives",
        "negatives": f"{n:,} negatives",
        "objects": f"{total:,} objects",
        "classes": f"classes of {_enumeration([f'{size:,}' for size in protocol.classes])} objects",
        "folds": "one test set" if protocol.folds == 1 else f"{protocol.folds} test folds",
        "folding": "each fold has its share of each class"
        if protocol.folding == "stratified"
        else "a fold may have any share of each class",
        "parts": f"parts of {_enumeration(parts)} positives and negatives",
        "confusion": "each row has the rates of a true class, a row of a confusion matrix",
        "averages": _of_what(taken, table, protocol),
        "rounding": "digits are rounded to the nearest"
        if protocol.rounding == "nearest"
        else "further digits are cut",
        "unit": f"all scores are {'in percent' if protocol.unit == 'percent' else 'fractions'}",
        "average": f"{_are(_headings(table))} {_AVERAGES[kind]}",
        "of_class": f"{_are(_headings(table, of_a_side=True))} of the {protocol.of_class} class",
        "f": f"{f} is {'the mean over the folds' if protocol.f == 'mean of F' else means}",
        "spread": f"{spread.get(protocol.spread, either)} over the folds stands after ±",
        "sd": f"spreads are divided by {'n - 1' if protocol.sd == 'sample' else 'n'}",
        "test": f"the t-test is {protocol.test}",
    }


def _of_what(taken: Mapping[str, str], table: Table, protocol: Protocol) -> str:
    """Return of which objects the scores of a row are."""
    if not protocol.pooled:
        return "scores are means over the folds"
    matrix = set(taken.values()) - {*CURVES, *ERRORS, *SIZES}
    many = protocol.classes or table.stated.get("classes", 0) > 2
    one = "all test folds together" if protocol.tested > 1 else "one test set"
    if many or not matrix:
        return f"all scores of a row are of {one}"
    classes = list(table.kinds.values()).count("class") > 1 or len(table.rows) > 2
    two = "each class against the others" if table.of_matrix and classes else "two classes"
    return f"all scores of a row come from one confusion matrix: {one}, {two}"


def _are(names: Sequence[str]) -> str:
    names = names or ["precision", "recall", "F"]
    return f"{_enumeration(names)} {'is' if len(names) == 1 else 'are'}"


def _enumeration(names: Sequence[str]) -> str:
    *first, last = names or ["no"]
    return f"{', '.join(first)} and {last}" if first else last
