"""Areas under ROC curves, and two curves that cross (tharwat2018, slides 61 and 62)."""

from itertools import combinations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import ndtri

from opchar.figures import style
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc, binormal_auc, binormal_roc
from opchar_reproduction.publications.tharwat2018.roc_figures import BLUE, X, Y, _space
from opchar_reproduction.publications.tharwat2018.thresholds.measure import as_sample
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, figure, statement, study

TWO = "figure-auc-two"


@study("roc-areas", basis="exact")
def measure_areas(
    *,
    positive_scores: list[float] = [0.82, 0.8, 0.7, 0.62, 0.6, 0.49, 0.4, 0.37, 0.23, 0.19],
    negative_scores: list[float] = [0.75, 0.54, 0.5, 0.45, 0.39, 0.32, 0.3, 0.26, 0.21, 0.1],
    order_size: int = 5,
    spread: dict[str, float] = {"A": 0.7, "B": 1.4},
    separation: float = 2.0,
    crossing: float = 0.6,
    points: int = 501,
) -> Results:
    """Compute areas under ROC curves: of the samples, of all orders, of two crossing classifiers.

    positive_scores, negative_scores: The tutorial's samples.
    order_size: Every order of so many positives and as many negatives is tried for the bounds of
        the AUC.
    spread: Standard deviation of the positives' scores of classifiers ``A`` and ``B``; the
        negatives' scores are standard normal.
    separation: Mean of the positives' scores of classifier B.
    crossing: FPR at which the curves are made to cross, which fixes the mean of A.
    """
    results = Results()
    labels, scores = as_sample(positive_scores, negative_scores)
    example = operating_points(labels, scores)
    results.number("figure-auc", "20 samples", "AUC", auc(example), unit="area")
    results.add_frame("example", {"fpr": example.fpr, "tpr": example.tpr})
    _orders(results, order_size)
    _add_crossing(results, spread, separation, crossing, points)
    return results


def _orders(results: Results, size: int) -> None:
    ranks = np.arange(2 * size)
    orders = [np.isin(ranks, chosen) for chosen in combinations(ranks, size)]
    areas = {
        name: [auc(operating_points(labels, scores)) for labels in orders]
        for name, scores in (("area", ranks), ("reversed", -ranks))
    }
    results.add_frame("orders", areas)


def _add_crossing(
    results: Results, spread: dict[str, float], separation: float, crossing: float, points: int
) -> None:
    at = float(ndtri(crossing))
    means = {"B": separation, "A": (separation + at) * spread["A"] / spread["B"] - at}
    grid = np.linspace(0, 1, points)
    curves = {name: binormal_roc(grid, means[name], spread[name]) for name in ("A", "B")}
    for name, curve in curves.items():
        area = float(binormal_auc(means[name], spread[name]))
        results.add_frame("two", {"classifier": name, "fpr": grid, "tpr": curve, "auc": area})
        results.number(TWO, name, "AUC", area, unit="area", basis="illustration")
    inner = (grid > 0) & (grid < 1)
    lead = (curves["A"] - curves["B"])[inner]
    before = int(np.flatnonzero(np.diff(np.sign(lead)) != 0)[0])
    met = float(np.interp(0, lead[before : before + 2], grid[inner][before : before + 2]))
    results.number(TWO, "A slightly better above", "FPR", met, unit="FPR", basis="input")


def areas_in_pairs(measured: Measurements, *, pairs: int) -> Measurements:
    """Control: areas as numbers of pairs won, not as shares."""
    return measured.with_frame("orders", lambda table: table * pairs)


@statement(
    "0284",
    control=Control(areas_in_pairs, "areas as numbers of pairs", pairs=25),
    leaf_controls=[Control(areas_in_pairs, "areas of 0", pairs=0)],
)
def areas_are_bounded(measured: Measurements, *, lower: float = 0.5) -> Finding:
    """Bound every area by 0 and 1, and the larger of an order and its reverse by `lower`."""
    table = measured.frame("orders")
    area = table["area"]
    better = table[["area", "reversed"]].max(axis="columns")
    parts = {
        "areas lie in [0, 1]": (area >= 0).all() and (area <= 1).all(),
        "the better direction has half the area": (better >= lower).all(),
    }
    return conjunction(
        parts,
        f"{len(table)} orders have areas from {area.min():g} to {area.max():g}, in the better "
        f"direction from {better.min():g}",
    )


