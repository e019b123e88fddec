"""Which conditions an index meets, from what the search for violations measured."""

import numpy as np
import pandas as pd

from opchar_reproduction.statements.measurements import Measurements

RANGE = 1e-5
"""Ends of ranges that differ by less are the same: a limit is met in the order of 1e-9."""

LIMIT = 1e-4
"""By how much an extrapolated limit must exceed a lower bound."""


def is_met(measured: Measurements, index: str, condition: str, equal: bool = False) -> bool:
    """Return whether an index meets a condition, from what the search measured."""
    if condition == "1":
        return bool((of_index(measured, "invariance", index)["gap"] == 0).all())
    if condition == "2":
        ranges = of_index(measured, "ranges", index)
        part = ranges[ranges["sizes"] == ("equal" if equal else "any")]
        return bool(np.ptp(part["low"]) < RANGE and np.ptp(part["high"]) < RANGE)
    failing = of_index(measured, "failing", index)
    part = failing[failing["interpretation"] == ("limit, equal" if equal else "limit, any")]
    return bool((part["value"] > part["bound"] + LIMIT).all())


def names_of_many(measured: Measurements) -> list[str]:
    """Return the indices of many classes."""
    table = measured.frame("conditions")
    return [str(name) for name in table.loc[table["kind"] == "multi", "index"]]


def of_index(measured: Measurements, frame: str, index: str) -> pd.DataFrame:
    """Return the rows of a frame that are of one index."""
    table = measured.frame(frame)
    return table[table["index"] == index]


def describe_index(measured: Measurements, index: str, conditions: list[str]) -> str:
    """Describe in numbers what was found about an index."""
    parts = []
    if "1" in conditions:
        part = of_index(measured, "invariance", index)
        worst = part.sort_values("gap").iloc[-1]
        free = [f"{int(c)}" for c, gap in zip(part["classes"], part["gap"], strict=True) if not gap]
        parts.append(
            f"differs by {worst['gap']:.3g} at equal class rates"
            + (f", not for C = {', '.join(free)}" if free else "")
            if worst["gap"]
            else "no two matrices of equal class rates differ"
        )
    if "2" in conditions:
        part = of_index(measured, "ranges", index)
        ends = {
            sizes: _rounded_in_words(part.loc[part["sizes"] == sizes, "low"])
            for sizes in ("any", "equal")
        }
        parts.append(f"least value by C {ends['any']}, with equal classes {ends['equal']}")
    if "3" in conditions:
        part = of_index(measured, "failing", index)
        limit = part[part["interpretation"] == "limit, any"]
        parts.append(f"with one failing class {_rounded_in_words(limit['value'])}")
    return f"{index}: {'; '.join(parts)}"


def _rounded_in_words(values: pd.Series) -> str:
    return ", ".join(f"{round(value, 3) + 0.0:.3f}" for value in values)
