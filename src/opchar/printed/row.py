"""The scores of a printed row: contradictions, and the search for a matrix that has them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from opchar.printed.exact_indices import exact_index
from opchar.printed.headings import known_headings
from opchar.printed.numbers import Printed
from opchar.printed.reported_values import (
    Limits,
    auc_range,
    greatest_sd,
    sample_counts,
)
from opchar.printed.samples import multiples
from opchar.printed.tables import ERRORS, SIZES, UNBOUNDED, Table
from opchar.printed.classes import class_witness, of_classes
from opchar.printed.folds import filled_folds, folds_of_any_size, matrices_of
from opchar.printed.matrices import Demand, contradiction, of_any_size, smallest, witness
from opchar.printed.protocol import Answer, Contradiction, Protocol
from opchar.spaces.p_roc import auprec_range

CURVES = ("auc", "auprec", "eer", "brier")
SHARES = ("accuracy", "error_rate", "posfrac")
# Those that bounds are computed from, with curves; none is below zero or above one.
_RATES = (*CURVES, *SHARES, "tpr", "tnr", "fpr", "fnr", "precision", "f1")
OF_CLASS = {"precision": "precision", "tpr": "recall", "f1": "f1"}
# Larger folds have shares with every printed spread.
_MOST_COUNTED = 100_000
_SIGNED = ("mcc", "kappa", "youden", "markedness", "optimisation_precision")


def of_other_class(name: str, names: Sequence[str]) -> bool:
    """Tell whether an index may be that of the negative class, beside others of a table."""
    if name == "tpr":
        return "tnr" not in names
    return name in ("precision", "f1", "jaccard") or name.startswith("f_beta")


def _not_negative(limits: Limits) -> Limits:
    return max(limits[0], Fraction(0)), max(limits[1], Fraction(0))


class Row:
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
            percent |= value.percent
            self.limits[heading] = value.limits(protocol.rounding, percent=percent)
            self.texts[heading] = value.text + (" %" if percent else "")
            if value.spread:
                ends = Printed(value.spread).limits(protocol.rounding, percent=percent)
                self.spreads[heading] = ends

    def heading(self, name: str) -> str | None:
        """Return the first heading of an index that is printed."""
        return next((h for h, own in self.names.items() if own == name), None)

    def share(self, name: str, complement: str) -> tuple[str, Limits] | None:
        """Return heading and limits of a rate, from its complement if that is printed."""
        if (heading := self.heading(name)) is not None:
            return heading, self.rate_limits(heading)
        if (heading := self.heading(complement)) is not None:
            low, high = self.rate_limits(heading)
            return heading, (1 - high, 1 - low)
        return None

    def rate_limits(self, heading: str) -> Limits:
        """Return the limits of a score, those of a rate from zero to one: a printed 1 is no 1.5."""
        low, high = self.limits[heading]
        if self.names[heading] not in _RATES:
            return low, high
        return min(max(low, Fraction(0)), Fraction(1)), min(max(high, Fraction(0)), Fraction(1))

    def in_words(self, *headings: str) -> str:
        """Return the limits of scores in words."""
        return "; ".join(
            f"{h} {self.texts[h]} lies from {float(low):.7g} to {float(high):.7g}"
            for h, (low, high) in ((h, self.limits[h]) for h in headings)
        )

    def contradiction_of_bounds(self) -> Contradiction | None:
        """Return the fewest summary values that no curve or set of predictions has together."""
        wrong = [
            (*others, name, low, high, why)
            for *others, name, low, high, why in [*self.bounds(), *self.bounds_of_errors()]
            if self.limits[name][1] < low or self.limits[name][0] > high
        ]
        if not wrong:
            return None
        *others, name, low, high, why = min(wrong, key=len)
        bounds = f"{why}: {name} from {float(low):.6f} to {float(high):.6f}"
        first = "; ".join([*([self.in_words(*others)] if others else []), bounds])
        return (*others, name), (first, self.in_words(name))

    def bounds(self) -> Iterator[tuple[Any, ...]]:
        """Yield headings, the least and greatest value of the last, and the reason."""
        limits, protocol = {name: self.rate_limits(name) for name in self.limits}, self.protocol
        p, n = protocol.positives, protocol.negatives
        for heading, name in self.names.items():
            if name in CURVES:
                yield heading, Fraction(0), Fraction(1), "a share lies in its range"
        auc, tpr, fpr = self.heading("auc"), self.heading("tpr"), self.share("fpr", "tnr")
        if auc and tpr and fpr and (protocol.of_class, protocol.average) == ("positive", "class"):
            yield tpr, fpr[0], auc, *auc_range(fpr[1], limits[tpr]), "a curve through the point has"
        if auc and (eer := self.heading("eer")):
            low, high = limits[eer]
            yield eer, auc, (1 - high) ** 2, 1 - low**2, "a curve through (EER, 1 - EER) has"
        if auc and p and n and (auprec := self.heading("auprec")):
            area = float(limits[auc][0]), float(limits[auc][1])
            yield auc, auprec, *auprec_range(area, p / (p + n)), "any curve of the AUC has"
        if (brier := self.heading("brier")) and (error := self.share("error_rate", "accuracy")):
            # An error adds from one quarter to one, a correct decision at most one quarter.
            low, high = error[1]
            yield error[0], brier, low / 4, high + (1 - high) / 4, "for decisions at one half"
        of_two = {} if protocol.classes else self.demands()
        for (one, demand), (other, same) in combinations(of_two.items(), 2):
            if demand.index.formula is same.index.formula:
                yield one, other, *demand.limits, "both are one index"
        if auc and p and n and protocol.pooled:
            nearest = Fraction(math.floor(limits[auc][1] * 2 * p * n), 2 * p * n)
            yield auc, nearest, nearest, f"a multiple of 1/(2 * {p} * {n}) is next"
        f, precision = self.heading("f1"), self.heading("precision")
        if f and precision and tpr and protocol.f == "F of means" and not protocol.pooled:
            pairs = [(limits[precision][at], limits[tpr][at]) for at in (0, 1)]
            low, high = (2 * a * b / (a + b) if a + b > 0 else Fraction(0) for a, b in pairs)
            yield precision, tpr, f, low, high, "F of the printed means is"

    def bounds_of_errors(self) -> Iterator[tuple[Any, ...]]:
        """Yield bounds between the errors of predicted numbers, as those of `bounds`."""
        mae, r2, variance = (self.heading(name) for name in ("mae", "r2", "variance"))
        for heading, name in self.names.items():
            if name == "r2":
                yield heading, -math.inf, Fraction(1), "no R2 exceeds one"
            elif name in ERRORS:
                yield heading, Fraction(0), math.inf, "no mean of errors or squares is negative"
        squares = dict[str, Limits]()
        if rmse := self.heading("rmse"):
            low, high = _not_negative(self.limits[rmse])
            squares[rmse] = (low**2, high**2)
        if mse := self.heading("mse"):
            squares[mse] = _not_negative(self.limits[mse])
        if r2 and variance and self.limits[variance][0] > 0:
            ends = product(self.limits[variance], (1 - end for end in self.limits[r2]))
            values = [a * b for a, b in ends]
            squares[r2] = _not_negative((min(values), max(values)))
        for (one, (low, high)), (other, _) in combinations(squares.items(), 2):
            if other == r2 and variance:
                least, most = self.limits[variance]
                low, high = 1 - high / least, 1 - low / most
            yield one, other, low, high, "the mean square is the same"
        for heading, (low, high) in squares.items() if mae else ():
            each = low / self.protocol.objects if self.protocol.objects else 0
            least = Fraction(math.isqrt(int(each * 10**24)), 10**12)
            most = Fraction(math.isqrt(int(high * 10**24)) + 1, 10**12)
            yield heading, mae, least, most, "by the mean of squares"

    def contradiction_of_spreads(self) -> Contradiction | None:
        """Return a spread over folds that no scores of folds with the printed mean have."""
        folds, kind, spread = self.protocol.tested, self.protocol.sd, self.protocol.spread
        for heading, (least, most) in self.spreads.items():
            name, mean = self.names[heading], self.texts[heading]
            if folds < 2 or name in UNBOUNDED or name not in known_headings():
                continue
            bottom = -1.0 if name in _SIGNED else 0.0
            bound = greatest_sd(self.limits[heading], folds, bottom, 1.0, kind)
            bound /= math.sqrt(folds) if spread == "se" else 1
            if float(least) > bound * (1 + 1e-9):
                has = f"have a {spread} of at most {bound:.6f}"
                why = f"{folds} numbers from {bottom:g} to 1 with the mean {mean} {has}"
                return (heading,), (why, f"printed is at least {float(least):.6f}")
            size = self.objects_of(name)
            if size is None or size > _MOST_COUNTED:
                continue
            if not multiples([self.limits[heading]], folds * size):
                continue
            (low, high), ends = self.limits[heading], f"{float(least):.6f} to {float(most):.6f}"
            total, spreads = (low * size, high * size), (least * size, most * size)
            asked = folds, 0, size, spread, kind, self.protocol.seconds
            if sample_counts(total, spreads, *asked) is None:
                why = f"{folds} shares of {size} objects each with the mean {mean}"
                why += f" have no {spread} ({kind}) of {ends}"
                sums = f"{math.ceil(folds * total[0])} to {math.floor(folds * total[1])}"
                none = f"no {folds} whole numbers from 0 to {size} with a sum of {sums} have it"
                return (heading,), (why, none)
        return None

    def objects_of(self, name: str) -> int | None:
        """Return of how many objects of each of equal test folds a score is the share."""
        protocol, folds = self.protocol, self.protocol.tested
        p, n = protocol.positives, protocol.negatives
        own = (protocol.of_class, protocol.average) == ("positive", "class")
        alike = len(set(protocol.parts)) < 2 and protocol.folding == "stratified"
        if p is None or n is None or protocol.pooled or not own or not alike:
            return None
        size = dict.fromkeys(SHARES, p + n)
        size |= dict.fromkeys(("tpr", "fnr"), p) | dict.fromkeys(("tnr", "fpr"), n)
        return size[name] // folds if name in size and size[name] % folds == 0 else None

    def demands(self) -> dict[str, Demand]:
        """Return the demand of each heading on a two-class matrix."""
        protocol, found = self.protocol, {}
        for heading, name in self.names.items():
            averaged = protocol.average != "class" and name in OF_CLASS
            index = exact_index(f"{protocol.average}_{OF_CLASS[name]}" if averaged else name)
            if index is None:
                continue
            other = protocol.of_class == "negative" and protocol.average == "class"
            if other and of_other_class(name, list(self.names.values())):
                index = index.of_other_class()
            found[heading] = Demand(index, self.limits[heading], self.texts[heading])
        return found

    def find_witness(self, explain: bool) -> Answer:
        """Search a witness among matrices, folds, sizes or classes."""
        if self.protocol.classes:
            return self.searched_classes(explain)
        demands = self.demands()
        curves = [h for h, name in self.names.items() if name in (*CURVES, *ERRORS)]
        self.unchecked += [h for h in self.names if h not in demands and h not in curves]
        if not demands:
            return Answer("possible" if 0 < len(curves) <= 2 else "not decided")
        of_means = self.protocol.f == "F of means" and not self.protocol.pooled
        f = self.heading("f1") if of_means else None
        left = {h: demand for h, demand in demands.items() if h != f}
        if (matrices := self._matrices_of(list(left.values()))) is not None:
            alone = not curves and (not f or self.f_of_means(matrices))
            point = self.heading("tpr") and self.share("fpr", "tnr")
            area = curves == [self.heading("auc")] and point and self.protocol.pooled
            return Answer("possible" if alone or area else "not decided", matrices)
        return self._smallest_contradiction(left) if explain else Answer("impossible")

    def _matrices_of(self, demands: list[Demand]) -> Any:
        """Return a matrix, or one for each fold, of any sizes left open, or None."""
        protocol = self.protocol
        p, n, total = protocol.positives, protocol.negatives, protocol.objects
        if p is not None and n is not None:
            return matrices_of(demands, p, n, protocol)
        if not protocol.pooled:
            return folds_of_any_size(demands, protocol)
        objects = range(total or 2, (total or protocol.most_objects) + 1)
        sizes = of_any_size(demands, p, n, objects)
        return None if sizes is None else witness(demands, *sizes)

    def _smallest_contradiction(self, demands: dict[str, Demand]) -> Answer:
        """Return the answer where no matrices have the scores, with the fewest that contradict."""
        protocol = self.protocol
        p, n = protocol.positives, protocol.negatives
        if p is not None and n is not None and protocol.pooled:
            return Answer("impossible", None, *contradiction(demands, p, n))
        names = smallest(
            list(demands),
            lambda chosen: self._matrices_of([demands[name] for name in chosen]) is None,
        )
        equal = protocol.folding == "stratified" and not protocol.parts
        equal = equal and all(size and size % protocol.folds == 0 for size in (p, n))
        if p and n and equal and all(demands[name].index.linear for name in names):
            scores, why = contradiction({name: demands[name] for name in names}, p, n)
            lines = (f"sums over {protocol.folds} equal folds: {why[0]}", *why[1:])
            return Answer("impossible", None, scores, lines)
        return self.refutation(names, self._searched_in_words())

    def _searched_in_words(self) -> str:
        """Return what matrices were searched."""
        protocol = self.protocol
        p, n = protocol.positives, protocol.negatives
        sizes = f"{p or 'any'} positives and {n or 'any'} negatives"
        if p is None or n is None:
            sizes += f", {protocol.objects or f'up to {protocol.most_objects}'} objects"
        folds = "" if protocol.pooled else f" in {protocol.folds} {protocol.folding} folds"
        if protocol.parts and not protocol.pooled:
            folds = f" in {len(protocol.parts)} parts of the stated sizes"
        return f"matrix of {sizes}{folds}"

    def f_of_means(self, folds: Sequence[Mapping[str, int]]) -> bool:
        """Tell whether F of the mean precision and recall of folds is as printed."""
        low, high = self.limits[self.heading("f1") or ""]
        demands = self.demands()
        means = []
        for name in ("precision", "tpr"):
            index = demands[self.heading(name) or ""].index
            values = [Fraction(*index.ratio(**fold)) for fold in folds]
            means.append(sum(values, Fraction(0)) / len(folds))
        return low <= (2 * means[0] * means[1] / sum(means) if sum(means) else 0) <= high

    def searched_classes(self, explain: bool) -> Answer:
        """Search counts of C classes that have averages over classes."""
        kind = "macro" if self.protocol.average == "class" else self.protocol.average
        full = {h: f"{kind}_{OF_CLASS[n]}" if n in OF_CLASS else n for h, n in self.names.items()}
        self.unchecked += [h for h, name in full.items() if not of_classes(name)]
        names = [h for h, name in full.items() if of_classes(name)]
        classes, folds = self.protocol.classes, self.protocol.folds
        sizes = [classes] if self.protocol.pooled else filled_folds(classes, folds)

        def found(chosen: list[str]) -> Any:
            scores = {full[h]: self.limits[h] for h in chosen}
            return class_witness(scores, sizes, self.protocol.seconds)

        matrices = found(names) if names else None
        if matrices or not names or not explain:
            status = "possible" if matrices else "impossible" if names else "not decided"
            return Answer(status, matrices)  # type: ignore[arg-type]
        sizes_text = ", ".join(map(str, classes))
        means = "" if self.protocol.pooled else f" in {folds} stratified folds"
        names = smallest(names, lambda chosen: found(chosen) is None)
        return self.refutation(names, f"matrix of classes of {sizes_text} objects{means}")

    def refutation(self, names: list[str], what: str) -> Answer:
        """Return the answer for a contradiction that a whole search found."""
        why = (self.in_words(*names), f"no {what} has these scores")
        return Answer("impossible", None, tuple(names), why)
