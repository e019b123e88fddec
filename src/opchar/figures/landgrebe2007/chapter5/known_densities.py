"""Figures of classification against rejection for known densities (Sec. 5.3.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.figures.landgrebe2007.operating_surfaces import (
    REJECTION_LEVELS,
    cube_in_place,
    floor_lines,
    rejection_surface,
)

NAMES = {"target": r"$\omega_t$", "outlier": r"$\omega_o$", "unseen": r"$\omega_r$"}

LOOK = {
    "color": style.COLOURS[5],
    "alpha": 0.25,
    "lw": 0.15,
    "edgecolor": "#888888",
    "rcount": 12,
    "ccount": 30,
}
OURS = "illustration: the work does not state the densities; these are ours"


def _densities(panel: Axes, curves: dict[str, pd.DataFrame], t_d: float) -> None:
    """Draw the three densities, the reject threshold and the region called target at theta = 0."""
    for number, (name, curve) in enumerate(curves["densities"].groupby("class", sort=False)):
        panel.plot(curve["x"], curve["density"], label=NAMES[str(name)], **style.series(number))
    left, right = curves["densities"]["x"].min(), curves["densities"]["x"].max()
    for region in curves["regions"].query("t_d == @t_d").itertuples():
        low, high = max(region.low, left), min(region.high, right)
        panel.axvspan(low, high, color=style.COLOURS[5], alpha=0.25, lw=0)
    panel.axhline(t_d, color=style.GREY, lw=0.8, ls="--")
    panel.set(xlabel="$x$", ylabel="density", xlim=(left, right), ylim=(0, 0.45))


def synthetic_example(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, t_d: float = 0.15
) -> Figure:
    """Draw the densities with classification and rejection boundary (Figure 5.7)."""
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=3.0)
    _densities(panel, curves, t_d)
    region = curves["regions"].query("t_d == @t_d").iloc[0]
    theta = curves["regions"].query("t_d == 0").iloc[0]["high"]
    panel.axvline(theta, color="black", lw=0.9)
    left, right = panel.get_xlim()
    panel.text(theta + 0.1, 0.412, r"$\theta$")
    panel.text(right - 0.1, t_d + 0.008, rf"$t_d = {t_d:g}$", ha="right")
    names = {
        "rejected\n(outlier)": (left, region["low"]),
        "target": (region["low"], region["high"]),
        "outlier\n(classified)": (theta, right),
    }
    for name, (low, high) in names.items():
        panel.text((low + high) / 2, 0.335, name, ha="center", va="center")
    figure.legend(*panel.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    figure.supxlabel(OURS, fontsize=6, color=style.GREY)
    return figure


def fixed_thresholds(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the ROC of each t_d in two projections, mean performance, and the surface (Fig. 5.8)."""
    levels = [float(level) for level in curves["roc"]["t_d"].unique()]
    figure = style.panels(2, 2, height=6.2)[0]
    panels = figure.axes
    cube = cube_in_place(figure, panels[1])
    rejection_surface(cube, curves["surface"], LOOK)
    flat = [panels[0], panels[2], panels[3]]
    shades = colormaps["viridis"](np.linspace(0, 0.85, len(levels)))
    columns = [("fpr_o", "tpr"), ("fpr_r", "tpr"), ("fpr_r", "mean_performance")]
    for number, level in enumerate(levels):
        curve = curves["roc"].query("t_d == @level")
        line = {"color": shades[number], "ls": style.DASHES[number]}
        cube.plot(curve["fpr_o"], curve["fpr_r"], curve["tpr"], zorder=5, lw=1.8, **line)
        for panel, (x, y) in zip(flat, columns, strict=True):
            panel.plot(curve[x], curve[y], label=f"$t_d$ = {level:g}", **line)
    style.unit_square(flat[0], "$FP_r^o$", "$TP_r$")
    style.unit_square(flat[1], "$FP_r^r$", "$TP_r$")
    flat[2].set(xlim=(-0.02, 1.02), ylim=(0.48, 1), xlabel="$FP_r^r$", ylabel="$p_{mean}$")
    floor = floor_lines(REJECTION_LEVELS)
    cube.legend(handles=floor, title="$TP_r$ on\nthe floor", loc="right", bbox_to_anchor=(0, 0.5))
    titles = ["known outliers", "all operating points", "unseen class", "mean performance"]
    for letter, panel, title in zip("abcd", [flat[0], cube, *flat[1:]], titles, strict=True):
        panel.set_title(f"({letter}) {title}", loc="left")
    figure.legend(*flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    figure.supxlabel(OURS, fontsize=6, color=style.GREY)
    return figure
