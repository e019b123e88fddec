"""Figures of class weights for costs (thesis, Secs. 4.2.5, 4.2.6, 4.3.3, 4.3.5 and 4.3.6)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.figures.landgrebe2007.weighted_classes import weighted_panel

Curves = dict[str, pd.DataFrame]


def _objects(panel: Axes, objects: pd.DataFrame, size: float) -> None:
    """Draw the objects of each class with a colour and marker of its own."""
    for number, name in enumerate(np.unique(objects["class"].to_numpy(dtype=int))):
        part = objects[objects["class"] == name]
        panel.scatter(
            part["x"],
            part["y"],
            s=size,
            color=style.COLOURS[number % len(style.COLOURS)],
            marker=style.MARKERS[(number + number // len(style.COLOURS)) % len(style.MARKERS)],
            linewidths=0,
            label=rf"$\omega_{{{name}}}$",
        )


def _boundary(panel: Axes, table: pd.DataFrame, colour: str, dash: str) -> None:
    """Draw where the class changes on a grid."""
    square = table.pivot_table(index="y", columns="x", values="class").to_numpy()
    x, y = np.sort(table["x"].unique()), np.sort(table["y"].unique())
    for number in np.unique(square):
        panel.contour(
            x,
            y,
            (square == number).astype(float),
            levels=[0.5],
            colors=colour,
            linestyles=dash,
            linewidths=0.7,
        )


def eight_class_boundaries(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the boundaries of eight classes at equal and at optimised weights (Figure 4.4)."""
    figure, panels = style.panels(1, 2, height=3.6)
    for panel, name in zip(panels, ("equal weights", "Pairs"), strict=True):
        _objects(panel, curves["objects"], 5)
        chosen = curves["regions"][curves["regions"]["series"] == name]
        _boundary(panel, chosen, "black", "-")
        panel.set(xlabel="feature 1", ylabel="feature 2")
        panel.set_aspect("equal")
    style.letter(panels, ["equal weights", "weights of the pairwise algorithm"])
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=8, markerscale=2)
    return figure


