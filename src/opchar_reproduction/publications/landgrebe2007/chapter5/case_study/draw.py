"""Figures of three classifiers with a reject option on generated data (Sec. 5.3.3)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.figures.surface import View
from opchar_reproduction.publications.landgrebe2007.chapter5.planar_figures import boundary, scatter
from opchar_reproduction.publications.landgrebe2007.operating_surfaces_figures import (
    REJECTION_LEVELS,
    cube_in_place,
    floor_lines,
    rejection_surface,
)
from opchar_reproduction.publications.landgrebe2007.surfaces_figures import (
    REJECTION,
    Curves,
    _axes,
    _grid,
)
from opchar_reproduction.publications.landgrebe2007.vus_figures import THIRD_RATE
from opchar_reproduction.study import figure


def operating_characteristics_views(curves: Curves) -> list[View]:
    """Return the operating points of three classifiers with a reject option (Figure 5.10)."""
    views = []
    for name in VIEWED:
        surface = curves["surface"].query("model == @name")
        part = _grid(surface, ("t_d", "theta"), REJECTION, name)
        views.append(View(f"{name}: all operating points.", _axes(REJECTION), [part]))
    return views


MODELS = {"LDC": 0, "QDC": 1, "MOGC": 2}

LOOK: dict[str, Any] = {
    "cmap": "viridis",
    "vmin": 0,
    "vmax": 1,
    "alpha": 0.75,
    "lw": 0.1,
    "edgecolor": "#555555",
    "rcount": 16,
    "ccount": 30,
}


@figure("figure-5.9")
def boundaries(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the training objects, and the boundaries at set thresholds (Figure 5.9)."""
    figure, panels = style.panels(1, 2, height=3.5)
    known = curves["scatter"].query("`class` != 'unseen'")
    scatter(panels[0], known, most=800)
    scatter(panels[1], curves["scatter"], most=500)
    for name, number in MODELS.items():
        grid = curves["boundary"].query("model == @name")
        colour, dashes = style.COLOURS[(4, 2, 6)[number]], ("-", "--", "-.")[number]
        boundary(panels[1], grid, colour, dashes, fill=False)
        panels[1].plot([], [], color=colour, ls=dashes, label=name)
    panels[0].set(xlim=panels[1].get_xlim(), ylim=panels[1].get_ylim())
    style.letter(panels, ["training", "use, with an unseen class"])
    figure.legend(*panels[1].get_legend_handles_labels(), loc="outside upper center", ncols=6)
    return figure


@figure("figure-5.10", surface=operating_characteristics_views)
def operating_characteristics(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw each surface with its contours on the floor, and mean performance (Figure 5.10)."""
    figure, panels = style.panels(2, 3, height=5.0)
    colours = THIRD_RATE
    for name, number in MODELS.items():
        surface = curves["surface"].query("model == @name")
        cube = cube_in_place(figure, panels[number])
        rejection_surface(cube, surface, LOOK)
        cube.set_box_aspect((1, 1, 0.9), zoom=0.85)
        cube.set_title(name, loc="left")
        lower = panels[3 + number]
        levels = np.sort(surface["t_d"].unique())[:-1:2]
        # By rank: most levels are small, and their curves would share one colour.
        for place, level in enumerate(levels):
            curve = surface[surface["t_d"] == level]
            colour = colours(0.9 * place / max(len(levels) - 1, 1))
            lower.plot(curve["fpr_r"], curve["mean_performance"], lw=0.8, color=colour)
        points = curves["operating points"].query("model == @name")
        others = points[points["fold"] != 0]
        lower.plot(
            others["fpr"], others["performance"], marker="+", ms=4, mew=0.7, color=style.GREY,
            ls="none", label="best, other hold-outs", zorder=3,
        )  # fmt: skip
        point = points[points["fold"] == 0].iloc[0]
        lower.plot(
            point["fpr"], point["performance"], marker="x", ms=5, color=style.COLOURS[1], ls="none",
            label=r"largest $p_{mean}$ at $FP_r^r \leq 0.25$", zorder=4,
        )  # fmt: skip
        lower.set(xlim=(0, 1), ylim=(0.45, 1), xlabel="$FP_r^r$")
        lower.set_title(f"{name}: a line for each $t_d$", loc="left", fontsize=7)
    panels[3].set_ylabel("$p_{mean}$")
    shades = figure.colorbar(
        _mappable(colours), ax=panels[3:], shrink=0.9, aspect=25, ticks=[0, 0.45, 0.9]
    )
    shades.ax.set_yticklabels(["lowest", "median", "highest"])
    shades.set_label("$t_d$, by rank")
    figure.legend(*panels[3].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    figure.legend(
        handles=floor_lines(REJECTION_LEVELS),
        title="$TP_r$ on the floor",
        loc="outside upper center",
        ncols=len(REJECTION_LEVELS),
    )
    return figure


def _mappable(colours):  # type: ignore[no-untyped-def]
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    return ScalarMappable(Normalize(0, 0.9), colours.resampled(256))


VIEWED = ("LDC", "QDC", "MOGC")
