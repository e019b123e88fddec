"""Interactive 3D views of figures, as scripts that a page loads on demand."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from opchar_reproduction.figures.surface import Part, View

POINTS = 4000
LINES = 60
SCALE = 10_000


def script(name: str, views: Sequence[View]) -> str:
    """Return views as a classic script."""
    described = [
        {
            "words": view.words,
            "axes": list(view.axes),
            "ranges": [list(each) for each in view.ranges],
            "parts": [_part(part) for part in view.parts],
        }
        for view in views
    ]
    text = json.dumps(described, separators=(",", ":"), ensure_ascii=False)
    return (
        '"use strict";\nwindow.OPCHAR_SURFACES = window.OPCHAR_SURFACES || {};\n'
        f"window.OPCHAR_SURFACES[{json.dumps(name)}] = {text};\n"
    )


def _part(part: Part) -> dict[str, Any]:
    """Return a part with whole numbers, thinned."""
    described: dict[str, Any] = {"kind": part.kind, "name": part.name}
    columns = {"x": part.x, "y": part.y, "z": part.z}
    if part.shade is not None:
        columns["shade"] = part.shade
    if part.kind == "surface":
        kept = np.ix_(*(_even(size, LINES) for size in part.z.shape))
        described["width"] = len(kept[1][0])
    else:
        kept = (_even(len(part.z), POINTS),)
        described["colour"] = part.colour
    for name, values in columns.items():
        scaled = np.rint(values[kept] * SCALE).ravel().tolist()
        described[name] = [int(value) if np.isfinite(value) else None for value in scaled]
    return described


def _even(size: int, most: int) -> np.ndarray:
    """Return at most `most` places, evenly spaced, first and last included."""
    return np.unique(np.rint(np.linspace(0, size - 1, min(size, most))).astype(int))
