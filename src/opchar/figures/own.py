"""A user's own scores: the spaces, differences of models, calibration."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from opchar.figures.style import COLOURS, DASHES, letter, panels, unit_square

MOST = len(COLOURS) * len(DASHES)


def plain(name: object) -> str:
    r"""Return a name so that no part of it is read as a formula."""
    return str(name).replace("$", r"\$")


def line(number: int) -> dict[str, object]:
    """Return colour and dash of a line: all pairs of them before one comes again."""
    turn = number // len(COLOURS)
    dash = DASHES[(number + turn) % len(DASHES)]
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": dash}


def four_spaces(points: pd.DataFrame, envelopes: pd.DataFrame, by: str = "model") -> Figure:
    """Draw ROC, precision-recall, F-measure and cost curves."""
    figure, axes = panels(2, 2, height=6.2)
    for number, (name, part) in enumerate(points.groupby(by, sort=False)):
        axes[0].plot(part["fpr"], part["tpr"], label=plain(name), **line(number))  # type: ignore[arg-type]
        axes[1].plot(part["tpr"], part["precision"], **line(number))  # type: ignore[arg-type]
    spaces = envelopes["space"].unique()
    f_space = next(space for space in spaces if space.startswith("F"))
    for panel, space in ((axes[2], f_space), (axes[3], "cost")):
        of_space = envelopes[envelopes["space"] == space]
        for number, (_, part) in enumerate(of_space.groupby(by, sort=False)):
            _draw_band(panel, part, number)
    unit_square(axes[0], "FPR", "TPR")
    unit_square(axes[1], "Recall", "Precision")
    alpha = f_space.split()[-1]
    axes[2].set(xlabel="P(+)", ylabel=rf"best $F_\alpha$, $\alpha$ = {alpha}", xlim=(0, 1))
    axes[2].set_ylim(0, 1.02)
    axes[3].set(xlabel="PC(+)", ylabel="least normalised expected cost", xlim=(0, 1))
    axes[3].set_ylim(bottom=0)
    letter(axes, ["ROC", "Precision-recall, prior of the scores", "F-measure", "Cost"])
    handles, names = axes[0].get_legend_handles_labels()
    handles += [Line2D([], [], color="0.4", linewidth=0.5), Patch(color="0.4", alpha=0.15, lw=0)]
    names += ["optimistic", "band for all conditions at once"]
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=7)
    return figure


def _draw_band(panel: Axes, part: pd.DataFrame, number: int) -> None:
    style = line(number)
    x = part["condition"]
    panel.plot(x, part["value"], **style)  # type: ignore[arg-type]
    panel.plot(x, part["optimistic"], color=style["color"], linewidth=0.5)
    panel.fill_between(
        x, part["band low"], part["band high"], color=style["color"], alpha=0.15, lw=0
    )  # fmt: skip


def differences(curves: pd.DataFrame, most: int = 6) -> Figure:
    """Draw differences of expected cost between models over PC(+), with one band for all."""
    pairs = list(curves.groupby(["model", "other model"], sort=False))[:most]
    columns = min(len(pairs), 2)
    figure, axes = panels((len(pairs) + columns - 1) // columns, columns)
    for panel, ((one, two), part) in zip(axes, pairs, strict=False):
        panel.axhline(0, color="black", linewidth=0.6)
        panel.plot(part["pc"], part["difference of cost"], **line(0))  # type: ignore[arg-type]
        for ends, alpha in (("band low", "band high"), 0.15), (("low", "high"), 0.2):
            low, high = (part[end] for end in ends)
            panel.fill_between(part["pc"], low, high, color=COLOURS[0], alpha=alpha, lw=0)
        panel.set(xlabel="PC(+)", ylabel="difference of cost", xlim=(0, 1))
        if panel is axes[0]:
            panel.legend(["zero", "difference", "for all pairs and conditions", "for each alone"])
        panel.set_title(f"{plain(one)} less {plain(two)}: below 0 the first is better", loc="left")
    for panel in axes[len(pairs) :]:
        panel.set_visible(False)
    return figure


def calibration(table: pd.DataFrame) -> Figure:
    """Draw how often objects are positive over the score that says how often they should be."""
    figure, (panel,) = panels(width=3.5, height=3.5)
    panel.plot([0, 1], [0, 1], color="black", linewidth=0.6)
    for number, (name, part) in enumerate(table.groupby("model", sort=False)):
        colour = COLOURS[number % len(COLOURS)]
        ends = [part["positive"] - part["low"], part["high"] - part["positive"]]
        panel.errorbar(
            part["mean score"], part["positive"], yerr=ends, color=colour, label=plain(name),
            marker="o", markersize=3, linewidth=0.9, elinewidth=0.6,
        )  # fmt: skip
    unit_square(panel, "mean score", "share of positives")
    most = float(table[["mean score", "positive", "high"]].max().max())
    if most < 0.5:
        # Rare positives fill a corner of the unit square.
        panel.set(xlim=(-0.02 * most, 1.02 * most), ylim=(-0.02 * most, 1.02 * most))
        panel.set_title(f"both axes from 0 to {most:.2g}", loc="left")
    panel.legend()
    return figure
