"""Figures of the volume under the ROC hypersurface (Sec. 3.3)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.operating_surfaces_figures import (
    cube_in_place,
    label_3d,
)


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


def clip_at_edge(panel: Axes, densities: pd.DataFrame) -> None:
    """Draw, and clip at, the errors of the first two classes where the third is never decided."""
    table = densities.pivot_table(index="x", columns="class", values="density")
    above, below = table.iloc[::-1, 0].cumsum().iloc[::-1], table.iloc[:, 1].cumsum()
    edge = np.column_stack([above / above.max(), below / below.max()])
    reached = PathPatch(Path([[0, 1], [1, 1], [1, 0], *edge]), transform=panel.transData)
    for tints in panel.collections:
        tints.set_clip_path(reached)
    panel.plot(*edge.T, color="black", lw=0.8, label="class 3 never decided")
    panel.legend(loc="lower left", fontsize=6, borderaxespad=0.1)


# Viridis without its pale end: a point has a contrast of 3:1 on white.
THIRD_RATE = ListedColormap(colormaps["viridis"](np.linspace(0.6, 0, 256)))


def cloud_of_rates(cloud: pd.DataFrame, labels: Mapping[str, str]) -> Figure:
    """Draw points of three rates from aside, and from above on axes that widen small rates."""
    figure, panels = style.panels(1, 2, height=3.5)
    cube = cube_in_place(figure, panels[0])
    x, y, z = (cloud[name].to_numpy(float) for name in labels)
    look: dict[str, Any] = {"c": z, "cmap": THIRD_RATE, "vmin": 0, "vmax": 1, "linewidths": 0}
    cube.scatter(x, y, z, s=4, depthshade=False, rasterized=True, **look)
    label_3d(cube, list(labels.values()), zoom=1.0)
    # Seen from where all three rates are large: what is best lies in the far corner below.
    cube.view_init(elev=24, azim=40)
    marks = panels[1].scatter(x, y, s=5, rasterized=True, **look)
    style.unit_square(panels[1], *list(labels.values())[:2])
    ticks = [0, 0.01, 0.1, 0.3, 0.6, 1]
    for axis, scale in ((panels[1].xaxis, "x"), (panels[1].yaxis, "y")):
        getattr(panels[1], f"set_{scale}scale")("function", functions=(np.cbrt, _cube))
        axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
    panels[1].set(xlim=(0, 1.02), ylim=(0, 1.02))
    figure.colorbar(
        marks, ax=panels[1], shrink=0.8, ticks=[0, 0.5, 1], label=list(labels.values())[2]
    )
    cube.set_title(f"(a) from aside; height and colour: {list(labels.values())[2]}", loc="left")
    panels[1].set_title("(b) from above; both axes by cube roots", loc="left")
    return figure


def _cube(root: np.ndarray) -> np.ndarray:
    return np.asarray(root) ** 3
