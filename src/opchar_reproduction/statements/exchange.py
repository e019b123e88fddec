"""The controls of most statements, each in one call: in a mark, or a cell of ``statements.csv``."""

from __future__ import annotations

from typing import Any

from opchar_reproduction.study import Control

CONTROLS = "opchar_reproduction.statements.controls"


def exchanged(
    first: Any,
    second: Any,
    frame: str = "",
    column: str = "",
    *,
    artefact: str = "",
    says: str = "",
    among: str = "",
) -> Control:
    """Return the control that exchanges two levels of a column, two columns or two rows."""
    kind = "rows" if artefact else "levels" if column else "columns"
    where = {"artefact": artefact, "frame": frame, "column": column}
    given = {name: value for name, value in where.items() if value}
    text = says or f"{first} and {second} exchanged{' among ' if among else ''}{among}"
    return Control(f"{CONTROLS}:exchange_{kind}", text, **given, first=first, second=second)


def shift(says: str, frame: str, value: str, by: float, /, **where: Any) -> Control:
    """Return the control that adds a number to the values of one level: ``column=level``."""
    ((column, level),) = where.items()
    given = {"frame": frame, "column": column, "level": level, "value": value, "by": by}
    return Control(f"{CONTROLS}:shift_level", says, **given)


def other_case(frame: str) -> Control:
    """Return the control that sets each formula against the value of another case."""
    text = "each formula against the value of another case"
    return Control(f"{CONTROLS}:reverse", text, frame=frame, column="computed")


def reverse(says: str, frame: str, column: str) -> Control:
    """Return the control that reverses the order of a column, so that what grew falls."""
    return Control(f"{CONTROLS}:reverse", says, frame=frame, column=column)


def flatten(says: str, frame: str, column: str) -> Control:
    """Return the control that puts the mean of a column in the place of all its values."""
    return Control(f"{CONTROLS}:flatten", says, frame=frame, column=column)


def opposite(says: str, frame: str, column: str) -> Control:
    """Return the control that turns the sign of a column."""
    return Control(f"{CONTROLS}:opposite", says, frame=frame, column=column)


def replace_column(says: str, frame: str, column: str, value: float) -> Control:
    """Return the control that puts one number in the place of a column."""
    return Control(f"{CONTROLS}:replace_column", says, frame=frame, column=column, value=value)


def copy_column(says: str, frame: str, source: str, target: str) -> Control:
    """Return the control that puts a column in the place of another."""
    return Control(f"{CONTROLS}:copy_column", says, frame=frame, source=source, target=target)


def set_value(says: str, artefact: str, row: str, column: str, value: float) -> Control:
    """Return the control that puts another number in the place of one of the lines."""
    where = {"artefact": artefact, "row": row, "column": column}
    return Control(f"{CONTROLS}:set_value", says, **where, value=value)
