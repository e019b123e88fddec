"""Figures 1, 2 and 6 of mullick2020: distortions, Example 1 and the groups of indices."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style

Curves = dict[str, pd.DataFrame]
ILLUSTRATION = "illustration: the sets of the publication are not public, parameters chosen by us"
MET = {1.0: ("o", style.COLOURS[2]), 0.0: ("x", style.COLOURS[1])}


def two_distortions(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw how indices of equally good classifiers move as a test set behaves worse (Fig. 1).

    Parameters
    ----------
    results : pandas.DataFrame
        Not drawn; all renderers have it.
    curves : dict of str to pandas.DataFrame
        ``warped``, ``shrunk`` and ``marked``, as the experiment gives them.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = style.panels(1, 2, height=2.9)
    shown = (("warped", "RRT", "Precision"), ("shrunk", "C", "AUROC-OVO"))
    for panel, (frame, column, index) in zip(axes, shown, strict=True):
        for number, (level, part) in enumerate(curves[frame].groupby(column)):
            panel.plot(
                part["accuracy"],
                part["value"],
                label=rf"{'RRT' if column == 'RRT' else '$C$'} = {level:g}",
                **style.series(number),
            )
            marked = curves["marked"]
            dots = marked[(marked["frame"] == frame) & (marked["level"] == level)]
            panel.plot(
                dots["accuracy"],
                dots["value"],
                linestyle="none",
                marker=style.MARKERS[number],
                color=style.COLOURS[number],
            )
        panel.set(xlabel="accuracy of each class", ylabel=index)
        panel.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        panel.legend()
    style.letter(axes, ["Type 1: warped, same range", "Type 2: the range shrinks"])
    return figure


def example_1(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the sets of Example 1 and what becomes of Precision and AUROC-OVA (Fig. 2).

    Parameters
    ----------
    results : pandas.DataFrame
        Not drawn; all renderers have it.
    curves : dict of str to pandas.DataFrame
        ``pair``, ``precisions``, ``vertices`` and ``areas``, as the experiment gives them.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = style.panels(2, 3, height=4.9)
    pair, found = curves["pair"], curves["precisions"]
    for panel, (_, part) in zip(axes[:2], pair.groupby("RRT"), strict=True):
        _objects(panel, part)
        for place in np.unique(found["boundary"]):
            panel.axvline(place, color=style.GREY, linewidth=0.6)
        panel.set(xlim=(pair["x1"].min(), pair["x1"].max()), ylim=(0, 8))
    for number, (ratio, part) in enumerate(found.groupby("RRT")):
        axes[2].plot(
            part["boundary"], part["Precision"], label=f"RRT = {ratio:g}", **style.series(number)
        )
    axes[2].set(xlabel="boundary $x$", ylabel="Precision", ylim=(0, 1.45))
    axes[2].set_yticks(np.linspace(0, 1, 6))
    axes[2].legend(loc="upper left", ncols=2, columnspacing=0.8, handlelength=1.6)
    vertices = curves["vertices"]
    few, most = vertices["C"].min(), vertices["C"].max()
    for panel, number in ((axes[3], few), (axes[4], most)):
        _objects(panel, vertices[vertices["C"] == number])
        panel.set(xlim=(-6.5, 6.5), ylim=(-6.5, 6.5))
        panel.set_aspect("equal")
    for number, (classes, part) in enumerate(curves["areas"].groupby("C")):
        ordered = part.sort_values("fraction right")
        axes[5].plot(
            ordered["fraction right"],
            ordered["AUROC-OVA"],
            label=f"$C$ = {classes:g}",
            **style.series(number),
        )
    axes[5].set(xlabel="fraction right of each class", ylabel="AUROC-OVA", ylim=(0.4, 1.02))
    axes[5].legend()
    ratios = np.unique(pair["RRT"])
    titles = [f"two classes, RRT = {ratio:g}" for ratio in ratios] + ["Precision"]
    titles += [f"$C$ = {few:g}", f"$C$ = {most:g}", "AUROC-OVA"]
    style.letter(axes, titles)
    figure.supxlabel(ILLUSTRATION, fontsize=6, color=style.GREY)
    return figure


def groups(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw which index meets which condition, and who meets the third of those (Fig. 6).

    Parameters
    ----------
    results : pandas.DataFrame
        Not drawn; all renderers have it.
    curves : dict of str to pandas.DataFrame
        ``conditions`` with one column a condition: 1 met, 0 violated.

    Returns
    -------
    matplotlib.figure.Figure
    """
    table = curves["conditions"].set_index("index")
    first, second, third = "Condition 1", "Condition 2", "Condition 3"
    order = table.sort_values([first, second], ascending=False, na_position="last", kind="stable")
    both = table[(table[first] == 1) & (table[second] == 1)]
    equal = "Condition 2, equal classes"
    figure, axes = style.panels(1, 2, height=3.6)
    _dots(axes[0], order, [first, second, equal])
    _dots(axes[1], both, [third, "Condition 3, epsilon = 1/C"])
    style.letter(axes, ["Conditions 1 and 2", "Condition 3 of those that meet both"])
    return figure


def _objects(panel: Axes, part: pd.DataFrame) -> None:
    for number, (_, objects) in enumerate(part.groupby("class")):
        panel.plot(
            objects["x1"],
            objects["x2"],
            linestyle="none",
            marker=style.MARKERS[number],
            color=style.COLOURS[number],
            markersize=2,
            alpha=0.6,
        )
    panel.set(xlabel="$x_1$", ylabel="$x_2$")
    panel.grid(False)


def _dots(panel: Axes, table: pd.DataFrame, columns: list[str]) -> None:
    """Draw a dot where a condition is met, a cross where not; nothing where it does not apply."""
    for met, (marker, colour) in MET.items():
        rows, places = np.nonzero(table[columns].to_numpy(dtype=float) == met)
        label = "met" if met else "violated"
        panel.plot(
            places, rows, linestyle="none", marker=marker, color=colour, markersize=6, label=label
        )
    named = [column.replace(", ", ",\n").replace("epsilon", r"$\epsilon$") for column in columns]
    panel.set_xticks(range(len(columns)), named)
    panel.set_yticks(range(len(table)), [str(name) for name in table.index])
    panel.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(table) - 0.5, -0.5))
    panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
