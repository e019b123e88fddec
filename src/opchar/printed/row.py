"""The scores of a printed row as limits, and the bounds between them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from opchar.printed.certificates import Certificate, Score, Sizes, verify
from opchar.printed.exact_indices import COUNTS, EXACT, exact_index
from opchar.printed.formulas import INEQUALITIES, Inequality, ends_of_last, is_squared
from opchar.printed.headings import ERRORS, SIZES, UNBOUNDED, known_headings
from opchar.printed.matrices import Area, Demand
from opchar.printed.numbers import Limits, Printed, from_to, lies, span
from opchar.printed.protocol import Answer, Protocol
from opchar.printed.reported_values import greatest_sd, multiples, sample_counts
from opchar.printed.tables import Table

CURVES = ("auc", "auprec", "eer", "brier")
SHARES = ("accuracy", "error_rate", "posfrac", "prevalence", "detection_rate")
# Those that bounds are computed from, with curves; none is below zero or above one.
_RATES = (*CURVES, *SHARES, "tpr", "tnr", "fpr", "fnr", "precision", "f1")
OF_CLASS = {"precision": "precision", "tpr": "recall", "f1": "f1"}
# Larger folds have shares with every printed spread.
_MOST_COUNTED = 100_000
_COMPLEMENTS = {"fpr": "tnr", "error_rate": "accuracy"}
_SIGNED = ("mcc", "kappa", "youden", "markedness", "optimisation_precision")


def of_other_class(name: str, names: Sequence[str]) -> bool:
    """Tell whether an index may be that of the negative class, beside others of a table."""
    if name == "tpr":
        return "tnr" not in names
    return name in ("precision", "f1", "jaccard") or name.startswith("f_beta")


class Row:
    """The scores of a row as limits, under a protocol with the sizes of the row.

    Not to `explain` leaves out the fewest scores that contradict each other and the smallest test
    set; without `search` only refutations are sought, which need no solver.
    """

    def __init__(
        self,
        table: Table,
        row: Mapping[str, Printed],
        protocol: Protocol,
        *,
        explain: bool = True,
        search: bool = True,
    ) -> None:
        self.protocol, taken = protocol, table.taken
        self.explain, self.search = explain, search
        open_ones = set(table.questions)
        named = {h: taken[h] for h in row if taken[h] and h not in open_ones}
        none = set[str]()
        for h, name in named.items():
            number = float(row[h].text)
            if name in COUNTS and (row[h].percent or number % 1 or number < 0):
                none.add(h)  # a rate under the name of a count
            if name in ("auc", "auprec") and number == 0 and "." in row[h].text:
                none.add(h)  # programs print an area of zero where there is none
        self.names = {h: n for h, n in named.items() if n not in SIZES and h not in none}
        self.unchecked = [h for h in row if h not in named or h in none]
        self.counts = {n: round(float(row[h].text)) for h, n in self.names.items() if n in COUNTS}
        self.limits: dict[str, Limits] = {}
        self.cut: dict[str, Limits] = {}
        self.spreads: dict[str, Limits] = {}
        self.texts: dict[str, str] = {}
        for heading, name in self.names.items():
            value, unit = row[heading], table.units[heading]
            percent = (unit if name in UNBOUNDED else protocol.unit or unit) == "percent"
            percent |= value.percent
            self.limits[heading] = value.limits(protocol.rounding, percent=percent)
            self.cut[heading] = value.limits("cut", percent=percent)
            self.texts[heading] = value.text + (" %" if percent else "")
            if value.spread:
                ends = Printed(value.spread).limits(protocol.rounding, percent=percent)
                self.spreads[heading] = ends

    @property
    def sizes(self) -> Sizes:
        """Positives, negatives and objects, as far as they are known."""
        protocol = self.protocol
        return protocol.positives, protocol.negatives, protocol.objects

    def heading(self, name: str) -> str | None:
        """Return the first heading of an index that is printed."""
        return next((h for h, own in self.names.items() if own == name), None)

    def rate_limits(self, heading: str) -> Limits:
        """Return the limits of a score, those of a rate from zero to one: a printed 1 is no 1.5."""
        low, high = self.limits[heading]
        if self.names[heading] not in _RATES:
            return low, high
        return min(max(low, Fraction(0)), Fraction(1)), min(max(high, Fraction(0)), Fraction(1))

    def in_words(self, *headings: str) -> str:
        """Return the limits of scores in words."""
        return "; ".join(
            f"{h} {self.texts[h]} {lies(float(low), float(high), '.7g')}"
            for h, (low, high) in ((h, self.limits[h]) for h in headings)
        )

    def refutation(
        self, certificate: Certificate, headings: Sequence[str], lines: Sequence[str]
    ) -> Answer:
        """Return the answer of a proof: impossible if it is verified, else not decided."""
        if not verify(certificate):
            return Answer("not decided", reason="a refutation was found and not verified")
        hints: tuple[str, ...] = ()
        rounded = self.protocol.rounding == "nearest"
        if self.explain and rounded and self._cut_helps(certificate, headings):
            hints = ("possible if digits were cut, not rounded: try --rounding cut",)
        return Answer(
            "impossible", None, tuple(headings), tuple(lines), (), certificate, hints=hints
        )

    def _cut_helps(self, certificate: Certificate, headings: Sequence[str]) -> bool:
        if len(headings) != len(certificate.scores) or certificate.kind not in ("counts", "boxes"):
            return False
        scores = []
        for heading, (name, *_) in zip(headings, certificate.scores, strict=True):
            limits = self.cut[heading]
            index = exact_index(name.removesuffix(" of the other class"))
            scores.append((name, *(index.of_ratio(limits) if index else limits)))
        if certificate.kind == "counts":
            return not any(verify(replace(certificate, scores=(one,))) for one in scores)
        return not verify(replace(certificate, scores=tuple(scores)))

    def bounds(self) -> Iterator[tuple[list[str], Certificate]]:
        """Yield headings and proofs of bounds that hold for any curve or predictions."""
        protocol, variance = self.protocol, self.heading("variance")
        sized = bool(protocol.positives and protocol.negatives)
        holds = {
            "": True,
            "the positive class": (protocol.of_class, protocol.average) == ("positive", "class"),
            "sizes": sized,
            "sizes of one matrix": sized and protocol.pooled,
            "F of means": protocol.f == "F of means" and not protocol.pooled,
            "variance": variance is not None and self.limits[variance][0] > 0,
        }
        for name, one in INEQUALITIES.items():
            if not holds[one.needs]:
                continue
            sizes = self.sizes if one.sized else (None, None, None)
            for *known, (last, _) in self._scores_of(one):
                named = [*known, (last, self.limits[last])]  # as printed, beyond zero and one too
                scores = tuple((self.names[h], *limits) for h, limits in named)
                yield [h for h, _ in named], Certificate("inequality", scores, sizes, name)

    def _scores_of(self, inequality: Inequality) -> Iterator[list[tuple[str, Limits]]]:
        """Yield headings and limits of the scores of an inequality where all are printed."""
        of = inequality.of
        if of == "one index":
            of_two = {} if self.protocol.classes else self.demands()
            for (one, demand), (other, same) in combinations(of_two.items(), 2):
                if demand.index.formula is same.index.formula:
                    yield [(one, demand.limits), (other, same.limits)]
        elif inequality.each:
            single = [h for h, name in self.names.items() if name in of.split()]
            yield from ([(h, self.limits[h])] for h in single)
        else:
            found = [self._limits_of(name) for name in of.split()]
            if None not in found:
                yield [one for one in found if one]

    def _limits_of(self, name: str) -> tuple[str, Limits] | None:
        """Return heading and limits of a score, from its complement if that is printed."""
        if (heading := self.heading(name)) is not None:
            return heading, self.rate_limits(heading)
        if (heading := self.heading(_COMPLEMENTS.get(name, ""))) is not None:
            low, high = self.rate_limits(heading)
            return heading, (1 - high, 1 - low)
        return None

    def contradiction_of_bounds(self) -> Answer | None:
        """Return the fewest summary values that no curve or set of predictions has together.

        Of several errors (or R2) that are wrong by themselves it is the first column.
        """
        wrong = [bound for bound in self.bounds() if verify(bound[1])]
        if not wrong:
            return None
        errors = [h for h, name in self.names.items() if name in ERRORS]

        def rank(bound: tuple[list[str], Certificate]) -> tuple[int, int]:
            few, last = len(set(bound[0])), bound[0][-1]
            return few, errors.index(last) if few == 1 and last in errors else -1

        (*others, name), proof = min(wrong, key=rank)
        others = [other for other in others if other != name]
        low, high = ends_of_last(proof.proof, proof.sizes, proof.scores)
        ends = f"{proof.proof}: {name} {from_to(float(low), float(high), '.6f')}"
        first = "; ".join([*([self.in_words(*others)] if others else []), ends])
        return self.refutation(proof, (*others, name), (first, self.in_words(name)))

    def contradiction_of_spreads(self) -> Answer | None:
        """Return a spread over folds that no scores of folds with the printed mean have.

        It is none by any meaning of the spread that is not stated.
        """
        folds, readings = self.protocol.tested, tuple(self.protocol.spreads)
        for heading, (least, most) in self.spreads.items():
            name, mean = self.names[heading], self.texts[heading]
            if folds < 2 or name in UNBOUNDED or name not in known_headings():
                continue
            scores = ((name, *self.limits[heading]), ("spread", least, most))
            spread, kind = readings[0]
            words = {"sd": "standard deviation", "se": "standard error"}[spread]
            signed = name in _SIGNED
            bound = greatest_sd(self.limits[heading], folds, -1.0 if signed else 0.0, 1.0, kind)
            bound /= math.sqrt(folds) if spread == "se" else 1
            proof: tuple[Any, ...] = ((folds, signed, 0), readings)
            certificate = Certificate("spread", scores, proof=proof)
            if float(least) > bound * (1 + 1e-9):
                has = f"have a {words} of at most {bound:.6f}"
                why = f"{folds} numbers from {-1 * signed} to 1 with the mean {mean} {has}"
                lines = (why, f"printed is {float(least):.6f} at least, whatever its divisor")
                return self.refutation(certificate, (heading,), lines)
            size = self.objects_of(name)
            if size is None or not multiples([self.limits[heading]], folds * size):
                continue
            if not self._has_spread(heading, size):
                low, high = self.limits[heading]
                printed = from_to(float(least), float(most), ".6f")
                why = f"{folds} shares of {size} objects each with the mean {mean}"
                why += f" have no {words} {printed}"
                why += ", nor standard error" if len(readings) > 2 else ""
                sums = span(math.ceil(folds * low * size), math.floor(folds * high * size))
                none = f"no {folds} counts from 0 to {size} that add up to {sums} have it"
                proof = ((folds, False, size), readings)
                answer = self.refutation(
                    Certificate("spread", scores, proof=proof), (heading,), (why, none)
                )
                if answer.refutes:
                    return answer
        return None

    def _has_spread(self, heading: str, size: int) -> bool:
        """Tell whether some shares of a size have the mean and spread, by any of its meanings."""
        if size > _MOST_COUNTED:
            return True
        low, high = self.limits[heading]
        least, most = self.spreads[heading]
        total, spreads = (low * size, high * size), (least * size, most * size)
        ends = (total, spreads, self.protocol.tested, 0, size)
        return any(
            sample_counts(*ends, spread, kind, self.protocol.seconds) is not None
            for spread, kind in self.protocol.spreads
        )

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

    def area(self) -> dict[str, Demand]:
        """Return the demand of a printed AUC on a matrix of the same scores, by heading."""
        heading = self.heading("auc")
        own = (self.protocol.of_class, self.protocol.average) == ("positive", "class")
        if heading is None or not own:
            return {}
        index = replace(EXACT["balanced_accuracy"], name="auc")
        return {heading: Area(index, self.rate_limits(heading), self.texts[heading])}


def score_of(demand: Demand) -> Score:
    """Return a demand as a score of a certificate: of the ratio, as proofs have roots squared."""
    name = demand.index.name
    scaled = is_squared(name) or demand.index.scale == "odds"
    return (name, *(demand.index.of_ratio(demand.limits) if scaled else demand.limits))
