"""Soft classifiers in ROC, precision-recall, cost and F-measure space (Figures 2, 4 and 9)."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.displays import CostCurveDisplay, FMeasureDisplay
from opchar.figures import style

TITLES = ["ROC space", "precision-recall space", "cost space", "F-measure space"]


def soft_classifier(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], inverted: bool = False
) -> Figure:
    """Draw one soft classifier in four spaces with its envelopes (Figure 2).

    `inverted`: whether recall runs upwards over ``1 - Pr``, as the conference paper's inverted
    space.
    """
    figure, axes = style.panels(2, 2, height=6.6)
    draw_hulls(axes[0], curves)
    _number_thresholds(axes[0], curves["roc"])
    draw_precision(axes[1], curves, inverted)
    draw_cost(axes[2], curves, lines=True)
    draw_f(axes[3], curves, lines=True)
    axes[0].legend(loc="lower right")
    axes[1].legend(loc="best", title=style.PRIOR)
    axes[2].legend(handles=axes[2].get_lines()[-1:], loc="upper center")
    axes[3].legend(handles=axes[3].get_lines()[-1:], loc="lower right")
    _name_single_lines(axes[2], curves["cost-lines"], "pc", "cost")
    _name_single_lines(axes[3], curves["f-curves"], "prior", "f")
    style.letter(axes, _titles(inverted))
    return figure


def two_soft_classifiers(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], inverted: bool = False
) -> Figure:
    """Draw two soft classifiers in four spaces and mark where they tie (Figure 4)."""
    figure, axes = style.panels(2, 2, height=6.6)
    draw_hulls(axes[0], curves)
    draw_precision(axes[1], curves, inverted)
    draw_cost(axes[2], curves)
    draw_f(axes[3], curves)
    for panel, space in ((axes[0], "roc"), (axes[2], "cost"), (axes[3], "f")):
        _marks(panel, curves["marks"], space)
    axes[0].legend(loc="lower right")
    where = (0.62, 0.02) if inverted else (0.05, 0.02)
    axes[1].legend(loc=where, title=style.PRIOR, ncols=1 if inverted else 2)
    axes[2].legend(loc="upper center")
    axes[3].legend(loc="lower right")
    style.letter(axes, _titles(inverted))
    return figure


def draw_hulls(panel: Axes, curves: dict[str, pd.DataFrame]) -> None:
    """Draw the operating points and their ROC convex hull, one colour a classifier."""
    for number, (name, hull) in enumerate(curves["hull"].groupby("series", sort=False)):
        look: dict[str, Any] = {"color": style.COLOURS[number], "linestyle": style.DASHES[number]}
        points = curves["roc"][curves["roc"]["series"] == name]
        panel.plot(hull["fpr"], hull["tpr"], label=f"{style.series_label(name)} (ROCCH)", **look)
        panel.plot(points["fpr"], points["tpr"], style.MARKERS[number], color=style.COLOURS[number])
    panel.plot([0, 1], [0, 1], color=style.GREY, linewidth=0.6, linestyle=":")
    style.unit_square(panel, "FPR", "TPR")


def _number_thresholds(panel: Axes, roc: pd.DataFrame) -> None:
    for _, point in roc.iterrows():
        right, first = point["fpr"] > 0.95, point["tpr"] < 0.05
        panel.annotate(
            f"Th$_{int(point['number'])}$",
            (point["fpr"], point["tpr"]),
            xytext=(-3, -9) if right else (10, 2) if first else (5, -7),
            textcoords="offset points",
            ha="right" if right else "left",
            va="center",
        )


def draw_precision(panel: Axes, curves: dict[str, pd.DataFrame], inverted: bool) -> None:
    """Draw precision against recall for each classifier and prior."""
    several = len(curves["pr"]["series"].unique()) > 1
    for number, (name, curve) in enumerate(curves["pr"].groupby("series", sort=False)):
        points = curves["pr-points"][curves["pr-points"]["series"] == name]
        for dash, (prior, part) in enumerate(curve.groupby("prior")):
            kind = number if several else dash
            label = f"{style.series_label(name)}, {prior:g}" if several else f"{prior:g}"
            x, y = _axes_of(part, inverted)
            panel.plot(x, y, color=style.COLOURS[kind], linestyle=style.DASHES[dash], label=label)
            x, y = _axes_of(points[points["prior"] == prior], inverted)
            panel.plot(x, y, style.MARKERS[kind], color=style.COLOURS[kind], markersize=3)
    style.unit_square(panel, *(("1 − Pr", "Re") if inverted else ("Re", "Pr")))


def _axes_of(part: pd.DataFrame, inverted: bool) -> tuple[pd.Series, pd.Series]:
    if inverted:
        return 1 - part["precision"], part["recall"]
    return part["recall"], part["precision"]


def draw_cost(panel: Axes, curves: dict[str, pd.DataFrame], lines: bool = False) -> None:
    """Draw the lower envelopes of the cost lines, thick over the single lines when wanted."""
    if lines:
        _single_lines(panel, curves["cost-lines"], "pc", "cost")
    for number, (name, part) in enumerate(curves["cost-envelope"].groupby("series", sort=False)):
        label = "lower envelope" if lines else style.series_label(name)
        display = CostCurveDisplay(part["pc"], part["cost"], label)
        display.plot(panel, legend=False, **_thick(number, lines))
    style.unit_square(panel, style.PROBABILITY_COST, "EC")
    if not lines:
        top = float(curves["cost-envelope"]["cost"].max())
        panel.set(ylim=(0, 1.4 * top))
        panel.set_aspect("auto")


def draw_f(panel: Axes, curves: dict[str, pd.DataFrame], lines: bool = False) -> None:
    """Draw the upper envelopes of the F curves, thick over the single curves when wanted."""
    if lines:
        _single_lines(panel, curves["f-curves"], "prior", "f")
    for number, (name, part) in enumerate(curves["f-envelope"].groupby("series", sort=False)):
        label = "upper envelope" if lines else style.series_label(name)
        display = FMeasureDisplay(part["prior"], part["f"], label)
        display.plot(panel, legend=False, **_thick(number, lines))
    style.unit_square(panel, style.PRIOR, r"$F_\alpha$")


def _name_single_lines(panel: Axes, curve: pd.DataFrame, x: str, y: str) -> None:
    panel.set_xlim(0, 1)
    ends = [
        (style.right_end(part, x, y), f"Th$_{at}$", style.COLOURS[at % len(style.COLOURS)])
        for at, part in curve.groupby(curve["number"].astype(int))
    ]
    style.label_ends(panel, ends)


def _single_lines(panel: Axes, curve: pd.DataFrame, x: str, y: str) -> None:
    for at in curve["number"].astype(int).unique():
        part = curve[curve["number"] == at]
        colour, dash = style.COLOURS[at % len(style.COLOURS)], style.DASHES[at % len(style.DASHES)]
        label = f"Th$_{at}$"
        panel.plot(part[x], part[y], color=colour, linestyle=dash, linewidth=0.9, label=label)


def _thick(number: int, lines: bool) -> dict[str, Any]:
    if lines:
        return {"color": style.COLOURS[0], "linewidth": 3.5, "alpha": 0.45, "zorder": 1.5}
    return {"color": style.COLOURS[number], "linestyle": style.DASHES[number], "linewidth": 1.6}


def _marks(panel: Axes, marks: pd.DataFrame, space: str) -> None:
    here = marks[marks["space"] == space].reset_index(drop=True)
    names = "crossing at" if len(here) == 1 else "equal between"
    label = f"{names} {' and '.join(f'{x:.3f}' for x in here['x'])}"
    panel.plot(here["x"], here["y"], "o", mfc="none", mec="black", markersize=7, label=label)


def _titles(inverted: bool) -> list[str]:
    return [TITLES[0], "inverted " + TITLES[1] if inverted else TITLES[1], *TITLES[2:]]
