"""Formulas and comparisons on many cases: equal everywhere, higher everywhere, rising."""

import numpy as np
import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction


def formula_holds(
    measured: Measurements, *, frame: str, limit: float, relative: bool = False, by: str = ""
) -> Finding:
    """Judge: stated and computed values are equal in all cases, within a limit.

    A claim of several equations has a part for each level of the column `by`.
    """
    table = measured.frame(frame)
    gap = _gap(table, "said", relative)
    cases = "1 case" if len(table) == 1 else f"{len(table)} cases"
    evidence = f"{cases}: stated and computed values differ by up to {gap:.2g}"
    if "corrected" in table:
        evidence += f", the corrected form by up to {_gap(table, 'corrected', relative):.2g}"
    if not by:
        return Finding(gap <= limit, evidence)
    parts = {
        f"{by} = {level:g}" if isinstance(level, float) else str(level): part
        for level, part in table.groupby(by)
    }
    right = {name: _gap(part, "said", relative) <= limit for name, part in parts.items()}
    return conjunction(right, evidence)


def _gap(table: pd.DataFrame, column: str, relative: bool) -> float:
    scale = 1 + table["computed"].abs() if relative else 1.0
    return float(((table[column] - table["computed"]).abs() / scale).max(skipna=False))


def rises(measured: Measurements, *, frame: str, column: str) -> Finding:
    """Judge: A column rises from each row to the next."""
    steps = np.diff(measured.frame(frame)[column].to_numpy(float))
    return Finding(
        bool((steps > 0).all()),
        f"'{column}' rises in {int((steps > 0).sum())} of {len(steps)} steps",
    )


def constant_curve(
    measured: Measurements, *, frame: str, series: str, column: str, value: float, limit: float
) -> Finding:
    """Judge: A curve is constant and has the value that is said."""
    table = measured.frame(frame)
    curve = table[table["series"] == series][column]
    gap = float((curve - value).abs().max())
    return Finding(
        gap <= limit, f"{series}: {column} is off {value:g} by up to {gap:.2g} at {len(curve)} P(+)"
    )
