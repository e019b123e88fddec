"""Figure 5 of the conference paper: three classifiers on synthetic data in all spaces."""

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
    panels,
    unit_square,
)
from opchar_reproduction.study import figure

NAMES = {"C_1": "naive Bayes", "C_2": "5-NN", "C_3": "RBF-SVM"}
TESTED = 0.5


@figure("figure-5")
def three_classifiers(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw crisp F and cost curves, PR, ROC, cost and F envelopes (Figure 5a-f)."""
    figure, axes = panels(4, 3, height=9.0)
    titles = _crisp(axes[:3], curves["crisp-f"], curves["crisp-tested"], "f")
    titles += _crisp(axes[3:6], curves["crisp-cost"], curves["crisp-tested"], "cost")
    _roc(axes[6], curves["roc"])
    titles += ["(c) ROC", *_precision(axes[7:10], curves["pr"])]
    _envelopes(axes[10], curves, "cost", CostCurveDisplay)
    axes[10].set(xlabel=f"{PRIOR} = {PROBABILITY_COST}", ylabel="EC", xlim=(0, 1), ylim=(0, None))
    _envelopes(axes[11], curves, "F", FMeasureDisplay)
    axes[11].set(xlabel=PRIOR, ylabel=r"$F_\alpha$", xlim=(0, 1), ylim=(0, 1.02))
    titles += ["(e) cost envelope", "(f) F envelope"]
    for panel, title in zip(axes, titles, strict=True):
        panel.set_title(title, loc="left")
    figure.legend(handles=_handles(), loc="outside upper center", ncols=3)
    note = (
        "lines of (a), (b): mean rates of all sets; symbols: counts of test subsets, where the "
        f"weight is {TESTED:g}\nlines of (c), (d): one set; (e), (f): mean of all sets, shaded one "
        "standard deviation"
    )
    figure.supxlabel(note, fontsize=6, color=GREY)
    return figure


def _roc(panel: Axes, curve: pd.DataFrame) -> None:
    for number, (_, part) in enumerate(curve.groupby("series")):
        panel.plot(part["fpr"], part["tpr"], color=COLOURS[number], linestyle=DASHES[number])
    panel.plot([0, 1], [0, 1], color=GREY, linewidth=0.6, linestyle=":")
    unit_square(panel, "FPR", "TPR")


def _envelopes(
    panel: Axes, curves: dict[str, pd.DataFrame], space: str, display: type[ConditionDisplay]
) -> None:
    """Draw mean envelopes, with a band of one standard deviation over the sets."""
    spread = curves["envelopes"].groupby("at")
    for number, (name, part) in enumerate(curves[space.lower()].groupby("series")):
        shown = display(part["prior"], part["value"], f"${name}$ ({NAMES[str(name)]})")
        shown.plot(panel, legend=False, color=COLOURS[number], linestyle=DASHES[number])
        mean, deviation = (spread[f"{space} {name}"].agg(each) for each in ("mean", "std"))
        panel.fill_between(
            mean.index, mean - deviation, mean + deviation, color=COLOURS[number], alpha=0.18,
            linewidth=0,
        )  # fmt: skip


def _crisp(
    axes: Sequence[Axes], curve: pd.DataFrame, tested: pd.DataFrame, column: str
) -> list[str]:
    """Draw a panel for each weight; symbols show the counts of test subsets."""
    letter, label, weight = {"f": ("a", r"$F_\alpha$", r"$\alpha$"), "cost": ("b", "EC", "$m$")}[
        column
    ]
    titles = []
    high = 1.02 if column == "f" else 1.1 * float(curve["value"].max())
    for panel, (value, lines) in zip(axes, curve.groupby("weight"), strict=True):
        for number, (name, part) in enumerate(lines.groupby("series")):
            look: dict[str, Any] = {"color": COLOURS[number], "lw": 1.1}
            panel.plot(part["prior"], part["value"], ls=DASHES[number], **look)
            if value == TESTED:
                dots = tested[tested["series"] == name]
                marks = dots["prior"], dots[column], MARKERS[number]
                panel.plot(*marks, color=COLOURS[number], markersize=2.5)
        panel.set(xlim=(0.1, 0.9), ylim=(0, high), xlabel=PRIOR, ylabel=label)
        titles.append(f"({letter}) {weight} = {value:g}")
    return titles


def _precision(axes: Sequence[Axes], curve: pd.DataFrame) -> list[str]:
    """Draw a panel for each prior."""
    titles = []
    for panel, (prior, lines) in zip(axes, curve.groupby("prior"), strict=True):
        for number, (_, part) in enumerate(lines.groupby("series")):
            look: dict[str, Any] = {"color": COLOURS[number], "ls": DASHES[number], "lw": 1.1}
            panel.plot(part["recall"], part["precision"], **look)
        unit_square(panel, "Re", "Pr")
        titles.append(f"(d) {PRIOR} = {prior:g}")
    return titles


def _handles() -> list[Line2D]:
    """Return the legend of all panels."""
    return [
        Line2D([], [], color=COLOURS[number], ls=DASHES[number], marker=MARKERS[number],
               markersize=3, label=f"${name}$ ({said})")
        for number, (name, said) in enumerate(NAMES.items())
    ]  # fmt: skip
