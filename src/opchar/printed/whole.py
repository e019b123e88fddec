"""Checks over the rows of a table: averages, counts of wins, tests, rates of classes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from opchar.errors import DataError
from opchar.printed.certificates import Certificate, verify
from opchar.printed.headings import UNBOUNDED
from opchar.printed.mean_proofs import most_wins, squares_of_t, t_is_outside
from opchar.printed.numbers import Limits, Printed, Rounding, lies, next_to, span
from opchar.printed.protocol import Answer, Protocol
from opchar.printed.sums import Line, of_averages, sum_outside
from opchar.printed.tables import Table

_T = re.compile(r"\|?t\|?([ -]?(value|statistic|test))?", re.IGNORECASE)
_Rows = Sequence[Mapping[str, Printed]]


def is_t(heading: str) -> bool:
    """Tell whether a column has the t of a test."""
    return _T.fullmatch(re.sub(r"[.:*]", "", heading).strip()) is not None


def over_rows(table: Table, rounding: Rounding) -> dict[str, Answer]:
    """Return what rows are beside others, or beside their own counts and intervals, by label.

    `of_averages` judges averages. A column has no more wins than rows in which it may be
    best, with ties, whether the best score is the highest or the lowest.
    """
    above = [table.rows[label] for label in table.labels("row")]
    wins = {label: _wins(table.rows[label], above) for label in table.labels("wins")}
    return of_averages(table, rounding) | wins | of_cells(table, rounding)


def of_tests(table: Table, protocol: Protocol) -> dict[str, Answer]:
    """Return, by row, whether a t follows from two means and spreads.

    The test is of two groups of as many numbers as there are folds. Rows without two spreads and a
    t are left out.
    """
    tests = [heading for heading in table.columns if is_t(heading)]
    groups, rounding = protocol.tested, protocol.rounding
    found: dict[str, Answer] = {}
    for label, row in table.rows.items() if len(tests) == 1 and groups > 1 else ():
        pair = [h for h, value in row.items() if value.spread]
        if len(pair) != 2 or tests[0] not in row:
            continue
        printed = row[tests[0]]
        groups_ends = [row[h].limits(rounding) for h in pair]
        groups_ends += [Printed(row[h].spread).limits(rounding) for h in pair]
        ends, text = [*groups_ends, printed.limits(rounding)], printed.text
        readings = [(protocol.test, *spread) for spread in protocol.spreads]
        names = (*pair, f"± of {pair[0]}", f"± of {pair[1]}", tests[0])
        scores = tuple((n, *one) for n, one in zip(names, ends, strict=True))
        certificate = Certificate("t", scores, proof=(groups, tuple(readings)))
        bounds = [squares_of_t(groups_ends, groups, *one) for one in readings]
        low, high = (math.sqrt(f(one[at] for one in bounds)) for at, f in ((0, min), (1, max)))
        what = f"any {protocol.test} test" if protocol.test else "any t-test, paired or not,"
        why = (
            f"{pair[0]} and {pair[1]} of {groups} numbers each: |t| of {what} "
            f"{lies(low, high, '.4g')}",
            f"printed is {text}",
        )
        if verify(certificate):
            named = (*pair, tests[0])
            found[label] = Answer("impossible", None, named, why, certificate=certificate)
        elif not protocol.test and t_is_outside(ends, groups, [("unpaired", "sd", "sample")]):
            reason = f"{text} is no t of an unpaired test; a paired or corrected one may have it"
            found[label] = Answer("not decided", reason=f"{reason}: see --test")
        else:
            found[label] = Answer("possible")
    return found


def of_rates(table: Table, protocol: Protocol) -> dict[str, Answer]:
    """Return rows of a matrix of confusion rates other than counts of the objects of a class."""
    classes = protocol.classes
    if len(classes) != len(table.rows):
        raise DataError(f"{len(table.rows)} rows of rates do not fit {len(classes)} classes")
    percent = "percent" in ([protocol.unit] if protocol.unit else table.units.values())
    found: dict[str, Answer] = {}
    for (label, row), size in zip(table.rows.items(), classes, strict=True):
        limits = [value.limits(protocol.rounding, percent=percent) for value in row.values()]
        scores = tuple((h, *ends) for h, ends in zip(row, limits, strict=True))
        certificate = Certificate("rates", scores, proof=(size,))
        if not verify(certificate):
            continue
        counts = [
            (math.ceil(max(low, Fraction(0)) * size), math.floor(high * size))
            for low, high in limits
        ]
        wrong = [h for h, (low, high) in zip(row, counts, strict=True) if low > high]
        ranges = ", ".join(span(*ends) for ends in counts)
        sums = [sum(low for low, _ in counts), sum(high for _, high in counts)]
        total = span(sums[0], sums[1])
        lines = (
            f"rates {', '.join(value.text for value in row.values())} of {size} objects are counts "
            f"of {ranges}",
            f"they add up to {total}, not {size}",
        )
        if wrong:
            least, most = counts[list(row).index(wrong[0])]
            near = next_to(wrong[0], row[wrong[0]].text, (most, least), size)
            lines = (near, f"class {label} has {size} objects")
        headings = tuple(wrong[:1] or row)
        found[label] = Answer("impossible", None, headings, lines, certificate=certificate)
    return found


def _wins(row: Mapping[str, Printed], above: _Rows) -> Answer:
    """Tell whether columns can be best in as many rows as is printed.

    A count of significant wins may be lower, so that only too many are refuted.
    """
    names = [heading for heading in row if all(heading in other for other in above)]
    columns = tuple(tuple(other[name].limits() for other in above) for name in names)
    scores = tuple((name, *2 * (Fraction(row[name].text),)) for name in names)
    certificate = Certificate("wins", scores, proof=columns)
    if len(names) < 2 or not verify(certificate):
        return Answer("possible")
    most = [most_wins(columns, at, 1) for at in range(len(names))]
    wrong = next(at for at, (_, many, _) in enumerate(scores) if many > most[at])
    name = names[wrong]
    why = (
        f"{name} has the highest value in at most {most[wrong]} of {len(above)} rows",
        f"printed is {row[name].text}; nor are they the counts of the lowest values",
    )
    return Answer("impossible", None, (name,), why, certificate=certificate)


def of_cells(table: Table, rounding: Rounding) -> dict[str, Answer]:
    """Return rows with a score outside the ends, or beside counts of another share."""
    found: dict[str, Answer] = {}
    for (label, heading), score, why, ends in _cells_beside(table, rounding):
        if heading in table.rows.get(label, {}) and label not in found:
            text = table.rows[label][heading].text
            if answer := sum_outside(Line(heading, [(why, ends)], score, text), [Fraction(1)], why):
                lines = (f"{heading} of {label}: {why}", f"printed is {text}")
                found[label] = replace(answer, arithmetic=lines)
    return found


def _cells_beside(
    table: Table, rounding: Rounding
) -> Iterator[tuple[tuple[str, str], Limits, str, Limits]]:
    """Yield cells with counts or ends beside a score: its limits, words, and those beside."""
    for (label, heading), (above, below) in table.fractions.items():
        share = Fraction(above, below)
        if table.taken.get(heading) and table.taken[heading] not in UNBOUNDED:
            score = table.limits(label, heading, rounding)
            percent = f"{above} of {below} are {float(share) * 100:.7g} %"
            of_counts = table.taken[heading].startswith("multiclass_")
            why = f"the printed matrix has {float(share):.7g}" if of_counts else percent
            why = f"the counts add up to {above}" if table.taken[heading] == "sum" else why
            yield (label, heading), score, why, (share, share)
    for (label, heading), (low, high) in table.intervals.items():
        if table.taken.get(heading):
            score = table.limits(label, heading, rounding)
            hundredths = table.is_percent(label, heading)
            ends = [end.limits(percent=hundredths or end.percent) for end in (low, high)]
            why = f"the interval is {low.text} to {high.text}"
            yield (label, heading), score, why, (ends[0][0], ends[1][1])
