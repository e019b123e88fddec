"""Figures 1, 3, 5, 6 and 7: crisp classifiers in cost and F-measure space."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures.style import (
    COLOURS,
    ONE_COLUMN,
    PRIOR,
    PROBABILITY_COST,
    TWO_COLUMNS,
    letter,
    named,
    panels,
    series,
)

_MARK: dict[str, Any] = {"marker": "o", "color": COLOURS[6], "linestyle": "none", "zorder": 5}


def f_family(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw F over P(+) for several alpha, with the common crossing (Figure 1)."""
    figure, (panel,) = panels(width=ONE_COLUMN)
    draw_families(panel, curves["f"], "prior", "f")
    mark_crossing(panel, curves["crossing"])
    panel.legend(loc="lower right")
    return figure


def draw_families(panel: Axes, curve: pd.DataFrame, x: str, y: str) -> None:
    """Draw one line a series, one dash and colour each; points for series without extent."""
    for number, (name, part) in enumerate(curve.groupby("series", sort=False)):
        if part[x].min() == part[x].max():
            panel.plot(
                part[x].iloc[:1], part[y].iloc[:1], "s", color=COLOURS[number], label=named(name)
            )
        else:
            panel.plot(part[x], part[y], label=named(name), **series(number))
    labels = {
        "prior": PRIOR,
        "pc": PROBABILITY_COST,
        "f": r"$F_\alpha$",
        "cost": "EC",
        "x": "",
        "y": "",
    }
    panel.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=labels[x], ylabel=labels[y])


def mark_crossing(panel: Axes, crossing: pd.DataFrame) -> None:
    """Mark where all curves of a family meet."""
    prior, f = float(crossing["prior"].iloc[0]), float(crossing["f"].iloc[0])
    panel.plot(prior, f, **_MARK)
    panel.annotate(
        f"{PRIOR} = {prior:.3f}", (prior, f), xytext=(-6, 6), textcoords="offset points", ha="right"
    )


def crisp_pairs(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the F curves of a dominated and of a crossing pair, marking P* (Figure 3)."""
    figure, axes = panels(1, 2, height=2.9)
    for panel, name in zip(axes, ("a", "b"), strict=True):
        curve = curves["f"]
        draw_families(panel, curve[curve["panel"] == name], "prior", "f")
        crossing = curves["crossing"]
        for _, mark in crossing[crossing["panel"] == name].iterrows():
            _drop_line(panel, mark["prior"], mark["f"], rf"$P^*_{{1,2}}$ = {mark['prior']:.3f}")
        panel.legend(loc="lower right")
    letter(axes, ["no crossing", "one crossing"])
    return figure


def _drop_line(panel: Axes, x: float, y: float, label: str) -> None:
    panel.plot([x, x], [0, y], color=COLOURS[1], linewidth=0.8, linestyle=":")
    panel.plot(x, y, **(_MARK | {"color": COLOURS[1]}), label=label)


def cost_weights(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the cost of one classifier for several m over PC(+) and over P(+) (Figure 5)."""
    figure, axes = panels(1, 2, height=2.9)
    draw_cost_over_pc(axes[0], curves["cost"])
    draw_families(axes[1], curves["cost"], "prior", "cost")
    axes[1].set(ylim=_room(curves["cost"]["cost"]))
    axes[1].legend(loc="upper left", ncols=2)
    letter(axes, [f"over {PROBABILITY_COST}", f"over {PRIOR}"])
    return figure


def draw_cost_over_pc(panel: Axes, cost: pd.DataFrame) -> None:
    """Draw cost over PC(+): the lines of 0 < m < 1 coincide, so widths differ as well."""
    groups = list(cost.groupby("series", sort=False))
    for number, (name, part) in enumerate(groups):
        if part["pc"].min() == part["pc"].max():
            ends = part["pc"].iloc[:1], part["cost"].iloc[:1]
            panel.plot(*ends, "s", color=COLOURS[number], label=named(name), zorder=4)
        else:
            width = 2.0 * (len(groups) - number) - 1.5
            colour = COLOURS[number]
            panel.plot(part["pc"], part["cost"], color=colour, linewidth=width, label=named(name))
    panel.set(xlim=(-0.02, 1.02), ylim=_room(cost["cost"]), xlabel=PROBABILITY_COST, ylabel="EC")
    panel.legend(loc="upper left", ncols=2)


def _room(values: pd.Series) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return max(0.0, low - 0.5 * (high - low)), high + 0.9 * (high - low)


def differing_pairs(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw pairs that cross in one space only, F space left, cost space right (Figure 6)."""
    figure, axes = panels(2, 2, height=5.6)
    spaces = {"f": r"$F_\alpha$", "cost": "EC"}
    for row, name in enumerate(("a", "b")):
        for column, (space, label) in enumerate(spaces.items()):
            panel = axes[2 * row + column]
            curve, crossing = curves[space], curves["crossing"]
            draw_families(panel, curve[curve["panel"] == name], "x", "y")
            panel.set(
                xlabel=PRIOR if space == "f" else f"{PROBABILITY_COST} = {PRIOR}", ylabel=label
            )
            here = (crossing["panel"] == name) & (crossing["space"] == space)
            for _, mark in crossing[here].iterrows():
                _drop_line(panel, mark["x"], mark["y"], f"crossing at {mark['x']:.3f}")
            if space == "cost":
                _trivial_costs(panel)
            panel.legend(loc="lower right" if space == "f" else "upper left")
    letter(
        axes,
        [
            "F curves cross",
            "cost lines: no crossing in the operating range",
            "F curves do not cross",
            "cost lines cross",
        ],
    )
    return figure


def _trivial_costs(panel: Axes) -> None:
    look: dict[str, Any] = {"color": "#999999", "linewidth": 0.8, "linestyle": ":"}
    panel.plot([0, 0.5, 1], [0, 0.5, 0], label="cheaper trivial classifier", **look)


def false_positives(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw F and 1 - EC over FPR, and F and EC over P(+) for several FPR (Figure 7)."""
    figure, axes = panels(1, 3, width=TWO_COLUMNS, height=2.9)
    part = curves["a"]
    axes[0].plot(part["fpr"], part["f"], label=r"$F_\alpha$", **series(0))
    axes[0].plot(part["fpr"], part["saved"], label="1 − EC", **series(1))
    axes[0].set(xlabel="FPR", ylabel=r"$F_\alpha$, 1 − EC", ylim=(0, 1))
    axes[0].legend(loc="lower left")
    for panel, column, label in ((axes[1], "f", r"$F_\alpha$"), (axes[2], "cost", "EC")):
        for number, (name, line) in enumerate(curves["b"].groupby("series", sort=False)):
            panel.plot(line["prior"], line[column], label=named(name), **series(number))
        panel.set(xscale="log", xlabel=PRIOR, ylabel=label, ylim=(0, 1))
    axes[2].legend(loc="upper left")
    letter(axes, ["over FPR", rf"$F_\alpha$ over {PRIOR}", f"EC over {PRIOR}"])
    return figure
