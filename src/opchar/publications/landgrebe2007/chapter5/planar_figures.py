"""Figures of classifiers in the plane and of the sequential combination (Sec. 5.2)."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from opchar.figures import style

NAMES = {"target": r"$\omega_t$", "outlier": r"$\omega_o$", "unseen": r"$\omega_r$"}


LOOKS: dict[str, dict[str, Any]] = {
    "target": {"marker": "o", "ms": 2.2, "mew": 0, "color": style.COLOURS[0]},
    "outlier": {"marker": "s", "ms": 2.2, "mew": 0, "color": style.COLOURS[1]},
    "unseen": {"marker": "+", "ms": 4, "mew": 0.7, "color": style.GREY},
}


OURS = "illustration: the work does not state the classes; these are ours"


def scatter(panel: Axes, objects: pd.DataFrame, *, most: int = 400) -> None:
    """Draw the objects of each class with a marker of their own."""
    for name, look in LOOKS.items():
        part = objects[objects["class"] == name]
        shown = part.iloc[: most if name != "unseen" else most // 2]
        if len(shown):
            panel.plot(shown["x"], shown["y"], ls="", alpha=0.75, label=NAMES[name], **look)
    panel.set_aspect("equal")
    panel.grid(visible=False)
    panel.set(xlabel="$x_1$", ylabel="$x_2$")


def boundary(panel: Axes, grid: pd.DataFrame, number: int = 6, *, fill: bool = True) -> None:
    """Draw the line around the region that is called target, and tint the region."""
    table = grid.pivot_table(index="y", columns="x", values="target")
    x, y, called = table.columns.to_numpy(), table.index.to_numpy(), table.to_numpy()
    line: dict[str, Any] = {"colors": style.COLOURS[number], "linewidths": 1.1}
    panel.contour(x, y, called, levels=[0.5], linestyles=[style.DASHES[number % 4]], **line)
    if fill:
        panel.contourf(x, y, called, levels=[0.5, 1.5], colors=[style.COLOURS[5]], alpha=0.2)
