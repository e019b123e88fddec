"""Whether a printed row is possible under a stated protocol, with a witness or a contradiction."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from opchar.errors import DataError
from opchar.published.averages import fold_witness, partitions, stratified
from opchar.published.classes import class_witness, of_classes, stratified_classes
from opchar.published.indices import exact, other_class
from opchar.published.matrices import Demand, UndecidedError, contradiction, smallest, witness
from opchar.published.numbers import Printed, multiples
from opchar.published.protocol import Answer, Protocol, with_sizes
from opchar.published.row import CURVES, Row
from opchar.published.tables import ERRORS, Table
from opchar.published.whole import Contradiction, is_t, of_columns, of_rates, of_tests, summary_rows

SHARES = ("accuracy", "error_rate", "posfrac")
OF_CLASS = {"precision": "precision", "tpr": "recall", "f1": "f1"}


def check(table: Table, protocol: Protocol | None = None) -> dict[str, Answer]:
    r"""Tell of each row of a table, by its label, whether its scores are possible together.

    Impossible means that no confusion matrix, set of folds, or curve has the scores. Sizes in the
    table itself go before those of the protocol, of which nothing is known when not given. A row
    named as an average or a count of wins is compared with the rows above it, a column named t with
    the two columns that have spreads.

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
    sums = summary_rows(table)
    wrong = of_columns(table, chosen.rounding)
    tests: dict[str, Contradiction | None] = {}
    if chosen.confusion:
        percent = "percent" in (chosen.unit, *([] if chosen.unit else table.units.values()))
        wrong |= of_rates(table, chosen.classes, chosen.rounding, percent=percent)
    else:
        kinds = chosen.spread, chosen.sd
        tests = of_tests(table, chosen.tested, chosen.rounding, *kinds)
        wrong |= {label: why for label, why in tests.items() if why}
    found = {}
    for label, row in table.rows.items():
        if label in wrong:
            found[label] = Answer("impossible", None, *wrong[label])
        elif label in sums or chosen.confusion:
            found[label] = Answer("possible")
        else:
            found[label] = check_row(table, row, chosen)
            if label in tests:
                # Means, spreads and t were compared, whatever the means are of.
                left = [h for h in found[label].unchecked if not is_t(h) and not row[h].spread]
                found[label] = replace(found[label], unchecked=tuple(left))
                if not left and not any(table.taken[h] for h in row):
                    found[label] = replace(found[label], status="possible")
    return found


def check_row(
    table: Table, row: Mapping[str, Printed], protocol: Protocol, *, explain: bool = True
) -> Answer:
    """Tell whether the printed scores of a row are possible, under the headings of a table.

    Without `explain` the fewest scores that contradict each other are not searched.
    """
    asked = _Search(table, row, with_sizes(table, row, protocol))
    try:
        found = asked.between() or asked.spread_contradiction()
        answer = Answer("impossible", None, *found) if found else asked.searched(explain)
    except UndecidedError:
        answer = Answer("not decided")
    return replace(answer, unchecked=tuple(asked.unchecked))


def matrices_of(
    demands: list[Demand], positives: int, negatives: int, protocol: Protocol
) -> dict[str, int] | list[dict[str, int]] | None:
    """Return a matrix, or one for each fold, that has the scores, or None."""
    if protocol.pooled:
        return witness(demands, positives, negatives)
    if protocol.parts:
        return fold_witness(demands, list(protocol.parts), protocol.seconds)
    sizes = stratified(positives, negatives, protocol.folds)
    if min(map(min, sizes)) < 1:
        raise DataError(f"{positives} and {negatives} objects do not fill {protocol.folds} folds")
    if protocol.folding == "stratified":
        return fold_witness(demands, sizes, protocol.seconds)
    until = time.monotonic() + protocol.seconds
    for dealt in partitions(positives, negatives, protocol.folds):
        if time.monotonic() > until:
            raise UndecidedError
        if (found := fold_witness(demands, dealt, protocol.seconds)) is not None:
            return found
    return None


def sizes_of(
    demands: list[Demand], protocol: Protocol, until: float = math.inf
) -> Iterator[tuple[int, int]]:
    """Yield numbers of positives and negatives that leave scores possible.

    Sizes that the protocol does not give are tried, up to its `most_objects`.

    At the time `until` of `time.monotonic` `UndecidedError` is raised.
    """
    of_all, of_positives, of_negatives = (
        [d.limits for d in demands if d.index.name in names] if protocol.pooled else []
        for names in (SHARES, ("tpr", "fnr"), ("tnr", "fpr"))
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


def of_other_class(name: str, names: Sequence[str]) -> bool:
    """Tell whether an index may be that of the negative class, beside others of a table."""
    if name == "tpr":
        return "tnr" not in names
    return name in ("precision", "f1", "jaccard") or name.startswith("f_beta")


class _Search(Row):
    """The search of a witness for a row, and of the fewest scores that have none."""

    def demands(self) -> dict[str, Demand]:
        """Return what each heading asks of a two-class matrix."""
        protocol, found = self.protocol, {}
        for heading, name in self.names.items():
            averaged = protocol.average != "class" and name in OF_CLASS
            index = exact(f"{protocol.average}_{OF_CLASS[name]}" if averaged else name)
            if index is None:
                continue
            other = protocol.of_class == "negative" and protocol.average == "class"
            if other and of_other_class(name, list(self.names.values())):
                index = other_class(index)
            found[heading] = Demand(index, self.limits[heading], self.texts[heading])
        return found

    def searched(self, explain: bool) -> Answer:
        """Search a witness among matrices, folds, sizes or classes."""
        if self.protocol.classes:
            return self.searched_classes(explain)
        protocol, demands = self.protocol, self.demands()
        p, n = protocol.positives, protocol.negatives
        curves = [h for h, name in self.names.items() if name in (*CURVES, *ERRORS)]
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
        if not explain:
            return Answer("impossible")
        equal = p and n and not protocol.parts and not (p % protocol.folds or n % protocol.folds)
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
        folds = "" if protocol.pooled else f" in {protocol.folds} {protocol.folding} folds"
        if protocol.parts and not protocol.pooled:
            folds = f" in {len(protocol.parts)} parts of the stated sizes"
        return self.refuted(names, f"matrix of {sizes}{folds}")

    def refuted(self, names: list[str], what: str) -> Answer:
        """Return the answer for a contradiction that a whole search found."""
        why = (self.said(*names), f"no {what} has these scores")
        return Answer("impossible", None, tuple(names), why)

    def searched_classes(self, explain: bool) -> Answer:
        """Search counts of C classes that have averages over classes."""
        kind = "macro" if self.protocol.average == "class" else self.protocol.average
        full = {h: f"{kind}_{OF_CLASS[n]}" if n in OF_CLASS else n for h, n in self.names.items()}
        self.unchecked += [h for h, name in full.items() if not of_classes(name)]
        names = [h for h, name in full.items() if of_classes(name)]
        classes, folds = self.protocol.classes, self.protocol.folds
        sizes = [classes] if self.protocol.pooled else stratified_classes(classes, folds)

        def found(chosen: list[str]) -> Any:
            scores = {full[h]: self.limits[h] for h in chosen}
            return class_witness(scores, sizes, self.protocol.seconds)

        if not names:
            return Answer("not decided")
        if (matrices := found(names)) is not None:
            return Answer("possible", matrices)
        if not explain:
            return Answer("impossible")
        names = smallest(names, lambda chosen: found(chosen) is None)
        said = ", ".join(map(str, classes))
        means = "" if self.protocol.pooled else f" in {folds} stratified folds"
        return self.refuted(names, f"matrix of classes of {said} objects{means}")
