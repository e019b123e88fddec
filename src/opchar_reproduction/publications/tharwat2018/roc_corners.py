"""ROC space: its four corners, tied scores and the perfect curve (tharwat2018, slides 43 to 45)."""

from collections.abc import Sequence
from typing import get_args

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.metrics.counts import Counts
from opchar.metrics.indices.rates import fpr, tpr
from opchar.ranges import Count, Rate
from opchar.spaces.points import operating_points
from opchar.spaces.roc import Ties, auc, resolve_ties
from opchar_reproduction.publications.tharwat2018.roc_figures import BLUE, _space
from opchar_reproduction.publications.tharwat2018.thresholds.measure import as_sample
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements
from opchar_reproduction.study import Control, figure, statement, study

FIGURE = "figure-roc-points"


@study("roc-corners", basis="exact")
def corners(
    *,
    samples: Count = 100,
    tied: dict[str, list[float]] = {
        "positive": [0.9, 0.8, 0.6, 0.6, 0.6, 0.6, 0.3, 0.3],
        "negative": [0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.2, 0.1],
    },
) -> Results:
    """Place the four extreme classifiers and the three conventions for tied scores.

    tied: ``positive`` and ``negative`` scores with ties between the classes.
    """
    results = Results()
    _matrices(results, samples)
    _corners(results, samples)
    _add_ties(results, tied)
    perfect = operating_points([True] * samples + [False] * samples, np.arange(2 * samples, 0, -1))
    results.add_frame("perfect", {"fpr": perfect.fpr, "tpr": perfect.tpr})
    results.number("figure-roc-perfect", "perfect", "AUC", auc(perfect), unit="area")
    return results


def _matrices(results: Results, samples: int) -> None:
    called = np.arange(samples + 1.0)
    tp, fp = (grid.ravel() for grid in np.meshgrid(called, called, indexing="ij"))
    counts = Counts(tp, samples - tp, fp, samples - fp)
    results.add_frame("matrices", counts._asdict() | {"fpr": fpr(*counts), "tpr": tpr(*counts)})


def _corners(results: Results, n: int) -> None:
    classifiers = {"A": (0, n, 0, n), "B": (n, 0, 0, n), "C": (n, 0, n, 0), "D": (0, n, n, 0)}
    for name, counts in classifiers.items():
        x, y = float(fpr(*counts)), float(tpr(*counts))
        results.add_frame("corners", {"name": name, "fpr": [x], "tpr": [y]})


def _add_ties(results: Results, tied: dict[str, list[float]]) -> None:
    points = operating_points(*as_sample(tied["positive"], tied["negative"]))
    for ties in get_args(Ties):
        curve = resolve_ties(points, ties)
        results.add_frame("tied", {"ties": ties, "fpr": curve.fpr, "tpr": curve.tpr})
        results.number(FIGURE, ties, "AUC", auc(curve), unit="area", basis="illustration")


def decisions_turned_round(measured: Measurements) -> Measurements:
    """Control: every decision is the opposite of what the rates say."""
    names = {"tp": "fn", "fn": "tp", "fp": "tn", "tn": "fp"}
    return measured.with_frame("matrices", lambda table: table.rename(columns=names))


COUNTS = ["tp", "fn", "fp", "tn"]


@statement(
    "0296",
    control=Control(decisions_turned_round, "every decision turned round"),
    parameters={"fpr": 0.0, "tpr": 0.0, "none": ["tp", "fp"]},
)
@statement(
    "0297",
    control=Control(decisions_turned_round, "every decision turned round"),
    parameters={"fpr": 1.0, "tpr": 1.0, "none": ["fn", "tn"]},
)
@statement(
    "0298",
    control=Control(decisions_turned_round, "every decision turned round"),
    parameters={"fpr": 1.0, "tpr": 0.0, "none": ["tp", "tn"]},
)
@statement(
    "0299",
    control=Control(decisions_turned_round, "every decision turned round"),
    parameters={"fpr": 0.0, "tpr": 1.0, "none": ["fn", "fp"]},
)
def corner_has_one_classifier(
    measured: Measurements, *, fpr: Rate, tpr: Rate, none: Sequence[str]
) -> Finding:
    """Compare the matrices at a corner of ROC space with those in which two counts are zero."""
    table = measured.frame("matrices")
    there = (table["fpr"] == fpr) & (table["tpr"] == tpr)
    meant = (table[list(none)] == 0).all(axis="columns")
    found = "; ".join(
        ", ".join(f"{name.upper()} {row[name]:g}" for name in COUNTS)
        for row in table[there].to_dict("records")
    )
    return Finding(
        bool((there == meant).all() and there.any()),
        f"of {len(table)} matrices {there.sum()} lies at FPR {fpr:g}, TPR {tpr:g}: {found}",
    )


@figure("figure-roc-points")
def draw_points(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the four corners and the segments that tied scores allow (slides 43 and 44)."""
    figure, axes = style.panels(1, 2, height=3.5)
    _space(axes[0])
    offsets = {"A": (12, -3), "B": (9, -9), "C": (-12, 3), "D": (-9, 5)}
    meaning = {
        "A": "A: nothing predicted positive",
        "B": "B: everything right\n(ideal point)",
        "C": "C: everything predicted positive",
        "D": "D: everything wrong",
    }
    for place, (_, corner) in enumerate(curves["corners"].iterrows()):
        name = corner["name"]
        at = corner["fpr"], corner["tpr"]
        axes[0].plot(*at, style.MARKERS[place], color=BLUE, markersize=6, zorder=4)
        axes[0].annotate(
            meaning[name],
            at,
            xytext=offsets[name],
            textcoords="offset points",
            fontsize=7,
            ha="left" if at[0] == 0 else "right",
            va="top" if at[1] else "bottom",
        )
    axes[0].text(0.56, 0.5, "chance", rotation=45, fontsize=7, color=style.GREY)
    _space(axes[1])
    for place, (ties, part) in enumerate(curves["tied"].groupby("ties", sort=False)):
        axes[1].plot(part["fpr"], part["tpr"], **style.series(place), label=str(ties))
    axes[1].legend(loc="lower right")
    style.letter(axes, ["four extreme classifiers", "samples with equal scores"])
    return figure


@figure("figure-roc-perfect")
def draw_perfect(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the perfect ROC curve (slide 45)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=3.2)
    _space(panel)
    curve, arrow = curves["perfect"], {"arrowstyle": "->", "linewidth": 0.8}
    panel.plot(
        curve["fpr"],
        curve["tpr"],
        color=style.COLOURS[2],
        linewidth=2.2,
        clip_on=False,
        label="perfect classification",
    )
    panel.annotate("better", (0.2, 0.8), xytext=(0.42, 0.58), arrowprops=arrow, ha="center")
    panel.legend(loc="lower right")
    return figure
