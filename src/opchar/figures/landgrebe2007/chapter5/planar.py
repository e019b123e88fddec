"""Figures of classifiers in the plane and of the sequential combination (Sec. 5.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from opchar.figures import style

NAMES = {"target": r"$\omega_t$", "outlier": r"$\omega_o$", "unseen": r"$\omega_r$"}
LOOKS: dict[str, dict[str, Any]] = {
    "target": {"marker": "o", "ms": 2.2, "mew": 0, "color": style.COLOURS[0]},
    "outlier": {"marker": "s", "ms": 2.2, "mew": 0, "color": style.COLOURS[1]},
    "unseen": {"marker": "+", "ms": 4, "mew": 0.7, "color": style.GREY},
}
OURS = "illustration: the work does not state the classes; these are ours"


def scatter(panel: Axes, objects: pd.DataFrame, *, most: int = 400) -> None:
    """Draw the objects of each class with a marker of their own."""
    for name, look in LOOKS.items():
        part = objects[objects["class"] == name]
        shown = part.iloc[: most if name != "unseen" else most // 2]
        if len(shown):
            panel.plot(shown["x"], shown["y"], ls="", alpha=0.75, label=NAMES[name], **look)
    panel.set_aspect("equal")
    panel.grid(visible=False)
    panel.set(xlabel="$x_1$", ylabel="$x_2$")


def boundary(panel: Axes, grid: pd.DataFrame, number: int = 6, *, fill: bool = True) -> None:
    """Draw the line around the region that is called target, and tint the region."""
    table = grid.pivot_table(index="y", columns="x", values="target")
    x, y, called = table.columns.to_numpy(), table.index.to_numpy(), table.to_numpy()
    line: dict[str, Any] = {"colors": style.COLOURS[number], "linewidths": 1.1}
    panel.contour(x, y, called, levels=[0.5], linestyles=[style.DASHES[number % 4]], **line)
    if fill:
        panel.contourf(x, y, called, levels=[0.5, 1.5], colors=[style.COLOURS[5]], alpha=0.2)


def unseen_class(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw a quadratic discriminant in training, and in use with an unseen class (Figure 5.1)."""
    figure, panels = style.panels(1, 2, height=3.2)
    for panel, part in zip(panels, ("train", "test"), strict=True):
        boundary(panel, curves["boundary"])
        objects = curves["scatter"]
        scatter(panel, objects[objects["part"] == part])
    style.letter(panels, ["training", "use, with an unseen class"])
    figure.legend(*panels[1].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    figure.supxlabel("shaded: called target. " + OURS, fontsize=6, color=style.GREY)
    return figure


def two_models(
    results: pd.DataFrame,
    curves: dict[str, pd.DataFrame],
    *,
    models: list[str],
    object_a: list[float],
) -> Figure:
    """Draw the regions that models with a reject option call target (Figures 5.2 and 5.4)."""
    figure, panels = style.panels(1, len(models), width=3.4 * len(models) + 0.2, height=3.5)
    for panel, model in zip(panels, models, strict=True):
        grid = curves["boundary"]
        boundary(panel, grid[grid["model"] == model])
        scatter(panel, curves["scatter"].query("part == 'train' and `class` != 'unseen'"))
        panel.plot(
            object_a[0], object_a[1], marker="*", ms=9, color="black", ls="", label="object A"
        )
        panel.annotate(
            "A",
            (object_a[0], object_a[1]),
            xytext=(5, 4),
            textcoords="offset points",
            weight="bold",
        )
    style.letter(panels, [model if model == "SOCMC" else f"{model} model" for model in models])
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    note = "shaded: called target. " + (OURS if len(models) > 1 else "illustration, classes ours")
    figure.supxlabel(note, fontsize=6, color=style.GREY)
    return figure


def block_diagram(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the two stages of the sequential combination (Figure 5.3)."""
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=1.7)
    panel.set_axis_off()
    panel.set(xlim=(0, 10), ylim=(0, 3))
    boxes = [
        (2.2, "$D_{OCC}$\none-class model of $\\omega_t$"),
        (6.0, "$D_{MCC}$\n$\\omega_t$ against $\\omega_o$"),
    ]
    for x, text in boxes:
        panel.add_patch(FancyBboxPatch((x, 1.4), 2.2, 1.1, boxstyle="round,pad=0.05", fc="#eef4f9"))
        panel.text(x + 1.1, 1.95, text, ha="center", va="center")
    arrows = [
        ((0.6, 1.95), (2.1, 1.95), "$x$"),
        ((4.5, 1.95), (5.9, 1.95), r"accepted $\tilde{x}$"),
        ((8.3, 1.95), (9.6, 1.95), "target"),
        ((3.3, 1.3), (3.3, 0.3), "outlier"),
        ((7.1, 1.3), (7.1, 0.3), "outlier"),
    ]
    for start, end, text in arrows:
        panel.add_patch(
            FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=9, color="black")
        )
        upright = start[0] == end[0]
        place = (start[0] + 0.15, 0.75) if upright else ((start[0] + end[0]) / 2, 2.15)
        panel.text(
            *place, text, ha="left" if upright else "center", va="center" if upright else "bottom"
        )
    return figure


def areas(results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, problems: list[str]) -> Figure:
    """Draw mean areas with standard deviations of M, R and S (Figures 5.5 and 5.6)."""
    figure, panels = style.panels(1, len(problems), height=2.6)
    frame = curves["areas"]
    for panel, problem in zip(panels, problems, strict=True):
        part = frame[frame["problem"] == problem]
        for number, (name, own) in enumerate(part.groupby("classifier", sort=False)):
            table = own.groupby("measure")["area"].agg(["mean", "std"]).loc[["clf", "rej1", "rej2"]]
            panel.errorbar(
                np.arange(3) + 0.22 * (number - 1),
                table["mean"],
                table["std"],
                ls="",
                marker=style.MARKERS[number],
                color=style.COLOURS[number],
                capsize=2,
                label={"M": "M discriminant", "R": "R reject option", "S": "S SOCMC"}[str(name)],
            )
        panel.axhline(0.5, color=style.GREY, lw=0.7, ls=":")
        panel.set_xticks(range(3), ["clf", "rej1", "rej2"])
        panel.set(ylim=(0.2, 1.02), xlim=(-0.5, 2.5))
        panel.set_title(problem, loc="left")
        if panel is not panels[0]:
            panel.tick_params(labelleft=False)
    panels[0].set_ylabel("AUC")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure
