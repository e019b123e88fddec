"""Figures of the volume under the ROC hypersurface (Sec. 3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from opchar.figures import style


def _grid(surface: pd.DataFrame, name: str) -> np.ndarray:
    side = round(len(surface) ** 0.5)
    return surface[name].to_numpy().reshape(side, side)


def surface_by_contours(
    panel: Axes,
    surface: pd.DataFrame,
    names: Sequence[str],
    labels: Sequence[str],
    *,
    top: float = 1.0,
) -> None:
    """Draw a surface of three rates from above: tints and lines of equal height."""
    x, y, z = (_grid(surface, name) for name in names)
    levels = np.append(np.linspace(0, 0.9, 10), top)
    tints = panel.tricontourf(x.ravel(), y.ravel(), z.ravel(), levels=levels, cmap="viridis")
    panel.tricontour(x.ravel(), y.ravel(), z.ravel(), levels=levels, colors="white", linewidths=0.5)
    style.unit_square(panel, labels[0], labels[1])
    bar = panel.figure.colorbar(tints, ax=panel, shrink=0.8, ticks=[0, 0.2, 0.4, 0.6, 0.8, 1])
    bar.set_label(f"height, {labels[2]}")


# Viridis without its pale end: a point has a contrast of 3:1 on white.
THIRD_RATE = ListedColormap(colormaps["viridis"](np.linspace(0.6, 0, 256)))


def projections(cloud: pd.DataFrame, labels: Mapping[str, str]) -> Figure:
    """Draw points of three rates projected on each pair of axes, shaded by the third."""
    figure, panels = style.panels(1, 3, height=2.5)
    names = list(labels)
    for panel, (x, y, third) in zip(panels, ((0, 1, 2), (0, 2, 1), (1, 2, 0)), strict=True):
        rows = cloud.sort_values(names[third], kind="stable")
        panel.scatter(
            rows[names[x]], rows[names[y]], c=rows[names[third]], s=2.5, cmap=THIRD_RATE,
            vmin=0, vmax=1, linewidths=0, rasterized=True,
        )  # fmt: skip
        style.unit_square(panel, labels[names[x]], labels[names[y]])
        panel.set(xlim=(-0.06, 1.06), ylim=(-0.06, 1.06))
        panel.set_title(f"colour: {labels[names[third]]}", loc="left")
    bar = figure.colorbar(panels[-1].collections[0], ax=panels, shrink=0.8, ticks=[0, 0.5, 1])
    bar.set_label("third rate (colour)")
    return figure
