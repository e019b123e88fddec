"""Whether a printed row is possible under a stated protocol, with a witness or a contradiction."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from opchar.errors import DataError
from opchar.published.averages import SECONDS, class_witness, fold_witness, stratified
from opchar.published.indices import exact, other_class
from opchar.published.matrices import (
    Contradiction,
    Demand,
    Limits,
    UndecidedError,
    contradiction,
    smallest,
    witness,
)
from opchar.published.numbers import Printed, Rounding, decimal
from opchar.published.summaries import auc_range, auprec_range, brier_range, greatest_sd
from opchar.published.tables import Table

Status = Literal["possible", "impossible", "not decided"]
OF_CLASS = ("precision", "tpr", "f1", "jaccard", "f_beta")


@dataclass(frozen=True)
class Protocol:
    """How scores were obtained and printed; None and empty is what is not known.

    Attributes
    ----------
    positives, negatives, objects : int, optional
        Sizes of the test set, or of all test folds together.
    classes : tuple of int
        Objects of each of C classes; for averages over classes.
    folds : int
        Test folds, stratified.
    averages : {"pooled", "fold-means"}
        Whether scores are of all folds together or means over folds.
    rounding : {"nearest", "cut"}
        What became of the digits that follow.
    unit : {"", "fraction", "percent"}
        Of all scores; empty as each column says.
    average : {"class", "macro", "weighted", "micro"}
        Whether precision, recall and F are of the positive class or averaged over both.
    of_class : {"positive", "negative"}
        Whose precision, recall and F are printed.
    f : {"mean of F", "F of means"}
        Of means over folds: whether F is a mean too, or computed from means.
    spread : {"sd", "se"}
        What stands after ±.
    sd : {"sample", "population"}
        Whether the variance is divided by folds - 1 or by folds.
    most_objects : int
        Where sizes are not known, the largest test set that is tried.
    seconds : float
        Limit of the search of a row.
    """

    positives: int | None = None
    negatives: int | None = None
    objects: int | None = None
    classes: tuple[int, ...] = ()
    folds: int = 1
    averages: Literal["pooled", "fold-means"] = "pooled"
    rounding: Rounding = "nearest"
    unit: Literal["", "fraction", "percent"] = ""
    average: Literal["class", "macro", "weighted", "micro"] = "class"
    of_class: Literal["positive", "negative"] = "positive"
    f: Literal["mean of F", "F of means"] = "mean of F"
    spread: Literal["sd", "se"] = "sd"
    sd: Literal["sample", "population"] = "sample"
    most_objects: int = 400
    seconds: float = SECONDS


@dataclass(frozen=True)
class Answer:
    """What was found of a row.

    Attributes
    ----------
    status : {"possible", "impossible", "not decided"}
    witness : dict, list of dict, list of list, or None
        A confusion matrix, one for each fold, or one of C classes.
    contradiction : tuple of str
        Headings of the fewest scores that contradict each other.
    arithmetic : tuple of str
        To be checked by hand.
    unchecked : tuple of str
        Headings that nothing was asked of.
    """

    status: Status
    witness: Any = None
    contradiction: tuple[str, ...] = ()
    arithmetic: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what `json.dumps` can write."""
        return asdict(self)


@dataclass(frozen=True)
class _Row:
    """The scores of a row as limits, under a protocol."""

    limits: Mapping[str, Limits]
    names: Mapping[str, str]
    texts: Mapping[str, str]
    spreads: Mapping[str, Limits]
    protocol: Protocol
    unchecked: list[str] = field(default_factory=list)

    def demands(self) -> dict[str, Demand]:
        """Return what each heading asks of a two-class matrix."""
        protocol, found = self.protocol, {}
        for heading, name in self.names.items():
            part = name.partition(" ")[0]
            averaged = {"precision": "precision", "tpr": "recall", "f1": "f1"}.get(name)
            if protocol.average != "class" and averaged:
                name = f"{protocol.average}_{averaged}"
            index = exact(name)
            if index is None:
                continue
            moved = part in OF_CLASS and not (part == "tpr" and "tnr" in self.names.values())
            if protocol.of_class == "negative" and moved and protocol.average == "class":
                index = other_class(index)
            found[heading] = Demand(index, self.limits[heading], self.texts[heading])
        return found

    def heading(self, *names: str) -> str | None:
        """Return the heading of the first of some indices that is printed."""
        return next((h for name in names for h, n in self.names.items() if n == name), None)


