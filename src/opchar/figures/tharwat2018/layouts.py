"""Confusion matrices and metrics as regions (tharwat2018, slides 7, 8 and 33)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Rectangle

from opchar.figures import style

RIGHT, WRONG = "#D3ECE3", "#FBE3D9"
DEEP_RIGHT, DEEP_WRONG = "#4DB894", "#E88A5E"
EDGE = "#B0623F"
MEANING = {
    "TP": "true positive",
    "FP": "false positive\n(false alarm)",
    "FN": "false negative\n(miss)",
    "TN": "true negative",
}


def confusion_2x2(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the two-class confusion matrix with true classes in columns (slide 7)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=2.9)
    _matrix(panel, curves["2x2"], [f"{cell}\n{MEANING[cell]}" for cell in curves["2x2"]["cell"]])
    for column, total in enumerate(("P = TP + FN", "N = FP + TN")):
        panel.text(column + 0.5, -0.12, total, ha="center", va="top")
    panel.set_ylim(-0.35, 2.02)
    panel.yaxis.set_label_coords(-0.12, 0.57)
    return figure


def confusion_3x3(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the multi-class confusion matrix (slide 8)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=2.9)
    cells = [f"${name[: -len(tail)]}{{{tail}}}$" for name, tail in _subscripts(curves["3x3"])]
    _matrix(panel, curves["3x3"], cells)
    return figure


def _subscripts(cells: pd.DataFrame) -> list[tuple[str, str]]:
    return [(name, name.split("_")[1]) for name in cells["cell"]]


def _matrix(panel: Axes, cells: pd.DataFrame, texts: list[str]) -> None:
    classes = list(dict.fromkeys(cells["true"]))
    size = len(classes)
    places = zip(cells["predicted"], cells["true"], cells["right"], texts, strict=True)
    for predicted, true, right, text in places:
        x, y = classes.index(true), size - 1 - classes.index(predicted)
        hatch = "" if right else "////"
        panel.add_patch(
            Rectangle((x, y), 1, 1, facecolor=RIGHT if right else WRONG, edgecolor="white")
        )
        panel.add_patch(
            Rectangle((x, y), 1, 1, fill=False, hatch=hatch, edgecolor="#E8B7A4", linewidth=0)
        )
        panel.add_patch(Rectangle((x, y), 1, 1, fill=False, edgecolor="black", linewidth=0.8))
        panel.text(
            x + 0.5,
            y + 0.5,
            text,
            ha="center",
            va="center",
            fontsize=9,
            bbox={"facecolor": RIGHT if right else WRONG, "edgecolor": "none", "pad": 1.5},
        )
    panel.set(xlim=(-0.02, size + 0.02), ylim=(-0.02, size + 0.02), aspect="equal")
    panel.set_xticks(np.arange(size) + 0.5, classes)
    panel.set_yticks(np.arange(size) + 0.5, classes[::-1])
    panel.set(xlabel="true class", ylabel="predicted class")
    panel.xaxis.set_label_position("top")
    panel.tick_params(length=0, labeltop=True, labelbottom=False)
    panel.grid(False)
    for spine in panel.spines.values():
        spine.set_visible(False)


def circles(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw each metric as a fraction of correctly and incorrectly classified regions (slide 33)."""
    metrics, shape = curves["metrics"], curves["circle"].iloc[0]
    columns = 4
    rows = -(-(len(metrics) + 1) // columns)
    figure, axes = style.panels(rows, columns, height=rows * 1.95)
    _regions(axes[0], shape, {})
    axes[0].set_title("the classes and the classifier")
    side = shape["side"]
    for x, y, text in (
        (-0.55, 0.05, "TP"),
        (0.18, 0.05, "FP"),
        (-0.75, -0.8, "FN"),
        (0.75, -0.8, "TN"),
    ):
        axes[0].text(x * side, y * side, text, ha="center", va="center")
    for x, text in ((-side / 2, "positive"), (side / 2, "negative")):
        axes[0].text(x, 0.93 * side, text, ha="center", va="top", fontsize=6)
    for panel, (_, metric) in zip(axes[1:], metrics.iterrows(), strict=False):
        _regions(panel, shape, dict(metric))
        panel.set_title(f"{metric['metric']} = {metric['value']:.2f}")
    for panel in axes[len(metrics) + 1 :]:
        panel.set_visible(False)
    handles = [
        *(
            Patch(facecolor=colour, hatch=hatch, edgecolor=EDGE, linewidth=0.5)
            for colour, hatch in (
                (DEEP_RIGHT, ""),
                (RIGHT, ""),
                (DEEP_WRONG, "////"),
                (WRONG, "////"),
            )
        ),
        Line2D([], [], marker="o", color="black", markerfacecolor="none", linestyle=""),
    ]
    names = [
        "correct, in the numerator", "correct, in the denominator only",
        "incorrect, in the numerator", "incorrect, in the denominator only",
        "predicted positive (inside)",
    ]  # fmt: skip
    figure.legend(handles, names, loc="outside lower center", ncols=3)
    return figure


def _regions(panel: Axes, shape: pd.Series, metric: Mapping[str, Any]) -> None:
    side, radius, centre = shape["side"], shape["radius"], -shape["shift"]
    halves = {
        "left": Rectangle((-side, -side), side, 2 * side, transform=panel.transData),
        "right": Rectangle((0, -side), side, 2 * side, transform=panel.transData),
    }
    for half, inside, outside in (("left", "tp", "fn"), ("right", "fp", "tn")):
        for zorder, region in ((1, outside), (2, inside)):
            colour, hatch = _look(region, metric)
            patch: Patch = Circle((centre, 0), radius)
            if region == outside:
                patch = Rectangle(halves[half].get_xy(), side, 2 * side)
            patch.set(facecolor=colour, hatch=hatch, edgecolor=EDGE, linewidth=0)
            patch.set_zorder(zorder)
            panel.add_patch(patch)
            patch.set_clip_path(halves[half])
    panel.add_patch(Circle((centre, 0), radius, fill=False, linewidth=1.0, zorder=3))
    panel.add_patch(
        Rectangle((-side, -side), 2 * side, 2 * side, fill=False, linewidth=0.6, zorder=3)
    )
    panel.plot([0, 0], [-side, side], color="black", linewidth=0.6, zorder=3)
    panel.set(xlim=(-1.05 * side, 1.05 * side), ylim=(-1.05 * side, 1.05 * side), aspect="equal")
    panel.axis("off")


def _look(region: str, metric: Mapping[str, Any]) -> tuple[str, str]:
    if not metric:
        return "white", ""
    above = region in metric["numerator"].split()
    if region in metric["right"].split():
        return (DEEP_RIGHT if above else RIGHT), ""
    if region in metric["wrong"].split():
        return (DEEP_WRONG if above else WRONG), "////"
    return "white", ""
