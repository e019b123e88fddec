"""Checks over the rows of a table: averages, counts of wins, tests, rates of classes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from opchar.errors import DataError
from opchar.printed.numbers import Printed, Rounding
from opchar.printed.protocol import Answer, Contradiction, Protocol
from opchar.printed.reported_values import Limits, rates_possible, t_range, win_range
from opchar.printed.sums import of_averages, of_cells
from opchar.printed.tables import Table

_T = re.compile(r"\|?t\|?([ -]?(value|statistic|test))?", re.IGNORECASE)
_Rows = Sequence[Mapping[str, Printed]]


def is_t(heading: str) -> bool:
    """Tell whether a column has the t of a test."""
    return _is(_T, heading)


def over_rows(table: Table, rounding: Rounding) -> dict[str, Answer]:
    """Return what rows are beside others, or beside their own counts and intervals, by label.

    Averages are those of `of_averages`. The wins of a column lie within `win_range`, whether ties
    count or not, whether the best score is the highest or the lowest.
    """
    above = [row for label, row in table.rows.items() if table.kinds.get(label, "row") == "row"]
    found = of_averages(table, rounding)
    for label, kind in table.kinds.items():
        if kind == "wins":
            wrong = _wins(table.rows[label], above)
            found[label] = Answer("impossible", None, *wrong) if wrong else Answer("possible")
    return found | of_cells(table, rounding)


def of_tests(table: Table, protocol: Protocol) -> dict[str, Contradiction | None]:
    """Return, by row, why a t does not follow from two means and spreads, or None where it does.

    Student's t of two groups of as many numbers as there are folds, where it is Welch's, too. Rows
    without two spreads and a t are left out.
    """
    tests = [heading for heading in table.columns if is_t(heading)]
    groups, rounding = protocol.tested, protocol.rounding
    found: dict[str, Contradiction | None] = {}
    for label, row in table.rows.items() if len(tests) == 1 and groups > 1 else ():
        pair = [h for h, value in row.items() if value.spread]
        if len(pair) != 2 or tests[0] not in row:
            continue
        means = [row[h].limits(rounding) for h in pair]
        sds = [Printed(row[h].spread).limits(rounding) for h in pair]
        kinds = {"spread": protocol.spread, "kind": protocol.sd}
        low, high = t_range(means, sds, [groups, groups], **kinds)  # type: ignore[arg-type]
        least, most = row[tests[0]].limits(rounding)
        near = max(least, -most, Fraction(0))
        wrong = max(most, -least) < low * (1 - 1e-12) or near > high * (1 + 1e-12)
        ends = f"|t| from {low:.4g} to {high:.4g}"
        why = f"{pair[0]} and {pair[1]} of {groups} numbers each: {ends}"
        contradiction = ((*pair, tests[0]), (why, f"printed is {row[tests[0]].text}"))
        found[label] = contradiction if wrong else None
    return found


def of_rates(table: Table, protocol: Protocol) -> dict[str, Contradiction]:
    """Return rows of a matrix of confusion rates that are no counts of the objects of a class."""
    classes = protocol.classes
    if len(classes) != len(table.rows):
        raise DataError(f"{len(table.rows)} rows of rates are not those of {len(classes)} classes")
    percent = "percent" in ([protocol.unit] if protocol.unit else table.units.values())
    found: dict[str, Contradiction] = {}
    for (label, row), size in zip(table.rows.items(), classes, strict=True):
        limits = [value.limits(protocol.rounding, percent=percent) for value in row.values()]
        if not rates_possible(limits, size):
            rates = ", ".join(value.text for value in row.values())
            why = (f"rates {rates} of {size} objects", f"no counts that add up to {size} have them")
            found[label] = (tuple(row), why)
    return found


def _is(pattern: re.Pattern[str], label: str) -> bool:
    return pattern.fullmatch(re.sub(r"[.:*]", "", label).strip()) is not None


def _wins(row: Mapping[str, Printed], above: _Rows) -> Contradiction | None:
    names = [heading for heading in row if all(heading in other for other in above)]
    columns = {name: [other[name].limits() for other in above] for name in names}
    lowest = {name: [(-high, -low) for low, high in ends] for name, ends in columns.items()}
    both = (columns, lowest) if len(names) > 1 else ()
    ways = [win_range(one, ties_count=ties) for one in both for ties in (True, False)]
    outside = [[name for name in names if not _is_between(row[name], way[name])] for way in ways]
    if not all(outside) or not outside:
        return None
    wrong = outside[0][0]
    low, high = ways[0][wrong]
    why = f"{wrong} has the highest value in {low} to {high} of {len(above)} rows"
    return (wrong,), (why, f"printed is {row[wrong].text}, ties counted or not, highest or lowest")


def _is_between(value: Printed, ends: tuple[int, int] | Limits) -> bool:
    return ends[0] <= Fraction(value.text) <= ends[1]
