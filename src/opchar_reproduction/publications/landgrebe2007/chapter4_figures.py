"""Figures of class weights for costs (thesis, Secs. 4.2.5, 4.2.6, 4.3.3, 4.3.5 and 4.3.6)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from opchar.figures import style

Curves = dict[str, pd.DataFrame]


def _objects(panel: Axes, objects: pd.DataFrame, size: float) -> None:
    """Draw the objects of each class; classes beyond the seventh are hollow."""
    for number, name in enumerate(np.unique(objects["class"].to_numpy(dtype=int))):
        part = objects[objects["class"] == name]
        again, colour = divmod(number, len(style.COLOURS))
        look: dict[str, Any] = {"color": style.COLOURS[colour], "linewidths": 0}
        if again:
            look = {"edgecolors": style.COLOURS[colour], "linewidths": 0.6, "facecolors": "none"}
        marker = style.MARKERS[(colour + 3 * again) % len(style.MARKERS)]
        label = rf"$\omega_{{{name}}}$"
        panel.scatter(part["x"], part["y"], s=size, marker=marker, label=label, **look)


def _shade_moved(panel: Axes, regions: pd.DataFrame, before: str, after: str) -> None:
    """Shade where the decision at the weights `after` is another one than at `before`."""
    one, two = (
        regions[regions["series"] == name].pivot_table(index="y", columns="x", values="class")
        for name in (before, after)
    )
    differs = (one.to_numpy() != two.to_numpy()).astype(float)
    shade = {"colors": ["#E8C547"], "alpha": 0.75}
    panel.contourf(one.columns, one.index, differs, levels=[0.5, 1.5], zorder=0.5, **shade)  # type: ignore[arg-type]
    panel.fill_between(
        [], [], color="#E8C547", alpha=0.75, lw=0, label="decided otherwise than in (a)"
    )


def _boundary(panel: Axes, table: pd.DataFrame, colour: str, dash: str) -> None:
    """Draw where the class changes on a grid."""
    square = table.pivot_table(index="y", columns="x", values="class").to_numpy()
    x, y = np.sort(table["x"].unique()), np.sort(table["y"].unique())
    for number in np.unique(square):
        panel.contour(
            x,
            y,
            (square == number).astype(float),
            levels=[0.5],
            colors=colour,
            linestyles=dash,
            linewidths=0.7,
        )
