"""Rows that are refuted as scores of one class in one test set, and may be averages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from opchar.printed.deciding import OF_CLASSES
from opchar.printed.exact_indices import COUNTS
from opchar.printed.numbers import Printed
from opchar.printed.protocol import Answer, Protocol, with_sizes
from opchar.printed.reported_values import Limits
from opchar.printed.row import Row
from opchar.printed.tables import Table

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


def unless_averaged(
    table: Table,
    label: str,
    row: Mapping[str, Printed],
    protocol: Protocol,
    kind: str,
    decide: Callable[..., Answer],
) -> Answer:
    """Decide a row; scores that may be averages refute nothing that averages may have."""
    answer = decide(table, row, protocol, kind=kind)
    names = {heading: table.taken[heading] for heading in row}
    if answer.status != "impossible" or kind not in ("row", "overall"):
        return answer
    pooled = [heading for heading, name in names.items() if name.startswith("micro_")]
    if pooled and not (protocol.classes or protocol.one_class or protocol.average == "micro"):
        return _of_several_labels(table, label, row, protocol, kind, pooled, answer, decide)
    if kind != "row":
        return answer
    many = table.stated.get("classes", 2) > 2
    doubtful, reason = _doubtful(names, label, protocol, many=many)
    sized = with_sizes(table, row, protocol, kind)
    known = protocol.one_class or None not in (sized.positives, sized.negatives)
    known |= answer.certificate is not None and answer.certificate.kind == "counts"
    if reason == _UNSTATED and known:
        return answer
    weighted = protocol.average == "weighted"
    if reason != _SUMS and holds_for_averages(Row(table, row, sized).limits, names, weighted):
        return answer
    proof = answer.certificate
    if not doubtful or (proof is not None and proof.kind == "means"):
        two = proof is not None and proof.kind == "shares" and not protocol.one_class
        used = {names[h] for h in answer.contradiction}
        if two and {"tpr", "tnr"} & used and used not in _COMPLEMENTS:
            return replace(answer, hints=(*answer.hints, _OTHER))
        return answer
    rest = {heading: value for heading, value in row.items() if heading not in doubtful}
    if any(names[heading] for heading in rest):
        again = decide(table, rest, protocol, kind=kind)
        if again.status == "impossible":
            return replace(again, unchecked=(*again.unchecked, *doubtful))
    hints = (IF_OF_ONE_CLASS,) if reason == _UNSTATED else ()
    return replace(answer, status="not decided", certificate=None, reason=reason, hints=hints)


def _of_several_labels(
    table: Table,
    label: str,
    row: Mapping[str, Printed],
    protocol: Protocol,
    kind: str,
    pooled: Sequence[str],
    answer: Answer,
    decide: Callable[..., Answer],
) -> Answer:
    """Decide a row of micro averages: those of several labels for an object are no accuracy.

    They are precision, recall and F1 of the sums of the counts of all labels.
    """
    of_sums = {"micro_precision": "precision", "micro_recall": "tpr", "micro_f1": "f1"}
    names = {h: of_sums.get(table.taken[h], "") for h in pooled}
    parts = [
        (replace(table, taken={**table.taken, **names}), {h: row[h] for h in pooled}),
        (table, {h: value for h, value in row.items() if h not in pooled}),
    ]
    for read, own in parts:
        if any(read.taken[h] for h in own):
            again = unless_averaged(read, label, own, protocol, kind, decide)
            if again.status == "impossible":
                return replace(again, unchecked=(*again.unchecked, *(set(row) - set(own))))
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


def holds_for_averages(
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
    rates = of.get("tnr") or of.get("fpr")
    if rates:
        top = max(of["tnr"][1] if "tnr" in of else 1 - of["fpr"][0], of.get("tpr", (0, 1))[1])
        return least > 2 * top / (1 + top)
    if "precision" in of and "tpr" in of:
        (p, above), (r, over) = of["precision"], of["tpr"]
        return (above + over > 0 and least * (above + over) > 2 * above * over) or most < p + r - 1
    return any(least > 2 * of[n][1] / (1 + of[n][1]) for n in ("precision", "tpr") if n in of)
