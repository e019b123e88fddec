"""Negative controls that serve many statements: inputs for which a claim must fail.

Each takes measurements and gives changed ones; the configuration names it with its parameters.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from opchar_reproduction.statements.measurements import Measurements


def exchange_levels(
    measured: Measurements, *, frame: str, column: str, first: Any, second: Any
) -> Measurements:
    """Exchange two levels of a column, such as two classifiers, in a frame."""
    swap = {first: second, second: first}

    def exchanged(table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(**{column: table[column].map(lambda level: swap.get(level, level))})

    return measured.with_frame(frame, exchanged)


def exchange_columns(
    measured: Measurements, *, frame: str, first: str, second: str
) -> Measurements:
    """Exchange two columns of a frame, such as two rates."""
    names = {first: second, second: first}
    return measured.with_frame(frame, lambda table: table.rename(columns=names))


def exchange_rows(
    measured: Measurements, *, artefact: str, first: str, second: str
) -> Measurements:
    """Exchange the numbers of two rows of a table."""
    lines = measured.lines.copy()
    swap = {first: second, second: first}
    chosen = (lines["artefact"] == artefact) & lines["row"].isin(list(swap))
    lines.loc[chosen, "row"] = lines.loc[chosen, "row"].map(swap)
    return Measurements(lines, measured.frames)


def reverse(measured: Measurements, *, frame: str, column: str) -> Measurements:
    """Reverse the order of a column in a frame, so that what grew falls."""
    return measured.with_frame(
        frame, lambda table: table.assign(**{column: table[column].to_numpy()[::-1]})
    )


def flatten(measured: Measurements, *, frame: str, column: str) -> Measurements:
    """Remove an effect: put the mean of a column in the place of all its values."""
    return measured.with_frame(
        frame, lambda table: table.assign(**{column: float(table[column].mean())})
    )


def shift_level(
    measured: Measurements, *, frame: str, column: str, level: Any, value: str, by: float
) -> Measurements:
    """Add a number to the values of one level of a column, so that it is like no other."""

    def shifted(table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(**{value: table[value] + by * (table[column] == level)})

    return measured.with_frame(frame, shifted)


def set_value(
    measured: Measurements, *, artefact: str, row: str, column: str, value: float
) -> Measurements:
    """Put another number in the place of one."""
    return measured.with_value(artefact, row, column, value)


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
