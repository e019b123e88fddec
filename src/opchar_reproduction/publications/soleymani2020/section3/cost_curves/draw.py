"""Crisp classifiers in cost space (Sec. 3, Figs. 5 to 7)."""

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.publications.soleymani2020.curves_figures import (
    _drop_line,
    draw_families,
    name_lines,
    select,
)
from opchar_reproduction.study import figure


@figure("figure-5")
def cost_weights(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the cost of one classifier for several m over PC(+) and over P(+) (Figure 5)."""
    figure, axes = style.panels(1, 2, height=2.9)
    draw_cost_over_pc(axes[0], curves["cost"])
    draw_families(axes[1], curves["cost"], "prior", "cost")
    axes[1].set(xlim=(0, 1), ylim=_room(curves["cost"]["cost"]))
    style.letter(axes, [f"over {style.PROBABILITY_COST}", f"over {style.PRIOR}"])
    name_lines(axes[1], curves["cost"], "prior", "cost", at=0.4)
    return figure


def draw_cost_over_pc(panel: Axes, cost: pd.DataFrame) -> None:
    """Draw cost over PC(+): one line for all 0 < m < 1, which coincide, and its two end points."""
    drawn = False
    for name, part in cost.groupby("series", sort=False):
        x, y = part["pc"], part["cost"]
        if x.min() != x.max():
            panel.plot(
                x, y, **(style.series(0) if not drawn else {"color": style.COLOURS[0], "zorder": 1})
            )
            drawn = True
        else:
            panel.plot(x.iloc[0], y.iloc[0], "s", color=style.COLOURS[1], zorder=4, clip_on=False)
            side = 1 if x.iloc[0] < 0.5 else -1
            panel.annotate(
                f"{style.series_label(name)}: this point only", (x.iloc[0], y.iloc[0]),
                xytext=(8 * side, -11 * side), textcoords="offset points",
                ha="left" if side > 0 else "right", va="center",
            )  # fmt: skip
    middle = cost.iloc[int((cost["pc"] - 0.5).abs().to_numpy().argmin())]
    panel.annotate(
        "one line for all $0 < m < 1$", (middle["pc"], middle["cost"]), xytext=(0.05, 0.75),
        textcoords="axes fraction", arrowprops={"arrowstyle": "->", "linewidth": 0.7},
    )  # fmt: skip
    panel.set(xlim=(0, 1), ylim=_room(cost["cost"]), xlabel=style.PROBABILITY_COST, ylabel="EC")


def _room(values: pd.Series) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return max(0.0, low - 0.5 * (high - low)), high + 0.9 * (high - low)


@figure("figure-6")
def differing_pairs(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw pairs that cross in one space only, F space left, cost space right (Figure 6)."""
    figure, axes = style.panels(2, 2, height=5.6)
    spaces = {"f": r"$F_\alpha$", "cost": "EC"}
    for row, name in enumerate(("a", "b")):
        for column, (space, label) in enumerate(spaces.items()):
            panel = axes[2 * row + column]
            own = select(curves[space], panel=name)
            if space == "cost":
                _trivial_costs(panel, own)
            draw_families(panel, own, "x", "y")
            x = style.PRIOR if space == "f" else f"{style.PROBABILITY_COST} = {style.PRIOR}"
            panel.set(xlabel=x, ylabel=label)
            for _, mark in select(curves["crossing"], panel=name, space=space).iterrows():
                _drop_line(panel, mark["x"], mark["y"], f"crossing at {mark['x']:.3f}")
            panel.legend(
                loc="lower right" if space == "f" else "upper left", frameon=True, framealpha=1,
                edgecolor="none",
            )  # fmt: skip
    above = ["F curves cross", "$C_1$ is cheaper wherever one of them is useful"]
    style.letter(axes, [*above, "F curves do not cross", "cost lines cross"])
    return figure


def _trivial_costs(panel: Axes, pair: pd.DataFrame) -> None:
    """Shade where calling everything positive, or everything negative, is as cheap as the pair."""
    least = pair.groupby("x")["y"].min()
    x, cost = least.index.to_numpy(), least.to_numpy()
    trivial = np.minimum(x, 1 - x)
    panel.fill_between(
        x, 0, 1, where=trivial <= cost, step="mid", facecolor="#E4E4E4", edgecolor="#BBBBBB",
        linewidth=0.5, label="a trivial classifier is cheaper",
    )  # fmt: skip
    panel.plot(
        x, trivial, color=style.GREY, linewidth=0.8, linestyle=":", label="best trivial classifier"
    )


@figure("figure-7")
def false_positives(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw F and 1 - EC over FPR, and F and EC over P(+) for several FPR (Figure 7)."""
    figure, axes = style.panels(1, 3, width=style.TWO_COLUMNS, height=2.7)
    part = curves["a"]
    ends = []
    for column, name, dash in (("f", r"$F_\alpha$", "-"), ("saved", "1 − EC", "--")):
        axes[0].plot(part["fpr"], part[column], color="black", linestyle=dash)
        ends.append((float(part[column].iloc[-1]), name, "black"))
    axes[0].set(
        xlabel="FPR", ylabel=r"$F_\alpha$, 1 − EC", xlim=(0, part["fpr"].max()), ylim=(0, 1)
    )
    groups = list(curves["b"].groupby("series", sort=False))
    shades = colormaps["viridis"](np.linspace(0, 0.72, len(groups)))
    for panel, column, label in ((axes[1], "f", r"$F_\alpha$"), (axes[2], "cost", "EC")):
        for number, (_, line) in enumerate(groups):
            panel.plot(
                line["prior"], line[column], color=shades[number], linestyle=style.DASHES[number]
            )
        low, high = line["prior"].min(), line["prior"].max()
        panel.set(xscale="log", xlabel=style.PRIOR, ylabel=label, xlim=(low, high), ylim=(0, 1))
    style.letter(axes, ["over FPR", rf"$F_\alpha$ over {style.PRIOR}", f"EC over {style.PRIOR}"])
    style.label_ends(axes[0], ends)
    figure.legend(
        axes[1].get_lines(), [str(name) for name, _ in groups], loc="outside lower center",
        ncols=len(groups), title="lines of (b) and (c)", handlelength=2.6,
    )  # fmt: skip
    return figure
