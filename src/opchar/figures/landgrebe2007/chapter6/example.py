"""Figures of a detector and a classifier for known densities (Sec. 6.2.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.axes3d import Axes3D

from opchar.figures import style
from opchar.figures.landgrebe2007.operating_surfaces import (
    cube_in_place,
    floor_lines,
    label_3d,
    surface_with_floor,
)

NAMES = {"first": r"$\omega_{t1}$", "second": r"$\omega_{t2}$", "outlier": r"$\omega_o$"}
LEVELS = (0.2, 0.3, 0.4, 0.6)


def fixed_detectors(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw densities and operating characteristics for three detectors (Figure 6.2)."""
    frame = curves["characteristic"]
    levels = frame["theta_d"].unique()
    figure, panels = style.panels(2, len(levels), height=4.4)
    for column, level in enumerate(levels):
        upper, lower = panels[column], panels[len(levels) + column]
        for number, (name, part) in enumerate(curves["densities"].groupby("class", sort=False)):
            upper.plot(part["x"], part["density"], label=NAMES[str(name)], **style.series(number))
        upper.axhline(level, color="black", lw=1, ls=":", label=r"$\theta_d$")
        upper.set(xlim=(-8, 8), ylim=(0, 0.35), xlabel="$x$")
        upper.set_title(rf"$\theta_d = {level:g}$", loc="left")
        for other in levels:
            own = frame[frame["theta_d"] == other]
            lower.plot(own["eps_I"], own["eps_II"], color="#bbbbbb", lw=0.7)
        own = frame[frame["theta_d"] == level]
        marks = lower.scatter(
            own["eps_I"], own["eps_II"], c=own["fpr"], s=6, cmap="viridis", vmin=0.2, vmax=0.5
        )
        style.unit_square(lower, r"$\epsilon_I$", r"$\epsilon_{II}$" if column == 0 else "")
    panels[0].set_ylabel("density")
    figure.colorbar(marks, ax=panels[len(levels) :], shrink=0.85, label="$FP_r^o$")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


def designs(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw all operating points with both designs, and what holistic design saves (Figure 6.3)."""
    figure, panels = style.panels(1, 3, height=3.0)
    cube = cube_in_place(figure, panels[0])
    _operating_points(cube, panels[1], curves["surface"], curves["designs"])
    heat = _savings(panels[2], curves["differences"])
    figure.colorbar(heat, ax=panels[2])
    below: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.05), "ncols": 4}
    below |= {"handlelength": 1.7, "columnspacing": 0.8, "handletextpad": 0.4}
    cube.legend(handles=floor_lines(LEVELS), title="$FP_r^o$ on the floor", **below)
    titles = ["all pairs of thresholds", "curves of one $\\theta_d$", "loss difference N - H"]
    for number, (panel, title) in enumerate(zip([cube, *panels[1:]], titles, strict=True)):
        panel.set_title(f"({chr(97 + number)}) {title}", loc="left")
    return figure


def _operating_points(
    cube: Axes3D, section: Axes, frame: pd.DataFrame, points: pd.DataFrame
) -> None:
    """Draw the surface of operating points, its sections, and both designs on them."""
    shape = frame["theta_d"].nunique(), frame["theta_c"].nunique()
    rates = ("eps_I", "eps_II", "fpr")
    x, _, z = (frame[name].to_numpy().reshape(shape) for name in rates)
    look: dict[str, Any] = {"cmap": "viridis", "alpha": 0.5, "lw": 0.1, "edgecolor": "#666666"}
    look |= {"rcount": 20, "ccount": 30}
    surface_with_floor(cube, frame, ("theta_d", "theta_c"), rates, LEVELS, look)
    label_3d(cube, [r"$\epsilon_I$", r"$\epsilon_{II}$", "$FP_r^o$"], zoom=1.0)
    cube.view_init(elev=26, azim=40)
    for row in range(0, shape[0], 4):
        section.plot(x[row], z[row], color="#c8c8c8", lw=0.6)
    for role, marker, colour in (("N", "s", style.COLOURS[1]), ("H", "o", style.COLOURS[0])):
        point = points[points["role"] == role].iloc[0]
        one, two, third = point["eps_I"], point["eps_II"], point["fpr"]
        cube.plot([one], [two], [third], marker=marker, color=colour, ms=5, zorder=9)
        cube.text(one, two, third + 0.06, role, zorder=10)
        label = f"{role}: loss {point['loss']:.2f}"
        section.plot(one, third, marker=marker, color=colour, ls="", label=label)
    section.set(xlim=(0, 1), ylim=(0, 0.6), xlabel=r"$\epsilon_I$", ylabel="$FP_r^o$")
    section.legend(loc="upper right")


def _savings(panel: Axes, differences: pd.DataFrame) -> QuadMesh:
    """Draw the loss that holistic design saves over two costs."""
    table = differences.pivot_table(index="c_o", columns="c_t2", values="difference")
    heat = panel.pcolormesh(table.columns, table.index, table, cmap="cividis", rasterized=True)
    panel.plot(0.55, 0.55, marker="+", color="white", ms=8)
    place: dict[str, Any] = {
        "xytext": (4, 4),
        "textcoords": "offset points",
        "color": "white",
        "fontsize": 6,
    }
    panel.annotate("equal costs", (0.55, 0.55), **place)
    panel.set(xlabel="$c_{t2}$", ylabel="$c_o$")
    panel.grid(visible=False)
    return heat


def nearness(results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, printed: float) -> Figure:
    """Draw the loss of the independent design under every criterion beside the printed one."""
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=2.4)
    frame = curves["designs"].sort_values("loss")
    panel.plot(
        np.arange(len(frame)), frame["loss"], ls="", marker="o", ms=3, color=style.COLOURS[0]
    )
    panel.axhline(printed, color=style.COLOURS[1], label=f"printed {printed:g}")
    panel.set(xlabel="designs in the order of their loss", ylabel="loss")
    panel.legend(loc="upper left")
    return figure