def check_row(
    row: Mapping[str, Printed],
    taken: Mapping[str, str],
    units: Mapping[str, str],
    protocol: Protocol,
) -> Answer:
    """Tell whether the printed scores of a row are possible together.

    Parameters
    ----------
    row : mapping of str to Printed
        By heading.
    taken, units : mapping of str to str
        As `opchar.published.tables.Table` has them.
    protocol : Protocol
        Sizes in the row itself go first.

    Returns
    -------
    Answer
        Impossible means that no confusion matrix, set of folds, or curve has the scores.

    Raises
    ------
    DataError
        If the protocol contradicts itself.
    """
    protocol = _with_sizes(row, taken, protocol)
    asked = _limits(row, taken, units, protocol)
    try:
        if found := _between(asked):
            return Answer("impossible", None, found.scores, found.arithmetic)
        answer = _of_classes(asked) if protocol.classes else _of_two(asked)
    except UndecidedError:
        return Answer("not decided", unchecked=tuple(asked.unchecked))
    return replace(answer, unchecked=tuple(asked.unchecked))


def check(table: Table, protocol: Protocol | None = None) -> dict[str, Answer]:
    """Tell of each row of a table whether it is possible.

    Parameters
    ----------
    table : Table
    protocol : Protocol, optional
        Nothing is known when not given.

    Returns
    -------
    dict of str to Answer
        By label of the row.

    Examples
    --------
    >>> from opchar.published import Protocol, check, read_table
    >>> table = read_table("Model,Accuracy,Recall\\nA,0.85,0.80\\nB,0.851,0.80")
    >>> {label: answer.status for label, answer in check(table, Protocol(20, 480)).items()}
    {'A': 'possible', 'B': 'impossible'}
    """
    chosen = protocol or Protocol()
    return {
        label: check_row(row, table.taken, table.units, chosen) for label, row in table.rows.items()
    }


def _with_sizes(
    row: Mapping[str, Printed], taken: Mapping[str, str], protocol: Protocol
) -> Protocol:
    own = {taken[h]: int(float(value.text)) for h, value in row.items() if taken[h] in _SIZES}
    found = replace(protocol, **own) if own else protocol  # type: ignore[arg-type]
    given = (found.positives, found.negatives, found.objects)
    if any(size is not None and size < 0 for size in given) or found.folds < 1:
        raise DataError("sizes are whole numbers from 0, folds from 1")
    p, n, total = given
    if total is not None and p is not None:
        n = total - p if n is None else n
    elif total is not None and n is not None:
        p = total - n
    if p is not None and n is not None and (p < 0 or n < 0 or total not in (None, p + n)):
        raise DataError(f"{p} positives and {n} negatives are not {total} objects")
    total = p + n if p is not None and n is not None else total
    return replace(found, positives=p, negatives=n, objects=total)


_SIZES = ("positives", "negatives", "objects")


def _limits(
    row: Mapping[str, Printed],
    taken: Mapping[str, str],
    units: Mapping[str, str],
    protocol: Protocol,
) -> _Row:
    counted = ("tp", "fn", "fp", "tn", "positive_likelihood", "negative_likelihood")
    found = _Row({}, {}, {}, {}, protocol)
    for heading, value in row.items():
        name = taken[heading]
        if name in _SIZES:
            continue
        if not name:
            found.unchecked.append(heading)
            continue
        unit = units[heading] if name in counted or not protocol.unit else protocol.unit
        percent = unit == "percent"
        found.limits[heading] = value.limits(protocol.rounding, percent=percent)  # type: ignore[index]
        found.names[heading] = name  # type: ignore[index]
        found.texts[heading] = value.text + (" %" if percent else "")  # type: ignore[index]
        if value.spread:
            spread = Printed(value.spread).limits(protocol.rounding, percent=percent)
            found.spreads[heading] = spread  # type: ignore[index]
    return found


def _said(row: _Row, heading: str) -> str:
    low, high = row.limits[heading]
    return f"{heading} {row.texts[heading]} lies from {decimal(low)} to {decimal(high)}"


def _between(row: _Row) -> Contradiction | None:
    """Return a contradiction between summary values that needs no confusion matrix."""
    for headings, low, high, why in _bounds(row):
        name = headings[-1]
        if row.limits[name][1] < low or row.limits[name][0] > high:
            first = "; ".join(_said(row, h) for h in headings[:-1])
            bounds = f"{why}: {name} from {float(low):.6f} to {float(high):.6f}"
            return Contradiction(
                tuple(headings), (f"{first}; {bounds}" if first else bounds, _said(row, name))
            )
    return _spread_contradiction(row)


def _bounds(row: _Row) -> Iterator[tuple[list[str], Any, Any, str]]:
    """Yield headings, the least and greatest value of the last, and the reason."""
    limits, protocol = row.limits, row.protocol
    unit_range = {"auc", "auprec", "eer", "brier"}
    for heading, name in row.names.items():
        if name in unit_range:
            yield [heading], Fraction(0), Fraction(1), "a share lies in its range"
    auc, tpr, fpr = row.heading("auc"), row.heading("tpr"), row.heading("fpr", "tnr")
    if auc and tpr and fpr and protocol.of_class == "positive" and protocol.average == "class":
        alarms = limits[fpr]
        if row.names[fpr] == "tnr":
            alarms = (1 - alarms[1], 1 - alarms[0])
        low, high = auc_range(alarms, limits[tpr])
        yield [tpr, fpr, auc], low, high, "a rising curve through the point has"
    eer = row.heading("eer")
    if auc and eer:
        low, high = limits[eer]
        yield [eer, auc], (1 - high) ** 2, 1 - low**2, "the curve passes (EER, 1 - EER)"
    auprec, p, n = row.heading("auprec"), protocol.positives, protocol.negatives
    if auc and auprec and p and n:
        least, most = auprec_range(limits[auc], p / (p + n))
        yield [auc, auprec], least, most, f"at the prior {p / (p + n):.4g} any curve has"
    brier, error = row.heading("brier"), row.heading("error_rate", "accuracy")
    if brier and error:
        wrong = limits[error]
        if row.names[error] == "accuracy":
            wrong = (1 - wrong[1], 1 - wrong[0])
        yield [error, brier], *brier_range(wrong), "for decisions at one half"
    if auc and p and n and protocol.averages == "pooled":
        step = Fraction(1, 2 * p * n)
        low, high = limits[auc]
        nearest = math.floor(high / step) * step
        yield [auc], nearest, nearest, f"an area of {p} and {n} objects is a multiple of {step}"
    f, precision = row.heading("f1"), row.heading("precision")
    if f and precision and tpr and protocol.f == "F of means" and protocol.averages != "pooled":
        ends = [(limits[precision][at], limits[tpr][at]) for at in (0, 1)]
        low, high = (2 * a * b / (a + b) if a + b else Fraction(0) for a, b in ends)
        yield [precision, tpr, f], low, high, "F of the printed means is"


def _spread_contradiction(row: _Row) -> Contradiction | None:
    """Return a spread over folds that numbers in [0, 1] with the mean cannot have."""
    folds = row.protocol.folds
    for heading, (low, _) in row.spreads.items():
        if folds < 2 or exact(row.names[heading]) is None and row.names[heading] != "auc":
            continue
        bottom = -1.0 if row.names[heading] in _SIGNED else 0.0
        if row.names[heading] in _UNBOUNDED:
            continue
        most = greatest_sd(row.limits[heading], folds, bottom, 1.0, row.protocol.sd)
        if row.protocol.spread == "se":
            most /= math.sqrt(folds)
        if float(low) > most * (1 + 1e-9):
            said = f"{folds} numbers from {bottom:g} to 1 with the mean {row.texts[heading]}"
            return Contradiction(
                (heading,),
                (
                    f"{said} have at most {row.protocol.spread} {most:.6f}",
                    f"{heading} is printed with at least {float(low):.6f}",
                ),
            )
    return None


_SIGNED = ("mcc", "kappa", "youden", "markedness", "optimisation_precision")
_UNBOUNDED = (
    *("tp", "fn", "fp", "tn", "positive_likelihood", "negative_likelihood"),
    *("diagnostic_odds_ratio", "discriminant_power"),
)


def _of_classes(row: _Row) -> Answer:
    """Check averages over C classes."""
    renamed = {"precision": "precision", "tpr": "recall", "f1": "f1"}
    kind = "macro" if row.protocol.average == "class" else row.protocol.average
    scores: dict[str, Limits] = {}
    headings: dict[str, str] = {}
    for heading, name in row.names.items():
        full = f"{kind}_{renamed[name]}" if name in renamed else name
        known = full.startswith(("macro_", "weighted_", "micro_")) or full in _OF_MATRIX
        if not known:
            row.unchecked.append(heading)
            continue
        scores[heading], headings[heading] = row.limits[heading], full
    seconds = row.protocol.seconds

    def searched(chosen: list[str]) -> list[list[int]] | None:
        return class_witness(
            {headings[name]: scores[name] for name in chosen}, row.protocol.classes, seconds
        )

    if not scores:
        return Answer("not decided")
    if (found := searched(list(scores))) is not None:
        return Answer("possible", found)
    names = smallest(list(scores), lambda chosen: searched(chosen) is None)
    sizes = ", ".join(map(str, row.protocol.classes))
    return Answer(
        "impossible",
        None,
        tuple(names),
        (
            "; ".join(_said(row, name) for name in names),
            f"no confusion matrix of classes of {sizes} objects has these averages",
        ),
    )


_OF_MATRIX = ("accuracy", "error_rate", "auroc_ova", "aurpc_ova")


def _of_two(row: _Row) -> Answer:
    """Check scores of two classes, for known sizes or for all that are tried."""
    demands = row.demands()
    checked = ("auc", "auprec", "eer", "brier")
    row.unchecked.extend(
        h for h, name in row.names.items() if h not in demands and name not in checked
    )
    if not demands:
        curves = [name for name in row.names.values() if name in checked]
        return Answer("possible" if 0 < len(curves) <= 2 else "not decided")
    protocol = row.protocol
    of_means = protocol.f == "F of means" and protocol.averages == "fold-means"
    left = {h: d for h, d in demands.items() if not (of_means and d.index.name.startswith("f"))}
    if protocol.positives is None or protocol.negatives is None:
        return _any_size(left, row)
    p, n = protocol.positives, protocol.negatives
    found = matrices_of(list(left.values()), p, n, protocol)
    if found is not None:
        answer = Answer("possible", found)
        return answer if _joint(row, found) else Answer("not decided", found)
    if protocol.folds == 1 or protocol.averages == "pooled":
        why = contradiction(left, p, n)
        return Answer("impossible", None, why.scores, why.arithmetic)
    names = smallest(
        list(left),
        lambda chosen: matrices_of([left[c] for c in chosen], p, n, protocol) is None,
    )
    equal = p % protocol.folds == 0 and n % protocol.folds == 0
    if equal and all(left[name].index.linear for name in names):
        why = contradiction({name: left[name] for name in names}, p, n)
        said = (f"{protocol.folds} equal folds, so the means are of the sums; {why.arithmetic[0]}",)
        return Answer("impossible", None, why.scores, (*said, why.arithmetic[1]))
    return Answer(
        "impossible",
        None,
        tuple(names),
        (
            "; ".join(_said(row, name) for name in names),
            f"no matrices of {protocol.folds} stratified folds of {p} positives and {n} negatives "
            "have these means (integer programme without a solution)",
        ),
    )


def matrices_of(
    demands: list[Demand], positives: int, negatives: int, protocol: Protocol
) -> dict[str, int] | list[dict[str, int]] | None:
    """Return a matrix, or one for each fold, that has the scores, or None."""
    if protocol.folds == 1 or protocol.averages == "pooled":
        return witness(demands, positives, negatives)
    sizes = stratified(positives, negatives, protocol.folds)
    if min(map(min, sizes)) < 1:
        raise DataError(
            f"{positives} positives and {negatives} negatives do not fill {protocol.folds} folds"
        )
    return fold_witness(demands, sizes, protocol.seconds)


def _joint(row: _Row, found: dict[str, int] | list[dict[str, int]]) -> bool:
    """Tell whether a witness also bears what was checked apart from it: areas, F of means."""
    demands = row.demands()
    if isinstance(found, dict):
        if (auc := row.heading("auc")) is None:
            return True
        fpr = Fraction(found["fp"], max(found["fp"] + found["tn"], 1))
        tpr = Fraction(found["tp"], max(found["tp"] + found["fn"], 1))
        low, high = auc_range((fpr, fpr), (tpr, tpr))
        met = row.limits[auc][1] >= low and row.limits[auc][0] <= high
        return met and row.heading("auprec") is None
    if row.heading("auc") or row.heading("auprec"):
        return False
    f, parts = row.heading("f1"), (row.heading("precision"), row.heading("tpr"))
    if row.protocol.f == "F of means" and f and all(parts):
        a, b = (
            sum(demands[str(part)].index.value(**one) for one in found) / len(found)
            for part in parts
        )
        value = 2 * a * b / (a + b) if a + b else 0.0
        return float(row.limits[f][0]) - 1e-12 <= value <= float(row.limits[f][1]) + 1e-12
    return True


def _any_size(demands: dict[str, Demand], row: _Row) -> Answer:
    from opchar.published.inference import sizes

    def first(chosen: list[str]) -> tuple[int, int] | None:
        asked = [demands[name] for name in chosen]
        return next(sizes(asked, row.protocol, time.monotonic() + row.protocol.seconds), None)

    found = first(list(demands))
    protocol = row.protocol
    if found is not None:
        return Answer("possible", matrices_of(list(demands.values()), *found, protocol))
    names = smallest(list(demands), lambda chosen: first(chosen) is None)
    known = protocol.objects or f"at most {protocol.most_objects}"
    return Answer(
        "impossible",
        None,
        tuple(names),
        (
            "; ".join(_said(row, name) for name in names),
            f"no numbers of positives and negatives, {known} objects together, have these scores",
        ),
    )
