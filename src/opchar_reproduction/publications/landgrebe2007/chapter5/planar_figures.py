"""Figures of classifiers in the plane and of the sequential combination (Sec. 5.2)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from opchar.figures import style

NAMES = {"target": r"$\omega_t$", "outlier": r"$\omega_o$", "unseen": r"$\omega_r$"}

LOOKS: dict[str, dict[str, Any]] = {
    "target": {"marker": "o", "ms": 2.2, "mew": 0, "color": style.COLOURS[0]},
    "outlier": {"marker": "s", "ms": 2.2, "mew": 0, "color": style.COLOURS[1]},
    "unseen": {"marker": "+", "ms": 4, "mew": 0.7, "color": style.GREY},
}


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


def boundary(
    panel: Axes, grid: pd.DataFrame, colour: str = "black", dashes: Any = "-", *, fill: bool = True
) -> None:
    """Draw the line where the margin of the target class is zero, and tint its region."""
    table = grid.pivot_table(index="y", columns="x", values="margin")
    x, y, margin = table.columns.to_numpy(), table.index.to_numpy(), table.to_numpy()
    line: dict[str, Any] = {"colors": colour, "linewidths": 1.1, "linestyles": [dashes]}
    panel.contour(x, y, margin, levels=[0], **line)
    if fill:
        tint: dict[str, Any] = {"colors": [style.COLOURS[5]], "alpha": 0.2}
        panel.contourf(x, y, margin, levels=[0, np.inf], **tint)


def region() -> Patch:
    """Return what a legend shows of the tinted region."""
    return Patch(color=style.COLOURS[5], alpha=0.2, lw=0, label="assigned to the target class")
