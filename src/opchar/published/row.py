"""The scores of a printed row, and what contradicts between them without a confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from opchar.published.indices import known
from opchar.published.matrices import Limits
from opchar.published.numbers import Printed
from opchar.published.protocol import Protocol
from opchar.published.summaries import auc_range, auprec_range, counts_with, greatest_sd
from opchar.published.tables import SIZES, UNBOUNDED, Table

CURVES = ("auc", "auprec", "eer", "brier")
_SIGNED = ("mcc", "kappa", "youden", "markedness", "optimisation_precision")


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
        """Return the fewest summary values that no curve or set of predictions has together."""
        wrong = [
            (*others, name, low, high, why)
            for *others, name, low, high, why in self.bounds()
            if self.limits[name][1] < low or self.limits[name][0] > high
        ]
        if not wrong:
            return None
        *others, name, low, high, why = min(wrong, key=len)
        bounds = f"{why}: {name} from {float(low):.6f} to {float(high):.6f}"
        first = "; ".join([*([self.said(*others)] if others else []), bounds])
        return (*others, name), (first, self.said(name))

    def bounds(self) -> Iterator[tuple[Any, ...]]:
        """Yield headings, the least and greatest value of the last, and the reason."""
        limits, protocol = self.limits, self.protocol
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
            yield auc, auprec, *auprec_range(limits[auc], p / (p + n)), "any curve of the AUC has"
        if (brier := self.heading("brier")) and (error := self.share("error_rate", "accuracy")):
            # An error adds from one quarter to one, a correct decision at most one quarter.
            low, high = error[1]
            yield error[0], brier, low / 4, high + (1 - high) / 4, "for decisions at one half"
        if auc and p and n and protocol.pooled:
            nearest = Fraction(math.floor(limits[auc][1] * 2 * p * n), 2 * p * n)
            yield auc, nearest, nearest, f"a multiple of 1/(2 * {p} * {n}) is next"
        yield from self.bounds_of_errors()
        f, precision = self.heading("f1"), self.heading("precision")
        if f and precision and tpr and protocol.f == "F of means" and not protocol.pooled:
            ends = [(limits[precision][at], limits[tpr][at]) for at in (0, 1)]
            low, high = (2 * a * b / (a + b) if a + b > 0 else Fraction(0) for a, b in ends)
            yield precision, tpr, f, low, high, "F of the printed means is"

    def bounds_of_errors(self) -> Iterator[tuple[Any, ...]]:
        """Yield bounds between the errors of predicted numbers, as those of `bounds`."""
        mae, r2, variance = (self.heading(name) for name in ("mae", "r2", "variance"))
        squares = dict[str, tuple[Fraction, Fraction]]()
        if rmse := self.heading("rmse"):
            low, high = self.limits[rmse]
            squares[rmse] = (max(low, Fraction(0)) ** 2, high**2)
        if mse := self.heading("mse"):
            squares[mse] = self.limits[mse]
        if r2 and variance and self.limits[variance][0] > 0:
            ends = product(self.limits[variance], (1 - end for end in self.limits[r2]))
            values = [a * b for a, b in ends]
            squares[r2] = (min(values), max(values))
        for (one, (low, high)), (other, _) in combinations(squares.items(), 2):
            if other == r2 and variance:
                least, most = self.limits[variance]
                low, high = 1 - high / least, 1 - low / most
            yield one, other, low, high, "the mean square is the same"
        for heading, (low, high) in squares.items():
            if mae is None:
                continue
            least = Fraction(0)
            if self.protocol.objects:
                least = Fraction(math.isqrt(int(low / self.protocol.objects * 10**24)), 10**12)
            most = Fraction(math.isqrt(int(high * 10**24)) + 1, 10**12)
            yield heading, mae, least, most, "by the mean of squares"

    def spread_contradiction(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return a spread over folds that no scores of folds with the printed mean have."""
        folds, kind, spread = self.protocol.tested, self.protocol.sd, self.protocol.spread
        for heading, (least, most) in self.spreads.items():
            name = self.names[heading]
            if folds < 2 or name in UNBOUNDED or name not in known():
                continue
            bottom = -1.0 if name in _SIGNED else 0.0
            bound = greatest_sd(self.limits[heading], folds, bottom, 1.0, kind)
            bound /= math.sqrt(folds) if spread == "se" else 1
            if float(least) > bound * (1 + 1e-9):
                mean = f"{folds} numbers from {bottom:g} to 1 with the mean {self.texts[heading]}"
                has = f"have a {spread} of at most {bound:.6f}"
                return (heading,), (f"{mean} {has}", f"printed is at least {float(least):.6f}")
            size = self.shares_of(name)
            if size is None:
                continue
            sums, offs = (
                [end * size for end in ends] for ends in (self.limits[heading], (least, most))
            )
            if counts_with(sums, offs, folds, 0, size, spread, kind, self.protocol.seconds) is None:
                what = f"{folds} shares of {size} objects each with the mean {self.texts[heading]}"
                ends = f"{float(least):.6f} to {float(most):.6f}"
                return (heading,), (
                    f"{what} have no {spread} ({kind}) of {ends}",
                    "in whole numbers",
                )
        return None

    def shares_of(self, name: str) -> int | None:
        """Return of how many objects of each of equal test folds a score is the share."""
        protocol, folds = self.protocol, self.protocol.tested
        p, n = protocol.positives, protocol.negatives
        own = (protocol.of_class, protocol.average) == ("positive", "class")
        if p is None or n is None or protocol.pooled or not own:
            return None
        size = {"accuracy": p + n, "error_rate": p + n, "posfrac": p + n}
        size |= dict.fromkeys(("tpr", "fnr"), p) | dict.fromkeys(("tnr", "fpr"), n)
        alike = len(set(protocol.parts)) < 2 and protocol.folding == "stratified"
        if name not in size or not alike or size[name] % folds:
            return None
        return size[name] // folds
