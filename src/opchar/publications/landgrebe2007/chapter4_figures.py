"""Figures of class weights for costs (thesis, Secs. 4.2.5, 4.2.6, 4.3.3, 4.3.5 and 4.3.6)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from opchar.figures import style

Curves = dict[str, pd.DataFrame]


def _objects(panel: Axes, objects: pd.DataFrame, size: float) -> None:
    """Draw the objects of each class with a colour and marker of its own."""
    for number, name in enumerate(np.unique(objects["class"].to_numpy(dtype=int))):
        part = objects[objects["class"] == name]
        panel.scatter(
            part["x"],
            part["y"],
            s=size,
            color=style.COLOURS[number % len(style.COLOURS)],
            marker=style.MARKERS[(number + number // len(style.COLOURS)) % len(style.MARKERS)],
            linewidths=0,
            label=rf"$\omega_{{{name}}}$",
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
