"""Figure 5 of the conference paper: three classifiers on synthetic data in all spaces."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from opchar.figures.style import COLOURS, DASHES, GREY, MARKERS, letter, panels, unit_square

NAMES = {"C_1": "naive Bayes", "C_2": "5-NN", "C_3": "RBF-SVM"}


def three_classifiers(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw crisp F and cost curves, ROC, PR, cost and F envelopes (Figure 5a-f)."""
    figure, axes = panels(3, 2, height=9.0)
    _crisp(axes[0], curves["crisp-f"], curves["crisp-tested"], "f", r"$F_\alpha$", "α")
    _crisp(axes[1], curves["crisp-cost"], curves["crisp-tested"], "cost", "EC", "m")
    _lines(axes[2], curves["roc"], "fpr", "tpr")
    axes[2].plot([0, 1], [0, 1], color=GREY, linewidth=0.6, linestyle=":")
    unit_square(axes[2], "FPR", "TPR")
    _precision(axes[3], curves["pr"])
    _lines(axes[4], curves["cost"], "prior", "value")
    axes[4].set(xlabel="P(+) = PC(+)", ylabel="EC", xlim=(0, 1), ylim=(0, None))
    _lines(axes[5], curves["f"], "prior", "value")
    axes[5].set(xlabel="P(+)", ylabel=r"$F_\alpha$", xlim=(0, 1), ylim=(0, 1.02))
    axes[2].legend(loc="lower right")
    axes[4].legend(loc="lower center")
    axes[5].legend(loc="lower right")
    letter(
        axes,
        ["crisp, F", "crisp, cost", "ROC", "precision-recall", "cost envelope", "F envelope"],
    )
    return figure


def _lines(panel: Axes, curve: pd.DataFrame, x: str, y: str) -> None:
    for number, (name, part) in enumerate(curve.groupby("series")):
        label = f"${name}$ ({NAMES[str(name)]})"
        colour, dash = COLOURS[number], DASHES[number]
        panel.plot(part[x], part[y], label=label, color=colour, linestyle=dash)


def _crisp(
    panel: Axes, curve: pd.DataFrame, tested: pd.DataFrame, column: str, label: str, weight: str
) -> None:
    """Draw a colour a classifier, a dash a weight, and dots for the counts of test subsets."""
    weights = sorted(curve["weight"].unique())
    for number, (name, lines) in enumerate(curve.groupby("series")):
        for style, (_, part) in enumerate(lines.groupby("weight")):
            dash = DASHES[style]
            panel.plot(part["prior"], part["value"], color=COLOURS[number], ls=dash, lw=1)
        dots = tested[tested["series"] == name]
        marks = dots["prior"], dots[column], MARKERS[number]
        panel.plot(*marks, color=COLOURS[number], markersize=2.5)
    handles = [
        Line2D([], [], color=COLOURS[number], marker=MARKERS[number], ls="none", label=f"${name}$")
        for number, name in enumerate(NAMES)
    ]
    handles += [
        Line2D([], [], color=GREY, ls=DASHES[style], label=f"{weight} = {value:g}")
        for style, value in enumerate(weights)
    ]
    panel.legend(handles=handles, loc="lower right" if column == "f" else "lower center", ncols=2)
    high = 1.02 if column == "f" else 1.1 * float(curve["value"].max())
    panel.set(xlim=(0.1, 0.9), ylim=(0, high), xlabel="P(+)", ylabel=label)


def _precision(panel: Axes, curve: pd.DataFrame) -> None:
    for number, (name, lines) in enumerate(curve.groupby("series")):
        for style, (prior, part) in enumerate(lines.groupby("prior")):
            label = f"${name}$, {prior:g}"
            dash = DASHES[style]
            panel.plot(
                part["recall"], part["precision"], color=COLOURS[number], ls=dash, label=label
            )
    panel.legend(title="P(+)", loc="lower left", ncols=3, columnspacing=1.0, handlelength=1.8)
    unit_square(panel, "Re", "Pr")
    panel.set(ylim=(-0.32, 1.02), yticks=[0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
