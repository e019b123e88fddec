"""Figures of classification against rejection for known densities (Sec. 5.3.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator
from mpl_toolkits.mplot3d.axes3d import Axes3D

from opchar.figures import style
from opchar.figures.landgrebe2007.vus import label_3d

NAMES = {"target": r"$\omega_t$", "outlier": r"$\omega_o$", "unseen": r"$\omega_r$"}


def _densities(panel: Axes, curves: dict[str, pd.DataFrame], t_d: float) -> None:
    """Draw the three densities, the reject threshold and the region called target at theta = 0."""
    for number, (name, curve) in enumerate(curves["densities"].groupby("class", sort=False)):
        panel.plot(curve["x"], curve["density"], label=NAMES[str(name)], **style.series(number))
    left, right = curves["densities"]["x"].min(), curves["densities"]["x"].max()
    for region in curves["regions"].query("t_d == @t_d").itertuples():
        low, high = max(region.low, left), min(region.high, right)
        panel.axvspan(low, high, color=style.COLOURS[5], alpha=0.25, lw=0, label="called target")
    if t_d > 0:
        panel.axhline(t_d, color=style.GREY, lw=0.8, ls="--", label="$t_d$")
    panel.set(xlabel="$x$", ylabel="density", xlim=(left, right), ylim=(0, 0.45))


def synthetic_example(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, t_d: float = 0.15
) -> Figure:
    """Draw the densities with classification and rejection boundary (Figure 5.7)."""
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=2.8)
    _densities(panel, curves, t_d)
    region = curves["regions"].query("t_d == @t_d").iloc[0]
    boundary = curves["regions"].query("t_d == 0").iloc[0]["high"]
    panel.axvline(boundary, color="black", lw=0.9)
    panel.text(boundary + 0.12, 0.415, r"$\theta$")
    panel.text(panel.get_xlim()[0] + 0.15, t_d + 0.01, rf"$t_d = {t_d:g}$")
    panel.text(region["low"] - 0.2, 0.3, "rejected", ha="right")
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def fixed_thresholds(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw densities, three-dimensional ROC and mean performance for each t_d (Figure 5.8)."""
    levels = [float(level) for level in curves["roc"]["t_d"].unique()]
    figure, panels = style.panels(len(levels), 3, height=1.5 * len(levels) + 0.5)
    grid = np.array(panels, dtype=object).reshape(len(levels), 3)
    for row, level in enumerate(levels):
        left, middle, right = grid[row]
        curve = curves["roc"].query("t_d == @level")
        _densities(left, curves, level)
        left.set_title(rf"$t_d = {level:g}$", loc="left")
        left.xaxis.set_major_locator(MultipleLocator(4))
        spot = middle.get_subplotspec()
        middle.remove()
        cube = figure.add_subplot(spot, projection="3d")
        assert isinstance(cube, Axes3D)
        _surface_and_curve(cube, curves["surface"], curve)
        right.plot(
            curves["roc"].query("t_d == 0")["fpr_r"],
            curves["roc"].query("t_d == 0")["mean_performance"],
            color=style.GREY,
            lw=0.8,
            ls="--",
            label="$t_d = 0$" if level else None,
        )
        right.plot(
            curve["fpr_r"],
            curve["mean_performance"],
            color=style.COLOURS[1],
            label=rf"$t_d = {level:g}$",
        )
        right.set(xlim=(-0.02, 1.02), ylim=(0.45, 1), xlabel="$FP_r^r$", ylabel="$p_{mean}$")
        right.legend(loc="upper right")
        if row < len(levels) - 1:
            left.set_xlabel("")
            right.set_xlabel("")
    figure.legend(*grid[-1, 0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return figure


def _surface_and_curve(panel: Axes3D, surface: pd.DataFrame, curve: pd.DataFrame) -> None:
    """Draw the ROC surface over all thresholds and on it the curve of one t_d."""
    shape = surface["t_d"].nunique(), surface["theta"].nunique()
    x, y, z = (surface[name].to_numpy().reshape(shape) for name in ("fpr_o", "fpr_r", "tpr"))
    panel.plot_surface(
        x,
        y,
        z,
        color=style.COLOURS[5],
        alpha=0.25,
        lw=0.15,
        edgecolor="#888888",
        rcount=12,
        ccount=30,
        rasterized=True,
    )
    panel.plot(
        curve["fpr_o"], curve["fpr_r"], curve["tpr"], color=style.COLOURS[1], lw=1.8, zorder=5
    )
    label_3d(panel, ["$FP_r^o$", "$FP_r^r$", "$TP_r$"], zoom=1.25)
    panel.view_init(elev=24, azim=-60)
