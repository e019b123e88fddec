"""Three classifiers of faces and their thresholds (Figs. 9 and 10)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from opchar.figures import style
from opchar_reproduction.publications.soleymani2020.curves_figures import select
from opchar_reproduction.publications.soleymani2020.four_spaces_figures import draw_cost, draw_f
from opchar_reproduction.study import figure

EXACT: dict[str, Any] = {"color": style.COLOURS[1], "linewidth": 1.3}
OF_GRID: dict[str, Any] = {"color": style.COLOURS[0], "linewidth": 3.2, "alpha": 0.45}
NEIGHBOUR: dict[str, Any] = {"color": style.COLOURS[0], "linewidth": 0.7, "linestyle": ":"}
KINDS = {"neighbour": NEIGHBOUR, "grid": OF_GRID, "exact": EXACT}


@figure("figure-9")
def three_classifiers(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw three classifiers in ROC, precision-recall, cost and F-measure space (Figure 9)."""
    figure, axes = style.panels(2, 3, height=5.3)
    _draw_series(axes[0], curves["roc"], "fpr", "tpr")
    style.unit_square(axes[0], "FPR", "TPR")
    priors = sorted(curves["pr"]["prior"].unique())
    for panel, prior in zip(axes[1:4], priors, strict=True):
        _draw_series(panel, select(curves["pr"], prior=prior), "recall", "precision")
        style.unit_square(panel, "Re", "Pr")
    axes[1].set(yscale="log", ylim=(priors[0] / 2, 1.1), aspect="auto")
    axes[1].set_box_aspect(1)
    draw_cost(axes[4], curves)
    draw_f(axes[5], curves)
    titles = [f"precision-recall, {style.PRIOR} = {prior:g}" for prior in priors]
    style.letter(axes, ["ROC space", *titles, "cost space", "F-measure space"])
    bands = curves["bands"]
    for panel, space in ((axes[0], "ROC"), (axes[4], "cost"), (axes[5], "F")):
        _draw_bands(panel, select(bands, space=space))
    handles, labels = axes[0].get_legend_handles_labels()
    handles.append(Patch(color=style.GREY, alpha=0.3, linewidth=0))
    targets = int(bands["targets"].iloc[0])
    labels.append(f"10th to 90th percentile of {targets} targets; lines: one of them")
    figure.legend(handles, labels, loc="outside upper center", ncols=4, columnspacing=1)
    return figure


def _draw_bands(panel: Axes, bands: pd.DataFrame) -> None:
    for number, (_, part) in enumerate(bands.groupby("series", sort=False)):
        panel.fill_between(
            part["at"], part["low"], part["high"], color=style.series(number)["color"], alpha=0.15,
            linewidth=0,
        )  # fmt: skip


def _draw_series(panel: Axes, curve: pd.DataFrame, x: str, y: str) -> None:
    for number, (name, line) in enumerate(curve.groupby("series", sort=False)):
        panel.plot(line[x], line[y], label=style.series_label(name), **style.series(number))


@figure("figure-10")
def best_thresholds(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the optima of one classifier in cost and F-measure space for some P(+) (Figure 10)."""
    conditions = sorted(curves["choice"]["condition"].unique())
    figure, axes = style.panels(len(conditions), 3, height=2.0 * len(conditions))
    for row, prior in enumerate(conditions):
        cost, f, roc = axes[3 * row : 3 * row + 3]
        _draw_choice(cost, curves, "cost", prior)
        _draw_choice(f, curves, "F", prior)
        _draw_rates(roc, curves, prior)
        cost.set(ylabel="EC", ylim=(0, 0.5))
        f.set(ylabel=r"$F_\alpha$", ylim=(0, 1))
        cost.set_xlabel(style.PROBABILITY_COST if prior == conditions[-1] else "")
        f.set_xlabel(style.PRIOR if prior == conditions[-1] else "")
        roc.set_xscale("function", functions=(np.cbrt, lambda root: root**3))
        roc.set(xlim=(0, 1), ylim=(-0.02, 1.02), ylabel="TPR")
        roc.set_xticks([0, 0.01, 0.1, 0.3, 1], ["0", "0.01", "0.1", "0.3", "1"])
        roc.set_xlabel("FPR, by cube roots" if prior == conditions[-1] else "")
    by_column = [axes[3 * row + column] for column in range(3) for row in range(len(conditions))]
    style.letter(
        by_column, [f"{style.PRIOR} = {prior:g}" for _ in range(3) for prior in conditions]
    )
    found: dict[str, Any] = {}
    for panel in axes:
        handles, labels = panel.get_legend_handles_labels()
        found |= dict(zip(labels, handles, strict=True))
    figure.legend(list(found.values()), list(found), title="cost and F-measure space",
                  loc="outside upper center", ncols=3)  # fmt: skip
    below = "ROC space: the same two colours; one target is shown"
    figure.legend(handles=_marks_of_rates(), title=below, loc="outside lower center", ncols=3)
    return figure


def _marks_of_rates() -> list[Line2D]:
    """Return what a legend shows of the forms of marks, in no colour."""
    hull = Line2D([], [], color="black", linewidth=0.8, label="ROC convex hull")
    chosen = (("s", "chosen in cost space"), ("o", "chosen in F-measure space"))
    return [hull] + [
        Line2D([], [], linestyle="none", marker=marker, mfc="none", mec=style.GREY, label=label)
        for marker, label in chosen
    ]


def _draw_choice(panel: Axes, curves: dict[str, pd.DataFrame], space: str, prior: float) -> None:
    span, coarse = select(curves["range"], space=space), select(curves["coarse"], space=space)
    panel.fill_between(
        span["x"], span["low"], span["high"], color="#dddddd", linewidth=0, label="all thresholds"
    )
    label = "envelope at the grid's conditions"
    panel.plot(coarse["x"], coarse["y"], ".", color="black", markersize=2, label=label)
    panel.axvline(prior, color=style.GREY, linewidth=0.6, label=f"{style.PRIOR} of the panel")
    labels = {
        "exact": "best threshold, exact",
        "grid": "best threshold, by grid",
        "neighbour": "adjacent thresholds of the grid",
    }
    lines = select(curves["choice-lines"], space=space, condition=prior)
    for kind, look in KINDS.items():
        part = lines[lines["kind"] == kind]
        for place, (_, line) in enumerate(part.groupby("number")):
            panel.plot(line["x"], line["y"], label=labels[kind] if not place else None, **look)
    panel.set_xlim(0, float(span["x"].max()))


def _draw_rates(panel: Axes, curves: dict[str, pd.DataFrame], prior: float) -> None:
    """Draw the chosen points on the ROC convex hull; small FPR have most of the axis."""
    roc = curves["chosen-roc"]
    # Straight pieces of the hull are curves on this axis.
    fine = np.union1d(np.linspace(0, 1, 1001), roc["fpr"])
    panel.plot(fine, np.interp(fine, roc["fpr"], roc["tpr"]), color="black", linewidth=0.8)
    for space, marker, size in (("cost", "s", 4), ("F", "o", 3)):
        points = select(curves["choice"], space=space, condition=prior)
        best, grid = (select(points, kind=kind) for kind in ("exact", "grid"))
        panel.plot(
            best["fpr"], best["tpr"], marker, color=EXACT["color"], markersize=size, zorder=4,
        )  # fmt: skip
        panel.plot(
            grid["fpr"], grid["tpr"], marker, mfc="none", mec=OF_GRID["color"], linestyle="none",
            markersize=size + 4, zorder=3,
        )  # fmt: skip
