"""Figure 5 of the conference paper: three classifiers on synthetic data in all spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from opchar.displays import ConditionDisplay, CostCurveDisplay, FMeasureDisplay
from opchar.figures.style import (
    COLOURS,
    DASHES,
    GREY,
    MARKERS,
    PRIOR,
    PROBABILITY_COST,
    letter,
    panels,
    unit_square,
)

MEASURED = [f"(a), (b): $C_{number}$ on a subset of the test set" for number in (1, 2, 3)]
NAMES = {"C_1": "naive Bayes", "C_2": "5-NN", "C_3": "RBF-SVM"}


def three_classifiers(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw crisp F and cost curves, ROC, PR, cost and F envelopes (Figure 5a-f)."""
    figure, axes = panels(3, 2, height=8.4)
    _crisp(axes[0], curves["crisp-f"], curves["crisp-tested"], "f", r"$F_\alpha$", r"$\alpha$")
    _crisp(axes[1], curves["crisp-cost"], curves["crisp-tested"], "cost", "EC", "$m$")
    _roc(axes[2], curves["roc"])
    _precision(axes[3], curves["pr"])
    _envelopes(axes[4], curves["cost"], CostCurveDisplay)
    axes[4].set(xlabel=f"{PRIOR} = {PROBABILITY_COST}", ylabel="EC", xlim=(0, 1), ylim=(0, None))
    _envelopes(axes[5], curves["f"], FMeasureDisplay)
    axes[5].set(xlabel=PRIOR, ylabel=r"$F_\alpha$", xlim=(0, 1), ylim=(0, 1.02))
    axes[2].legend(loc="lower right")
    axes[4].legend(loc="lower center")
    axes[5].legend(loc="lower right")
    figure.legend(
        handles=[Line2D([], [], color=GREY, marker=mark, ls="none", markersize=4, label=label)
                 for mark, label in zip(MARKERS, MEASURED, strict=False)],
        loc="outside lower center", ncols=3,
    )  # fmt: skip
    letter(
        axes,
        ["crisp, F", "crisp, cost", "ROC", "precision-recall", "cost envelope", "F envelope"],
    )
    return figure


def _roc(panel: Axes, curve: pd.DataFrame) -> None:
    for number, (name, part) in enumerate(curve.groupby("series")):
        label = f"${name}$ ({NAMES[str(name)]})"
        colour, dash = COLOURS[number], DASHES[number]
        panel.plot(part["fpr"], part["tpr"], label=label, color=colour, linestyle=dash)
    panel.plot([0, 1], [0, 1], color=GREY, linewidth=0.6, linestyle=":")
    unit_square(panel, "FPR", "TPR")


def _envelopes(panel: Axes, curve: pd.DataFrame, display: type[ConditionDisplay]) -> None:
    for number, (name, part) in enumerate(curve.groupby("series")):
        shown = display(part["prior"], part["value"], f"${name}$ ({NAMES[str(name)]})")
        shown.plot(panel, legend=False, color=COLOURS[number], linestyle=DASHES[number])


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
    handles = _handles(MARKERS, [f"{weight} = {value:g}" for value in weights])
    panel.legend(handles=handles, loc="lower right" if column == "f" else "lower center", ncols=2)
    high = 1.02 if column == "f" else 1.1 * float(curve["value"].max())
    panel.set(xlim=(0.1, 0.9), ylim=(0, high), xlabel=PRIOR, ylabel=label)


def _precision(panel: Axes, curve: pd.DataFrame) -> None:
    for number, (_, lines) in enumerate(curve.groupby("series")):
        for style, (_, part) in enumerate(lines.groupby("prior")):
            look: dict[str, Any] = {"color": COLOURS[number], "ls": DASHES[style], "lw": 1.0}
            panel.plot(part["recall"], part["precision"], **look)
    priors = [f"{PRIOR} = {prior:g}" for prior in sorted(curve["prior"].unique())]
    handles = _handles("s" * len(NAMES), priors)
    panel.legend(handles=handles, loc="lower left", ncols=2, bbox_to_anchor=(0.03, -0.01))
    unit_square(panel, "Re", "Pr")


def _handles(markers: Sequence[str], dashes: Sequence[str]) -> list[Line2D]:
    """Return the legend of a panel whose colours are classifiers and whose dashes `dashes`."""
    classifiers = [
        Line2D([], [], color=COLOURS[number], marker=markers[number], ls="none", label=f"${name}$")
        for number, name in enumerate(NAMES)
    ]
    return classifiers + [
        Line2D([], [], color=GREY, ls=DASHES[style], label=label)
        for style, label in enumerate(dashes)
    ]
