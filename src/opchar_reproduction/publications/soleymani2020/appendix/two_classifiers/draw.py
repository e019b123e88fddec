"""Figures A.12 and A.13: Boolean combination of two soft classifiers."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from opchar.figures.style import COLOURS, GREY, PRIOR, letter, panels, series, unit_square
from opchar_reproduction.publications.soleymani2020.curves_figures import select
from opchar_reproduction.study import figure

LOOKS: dict[str, dict[str, Any]] = {
    "C1": {"color": GREY, "linestyle": ":", "linewidth": 1.2},
    "C2": {"color": GREY, "linestyle": "-.", "linewidth": 1.0},
    "AND": series(0),
    "OR": series(1),
    "IBC": {"color": COLOURS[3], "linewidth": 4, "alpha": 0.6, "zorder": 1.5},
}

NAMES = {"C1": "$C_1$", "C2": "$C_2$", "IBC": "IBC (all ten)"}

COLUMNS = [
    ("AND", "direct", ["AND"]),
    ("OR", "direct", ["OR"]),
    ("all ten functions", "direct", ["AND", "OR", "IBC"]),
    ("independent", "independent", ["AND", "OR"]),
]


@figure("figure-A.12")
def combined_pairs(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw combinations of two classifiers in ROC space (above) and F-measure space (below)."""
    figure, axes = panels(2, 4, height=4.5)
    for number, (_, method, shown) in enumerate(COLUMNS):
        above, below = axes[number], axes[4 + number]
        _draw(above, curves["roc"], "fpr", "tpr", method, shown)
        unit_square(above, "FPR", "TPR")
        _draw(below, curves["f"], "prior", "f", method, shown)
        unit_square(below, PRIOR, r"$F_\alpha$")
        for panel in (above, below):
            panel.set(xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
            if number:
                panel.set_ylabel("")
    letter(axes[:4], [title for title, _, _ in COLUMNS])
    handles, labels = axes[2].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=5)
    return figure


def _draw(panel: Axes, curve: pd.DataFrame, x: str, y: str, method: str, shown: list[str]) -> None:
    for name in ["C1", "C2", *shown]:
        of = "single" if name in ("C1", "C2") else method
        line = select(curve, method=of, series=name)
        panel.plot(line[x], line[y], label=NAMES.get(name, name), **LOOKS[name])


@figure("figure-A.13")
def dependent_pairs(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the range of ROC points of AND and of OR that two ROC curves allow."""
    figure, axes = panels(1, 2, height=4.4)
    for panel, function, colour in zip(axes, ("AND", "OR"), COLOURS, strict=False):
        _draw_range(panel, curves["range"], function, colour)
        for name in ("C1", "C2"):
            line = select(curves["roc"], series=name)
            panel.plot(line["fpr"], line["tpr"], label=NAMES[name], **LOOKS[name])
        direct = select(curves["roc"], method="direct", series=function)
        panel.plot(
            direct["fpr"], direct["tpr"], color=colour, linestyle="--",
            label=f"{function}, from the scores",
        )  # fmt: skip
        _draw_pair(panel, select(curves["pair"], function=function).iloc[0], function, colour)
        unit_square(panel, "FPR", "TPR")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(
        handles, [label.replace("AND", "AND or OR") for label in labels],
        loc="outside lower center", ncols=3,
    )  # fmt: skip
    letter(axes, ["AND of dependent classifiers", "OR of dependent classifiers"])
    return figure


def _draw_range(panel: Axes, ends: pd.DataFrame, function: str, colour: str) -> None:
    best, worst = (select(ends, function=function, end=end) for end in ("best", "worst"))
    panel.fill(
        [*best["fpr"], *worst["fpr"][::-1]],
        [*best["tpr"], *worst["tpr"][::-1]],
        color=colour, alpha=0.18, linewidth=0, label=f"range of the hull of {function}",
    )  # fmt: skip
    for end in (best, worst):
        panel.plot(end["fpr"], end["tpr"], color=colour, linewidth=0.8)


def _draw_pair(panel: Axes, pair: pd.Series, function: str, colour: str) -> None:
    low, width = (pair["fpr_low"], pair["tpr_low"]), pair["fpr_high"] - pair["fpr_low"]
    height = pair["tpr_high"] - pair["tpr_low"]
    label = f"range of {function} of one pair"
    panel.add_patch(
        Rectangle(low, width, height, fill=False, edgecolor=colour, linewidth=0.8, label=label)
    )
    for number, marker in ((1, "o"), (2, "s")):
        panel.plot(pair[f"fpr_{number}"], pair[f"tpr_{number}"], marker, color=GREY,
                   label=f"the pair: $C_{number}$")  # fmt: skip
    panel.plot(pair["fpr"], pair["tpr"], "X", color=colour, markersize=6, markeredgecolor="black",
               label=f"the pair: {function}, from the scores")  # fmt: skip
