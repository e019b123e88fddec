"""Draw a figure as SVG, PDF and PNG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from opchar.figures.style import figure_style, save
from opchar.functions import import_function, require_type
from opchar_reproduction.results import STAND_IN, named_stand_ins, read_curves, read_results

if TYPE_CHECKING:
    import pandas as pd


ILLUSTRATION = "Illustration: {what} chosen for this reproduction."


def run(entry: Mapping[str, Any], *, results: Path, curves: Path, files: Iterable[Path]) -> None:
    """Write a figure in three formats, with a note on stand-ins and illustrations."""
    measured = read_results(results)
    with figure_style():
        drawn = import_function(entry["renderer"])(
            measured, read_curves(curves), **entry["parameters"]
        )
        require_type(drawn, Figure, entry["renderer"])
        save(
            drawn, {path.suffix[1:]: path for path in files}, note="\n".join(notes(entry, measured))
        )


def notes(entry: Mapping[str, Any], results: pd.DataFrame) -> list[str]:
    """Return the notes of a figure: its stand-ins, and whether it is an illustration.

    Its own result lines name the stand-ins; without such lines all lines of the study do. A figure
    is an illustration when one of its result lines is, or when its entry says what of it was
    chosen.
    """
    listed = results[results["artefact"].isin(entry["lines"])]
    chosen = entry.get("illustration", "")
    if not chosen and "illustration" in set(listed["basis"]):
        chosen = "parameters"
    shown = listed if len(listed) else results
    return [*([ILLUSTRATION.format(what=chosen)] if chosen else []), *stand_ins(shown)]


def stand_ins(results: pd.DataFrame) -> list[str]:
    """Return the stand-ins under result lines, one line for all of the same data."""
    named: dict[str, list[str]] = {}
    for name in sorted({name for label in results["data"] for name in named_stand_ins(label)}):
        original, colon, data = name.removeprefix(f"{STAND_IN} for ").partition(": ")
        named.setdefault(colon + data, []).append(original)
    return sorted(f"{STAND_IN} for {' and '.join(names)}{data}" for data, names in named.items())
