"""Figures of what class weights gain on other objects than those on which they were found."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.study import figure

Curves = dict[str, pd.DataFrame]
COLUMNS = 4
GAIN = "gain over equal weights, %"

PLACES: dict[str, dict[str, Any]] = {
    "test": {
        "label": "weights found on the test objects",
        "color": style.COLOURS[0],
        "marker": style.MARKERS[0],
    },
    "train": {
        "label": "weights found on the training objects",
        "color": style.COLOURS[1],
        "marker": style.MARKERS[1],
        "markerfacecolor": "none",
    },
}

REFERENCE: dict[str, Any] = {"color": style.GREY, "lw": 0.8}


@figure("figure-4.5-all")
def each_scenario(results: pd.DataFrame, curves: Curves, *, data: str = "Letter") -> Figure:
    """Draw the gain of each algorithm under each cost matrix of a data set.

    The first data set stands for one that was not measured. The cost matrices are in the order of
    the largest gain that any algorithm has on the test objects.
    """
    table = curves["gains by set"]
    known = list(table["data set"].unique())
    shown = data if data in known else known[0]
    by_place = _by_scenario(table[table["data set"] == shown])
    best = by_place["test"].max(axis=1).sort_values(kind="stable")
    figure, panels = _panels(by_place["test"].columns, 4.4)
    ranks, step = np.arange(1, len(best) + 1), 0.07 * len(best)
    lowest = min(float(gains.to_numpy().min()) for gains in by_place.values())
    floor = _floor(float(best.max()), lowest)
    for panel, name in panels.items():
        panel.plot(ranks, best, ls="-", label="largest gain of all, test objects", **REFERENCE)
        panel.axhline(0, ls=":", label="equal weights (Default)", **REFERENCE)
        for number, (place, look) in enumerate(PLACES.items()):
            gains = by_place[place].loc[best.index, name].clip(lower=floor)
            panel.plot(ranks, gains, lw=0, markersize=3 if len(best) <= 20 else 2, **look)
            beside = len(best) + (number + 2) * step
            _quartiles(panel, gains, beside, look | {"label": None})
        _say_beyond(panel, pd.concat([gains[name] for gains in by_place.values()]), floor)
        panel.set_xticks([1, len(best)])
        panel.xaxis.grid(False)
    next(iter(panels)).set_ylim(1.08 * floor, 1.1 * float(best.max()))
    _finish(figure, list(panels), "cost matrix, by largest gain", GAIN)
    title = shown if shown == data else f"{shown} ({data} was not measured)"
    figure.suptitle(title, fontsize=8)
    return figure


@figure("figure-4.18-all")
def median_gains_of_sets(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw median and quartiles of what each algorithm gains on each data set."""
    table = curves["gains by set"]
    sets = {str(name): _by_scenario(part) for name, part in table.groupby("data set", sort=False)}
    algorithms = next(iter(sets.values()))["test"].columns
    figure, panels = _panels(algorithms, 1.6 + 0.3 * len(sets))
    for panel, name in panels.items():
        panel.axvline(0, ls=":", label="equal weights (Default)", **REFERENCE)
        for number, (place, look) in enumerate(PLACES.items()):
            for line, gains in enumerate(sets.values()):
                at = line + 0.4 * (number - 0.5)
                once = look if line == 0 else look | {"label": None}
                _quartiles(panel, gains[place][name], at, once, upright=False)
        panel.set_yticks(range(len(sets)), list(sets))
        panel.set_ylim(len(sets) - 0.4, -0.6)
        panel.yaxis.grid(False)
    _finish(figure, list(panels), GAIN, "")
    return figure


def _by_scenario(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return gains in percent by place, cost matrix and algorithm: medians over the splits."""
    return {
        place: 100
        * table[table["found on"] == place].pivot_table(
            "gain", index="scenario", columns="algorithm", aggfunc="median", sort=False
        )
        for place in PLACES
    }


def _panels(algorithms: pd.Index, height: float) -> tuple[Figure, dict[Axes, str]]:
    """Return a figure with a panel for each algorithm, four in a row, on shared axes."""
    columns = min(len(algorithms), COLUMNS)
    rows = -(-len(algorithms) // columns)
    figure, panels = style.panels(rows, columns, height=height)
    for panel in panels[len(algorithms) :]:
        panel.set_axis_off()
    used = dict(zip(panels, algorithms, strict=False))
    for number, panel in enumerate(used):
        if number:
            panel.sharex(panels[0])
            panel.sharey(panels[0])
        panel.tick_params(labelleft=number % columns == 0)
    style.letter(list(used), list(algorithms))
    return figure, used


def _quartiles(
    panel: Axes, gains: pd.Series, at: float, look: dict[str, Any], *, upright: bool = True
) -> None:
    """Draw a median as a mark and the quartiles as a bar, upright or lying."""
    lower, median, upper = gains.quantile([0.25, 0.5, 0.75])
    x, y = ([at, at], [lower, upper]) if upright else ([lower, upper], [at, at])
    panel.plot(x, y, color=look["color"], lw=1.2)
    panel.plot(*((at, median) if upright else (median, at)), lw=0, markersize=3.5, **look)


def _floor(largest: float, lowest: float) -> float:
    """Return where an axis of gains ends below: no farther than the largest gain goes up."""
    return -largest if 0 < largest < -lowest else 1.05 * min(lowest, 0.0)


def _say_beyond(panel: Axes, gains: pd.Series, floor: float) -> None:
    """Say how many gains lie below the axis, where their marks are put on its end."""
    beyond = gains.to_numpy()[gains.to_numpy() < floor]
    if len(beyond):
        least = f"{beyond.min():.3g}".replace("-", "\N{MINUS SIGN}")
        text = f"{len(beyond)} below the axis, to {least} %"
        panel.text(0.02, 0.2, text, transform=panel.transAxes, fontsize=6)


def _finish(figure: Figure, panels: list[Axes], x: str, y: str) -> None:
    """Name the axes at the edges, and all marks below the panels."""
    for number, panel in enumerate(panels):
        panel.set_xlabel(x if number + COLUMNS >= len(panels) else "")
        panel.set_ylabel(y if number % COLUMNS == 0 else "")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)


@figure("cost-weights-gains")
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
        xlabel="gain in MSU, weights found on the test objects",
        ylabel="gain in MSU, weights found on training objects",
    )
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure
