"""Whether a printed row is possible under a stated protocol, with a witness or a contradiction."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from opchar.errors import DataError
from opchar.published.averages import SECONDS, class_witness, fold_witness, of_classes, stratified
from opchar.published.indices import exact, known, other_class
from opchar.published.matrices import (
    Demand,
    Limits,
    UndecidedError,
    contradiction,
    smallest,
    witness,
)
from opchar.published.numbers import Printed, Rounding, multiples
from opchar.published.summaries import auc_range, auprec_range, greatest_sd
from opchar.published.tables import SIZES, UNBOUNDED, Table

OF_CLASS = {"precision": "precision", "tpr": "recall", "f1": "f1"}
_CURVES = ("auc", "auprec", "eer", "brier")
_SIGNED = ("mcc", "kappa", "youden", "markedness", "optimisation_precision")


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
        Stratified test folds; `averages` tells whether scores are of all together or means.
    rounding, unit : str
        What became of further digits; the unit of all scores, empty as each column says.
    average, of_class : str
        Whether precision, recall and F are averaged over the classes, or of which class they are.
    f, spread, sd : str
        Whether F is computed from means over folds; what stands after ±; by what it is divided.
    most_objects, seconds : int, float
        Where sizes are not known, the largest test set that is tried; the limit of each search.
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

    @property
    def pooled(self) -> bool:
        """Whether one matrix has all scores."""
        return self.folds == 1 or self.averages == "pooled"


@dataclass(frozen=True)
class Answer:
    """What was found of a row.

    Attributes
    ----------
    status : {"possible", "impossible", "not decided"}
    witness : dict, list of dict, or None
        A confusion matrix; one for each fold; or of C classes, each against the rest.
    contradiction, arithmetic : tuple of str
        Headings of the fewest scores that contradict each other, and why.
    unchecked : tuple of str
        Headings that nothing was asked of.
    """

    status: Literal["possible", "impossible", "not decided"]
    witness: Any = None
    contradiction: tuple[str, ...] = ()
    arithmetic: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def check(table: Table, protocol: Protocol | None = None) -> dict[str, Answer]:
    r"""Tell of each row of a table, by its label, whether its scores are possible together.

    Impossible means that no confusion matrix, set of folds, or curve has the scores. Sizes in the
    table itself go before those of the protocol, of which nothing is known when not given.

    Raises
    ------
    DataError
        If the protocol contradicts itself.

    Examples
    --------
    >>> from opchar.published import Protocol, check, read_table
    >>> table = read_table("Model,Accuracy,Recall\nA,0.850,0.80\nB,0.851,0.80")
    >>> {label: answer.status for label, answer in check(table, Protocol(20, 480)).items()}
    {'A': 'possible', 'B': 'impossible'}
    """
    chosen = protocol or Protocol()
    return {label: check_row(table, row, chosen) for label, row in table.rows.items()}


def check_row(table: Table, row: Mapping[str, Printed], protocol: Protocol) -> Answer:
    """Tell whether the printed scores of a row are possible, under the headings of a table."""
    asked = _Row(table, row, _with_sizes(table, row, protocol))
    try:
        found = asked.between() or asked.spread_contradiction()
        answer = Answer("impossible", None, *found) if found else asked.searched()
    except UndecidedError:
        answer = Answer("not decided")
    return replace(answer, unchecked=tuple(asked.unchecked))


def matrices_of(
    demands: list[Demand], positives: int, negatives: int, protocol: Protocol
) -> dict[str, int] | list[dict[str, int]] | None:
    """Return a matrix, or one for each fold, that has the scores, or None."""
    if protocol.pooled:
        return witness(demands, positives, negatives)
    sizes = stratified(positives, negatives, protocol.folds)
    if min(map(min, sizes)) < 1:
        raise DataError(f"{positives} and {negatives} objects do not fill {protocol.folds} folds")
    return fold_witness(demands, sizes, protocol.seconds)


def sizes_of(
    demands: list[Demand], protocol: Protocol, until: float = math.inf
) -> Iterator[tuple[int, int]]:
    """Yield numbers of positives and negatives that leave scores possible.

    Sizes that the protocol does not give are tried, up to its `most_objects`.

    At the time `until` of `time.monotonic` `UndecidedError` is raised.
    """
    of_all, of_positives, of_negatives = (
        [d.limits for d in demands if d.index.name in names] if protocol.pooled else []
        for names in (("accuracy", "error_rate", "posfrac"), ("tpr", "fnr"), ("tnr", "fpr"))
    )
    least = 1 if protocol.pooled else protocol.folds
    fixed = protocol.objects
    for total in [fixed] if fixed else range(2 * least, protocol.most_objects + 1):
        if not multiples(of_all, total):
            continue
        for p in range(least, total - least + 1):
            n = total - p
            if protocol.positives not in (None, p) or protocol.negatives not in (None, n):
                continue
            if time.monotonic() > until:
                raise UndecidedError
            fits = multiples(of_positives, p) and multiples(of_negatives, n)
            if fits and matrices_of(demands, p, n, protocol) is not None:
                yield p, n


def _with_sizes(table: Table, row: Mapping[str, Printed], protocol: Protocol) -> Protocol:
    named = [(table.taken[h], value) for h, value in row.items()]
    own = {name: int(float(value.text)) for name, value in named if name in SIZES}
    found = replace(protocol, **own)  # type: ignore[arg-type]
    p, n, total = found.positives, found.negatives, found.objects
    if total is not None:
        p = total - n if p is None and n is not None else p
        n = total - p if n is None and p is not None else n
    if p is not None and n is not None:
        if min(p, n) < 0 or total not in (None, p + n):
            raise DataError(f"{p} positives and {n} negatives are not {total} objects")
        total = p + n
    if found.folds < 1:
        raise DataError("the number of folds is 1 or more")
    return replace(found, positives=p, negatives=n, objects=total)


class _Row:
    """The scores of a row as limits, under a protocol whose sizes are those of the row."""

    def __init__(self, table: Table, row: Mapping[str, Printed], protocol: Protocol) -> None:
        self.protocol, taken = protocol, table.taken
        self.names = {h: taken[h] for h in row if taken[h] and taken[h] not in SIZES}
        self.unchecked = [h for h in row if not taken[h]]
        self.limits: dict[str, Limits] = {}
        self.spreads: dict[str, Limits] = {}
        self.texts: dict[str, str] = {}
        for heading, name in self.names.items():
            value, unit = row[heading], table.units[heading]
            percent = (unit if name in UNBOUNDED else protocol.unit or unit) == "percent"
            self.limits[heading] = value.limits(protocol.rounding, percent=percent)
            self.texts[heading] = value.text + (" %" if percent else "")
            if value.spread:
                spread = Printed(value.spread)
                self.spreads[heading] = spread.limits(protocol.rounding, percent=percent)

    def heading(self, *names: str) -> str | None:
        """Return the heading of the first of some indices that is printed."""
        return next((h for name in names for h, n in self.names.items() if n == name), None)

    def share(self, name: str, complement: str) -> tuple[str, Limits] | None:
        """Return heading and limits of a rate, from its complement if that is printed."""
        if (heading := self.heading(name)) is not None:
            return heading, self.limits[heading]
        if (heading := self.heading(complement)) is not None:
            return heading, (1 - self.limits[heading][1], 1 - self.limits[heading][0])
        return None

    def said(self, *headings: str) -> str:
        """Return the limits of scores in words."""
        return "; ".join(
            f"{h} {self.texts[h]} lies from {float(low):.7g} to {float(high):.7g}"
            for h, (low, high) in ((h, self.limits[h]) for h in headings)
        )

    def between(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return a contradiction between summary values that needs no confusion matrix."""
        for *others, name, low, high, why in self.bounds():
            if self.limits[name][1] < low or self.limits[name][0] > high:
                bounds = f"{why}: {name} from {float(low):.6f} to {float(high):.6f}"
                first = "; ".join([*([self.said(*others)] if others else []), bounds])
                return (*others, name), (first, self.said(name))
        return None

    def bounds(self) -> Iterator[tuple[Any, ...]]:
        """Yield headings, the least and greatest value of the last, and the reason."""
        limits, protocol = self.limits, self.protocol
        p, n = protocol.positives, protocol.negatives
        for heading, name in self.names.items():
            if name in _CURVES:
                yield heading, Fraction(0), Fraction(1), "a share lies in its range"
        auc, tpr, fpr = self.heading("auc"), self.heading("tpr"), self.share("fpr", "tnr")
        if auc and tpr and fpr and (protocol.of_class, protocol.average) == ("positive", "class"):
            yield tpr, fpr[0], auc, *auc_range(fpr[1], limits[tpr]), "a curve through the point has"
        if auc and (eer := self.heading("eer")):
            low, high = limits[eer]
            yield eer, auc, (1 - high) ** 2, 1 - low**2, "a curve through (EER, 1 - EER) has"
        if auc and p and n and (auprec := self.heading("auprec")):
            yield auc, auprec, *auprec_range(limits[auc], p / (p + n)), "any curve of the AUC has"
        if (brier := self.heading("brier")) and (error := self.share("error_rate", "accuracy")):
            # An error adds from one quarter to one, a correct decision at most one quarter.
            low, high = error[1]
            yield error[0], brier, low / 4, high + (1 - high) / 4, "for decisions at one half"
        if auc and p and n and protocol.pooled:
            nearest = Fraction(math.floor(limits[auc][1] * 2 * p * n), 2 * p * n)
            yield auc, nearest, nearest, f"a multiple of 1/(2 * {p} * {n}) is next"
        f, precision = self.heading("f1"), self.heading("precision")
        if f and precision and tpr and protocol.f == "F of means" and not protocol.pooled:
            ends = [(limits[precision][at], limits[tpr][at]) for at in (0, 1)]
            low, high = (2 * a * b / (a + b) if a + b > 0 else Fraction(0) for a, b in ends)
            yield precision, tpr, f, low, high, "F of the printed means is"

    def spread_contradiction(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return a spread over folds that numbers in the range of the score cannot have."""
        folds = self.protocol.folds
        for heading, (least, _) in self.spreads.items():
            name = self.names[heading]
            if folds < 2 or name in UNBOUNDED or name not in known():
                continue
            bottom = -1.0 if name in _SIGNED else 0.0
            most = greatest_sd(self.limits[heading], folds, bottom, 1.0, self.protocol.sd)
            most /= math.sqrt(folds) if self.protocol.spread == "se" else 1
            if float(least) > most * (1 + 1e-9):
                mean = f"{folds} numbers from {bottom:g} to 1 with the mean {self.texts[heading]}"
                has = f"have a {self.protocol.spread} of at most {most:.6f}"
                return (heading,), (f"{mean} {has}", f"printed is at least {float(least):.6f}")
        return None

    def demands(self) -> dict[str, Demand]:
        """Return what each heading asks of a two-class matrix."""
        protocol, found = self.protocol, {}
        for heading, name in self.names.items():
            averaged = protocol.average != "class" and name in OF_CLASS
            index = exact(f"{protocol.average}_{OF_CLASS[name]}" if averaged else name)
            if index is None:
                continue
            if protocol.of_class == "negative" and protocol.average == "class":
                recall = name == "tpr" and not self.heading("tnr")
                if recall or name in ("precision", "f1", "jaccard") or name.startswith("f_beta"):
                    index = other_class(index)
            found[heading] = Demand(index, self.limits[heading], self.texts[heading])
        return found

    def searched(self) -> Answer:
        """Search a witness among matrices, folds, sizes or classes."""
        if self.protocol.classes:
            return self.searched_classes()
        protocol, demands = self.protocol, self.demands()
        p, n = protocol.positives, protocol.negatives
        curves = [h for h, name in self.names.items() if name in _CURVES]
        self.unchecked += [h for h in self.names if h not in demands and h not in curves]
        if not demands:
            return Answer("possible" if 0 < len(curves) <= 2 else "not decided")
        f = self.heading("f1") if protocol.f == "F of means" and not protocol.pooled else None
        left = {h: demand for h, demand in demands.items() if h != f}

        def found(names: list[str]) -> Any:
            asked = [left[name] for name in names]
            if p is not None and n is not None:
                return matrices_of(asked, p, n, protocol)
            until = time.monotonic() + protocol.seconds
            sizes = next(sizes_of(asked, protocol, until), None)
            return None if sizes is None else matrices_of(asked, *sizes, protocol)

        if (matrices := found(list(left))) is not None:
            alone = not f and len(curves) == 0
            point = self.heading("tpr") and self.share("fpr", "tnr")
            area = curves == [self.heading("auc")] and point and protocol.pooled
            return Answer("possible" if alone or area else "not decided", matrices)
        equal = p and n and not (p % protocol.folds or n % protocol.folds)
        if p is not None and n is not None and protocol.pooled:
            return Answer("impossible", None, *contradiction(left, p, n))
        names = smallest(list(left), lambda chosen: found(chosen) is None)
        if p and n and equal and all(left[name].index.linear for name in names):
            scores, why = contradiction({name: left[name] for name in names}, p, n)
            lines = (f"sums over {protocol.folds} equal folds: {why[0]}", *why[1:])
            return Answer("impossible", None, scores, lines)
        sizes = f"{p or 'any'} positives and {n or 'any'} negatives"
        if p is None or n is None:
            sizes += f", {protocol.objects or f'up to {protocol.most_objects}'} objects"
        folds = "" if protocol.pooled else f" in {protocol.folds} stratified folds"
        return self.refuted(names, f"matrix of {sizes}{folds}")

    def refuted(self, names: list[str], what: str) -> Answer:
        """Return the answer for a contradiction that a whole search found."""
        why = (self.said(*names), f"no {what} has these scores")
        return Answer("impossible", None, tuple(names), why)

    def searched_classes(self) -> Answer:
        """Search counts of C classes that have averages over classes."""
        kind = "macro" if self.protocol.average == "class" else self.protocol.average
        full = {h: f"{kind}_{OF_CLASS[n]}" if n in OF_CLASS else n for h, n in self.names.items()}
        self.unchecked += [h for h, name in full.items() if not of_classes(name)]
        names = [h for h, name in full.items() if of_classes(name)]

        def found(chosen: list[str]) -> Any:
            scores = {full[h]: self.limits[h] for h in chosen}
            return class_witness(scores, self.protocol.classes, self.protocol.seconds)

        if not names:
            return Answer("not decided")
        if (matrices := found(names)) is not None:
            return Answer("possible", matrices)
        names = smallest(names, lambda chosen: found(chosen) is None)
        sizes = ", ".join(map(str, self.protocol.classes))
        return self.refuted(names, f"matrix of classes of {sizes} objects")
