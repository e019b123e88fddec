"""Negative controls of the works on measures: a column is turned round, replaced or copied."""

from __future__ import annotations

from opchar_reproduction.statements.measurements import Measurements


def opposite(measured: Measurements, *, frame: str, column: str) -> Measurements:
    """Turn the sign of a column, as if both classifiers of a comparison were exchanged."""
    return measured.with_frame(frame, lambda table: table.assign(**{column: -table[column]}))


def replace_column(
    measured: Measurements, *, frame: str, column: str, value: float
) -> Measurements:
    """Put one number in the place of a column, so that an effect is absent or everywhere."""
    return measured.with_frame(frame, lambda table: table.assign(**{column: value}))


def copy_column(measured: Measurements, *, frame: str, source: str, target: str) -> Measurements:
    """Put a column in the place of another, such as one classifier in that of its rival."""
    return measured.with_frame(frame, lambda table: table.assign(**{target: table[source]}))
