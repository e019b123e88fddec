"""Figures 3 to 5 of mullick2020, and what they leave out: sampling, other variants."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.study import figure

Curves = dict[str, pd.DataFrame]
# How many problems of each number of classes the publication has (Sec. 5.2).
PUBLISHED_PROBLEMS = {3: 4, 5: 3, 10: 3}
# A deviation below it is one of rounding: the index does not change at all.
ROUNDING = 1e-12


@figure("figure-3")
def two_class(
    results: pd.DataFrame, curves: Curves, *, averaging: list[str] = ["pooled", "per classifier"]
) -> Figure:
    """Draw the deviations of two-class indices problem by problem (Fig. 3).

    averaging: One panel each.
    """
    table = curves["both averages"]
    figure, axes = style.panels(len(averaging), 1, height=2.3 * len(averaging) + 0.3)
    top = 1.05 * table.loc[table["averaging"].isin(averaging), "deviation"].max()
    for panel, one in zip(axes, averaging, strict=True):
        _by_problem(panel, table[table["averaging"] == one], "deviation", results)
        panel.set(ylabel="standard deviation", ylim=(0, top))
    axes[-1].set_xlabel("problem, with its imbalance ratio (IR)")
    _legend(figure, axes[0])
    style.letter(axes, list(averaging))
    return figure


@figure("figure-4")
def multi_class(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the deviations of multi-class indices, and two of them over their least (Fig. 4)."""
    part = curves["deviations"]
    figure, axes = style.panels(2, 1, height=4.9)
    _by_problem(axes[0], part, "deviation", results)
    axes[0].set(ylabel="standard deviation")
    axes[0].set_ylim(bottom=0)
    _legend(figure, axes[0])
    _say_missing(axes[0], part)
    least = part.groupby("index")["deviation"].transform("min")
    scaled = part.assign(deviation=part["deviation"] / least)
    chosen = scaled[scaled["index"].isin(["ACSA", "nAUROC-OVA"])]
    _by_problem(axes[1], chosen, "deviation", results, order=list(dict.fromkeys(part["index"])))
    axes[1].set(
        ylabel="deviation / least of the index", xlabel="problem, with its imbalance ratio (IR)"
    )
    axes[1].set_ylim(bottom=0)
    style.letter(axes, ["five indices", "two indices over their own least deviation"])
    return figure


@figure("figure-5")
def least_values(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the least value of five indices problem by problem (Fig. 5)."""
    figure, (panel,) = style.panels(height=2.9)
    _by_problem(panel, curves["minima"], "minimum", results)
    panel.set(
        ylabel="smallest mean", xlabel="problem, with its imbalance ratio (IR)", ylim=(-0.02, 1.02)
    )
    _legend(figure, panel)
    _say_missing(panel, curves["minima"])
    return figure


@figure("sampling-spread")
@figure("sampling-spread-multi-class")
def sampling_share(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw what part of the spread over test sets is distortion, and what is drawing them."""
    table = curves["sampling spread"]
    names = list(dict.fromkeys(table["index"]))
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=2.6)
    parts = {"distortion": "class sizes alone", "sampling": "sampling of one test set"}
    for number, (column, label) in enumerate(parts.items()):
        grouped = table.groupby("index")[column]
        means = grouped.mean().reindex(names)
        low, high = (grouped.quantile(q).reindex(names) for q in (0.1, 0.9))
        at = np.arange(len(names)) + 0.36 * number - 0.18
        panel.bar(
            at,
            means,
            width=0.34,
            color=style.COLOURS[number],
            hatch=["", "///"][number],
            edgecolor="white",
            label=label,
        )
        panel.vlines(at, low, high, color="black", linewidth=0.8,
                     label="10th to 90th percentile" if number else "")  # fmt: skip
        for place, mean in zip(at, means, strict=True):
            if mean < ROUNDING:
                panel.annotate("none", (place, 0), xytext=(0, 2), textcoords="offset points",
                               ha="center", fontsize=6, rotation=90)  # fmt: skip
    panel.set_xticks(range(len(names)), names)
    panel.set(ylabel="expected standard deviation")
    panel.set_ylim(bottom=0)
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3)
    return figure