@statement("0285")
def smaller_area_leads_on_the_right(measured: Measurements) -> Finding:
    """Ask whether B has the larger area and leads up to the crossing, and A beyond, by less."""
    table = measured.frame("two")
    areas = table.groupby("classifier")["auc"].first()
    curves = table.pivot_table("tpr", index="fpr", columns="classifier")
    lead = (curves["A"] - curves["B"])[(curves.index > 0) & (curves.index < 1)]
    crossing = measured.value("figure-auc-two", "A slightly better above", "FPR")
    left, right = lead[lead.index < crossing], lead[lead.index > crossing]
    parts = {
        "B has the larger area": areas["B"] > areas["A"],
        "B is better below the crossing": (left < 0).all(),
        "A is better above it": (right > 0).all(),
        "A only slightly": right.max() < -left.min(),
    }
    return conjunction(
        parts,
        f"areas A {areas['A']:.3f}, B {areas['B']:.3f}; below FPR {crossing:.2f} A leads by "
        f"{left.min():.3f} to {left.max():.3f}, above by {right.min():.3f} to {right.max():.3f}",
    )


COMMON, LEAD_B, LEAD_A = "#CFCFCF", "#F2C1A5", "#A9CFE6"


@figure("figure-auc")
def draw_area(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Shade the area under the ROC curve of the twenty samples (slide 61)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=3.2)
    _space(panel)
    curve = curves["example"]
    panel.fill_between(curve["fpr"], curve["tpr"], facecolor=COMMON, linewidth=0)
    panel.plot(curve["fpr"], curve["tpr"], color=BLUE, label="20 samples")
    value = results.loc[results["artefact"] == "figure-auc", "value"].iloc[0]
    box = {"facecolor": "white", "linewidth": 0.4}
    panel.text(0.6, 0.35, f"AUC = {value:.2f}", ha="center", bbox=box)
    panel.legend(loc="lower right", frameon=True, framealpha=1)
    return figure


@figure("figure-auc-two")
def draw_two_classifiers(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Shade where each of two crossing ROC curves is ahead (slide 62)."""
    figure, axes = style.panels(1, 2, height=3.5)
    own = results[results["artefact"] == TWO].set_index("row")["value"]
    table = curves["two"]
    a, b = (table[table["classifier"] == name].reset_index(drop=True) for name in "AB")
    at = own["A slightly better above"]
    for panel in axes:
        panel.fill_between(a["fpr"], a["tpr"].clip(upper=b["tpr"]), color=COMMON, label="common")
        for low, high, face, edge, hatch, label in (
            (a["tpr"], b["tpr"], LEAD_B, "#C98F78", "////", "B ahead"),
            (b["tpr"], a["tpr"], LEAD_A, "#5A93B5", "\\\\\\\\", "A ahead"),
        ):
            panel.fill_between(
                a["fpr"],
                low,
                high,
                where=high > low,
                facecolor=face,
                edgecolor=edge,
                hatch=hatch,
                linewidth=0,
                label=label,
            )
        for place, (name, curve) in enumerate((("A", a), ("B", b))):
            label = f"{name}, AUC {own[name]:.2f}"
            panel.plot(curve["fpr"], curve["tpr"], **style.series(place), label=label)
        panel.axvline(at, color="black", linewidth=0.7, linestyle=":")
    style.unit_square(axes[0], X, Y)
    axes[0].legend(loc="lower right", frameon=True, framealpha=1)
    axes[1].set(xlim=(0.5, 1), ylim=(0.9, 1.002), xlabel=X, ylabel=Y)
    axes[1].set_box_aspect(1)
    axes[1].text(at + 0.01, 0.905, f"FPR = {at:.1f}")
    style.letter(axes, ["two classifiers", "where they cross"])
    return figure
