"""Figures of the example with known densities (Sec. 6.2.2)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.axes3d import Axes3D

from opchar.figures import style
from opchar_reproduction.figures.surface import Part, View
from opchar_reproduction.publications.landgrebe2007.operating_surfaces_figures import (
    cube_in_place,
    floor_lines,
    label_3d,
    surface_with_floor,
)
from opchar_reproduction.publications.landgrebe2007.surfaces_figures import Curves, _axes, _grid
from opchar_reproduction.study import figure


def designs_views(curves: Curves) -> list[View]:
    """Return all operating points of two stages, with both designs (Figure 6.3)."""
    parts = [_grid(curves["surface"], ("theta_d", "theta_c"), TWO_STAGES, "all thresholds")]
    for role, name, colour in (("N", "independent", "second"), ("H", "holistic", "first")):
        point = curves["designs"].query("role == @role").iloc[0]
        x, y, z = (np.array([float(point[each])]) for each in TWO_STAGES)
        parts.append(Part("mark", x, y, z, f"{role}, {name} design", colour=colour))
    words = "All pairs of thresholds, and the independent (N) and the holistic design (H)."
    return [View(words, _axes(TWO_STAGES), parts)]


NAMES = {"first": r"$\omega_{t1}$", "second": r"$\omega_{t2}$", "outlier": r"$\omega_o$"}
LEVELS = (0.2, 0.3, 0.4, 0.6)
SEEN = 0.6


@figure("figure-6.2")
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
        name = r"$\epsilon_{II}$ (grey: other $\theta_d$)" if column == 0 else ""
        style.unit_square(lower, r"$\epsilon_I$", name)
    panels[0].set_ylabel("density")
    figure.colorbar(marks, ax=panels[len(levels) :], shrink=0.85, label="$FP_r^o$")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


@figure("figure-6.3", surface=designs_views)
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
    titles = [
        "$FP_r^o$ at all thresholds",
        "lines: fixed $\\theta_d$ (at their ends)",
        "loss of N $-$ loss of H",
    ]
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
    # One corner belongs to both axes of the floor: only the first names its end there.
    cube.set_yticks([0, 0.5], ["0", "0.5"])
    thresholds = frame["theta_d"].to_numpy().reshape(shape)[:, 0]
    rows = [row for row in range(0, shape[0], 4) if z[row].max() <= SEEN]
    for row in rows:
        section.plot(x[row], z[row], color="#8a8a8a", lw=0.6)
    ends = [(z[row, int(np.argmax(x[row]))], f"{thresholds[row]:.2g}") for row in rows]
    for role, marker, colour in (("N", "s", style.COLOURS[1]), ("H", "o", style.COLOURS[0])):
        point = points[points["role"] == role].iloc[0]
        one, two, third = point["eps_I"], point["eps_II"], point["fpr"]
        # A stem to the floor says where a mark is.
        cube.plot([one, one], [two, two], [0, third], color=colour, lw=1, zorder=8)
        cube.plot([one], [two], [third], marker=marker, color=colour, ms=5, zorder=9)
        place = {"N": "bottom", "H": "top"}[role]
        cube.text(
            one, two, third, f"  {role}", va=place, zorder=10, color=colour, fontweight="bold"
        )
        label = f"{role}: loss {point['loss']:.2f}"
        section.plot(one, third, marker=marker, color=colour, ls="", label=label)
    section.set(xlim=(0, 1), ylim=(0, SEEN), xlabel=r"$\epsilon_I$", ylabel="$FP_r^o$")
    section.legend(loc="upper right")
    style.label_ends(section, [(end, name, "black") for end, name in ends], size=6)


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


@figure("text-6.2.2-losses")
def nearness(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, printed: float = 4.18
) -> Figure:
    """Draw the loss of the independent design under every criterion beside the printed one."""
    frame = curves["designs"]
    frame = frame[frame["design"].str.count(";") == 3]
    parts = frame["design"].str.split("; ", expand=True)
    density = parts[0].replace({"either": "likelier target", "merged": "both targets"})
    rows, marks = density + ": " + parts[1], parts[2] + ", " + parts[3]
    order = list(frame["loss"].groupby(rows).min().sort_values(ascending=False).index)
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=1.2 + 0.2 * len(order))
    for number, (name, losses) in enumerate(frame["loss"].groupby(marks)):
        places = np.array([order.index(row) for row in rows[losses.index]])
        panel.plot(
            losses, places + 0.16 * (number - 1.5), ls="", marker=style.MARKERS[number], ms=4,
            color=style.COLOURS[number], label=f"classifier: {name}",
        )  # fmt: skip
    panel.axvline(printed, color="black", lw=1, ls="--", label=f"published: {printed:g}")
    panel.set_yticks(range(len(order)), order)
    panel.set(xlabel="loss of the independent design", ylabel="detector: density and criterion")
    figure.legend(*panel.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


TWO_STAGES = {"eps_I": "ε of target 1", "eps_II": "ε of target 2", "fpr": "FPr of outliers"}
