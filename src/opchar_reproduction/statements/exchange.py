"""The control that most statements of comparisons have, in one call."""

from __future__ import annotations

from typing import Any

from opchar_reproduction.study import Control


def exchanged(first: Any, second: Any, *, frame: str, column: str = "", says: str = "") -> Control:
    """Return the control that exchanges two levels of a column, or two columns, of a frame."""
    kind, where = ("levels", {"column": column}) if column else ("columns", {})
    function = f"opchar_reproduction.statements.controls:exchange_{kind}"
    text = says or f"{first} and {second} exchanged"
    return Control(function, text, frame=frame, **where, first=first, second=second)
