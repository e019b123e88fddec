"""Whether printed shares are fractions or percentages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from opchar.printed.exact_indices import COUNTS
from opchar.printed.numbers import Printed

if TYPE_CHECKING:
    from opchar.printed.tables import Table

SIZES = ("objects", "positives", "negatives")
ERRORS = ("mae", "rmse", "mse", "r2", "variance")
UNBOUNDED: tuple[str, ...] = (*COUNTS, *SIZES, *ERRORS, "expected_loss", "mean_subjective_utility")
UNBOUNDED += ("positive_likelihood", "negative_likelihood")
UNBOUNDED += ("diagnostic_odds_ratio", "discriminant_power")


def unit_of(name: str, taken: str, rows: Mapping[str, Mapping[str, Printed]]) -> str:
    """Say whether a column is in percent: by its sign, or because a share cannot exceed one."""
    values = [row[name] for row in rows.values() if name in row]
    if taken in UNBOUNDED or taken.startswith("expected_cost"):
        return "fraction"
    if _says_percent(name) or all(value.percent for value in values):
        return "percent"
    unmarked = [abs(float(value.text)) for value in values if not value.percent]
    return "percent" if any(1 < value <= 100 for value in unmarked) else "fraction"


def _says_percent(name: str) -> bool:
    name = re.sub(r"\d+\s*%\s*CI", "", name)
    return "%" in name or "percent" in name.lower()


def guessed_units(
    taken: Mapping[str, str],
    rows: Mapping[str, Mapping[str, Printed]],
    corrections: Mapping[str, tuple[str, str]],
) -> tuple[str, ...]:
    """Return headings of an unstated unit, if some of their shares exceed one and some do not."""
    told = {name for name, (_, unit) in corrections.items() if unit}
    shares = [
        (name, abs(float(value.text)))
        for row in rows.values()
        for name, value in row.items()
        if not value.percent and not _says_percent(name) and _is_share(taken[name])
        if name not in told
    ]
    small = any(0 < value <= 1 for _, value in shares)
    if not small or not any(1 < value <= 100 for _, value in shares):
        return ()
    return tuple(dict.fromkeys(name for name, _ in shares))


def _is_share(meant: str) -> bool:
    return not (meant in ("", *UNBOUNDED, *SIZES, *COUNTS) or meant.startswith("expected_cost"))


def in_unit(table: Table, unit: str) -> Table:
    """Return a table whose guessed units are one; shares beyond one stay percentages."""
    rows = {
        label: {
            name: replace(value, percent=True)
            if name in table.guessed and abs(float(value.text)) > 1
            else value
            for name, value in row.items()
        }
        for label, row in table.rows.items()
    }
    units = dict(table.units) | dict.fromkeys(table.guessed, unit)
    return replace(table, units=units, rows=rows, guessed=())


def has_percentages(table: Table, label: str) -> bool:
    """Tell whether a row has shares beyond one without a sign of percent."""
    row = table.rows[label]
    return any(abs(float(row[name].text)) > 1 for name in table.guessed if name in row)