def sixteen_class_boundaries(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw both boundaries of sixteen classes (Figure 4.17)."""
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=3.6)
    _objects(panel, curves["objects"], 6)
    for name, colour, dash in (("default", "black", "-"), ("Decomp", style.COLOURS[1], "--")):
        chosen = curves["regions"][curves["regions"]["series"] == name]
        _boundary(panel, chosen, colour, dash)
        panel.plot([], [], color=colour, ls=dash, lw=1, label=f"boundary, {name}")
    panel.set(xlabel="feature 1", ylabel="feature 2")
    panel.set_aspect("equal")
    figure.legend(
        *panel.get_legend_handles_labels(), loc="outside lower center", ncols=9, markerscale=2
    )
    return figure


def letter_scenarios(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the utility of each algorithm in each scenario of Letter (Figure 4.5)."""
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=2.9)
    table = curves["scenarios"]
    shown = "Letter" if (table["data set"] == "Letter").any() else table["data set"].iloc[0]
    table = table[(table["data set"] == shown) & (table["fold"] == 0)]
    for number, name in enumerate(("Default", "Naive", "Greedy", "Pairs", "PairsG")):
        values = table[table["algorithm"] == name]["MSU"].to_numpy()
        look = style.series(number) | {"marker": style.MARKERS[number], "lw": 0.8, "markersize": 3}
        panel.plot(np.arange(1, len(values) + 1), values, label=name, **look)
    panel.set(xlabel="cost matrix", ylabel="mean subjective utility (MSU)", title=shown)
    panel.margins(x=0.01)
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def digit_confusions(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the confusion of ten digits before and after a change of weight (Figure 4.9)."""
    figure, panels = style.panels(1, 2, height=3.5)
    table = curves["confusion"]
    names = list(dict.fromkeys(table["series"]))
    for panel, name in zip(panels, names, strict=True):
        part = table[table["series"] == name]
        square = part.pivot_table(index="true", columns="assigned", values="rate").to_numpy()
        panel.imshow(square, cmap="Blues", vmin=0, vmax=1.4)
        for (i, j), rate in np.ndenumerate(square):
            if rate >= 0.005:
                ink = "white" if rate > 0.7 else "black"
                panel.text(j, i, f"{rate:.2f}", ha="center", va="center", fontsize=5, color=ink)
        ticks = [rf"$\omega_{{{k + 1}}}$" for k in range(len(square))]
        panel.set_xticks(range(len(square)), ticks)
        panel.set_yticks(range(len(square)), ticks)
        panel.set(xlabel="assigned", ylabel="true")
        panel.grid(False)
    style.letter(panels, [name.replace("phi_7", r"$\phi_7$") for name in names])
    return figure


def two_operating_points(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw weighted densities at two operating points (Figure 4.16)."""
    figure, panels = style.panels(1, 2, height=2.5)
    table = curves["densities"]
    names = list(dict.fromkeys(table["series"]))
    for panel, name in zip(panels, names, strict=True):
        weighted_panel(panel, table[table["series"] == name])
    style.letter(panels, names)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def median_gains(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw median and quartiles of what DecompG gains on each data set (Figure 4.18)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=2.8)
    table = curves["gains"]
    place = np.arange(len(table))
    spread = [table["median"] - table["lower"], table["upper"] - table["median"]]
    panel.errorbar(
        place,
        table["median"],
        yerr=np.array(spread),
        fmt="o",
        capsize=3,
        color=style.COLOURS[0],
        label="median and quartiles of the cost matrices",
    )
    panel.set_xticks(place, table["data set"], rotation=35, ha="right")
    panel.set(ylabel="MSU of DecompG less default, %", ylim=(0, None))
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center")
    return figure


def gains_elsewhere(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw mean gains with weights found on the same and on training objects."""
    table = curves["gains by set"]
    means = table.pivot_table(
        "gain", index=["data set", "algorithm"], columns="found on", sort=False
    ).reset_index()
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=3.4)
    for number, (name, part) in enumerate(means.groupby("algorithm", sort=False)):
        panel.scatter(
            part["test"],
            part["train"],
            s=16,
            label=name,
            color=style.COLOURS[number % len(style.COLOURS)],
            marker=[*style.MARKERS, "*"][number],
            linewidths=0,
        )
    low, high = panel.get_xlim()
    panel.axline((low, low), (high, high), color=style.GREY, lw=0.6, ls=":")
    panel.axhline(0, color=style.GREY, lw=0.4)
    panel.set(
        xlabel="MSU gain, weights of the same objects", ylabel="gain, weights of training objects"
    )
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def certified_shares(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the share of the possible gain that each algorithm reaches on each data set."""
    table = curves["gaps"].rename(columns={"share of the possible gain, %": "share"})
    means = table.pivot_table("share", index="algorithm", columns="data set", sort=False)
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=2.8)
    shown = [name for name in means.index if name not in ("Default", "Lachiche", "Simple")]
    for number, name in enumerate(shown):
        panel.plot(
            np.arange(means.shape[1]),
            means.loc[name],
            label=name,
            marker=style.MARKERS[number],
            lw=0,
            color=style.COLOURS[number],
        )
    panel.set_xticks(range(means.shape[1]), means.columns)
    panel.set(ylabel="share of the possible gain, %")
    panel.axhline(100, color=style.GREY, lw=0.6, ls=":")
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return figure


def certified_budgets(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the loss found and the gap proven against the zones of branch and bound."""
    sets = list(curves["budgets"]["data set"].unique())
    rows = -(-len(sets) // 3)
    figure, panels = style.panels(rows, min(len(sets), 3), height=0.5 + 2.1 * rows)
    budgets = curves["budgets"].groupby(["data set", "budget"])[["zones", "above", "gap"]].mean()
    others = curves["algorithms"].groupby(["data set", "algorithm"], sort=False)
    means = others[["line searches", "above"]].mean()
    lines = {"gap": "gap proven by branch and bound", "above": "loss found by it, above the best"}
    widest = 1.3 * max(budgets["zones"].max(), means["line searches"].max())
    for panel, name in zip(panels, sets, strict=False):
        table = budgets.loc[name]
        for number, (column, label) in enumerate(lines.items()):
            look = style.series(number) | {"marker": style.MARKERS[number], "markersize": 3.5}
            panel.plot(table["zones"], table[column], label=label, clip_on=False, **look)
        panel.axhline(
            means.loc[(name, "Default"), "above"],
            color=style.GREY,
            lw=0.8,
            ls=":",
            label="Default, above the best",
        )
        for number, algorithm in enumerate(("Greedy", "PairsG"), start=2):
            panel.plot(
                means.loc[(name, algorithm), "line searches"],
                means.loc[(name, algorithm), "above"],
                marker=style.MARKERS[number],
                color=style.COLOURS[number],
                markersize=5,
                lw=0,
                clip_on=False,
                label=f"{algorithm}, above the best",
            )
        panel.set_xscale("log")
        panel.set_yscale("symlog", linthresh=0.1, linscale=0.4)
        panel.set_yticks([0, 0.1, 1, 10, 100], ["0", "0.1", "1", "10", "100"])
        panel.set(xlim=(0.8, widest), ylim=(0, 300), xlabel="zones (lines), line searches (marks)")
    for panel in panels[::3]:
        panel.set_ylabel("% of the loss")
    for panel in panels[len(sets) :]:
        panel.set_axis_off()
    style.letter(panels[: len(sets)], sets)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
