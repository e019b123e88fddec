"""Surfaces of operating points that can be read in print: contours on the floor."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from mpl_toolkits.mplot3d.axes3d import Axes3D

from opchar.figures import style

FLOOR = "#222222"
REJECTION_LEVELS = (0.2, 0.5, 0.8, 0.95)


def cube_in_place(figure: Figure, panel: Axes) -> Axes3D:
    """Return a panel of three dimensions in the place of a flat one, which is removed."""
    spot = panel.get_subplotspec()
    panel.remove()
    cube = figure.add_subplot(spot, projection="3d")
    assert isinstance(cube, Axes3D)
    return cube


def label_3d(panel: Axes3D, labels: Sequence[str], *, zoom: float = 0.9) -> None:
    """Label the axes of a three-dimensional panel of rates."""
    ticks = [0, 0.25, 0.5, 0.75, 1]
    names = ["0", "", "0.5", "", "1"]
    panel.set(xlim=(0, 1), ylim=(0, 1), zlim=(0, 1))
    panel.set_xticks(ticks, names)
    panel.set_yticks(ticks, names)
    panel.set_zticks(ticks, names)
    panel.zaxis.set_rotate_label(False)
    panel.set_xlabel(labels[0], labelpad=-6)
    panel.set_ylabel(labels[1], labelpad=-6)
    panel.set_zlabel(labels[2], labelpad=-6, rotation=90)
    panel.tick_params(pad=-3, labelsize=6)
    panel.set_box_aspect((1, 1, 0.9), zoom=zoom)
    panel.view_init(elev=28, azim=38)


def surface_with_floor(
    panel: Axes3D,
    surface: pd.DataFrame,
    parameters: Sequence[str],
    rates: Sequence[str],
    levels: Sequence[float],
    look: dict[str, Any],
) -> None:
    """Draw a surface of operating points and, on the floor, its lines of equal height.

    A line of equal height is followed over the grid of the thresholds, so that it stays on the
    surface where this leaves a part of the floor out.
    """
    shape = tuple(surface[name].nunique() for name in parameters)
    x, y, z = (surface[name].to_numpy(float).reshape(shape) for name in rates)
    panel.plot_surface(x, y, z, rasterized=True, **look)
    panel.contour(
        x,
        y,
        z,
        levels=list(levels),
        zdir="z",
        offset=0,
        colors=FLOOR,
        linestyles=style.DASHES[: len(levels)],
        linewidths=0.9,
    )


def floor_lines(levels: Sequence[float]) -> list[Line2D]:
    """Return what a legend shows of the lines on the floor, named by their heights."""
    looks = zip(levels, style.DASHES, strict=False)
    return [
        Line2D([], [], color=FLOOR, ls=dashes, lw=0.9, label=f"{level:g}")
        for level, dashes in looks
    ]


def rejection_surface(panel: Axes3D, surface: pd.DataFrame, look: dict[str, Any]) -> None:
    """Draw the operating points of a classifier with reject option (Figures 5.8 and 5.10)."""
    rates = ("fpr_o", "fpr_r", "tpr")
    surface_with_floor(panel, surface, ("t_d", "theta"), rates, REJECTION_LEVELS, look)
    label_3d(panel, ["$FP_r^o$", "$FP_r^r$", "$TP_r$"], zoom=1.05)
    panel.view_init(elev=34, azim=-60)