@figure("rank-stability")
@figure("rank-stability-multi-class")
def stability(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw how well the order of the classifiers is kept between test sets, and the power."""
    figure, axes = style.panels(1, 2, height=3.0)
    table = curves["rank stability"].dropna()
    names = list(dict.fromkeys(table["index"]))
    for place, name in enumerate(names):
        values = table.loc[table["index"] == name, "tau"].to_numpy(dtype=float)
        at, counts = np.unique(values.round(6), return_counts=True)
        axes[0].plot(at, np.full(len(at), place), linestyle="none", marker="|", color=style.GREY,
                     markersize=8)  # fmt: skip
        for tau, count in zip(at, counts, strict=True):
            if count > 1:
                axes[0].annotate(str(count), (tau, place), xytext=(0, 5), ha="center", fontsize=6,
                                 textcoords="offset points", color=style.GREY)  # fmt: skip
        axes[0].plot(values.mean(), place, marker="o", color=style.COLOURS[0])
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set(xlabel=r"Kendall's $\tau$ between test sets", ylim=(len(names) - 0.5, -0.5))
    sets = list(dict.fromkeys(curves["power"]["test set"]))
    power, errors = (
        curves["power"].pivot_table("power", "index", "test set", aggfunc=found)[sets]
        for found in ("mean", "sem")
    )
    beside = np.linspace(-0.24, 0.24, len(names))
    for number, name in enumerate(names):
        axes[1].errorbar(
            beside[number] + np.arange(len(sets)),
            power.loc[name],
            errors.loc[name],
            label=name,
            markersize=4,
            elinewidth=0.9,
            **_marker(number),
        )
    axes[1].set_xticks(range(len(sets)), sets, rotation=20)
    axes[1].set(ylabel="share of pairs that differ", xlabel="test set")
    axes[1].set_ylim(bottom=0)
    handles, labels = axes[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=min(len(names), 7))
    dots = "tick: a problem (number: how many); dot: mean"
    style.letter(axes, [dots, "power at the 5 % level; bar: standard error"])
    return figure


def _marker(number: int) -> dict[str, Any]:
    """Return the look of the marks of an index, which no line joins."""
    marker = style.MARKERS[number % len(style.MARKERS)]
    colour = style.COLOURS[number % len(style.COLOURS)]
    return {"marker": marker, "color": colour, "linestyle": "none"}


def _say_missing(panel: Axes, table: pd.DataFrame) -> None:
    """Say in the picture how many problems of the publication it lacks."""
    drawn = table.groupby("classes")["problem"].nunique().to_dict()
    lacking = {
        classes: f"{drawn.get(classes, 0)} of {number} with C = {classes}"
        for classes, number in PUBLISHED_PROBLEMS.items()
        if drawn.get(classes, 0) < number
    }
    if lacking:
        whole = f"{sum(drawn.values())} of the {sum(PUBLISHED_PROBLEMS.values())} problems"
        panel.set_title(f"{whole} ({', '.join(lacking.values())})", loc="right", fontsize=7)


def _by_problem(
    panel: Axes,
    table: pd.DataFrame,
    value: str,
    results: pd.DataFrame,
    order: list[str] | None = None,
) -> None:
    """Draw one marker an index over the problems, in their order."""
    problems = list(dict.fromkeys(table["problem"]))
    names = order or list(dict.fromkeys(table["index"]))
    for number, name in enumerate(names):
        part = table[table["index"] == name].set_index("problem")
        if not len(part):
            continue
        at = np.arange(len(problems)) + 0.1 * (number - (len(names) - 1) / 2)
        panel.plot(at, part[value].reindex(problems), label=name, **_marker(number))
    several = len(set(table["classes"])) > 1
    ratios = _ratios(results)
    ticks = [_short(problem, several) + ratios.get(problem, "") for problem in problems]
    panel.set_xticks(range(len(problems)), ticks)
    panel.set_xlim(-0.6, len(problems) - 0.4)


def _ratios(results: pd.DataFrame) -> dict[object, str]:
    """Return a line of a tick with the imbalance ratio of each problem, where it is known."""
    if not len(results):
        return {}
    known = results[results["column"] == "IR"]
    return {row.row: f"\nIR {row.value:.0f}" for row in known.itertuples()}


def _short(problem: object, several: bool) -> str:
    """Write ``3 classes, 1`` in two lines, or its number where all have as many classes."""
    classes, _, number = str(problem).partition(" classes, ")
    return f"{number}\n$C$ = {classes}" if several else number


def _legend(figure: Figure, panel: Axes) -> None:
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), columnspacing=1)
