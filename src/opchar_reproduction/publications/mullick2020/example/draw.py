"""The distortions and Example 1 (mullick2020, Figs. 1 and 2)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from opchar.figures import style
from opchar_reproduction.study import figure


@figure("figure-1")
def two_distortions(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw how indices of equally good classifiers move as a test set behaves worse (Fig. 1)."""
    figure, axes = style.panels(1, 2, height=2.9)
    shown = (("warped", "RRT", "Precision"), ("shrunk", "C", "AUROC-OVO"))
    for panel, (frame, column, index) in zip(axes, shown, strict=True):
        for number, (level, part) in enumerate(curves[frame].groupby(column)):
            label = f"{'RRT' if column == 'RRT' else '$C$'} = {level:g}"
            panel.plot(part["accuracy"], part["value"], label=label, **style.series(number))
            marked = curves["marked"]
            dots = marked[(marked["frame"] == frame) & (marked["level"] == level)]
            panel.plot(dots["accuracy"], dots["value"], **_marks(number))
        panel.set(xlabel="accuracy of each class", ylabel=index)
        panel.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        panel.legend()
    style.letter(axes, ["Type 1: warped, same range", "Type 2: the range shrinks"])
    return figure


@figure("figure-2")
def example_1(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the sets of Example 1 and what becomes of Precision and AUROC-OVA (Fig. 2)."""
    figure, axes = style.panels(2, 3, height=5.3)
    pair, found = curves["pair"], curves["precisions"]
    for panel, (_, part) in zip(axes[:2], pair.groupby("RRT"), strict=True):
        _objects(panel, part)
        for place in np.unique(found["boundary"]):
            panel.axvline(place, color=style.GREY, linewidth=0.6)
        panel.set(xlim=(pair["x1"].min(), pair["x1"].max()), ylim=(0, 8))
    for number, (ratio, part) in enumerate(found.groupby("RRT")):
        label = f"RRT = {ratio:g}"
        axes[2].plot(part["boundary"], part["Precision"], label=label, **style.series(number))
    axes[2].set(xlabel="boundary $x$", ylabel="Precision", ylim=(0, 1.45))
    axes[2].set_yticks(np.linspace(0, 1, 6))
    axes[2].legend(loc="upper left", ncols=2, columnspacing=0.8, handlelength=1.6)
    vertices = curves["vertices"]
    few, most = vertices["C"].min(), vertices["C"].max()
    for panel, number in ((axes[3], few), (axes[4], most)):
        _objects(panel, vertices[vertices["C"] == number])
        _ensembles(panel, curves["leads"].query("C == @number"))
        panel.set(xlim=(-6.5, 6.5), ylim=(-6.5, 6.5))
        panel.set_aspect("equal")
    for number, (classes, part) in enumerate(curves["areas"].groupby("C")):
        ordered = part.sort_values("fraction right")
        x, y, label = ordered["fraction right"], ordered["AUROC-OVA"], f"$C$ = {classes:g}"
        axes[5].plot(x, y, label=label, **style.series(number))
    axes[5].set(xlabel="fraction right of each class", ylabel="AUROC-OVA", ylim=(0.4, 1.02))
    axes[5].legend()
    ratios = np.unique(pair["RRT"])
    titles = [f"RRT = {ratio:g}; lines: classifiers" for ratio in ratios] + ["Precision"]
    titles += [f"$C$ = {number:g}; lines: ensembles" for number in (few, most)] + ["AUROC-OVA"]
    style.letter(axes, titles)
    _name_marks(figure, axes[4])
    return figure


def _name_marks(figure: Figure, panel: Axes) -> None:
    """Name marks and lines below all panels, by the marks of the panel with most classes."""
    marks = list(panel.lines)
    names = ["class 1 (a, b: negative)", "class 2 (a, b: positive)"]
    names += [f"class {number}" for number in range(3, len(marks) + 1)]
    for colour, width, name in (
        ("black", 1.0, "best ensemble (d, e)"),
        (style.GREY, 0.6, "classifier (a, b), class 1 of a poorer ensemble (d, e)"),
    ):
        marks.append(Line2D([], [], color=colour, linewidth=width))
        names.append(name)
    figure.legend(marks, names, loc="outside lower center", ncols=4, markerscale=2)


def _ensembles(panel: Axes, leads: pd.DataFrame) -> None:
    """Draw the boundaries of the best ensemble, and those of the first class in poorer ones."""
    for (advantage, _), part in leads.groupby(["advantage", "class"]):
        grid = part.pivot_table(index="x2", columns="x1", values="lead")
        colour, width = (style.GREY, 0.6) if advantage else ("black", 1.0)
        panel.contour(grid.columns, grid.index, grid, levels=[0.0], colors=colour,
                      linestyles="-", linewidths=width)  # fmt: skip


def _objects(panel: Axes, part: pd.DataFrame) -> None:
    for number, (_, objects) in enumerate(part.groupby("class")):
        panel.plot(objects["x1"], objects["x2"], markersize=2, alpha=0.6, **_marks(number))
    panel.set(xlabel="$x_1$", ylabel="$x_2$")
    panel.grid(False)


def _marks(number: int) -> dict[str, Any]:
    marker, colour = style.MARKERS[number], style.COLOURS[number]
    return {"linestyle": "none", "marker": marker, "color": colour}
