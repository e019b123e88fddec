"""Which indices change when the negative class grows at equal rates (slides 10 to 32)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from opchar.statements.measurements import Finding, Measurements


def indices_change(measured: Measurements, *, indices: Sequence[str], limit: float) -> Finding:
    """Ask whether each of the indices is sensitive: on some matrix it changes."""
    changes = _changes(measured, indices)
    return Finding(bool((changes > limit).all()), _said(changes))


def indices_stay(measured: Measurements, *, indices: Sequence[str], limit: float) -> Finding:
    """Ask whether none of the indices is sensitive: on no matrix it changes."""
    changes = _changes(measured, indices)
    return Finding(bool((changes <= limit).all()), _said(changes))


def youden_stays_and_lies_between_zero_and_one(measured: Measurements, *, limit: float) -> Finding:
    """Ask whether YI is not sensitive, and ranges from zero to one."""
    row = _table(measured).loc["YI"]
    inside = row["least"] >= 0 and row["most"] <= 1
    return Finding(
        bool(row["largest change"] <= limit and inside),
        f"largest change {row['largest change']:.1e}; values from {row['least']:.2f} to "
        f"{row['most']:.2f}",
    )


def f_measure_changes_as_printed(measured: Measurements, *, limit: float) -> Finding:
    """Ask whether F is sensitive, and equals 2TP/(2TP + alpha FP + alpha FN)."""
    table = measured.frame("f under alpha")
    change = (table["by counting"] - table["unchanged"]).abs().max()
    gap = (table["by counting"] - table["as printed"]).abs().max()
    return Finding(
        bool(change > limit and gap <= limit),
        f"largest change {change:.2g}; the printed form is off by up to {gap:.2g}, because FN "
        "belongs to the positives",
    )


def adjusted_g_mean_changes_least(
    measured: Measurements, *, others: Sequence[str], limit: float
) -> Finding:
    """Ask whether AGM changes slightly: in the example by less than the other indices."""
    table = _table(measured)
    moved = (table["example after"] - table["example before"]).abs()
    rival = min(others, key=lambda name: float(moved[name]))
    before, after = (float(table[f"example {when}"]["AGM"]) for when in ("before", "after"))
    return Finding(
        bool(limit < moved["AGM"] < moved[rival]),
        f"AGM {before:.5f} to {after:.5f}; the next smallest change is that of {rival}, "
        f"{moved[rival]:.4f}; largest change of AGM over the grid "
        f"{table['largest change']['AGM']:.2f}",
    )


def _table(measured: Measurements) -> pd.DataFrame:
    return measured.frame("changes").set_index("index")


def _changes(measured: Measurements, indices: Sequence[str]) -> pd.Series:
    return _table(measured)["largest change"][list(indices)]


def _said(changes: pd.Series) -> str:
    return "largest change " + ", ".join(f"{name} {value:.2g}" for name, value in changes.items())
