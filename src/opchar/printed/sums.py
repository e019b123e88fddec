"""Rows and columns that sum up others, classes of one matrix, counts and ends beside a score."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from opchar.printed.certificates import Certificate
from opchar.printed.duals import no_weights
from opchar.printed.formulas import linear_form
from opchar.printed.headings import UNBOUNDED
from opchar.printed.kinds import kind_of
from opchar.printed.numbers import Limits, Printed, Rounding, lies, span
from opchar.printed.protocol import Answer
from opchar.printed.row import OF_CLASS
from opchar.printed.tables import Table

# Indices that the same numbers weigh in one of all objects together: those of the other name.
_WEIGHED_BY = {"fnr": "tpr", "fpr": "tnr"}
_WEIGHED_BY |= dict.fromkeys(("error_rate", "prevalence", "posfrac", "detection_rate"), "accuracy")
_NAMES = {"macro": "plain mean", "mean": "plain mean", "weighted": "mean by support"}


Part = tuple[str, Limits]
_NO_SCORES = ("", "objects", "positives", "negatives")


class Line(NamedTuple):
    """A row or column that sums up parts: its name, the parts, and the number printed of it."""

    name: str
    parts: list[Part]
    target: Limits
    text: str


def _line(name: str, parts: list[Part], printed: Printed, rounding: Rounding) -> Line:
    return Line(name, parts, printed.limits(rounding), printed.text)


def of_averages(table: Table, rounding: Rounding) -> dict[str, Answer]:
    """Return what the rows of averages are beside those that they sum up, by label.

    Averages of classes are plain means, means by support, or of the sums of counts. An average of
    other rows is their plain mean, or one with weights that are the same in all columns; a column
    of averages likewise.
    """
    found = _of_classes(table, rounding)
    plain = table.labels("row", "class")
    for label in table.labels("mean"):
        row = table.rows[label]
        lines = [
            _line(h, _parts(table, plain, h, rounding, f"{h} of "), row[h], rounding)
            for h in row
            if all(h in table.rows[one] for one in plain) and not _is_total(table, plain, row, h)
        ]
        alike: dict[str, list[Line]] = {}
        for line in lines:
            index = table.taken[line.name]
            alike.setdefault(_WEIGHED_BY.get(index, index), []).append(line)
        wrong = {h: answer for own in alike.values() for h, answer in _mean_of(own).items()}
        for h, answer in list(wrong.items()):
            # Of all objects together these are no means of those of the rows.
            if table.taken[h] and linear_form(table.taken[h]) is None:
                words = "; ".join((*answer.arithmetic, "scores of all objects may explain it"))
                wrong[h] = Answer("not decided", reason=words)
            elif table.taken[h] == "f1" and _is_f_of(table, row, rounding):
                del wrong[h]
        refuted = [one for one in wrong.values() if one.refutes]
        if lines:
            found[label] = next(iter([*refuted, *wrong.values()]), Answer("possible"))
    return _of_columns(table, plain, rounding) | found


def _parts(
    table: Table, labels: Sequence[str], heading: str, rounding: Rounding, of: str = ""
) -> list[Part]:
    """Return the limits of a column in some rows."""
    return [(f"{of}{one}", table.rows[one][heading].limits(rounding)) for one in labels]


def _is_f_of(table: Table, row: Mapping[str, Printed], rounding: Rounding) -> bool:
    """Tell whether the F1 of a row of averages follows from its precision and recall."""
    at = {table.taken[h]: h for h in row}
    if not {"precision", "tpr"} <= set(at):
        return False
    (p, q), (r, s), (low, high) = (
        row[at[name]].limits(rounding) for name in ("precision", "tpr", "f1")
    )
    return p + r > 0 and 2 * p * r / (p + r) <= high and low <= 2 * q * s / (q + s)


def _is_total(table: Table, plain: Sequence[str], row: Mapping[str, Printed], heading: str) -> bool:
    """Tell whether a cell is the sum of the whole numbers above it."""
    cells = [table.rows[one][heading].text for one in plain]
    whole = all(cell.isdigit() for cell in [*cells, row[heading].text])
    return whole and sum(map(int, cells)) == int(row[heading].text)


def _of_columns(table: Table, labels: Sequence[str], rounding: Rounding) -> dict[str, Answer]:
    """Return the rows whose column of averages is no mean of their other columns."""
    averages = [h for h in table.columns if kind_of(h) == "mean" and not table.taken[h]]
    others = [h for h in table.columns if h not in averages]
    if len(averages) != 1 or any(table.taken[h] for h in others) or len(others) < 2:
        return {}
    average = averages[0]
    full = {one: table.rows[one] for one in labels if set(table.columns) <= set(table.rows[one])}
    lines = [
        _line(one, [(h, row[h].limits(rounding)) for h in others], row[average], rounding)
        for one, row in full.items()
    ]
    wrong = _mean_of(lines, average)
    return {one: wrong.get(one, Answer("possible")) for one in full}


def _mean_of(lines: Sequence[Line], average: str = "") -> dict[str, Answer]:
    """Return the lines whose target is no plain mean, and whether other weights explain it."""
    found: dict[str, Answer] = {}
    for line in lines:
        equal = [Fraction(1, len(line.parts))] * len(line.parts)
        shown = line._replace(name=average or line.name)
        if answer := sum_outside(shown, equal, "plain mean"):
            found[line.name] = answer
    fit = [line for line in lines if line.name not in found]
    for name, answer in found.items():
        chosen = [*fit, *(line for line in lines if line.name == name)]
        proof = no_weights([line.parts for line in chosen], [line.target for line in chosen])
        if proof is None:
            words = "; ".join((*answer.arithmetic, "weights of the parts may explain it"))
            found[name] = Answer("not decided", reason=words)
        else:
            rest = f"and the other {len(fit)} together" if fit else ""
            second = f"{answer.arithmetic[1]}; no weights fit it {rest}".strip()
            certificate = Certificate("weights", (), proof=proof)
            told = (answer.arithmetic[0], second)
            found[name] = replace(answer, arithmetic=told, certificate=certificate)
    return found


def sum_outside(line: Line, weights: Sequence[Fraction], what: str) -> Answer | None:
    """Return the proof that a weighted sum of parts is not the target, None where it may be."""
    name, parts, target, text = line
    low, high = (
        sum((w * limits[at] for w, (_, limits) in zip(weights, parts, strict=True)), Fraction(0))
        for at in (0, 1)
    )
    if low <= target[1] and target[0] <= high:
        return None
    ends = lies(float(low), float(high), ".7g")
    lines = (f"the {what} of {len(parts)} values of {name} {ends}", f"printed is {text}")
    scores = (*((part, *limits) for part, limits in parts), (name, *target))
    certificate = Certificate("sums", scores, proof=tuple(weights))
    return Answer("impossible", None, (name,), lines, certificate=certificate)


def _of_classes(table: Table, rounding: Rounding) -> dict[str, Answer]:
    """Return what the averages of the classes of a report are, and whether these fit together."""
    classes = table.labels("class")
    averages = table.labels("macro", "weighted", "micro")
    if len({table.kind(label) for label in averages}) < len(averages):
        return {}  # several reports in one text
    sizes = _supports(table, classes)
    found = _of_totals(table, classes, sizes or [])
    if any(one.status == "not decided" for one in found.values()):
        return found

    def compare(label: str, heading: str, own: str, kind: str) -> Answer | None:
        """Return what an average is beside the column of the classes; None if not asked."""
        weights, what = _weights(kind, table.taken[own], sizes, len(classes))
        if weights is None:
            return None
        parts = _parts(table, classes, own, rounding)
        line = _line(heading, parts, table.rows[label][heading], rounding)
        return sum_outside(line, weights, what) or Answer("possible")

    for label in averages if classes else ():
        shared = [h for h in table.rows[label] if all(h in table.rows[one] for one in classes)]
        asked = [h for h in shared if table.taken[h] not in UNBOUNDED]
        answers = [compare(label, h, h, table.kind(label)) for h in asked]
        known = [one for one in answers if one]
        if known and label not in found:
            found[label] = next((one for one in known if one.certificate), known[0])
    if sizes is None:
        found |= by_no_supports(table, classes, rounding)
    for label in table.labels("overall"):
        for heading, own, kind in summaries(table, classes, label):
            if (answer := compare(label, heading, own, kind)) and answer.certificate:
                found[label] = answer
        if sizes and not _of_several_labels(table, rounding):
            found |= _one_matrix(table, classes, label, sizes, rounding)
    return found


def by_no_supports(table: Table, classes: Sequence[str], rounding: Rounding) -> dict[str, Answer]:
    """Return the average by support, or the accuracy beside it, that no supports of classes give.

    The accuracy is the recall by support, if each object has one label.
    """
    kinds = [kind for kind in ("weighted", "overall") if kind in table.kinds.values()]
    recall = table.heading("tpr")
    lines: dict[str, list[Part]] = {}
    targets: dict[str, Limits] = {}
    texts: dict[str, str] = {}
    for kind in kinds if "weighted" in kinds and "micro" not in table.kinds.values() else ():
        label = table.labels(kind)[0]
        row = {h: v for h, v in table.rows[label].items() if table.taken[h] not in _NO_SCORES}
        if kind == "overall" and [table.taken[h] for h in row] != ["accuracy"]:
            continue
        for heading in row:
            own = recall if kind == "overall" else heading
            if table.taken[heading] in UNBOUNDED or any(own not in table.rows[c] for c in classes):
                continue
            lines[heading] = [(own, table.limits(one, own, rounding)) for one in classes]
            targets[heading] = table.limits(label, heading, rounding)
            texts[heading] = row[heading].text
        # One column alone is easier to read than several together.
        for chosen in [*([heading] for heading in lines), list(lines)] if lines else ():
            proof = no_weights([lines[h] for h in chosen], [targets[h] for h in chosen])
            if proof is None:
                continue
            used = [h for h, line in zip(chosen, proof, strict=True) if line[2] or line[3]]
            words = []
            for own in dict.fromkeys(lines[h][0][0] for h in used):
                ends = [limits for h in used for of, limits in lines[h] if of == own]
                low, high = float(min(e[0] for e in ends)), float(max(e[1] for e in ends))
                words.append(f"{own} of the classes {lies(low, high, '.7g')}")
            given = " with ".join(f"{h} {texts[h]}" for h in used)
            proven = Certificate("weights", (), proof=proof)
            arithmetic = (*words, f"no supports give {given}")
            return {label: Answer("impossible", None, tuple(used), arithmetic, certificate=proven)}
    return {}


def _of_totals(table: Table, classes: Sequence[str], sizes: Sequence[int]) -> dict[str, Answer]:
    """Return averages whose objects are not as many as those of the classes.

    More are refuted only in a report with a column of the support; fewer may be of classes that are
    left out, and then no average of those that are printed is asked.
    """
    found: dict[str, Answer] = {}
    labels = table.labels("overall", "macro", "weighted", "micro", "samples", "wins")
    for label, heading in product(labels if sizes else (), table.columns):
        value = table.rows[label].get(heading)
        if value is None or table.taken[heading] not in ("objects", "positives"):
            continue
        total, whole = sum(sizes), float(value.text)
        support = any(re.fullmatch(r"support", name, re.IGNORECASE) for name in table.columns)
        if total < whole or (total > whole and not support):
            reason = f"the classes have {total} objects, not {value.text}: are they all of them?"
            return dict.fromkeys(labels, Answer("not decided", reason=reason))
        parts = [(one, (Fraction(n), Fraction(n))) for one, n in zip(classes, sizes, strict=True)]
        ones, own = [Fraction(1)] * len(sizes), Fraction(value.text)
        if answer := sum_outside(Line(heading, parts, (own, own), value.text), ones, "sum"):
            found[label] = answer
    return found


def summaries(table: Table, classes: Sequence[str], label: str) -> Iterator[tuple[str, str, str]]:
    """Yield the columns of a row that average those of the classes, with these and the kind."""
    for heading in table.rows[label]:
        kind, _, index = table.taken[heading].partition("_")
        own = next((h for h in table.columns if OF_CLASS.get(table.taken[h]) == index), "")
        full = own and classes and all(own in table.rows[one] for one in classes)
        if kind in ("macro", "weighted") and full:
            yield heading, own, kind


def _of_several_labels(table: Table, rounding: Rounding) -> bool:
    """Tell whether a micro average of unlike precision and recall shows that no matrix is behind.

    Entities and objects of several labels are no rows of one matrix of classes, and an accuracy
    beside them counts something else.
    """
    for label in table.labels("micro"):
        ends = {table.taken[h]: table.limits(label, h, rounding) for h in table.rows[label]}
        if "precision" in ends and "tpr" in ends:
            (low, high), (least, most) = ends["precision"], ends["tpr"]
            return high < least or most < low
    return False


def _weights(
    kind: str, taken: str, sizes: Sequence[int] | None, many: int
) -> tuple[list[Fraction] | None, str]:
    """Return the weights of the classes in an average, None where they are not known."""
    if kind == "macro":
        return [Fraction(1, many)] * many, _NAMES[kind]
    if sizes is None or (kind == "micro" and taken != "tpr"):
        return None, ""
    return [Fraction(size, sum(sizes)) for size in sizes], "mean by support"


def _supports(table: Table, classes: Sequence[str]) -> list[int] | None:
    """Return the objects of each class, None if they are not printed or none."""
    cells = [table.rows[one].get(table.heading("positives")) for one in classes]
    if not cells or any(cell is None or float(cell.text) % 1 for cell in cells):
        counts = [[table.rows[one].get(table.heading(n)) for n in ("tp", "fn")] for one in classes]
        if not counts or any(cell is None for pair in counts for cell in pair):
            return None
        return [sum(int(float(cell.text)) for cell in pair if cell) for pair in counts]
    sizes = [int(float(cell.text)) for cell in cells if cell]
    return sizes if sum(sizes) else None


def _one_matrix(
    table: Table, classes: Sequence[str], overall: str, sizes: Sequence[int], rounding: Rounding
) -> dict[str, Answer]:
    """Return whether classes, each against the rest, and the accuracy can be of one matrix.

    Objects right in all classes have the accuracy, and each object is predicted as one class.
    """
    if table.of_matrix and any(label == overall for label, _ in table.fractions):
        return {overall: Answer("possible")}  # of a printed matrix, which each score is compared to
    total = sum(sizes)
    ranges = [
        _counts(table, one, size, total, rounding) for one, size in zip(classes, sizes, strict=True)
    ]
    found = [one for one in ranges if one]
    if len(found) < len(ranges):
        return {}
    right, called = zip(*found, strict=True)
    whole = (Fraction(total), Fraction(total))
    checks = [("objects", called, whole, str(total), "objects predicted", Fraction(1))]
    own = next((h for h in table.rows[overall] if table.taken[h] == "accuracy"), None)
    if own:
        target, text = table.limits(overall, own, rounding), table.rows[overall][own].text
        weight = Fraction(1, total)
        checks.insert(0, (own, right, target, text, "objects that are right", weight))
    for name, limits, target, text, what, weight in checks:
        low, high = (sum((one[at] for one in limits), Fraction(0)) for at in (0, 1))
        if low * weight <= target[1] and target[0] <= high * weight:
            continue
        least, most = (float(end / weight) for end in target)
        lines = (
            f"{what}, summed over {len(classes)} classes: {span(low, high)} of {total}",
            f"{name} {text} needs {span(least, most, '.7g')}",
        )
        scores = (
            *((one, *limit) for one, limit in zip(classes, limits, strict=True)),
            (name, *target),
        )
        proof = Certificate("sums", scores, proof=(weight,) * len(classes))
        return {overall: Answer("impossible", None, (name,), lines, certificate=proof)}
    return {overall: Answer("possible")} if own else {}


def _counts(
    table: Table, label: str, size: int, total: int, rounding: Rounding
) -> tuple[Limits, Limits] | None:
    """Return the least and greatest TP of a class, and objects predicted as it; None for no TP."""
    row = {table.taken[h]: table.limits(label, h, rounding) for h in table.rows[label]}
    if "tpr" not in row or not {"precision", "f1"} & set(row):
        return None
    low, high = row["tpr"]
    tps, called = [], []
    for tp in range(max(math.ceil(low * size), 0), min(math.floor(high * size), size) + 1):
        least, most = Fraction(tp), Fraction(tp + total - size)
        if tp:
            for name, more in (("precision", 0), ("f1", size)):
                if name in row:
                    factor, (under, over) = (2 if more else 1) * tp, row[name]
                    least = max(least, Fraction(factor) / over - more) if over > 0 else most + 1
                    most = min(most, Fraction(factor) / under - more) if under > 0 else most
        if math.ceil(least) <= math.floor(most):
            tps.append(tp)
            called += [math.ceil(least), math.floor(most)]
    if not tps:
        return None
    return (Fraction(min(tps)), Fraction(max(tps))), (Fraction(min(called)), Fraction(max(called)))
