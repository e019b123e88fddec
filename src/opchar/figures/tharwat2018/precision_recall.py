"""Precision-recall curves (tharwat2018, slides 65 to 67)."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style

X, Y = "recall, TPR", "precision, PPV"


def example(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the PR curve of the twenty samples and the estimate of its first point (slide 66)."""
    figure, axes = style.panels(1, 2, height=3.5)
    for place, name in enumerate(("curve", "first")):
        panel, table = axes[place], curves[name]
        style.unit_square(panel, X, Y)
        panel.plot(
            table["recall"][1:], table["precision"][1:], **style.series(place), marker="o",
            markersize=3, clip_on=False, label="measured points",
        )  # fmt: skip
        panel.plot(
            table["recall"][:2], table["precision"][:2], color="black", linestyle=":",
            linewidth=1.6, clip_on=False,
        )  # fmt: skip
        panel.plot(
            table["recall"][0], table["precision"][0], "D", color="black", markerfacecolor="white",
            markersize=6, clip_on=False, zorder=5, label="first point, estimated",
        )  # fmt: skip
        panel.legend(loc="lower right" if place else "lower left")
    style.letter(axes, ["the 20 samples", "another sample: its highest score is a negative"])
    return figure


def perfect(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the perfect PR curve, as defined and as the slide draws it (slide 67)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=3.4)
    style.unit_square(panel, X, Y)
    drawn, found = curves["perfect as printed"], curves["perfect"]
    panel.plot(
        drawn["recall"], drawn["precision"], color=style.COLOURS[1], linestyle="--", linewidth=1.4,
        clip_on=False, label="as the slide says, to (1, 0)",
    )  # fmt: skip
    panel.plot(
        found["recall"], found["precision"], color=style.COLOURS[2], linewidth=2.6, clip_on=False,
        label="of a perfect ranking",
    )  # fmt: skip
    panel.plot(1, 1, "D", color="black", markersize=5, clip_on=False, zorder=5)
    panel.annotate("ideal point", (1, 1), xytext=(-8, -12), textcoords="offset points", ha="right")
    end = found["precision"].iloc[-1]
    panel.annotate(
        f"all predicted positive:\nPPV = P/(P+N) = {end:.2f}", (1, end), xytext=(0.42, end),
        arrowprops={"arrowstyle": "->", "linewidth": 0.8}, ha="center", va="center",
    )  # fmt: skip
    panel.legend(loc="lower left")
    return figure
