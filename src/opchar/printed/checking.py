"""Whether the printed rows of a table are possible under a stated protocol."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from opchar.printed.deciding import OF_CLASSES, decide
from opchar.printed.exact_indices import COUNTS
from opchar.printed.formulas import mean_ends
from opchar.printed.headings import SIZES, UNBOUNDED
from opchar.printed.kinds import SUMS
from opchar.printed.numbers import Limits, Printed
from opchar.printed.protocol import Answer, Protocol, with_sizes
from opchar.printed.reported_values import UndecidedError
from opchar.printed.row import Row
from opchar.printed.sums import summaries
from opchar.printed.tables import Table, read_table
from opchar.printed.whole import is_t, of_rates, of_tests, over_rows

# Scores that are printed as averages over classes, images, folds or runs under plain headings.
_AVERAGED = ("precision", "f1", "jaccard", "kappa", "mcc")
_SUMMARY = re.compile(r"(pooled|summary|overall|total|all|mean|median|average|avg)\b", re.I)
# Rates that are averages over classes where there are more than two.
_OF_TWO = ("tpr", "tnr", "fpr", "fnr", "npv", "balanced_accuracy", "youden")
_COMPLEMENTS = ({"tpr", "fnr"}, {"tnr", "fpr"})  # they add up to one in averages, too
_MANY = "impossible as scores of two classes; averages over more classes may have them"
_UNSTATED = "impossible as scores of one class in one test set; averages may have them"
_LABELS = (
    "micro averages equal the accuracy only where each object has one label; if so, say "
    "--average micro"
)
_WEIGHTED = (
    "averages weighted by class size are of the accuracy only where each object has one label; if"
    " so, say --average weighted, or state the objects of each class: --classes"
)
_SUMS = "a row that sums up others need not be of one matrix"
_OTHER = "averages over three or more classes may have these scores: try --average macro"
IF_OF_ONE_CLASS = "if they are of one class in one test set, say --average class"


def check(table: Table | str, protocol: Protocol | None = None) -> dict[str, Answer]:
    r"""Tell of each row of a table, by its label, whether its scores are possible together.

    Impossible means that no confusion matrix, set of folds, or curve has the scores. Sizes in the
    table itself go before those of the protocol, of which nothing is known when not given. A row
    named as an average or a count of wins is compared with the rows above it, a column named t with
    the two columns that have spreads.

    Parameters
    ----------
    table : Table or str
        The text of a table, or what `read_table` read of it.
    protocol : Protocol, optional
        How the scores were obtained.

    Returns
    -------
    dict of str to Answer

    Raises
    ------
    DataError
        If the text is no table, or the protocol contradicts itself.

    Examples
    --------
    >>> from opchar.printed import Protocol, check
    >>> table = "Model,Accuracy,Recall\nA,0.850,0.80\nB,0.851,0.80"
    >>> {label: answer.status for label, answer in check(table, Protocol(20, 480)).items()}
    {'A': 'possible', 'B': 'impossible'}
    """
    table = read_table(table) if isinstance(table, str) else table
    chosen = protocol or Protocol()
    over = {} if chosen.confusion else over_rows(table, chosen.rounding)
    tests = of_rates(table, chosen) if chosen.confusion else of_tests(table, chosen)
    found = {}
    for label, row in table.rows.items():
        refuted = [of[label] for of in (tests, over) if label in of and of[label].refutes]
        if refuted:
            found[label] = refuted[0]
        elif chosen.confusion:
            found[label] = Answer("possible")
        elif label in over and table.kind(label) == "overall":
            known = ("accuracy", *UNBOUNDED)
            compared = {heading for heading, *_ in summaries(table, table.labels("class"), label)}
            compared |= {heading for of, heading in table.fractions if of == label}
            rest = tuple(h for h in row if table.taken[h] not in known and h not in compared)
            found[label] = replace(over[label], unchecked=rest)
        else:
            kind = table.kind(label)
            own = _of_one_class(chosen) if kind == "class" else chosen
            asked = _Asked(table, label, row, own, kind)
            answer = _unless_averaged(asked)
            found[label] = replace(answer, also=_other_suspects(asked, answer))
            bare = kind in SUMS or not any(asked.names.values())
            proof = answer.certificate
            summed = proof is not None and (proof.kind == "means" or kind == "micro")
            if label in over and bare and not summed:
                found[label] = over[label]
        if label in tests and not found[label].refutes:
            # Means, spreads and t were compared, whatever the means are of.
            left = [h for h in found[label].unchecked if not is_t(h) and not row[h].spread]
            found[label] = replace(found[label], unchecked=tuple(left))
            if (not left and not any(table.taken[h] for h in row)) or tests[label].reason:
                found[label] = replace(tests[label], unchecked=tuple(left))
    found = {label: _beside_counts(table, label, answer) for label, answer in found.items()}
    return _whatever_the_unit(table, chosen, found)


class _Asked(NamedTuple):
    """A row of a table, or a part of it, with the protocol and the kind by which it is judged."""

    table: Table
    label: str
    row: Mapping[str, Printed]
    protocol: Protocol
    kind: str
    search: bool = True

    @property
    def names(self) -> dict[str, str]:
        """What the headings of the row mean."""
        return {heading: self.table.taken[heading] for heading in self.row}

    def leave_out(self, headings: Collection[str]) -> _Asked:
        """Return the row without some scores."""
        return self._replace(row={h: value for h, value in self.row.items() if h not in headings})

    def answer(self) -> Answer:
        """Return the answer of the row as one of two classes."""
        table, _, row, protocol, kind, search = self
        return check_row(table, row, protocol, search=search, kind=kind)


def _other_suspects(asked: _Asked, answer: Answer) -> tuple[str, ...]:
    """Return other headings of an impossible row that may be the wrong ones.

    Without one score of the contradiction others may still contradict each other, and without a
    printed size or count there may be none.
    """
    found = list[str]()
    for heading, name in asked.names.items() if answer.refutes else ():
        sizes = name in (*SIZES, *COUNTS)
        if not sizes and heading not in answer.contradiction:
            continue
        again = _unless_averaged(asked.leave_out([heading])._replace(search=False))
        wrong = again.refutes
        found += [heading] if sizes > wrong else again.contradiction if wrong > sizes else ()
    return tuple(h for h in dict.fromkeys(found) if h not in answer.contradiction)


def _beside_counts(table: Table, label: str, answer: Answer) -> Answer:
    """Return an answer in which scores with counts of their own, as of a matrix, are checked."""
    compared = [h for of, h in table.fractions if of == label and table.taken.get(h)]
    left = tuple(h for h in answer.unchecked if h not in compared)
    told = [h for h in table.rows[label] if table.taken[h] not in UNBOUNDED]
    counted = bool(told) and all(h in compared for h in told)
    if answer.status == "not decided" and counted:
        answer = Answer("possible", hints=("the printed matrix has these scores",))
    if table.kind(label) == "row" and table.stated.get("classes", 0) > 2:
        answer = replace(answer, witness=None, only=False, least_objects=None)
    return replace(answer, unchecked=left)


def _of_one_class(protocol: Protocol) -> Protocol:
    """Return the protocol of a class among those of a report, which is averaged in other rows."""
    if protocol.average == "class" and not protocol.classes:
        return protocol
    objects = sum(protocol.classes) or protocol.objects
    return replace(protocol, average="class", classes=(), objects=objects)


def _whatever_the_unit(
    table: Table, protocol: Protocol, found: dict[str, Answer]
) -> dict[str, Answer]:
    """Refute a row only if it is impossible as fractions and as percentages, if units mix."""
    refuted = [label for label, answer in found.items() if answer.refutes]
    if protocol.unit or not table.guessed or not refuted:
        return found
    for unit in ("fraction", "percent"):
        others = check(table.in_unit(unit), protocol)
        for label in refuted:
            # Within a row units are not mixed.
            if unit == "fraction" and table.has_percentages(label):
                continue
            if found[label].refutes and not others[label].refutes:
                named = ", ".join(name for name in table.guessed if name in table.rows[label])
                reason = (
                    "the table has unmarked numbers above and below 1; with "
                    f"{named} in {unit} the row is {others[label].status}; --unit says which"
                )
                found[label] = Answer(
                    "not decided", reason=reason, unchecked=others[label].unchecked
                )
    return found


def check_row(
    table: Table,
    row: Mapping[str, Printed],
    protocol: Protocol,
    *,
    explain: bool = True,
    search: bool = True,
    kind: str = "row",
) -> Answer:
    """Tell whether the printed scores of a row are possible, under the headings of a table."""
    sized = with_sizes(table, row, protocol, kind)
    asked = Row(table, row, sized, explain=explain, search=search)
    try:
        answer = asked.contradiction_of_bounds() or asked.contradiction_of_spreads()
        if answer is None or not answer.refutes:
            answer = decide(asked, kind)
    except UndecidedError:
        answer = Answer(
            "not decided", reason="a search did not end within its limits; see --seconds"
        )
    return replace(answer, unchecked=tuple(dict.fromkeys(asked.unchecked)))


def _unless_averaged(asked: _Asked) -> Answer:
    """Decide a row; scores that may be averages refute nothing that averages may have."""
    answer, names, protocol = asked.answer(), asked.names, asked.protocol
    if not answer.refutes or asked.kind not in ("row", "overall"):
        return answer
    pooled = [heading for heading, name in names.items() if name.startswith("micro_")]
    if pooled and not (protocol.classes or protocol.one_class or protocol.average == "micro"):
        return _of_several_labels(asked, pooled, answer)
    if asked.kind != "row":
        return answer
    many = asked.table.stated.get("classes", 2) > 2
    doubtful, reason = _doubtful(names, asked.label, protocol, many=many)
    sized = with_sizes(asked.table, asked.row, protocol)
    known = protocol.one_class or None not in (sized.positives, sized.negatives)
    proof = answer.certificate.kind if answer.certificate else ""
    if reason == _UNSTATED and (known or proof == "counts"):
        return answer
    limits, weighted = Row(asked.table, asked.row, sized).limits, protocol.average == "weighted"
    if reason != _SUMS and fails_for_averages(limits, names, weighted):
        return answer
    if not doubtful or proof == "means":
        used = {names[h] for h in answer.contradiction}
        two = proof == "shares" and not protocol.one_class
        if two and {"tpr", "tnr"} & used and used not in _COMPLEMENTS:
            return replace(answer, hints=(*answer.hints, _OTHER))
        return answer
    rest = asked.leave_out(doubtful)
    if any(rest.names.values()) and (again := rest.answer()).refutes:
        return replace(again, unchecked=(*again.unchecked, *doubtful))
    hints = (IF_OF_ONE_CLASS,) if reason == _UNSTATED else ()
    return replace(answer, status="not decided", certificate=None, reason=reason, hints=hints)


def _of_several_labels(asked: _Asked, pooled: Sequence[str], answer: Answer) -> Answer:
    """Decide a row of micro averages: those of several labels for an object are no accuracy.

    They are precision, recall and F1 of the sums of the counts of all labels.
    """
    of_sums = {"micro_precision": "precision", "micro_recall": "tpr", "micro_f1": "f1"}
    taken = {**asked.table.taken, **{h: of_sums.get(asked.names[h], "") for h in pooled}}
    others = asked.leave_out(pooled)
    summed = asked.leave_out(others.row)._replace(table=replace(asked.table, taken=taken))
    for part in (summed, others):
        if any(part.names.values()) and (again := _unless_averaged(part)).refutes:
            return replace(again, unchecked=(*again.unchecked, *(set(asked.row) - set(part.row))))
    return replace(answer, status="not decided", certificate=None, reason=_LABELS, hints=())


def _doubtful(
    names: Mapping[str, str], label: str, protocol: Protocol, *, many: bool
) -> tuple[list[str], str]:
    """Return the headings of scores that may be averages, and why a row is not decided then."""
    if many and not protocol.one_class and not set(COUNTS) & set(names.values()):
        averaged = (*_AVERAGED, *_OF_TWO)
        own = [h for h, n in names.items() if n in averaged or n.startswith(OF_CLASSES)]
        return own, _MANY
    if any(name.startswith("f_beta") for name in names.values()):
        return [], _UNSTATED
    if _SUMMARY.match(label) and not set(COUNTS) & set(names.values()):
        return list(names), _SUMS
    of_classes = [h for h, name in names.items() if name.startswith(OF_CLASSES)]
    if protocol.average in ("macro", "weighted"):
        of_classes += [h for h, n in names.items() if n in ("precision", "f1", *_OF_TWO)]
    if of_classes and not protocol.classes:
        weighted = "accuracy" in names.values() and protocol.average != "weighted"
        weighted &= any(names[h].startswith("weighted_") for h in of_classes)
        reason = "impossible as averages of two classes; state the objects of each: --classes"
        reason = _WEIGHTED if weighted else reason
        return of_classes, reason
    rates = {"tnr", "fpr"} & set(names.values())
    plain = [name for name in _AVERAGED if not (rates and name == "precision")]
    return [h for h, name in names.items() if name in plain], _UNSTATED


def fails_for_averages(
    limits: Mapping[str, Limits], names: Mapping[str, str], weighted: bool = False
) -> bool:
    """Tell whether F1 lies beyond what it is for averages of any number of classes or test sets.

    A recall that is `weighted` by class size is the accuracy where each object has one label. The
    harmonic mean of precision and recall is concave and at least their sum less one; so the
    mean of F is at most the harmonic mean of the means, and at least their sum less one.
    F / (2 - F) is convex.
    """
    of = {names[h].removeprefix("macro_").removeprefix("weighted_"): e for h, e in limits.items()}
    of = {"tpr" if name == "recall" else name: ends for name, ends in of.items()}
    if weighted and "accuracy" in of:
        low, high = of["accuracy"]
        least, most = of.get("tpr", (low, high))
        if most < low or high < least:
            return True
        of["tpr"] = max(least, low), min(most, high)
    if any(name in _AVERAGED and low > 1 for name, (low, _) in of.items()):
        return True
    if "f1" not in of:
        return False
    least, most = of["f1"]
    if "jaccard" in of and (of["jaccard"][1] < least / (2 - least) or of["jaccard"][0] > most):
        return True
    if "tnr" in of or "fpr" in of:
        top = max(of["tnr"][1] if "tnr" in of else 1 - of["fpr"][0], of.get("tpr", (0, 1))[1])
        return least > mean_ends({"tpr": (0, top)}, "f1")[1]
    low, high = mean_ends(of, "f1")
    return least > high or most < low
