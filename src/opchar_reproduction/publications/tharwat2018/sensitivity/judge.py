"""Which indices change when the negative class grows at equal rates (slides 10 to 32)."""

from collections.abc import Sequence

import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


def indices_change(measured: Measurements, *, indices: Sequence[str], limit: float) -> Finding:
    """Ask whether each of the indices is sensitive: on some matrix it changes."""
    changes = _changes(measured, indices)
    parts = {f"{name} changes": change > limit for name, change in changes.items()}
    return conjunction(parts, _in_words(changes))


def indices_stay(measured: Measurements, *, indices: Sequence[str], limit: float) -> Finding:
    """Ask whether none of the indices is sensitive: on no matrix it changes."""
    changes = _changes(measured, indices)
    parts = {f"{name} stays": change <= limit for name, change in changes.items()}
    return conjunction(parts, _in_words(changes))


@statement("0305")
def youden_stays_and_lies_between_zero_and_one(
    measured: Measurements, *, limit: float = 1e-09
) -> Finding:
    """Ask whether YI is not sensitive, and ranges from zero to one."""
    row = _table(measured).loc["YI"]
    inside = row["least"] >= 0 and row["most"] <= 1
    return conjunction(
        {"YI stays": row["largest change"] <= limit, "it lies between 0 and 1": inside},
        f"largest change {row['largest change']:.2g}; values from {row['least']:.2f} to "
        f"{row['most']:.2f}",
    )


@statement("0308")
def f_measure_changes_as_printed(measured: Measurements, *, limit: float = 1e-09) -> Finding:
    """Ask whether F is sensitive, and equals 2TP/(2TP + alpha FP + alpha FN)."""
    table = measured.frame("f under alpha")
    change = (table["by counting"] - table["unchanged"]).abs().max()
    gap = (table["by counting"] - table["as printed"]).abs().max()
    return conjunction(
        {"F changes": change > limit, "it has the printed form": gap <= limit},
        f"largest change {change:.2g}; the printed form is off by up to {gap:.2g}, because FN "
        "belongs to the positives",
    )


@statement("0312")
def adjusted_g_mean_changes_least(
    measured: Measurements,
    *,
    others: Sequence[str] = ["Acc", "Err", "PPV", "NPV", "MCC", "F-measure", "MK", "OP", "Jaccard"],
    limit: float = 1e-09,
) -> Finding:
    """Ask whether AGM changes slightly: in the example by less than the other indices."""
    table = _table(measured)
    moved = (table["example after"] - table["example before"]).abs()
    rival = min(others, key=lambda name: float(moved[name]))
    before, after = (float(table[f"example {when}"]["AGM"]) for when in ("before", "after"))
    return conjunction(
        {"AGM changes": moved["AGM"] > limit, "the least of all": moved["AGM"] < moved[rival]},
        f"AGM {before:.5f} to {after:.5f}; {rival} has the next smallest change, "
        f"{moved[rival]:.4f}; largest change of AGM over the grid "
        f"{table['largest change']['AGM']:.2f}",
    )


def _table(measured: Measurements) -> pd.DataFrame:
    return measured.frame("changes").set_index("index")


def _changes(measured: Measurements, indices: Sequence[str]) -> pd.Series:
    return _table(measured)["largest change"][list(indices)]


def _in_words(changes: pd.Series) -> str:
    return "largest change " + ", ".join(f"{name} {value:.2g}" for name, value in changes.items())
