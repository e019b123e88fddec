"""What claims on Example 1 and on the distortions share (mullick2020, Figs. 1 and 2)."""

from __future__ import annotations

from opchar_reproduction.statements.measurements import Measurements


def another_column(measured: Measurements, *, frame: str, column: str, other: str) -> Measurements:
    """Put the values of another column, such as an index without the effect, into a column."""
    return measured.with_frame(frame, lambda table: table.assign(**{column: table[other]}))
