"""How a confusion matrix is laid out, and metrics as regions (tharwat2018, slides 7, 8 and 33)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Rectangle

from opchar.figures import style
from opchar.metrics.counts import Counts
from opchar_reproduction.publications.tharwat2018.indices import INDICES
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements
from opchar_reproduction.study import figure, statement, study

# The regions that a metric counts in its numerator, and those in its denominator.
REGIONS = {
    "Acc": ("tp tn", "tp fn fp tn"),
    "Err": ("fp fn", "tp fn fp tn"),
    "TPR": ("tp", "tp fn"),
    "TNR": ("tn", "tn fp"),
    "FPR": ("fp", "tn fp"),
    "FNR": ("fn", "tp fn"),
    "PPV": ("tp", "tp fp"),
    "NPV": ("tn", "tn fn"),
    "FDR": ("fp", "tp fp"),
    "FOR": ("fn", "tn fn"),
    "Jaccard": ("tp", "tp fp fn"),
}


@study("confusion-layouts", basis="exact")
def confusion_layouts(*, classes: list[str] = ["A", "B", "C"]) -> Results:
    """Name the cells of the 2x2 and the multi-class confusion matrix."""
    results = Results()
    two = {("P", "P"): "TP", ("P", "N"): "FP", ("N", "P"): "FN", ("N", "N"): "TN"}
    for (predicted, true), cell in two.items():
        results.add_frame("2x2", _cell(predicted, true, cell, predicted == true))
    for predicted in classes:
        for true in classes:
            right = predicted == true
            cell = f"TP_{true}" if right else f"E_{true}{predicted}"
            results.add_frame("3x3", _cell(predicted, true, cell, right))
    return results


def _cell(predicted: str, true: str, cell: str, right: bool) -> dict[str, Any]:
    return {"predicted": [predicted], "true": true, "cell": cell, "right": right}


@study("metric-circles", basis="illustration")
def metric_circles(*, radius: float = 0.6, shift: float = 0.25, side: float = 1.0) -> Results:
    """Measure metrics as areas: a circle called positive over two classes side by side.

    radius: Radius of the circle, inside which a sample is called positive.
    shift: How far the circle's centre lies inside the positive (left) half; less than `radius`.
    side: Half the width, and half the height, of the square that holds all samples; the circle fits
        in.
    """
    results = Results()
    areas = regions(radius, shift, side)
    for name, (top, bottom) in REGIONS.items():
        value = float(INDICES[name](*areas))
        results.number("figure-metric-circles", name, "value", value)
        right, wrong = _region_colours(top, bottom)
        seen = {"right": right, "wrong": wrong, "numerator": top}
        quotient = _area(areas, top) / _area(areas, bottom)
        results.add_frame(
            "metrics", {"metric": [name]} | seen | {"value": value, "quotient": quotient}
        )
    results.add_frame("circle", {"radius": [radius], "shift": shift, "side": side})
    return results


def regions(radius: float, shift: float, side: float) -> Counts:
    """Return the areas of the four regions as counts."""
    if not 0 <= shift < radius or radius + shift > side:
        raise ValueError("the circle must cross the middle and fit into the square")
    circle, half = np.pi * radius**2, 2 * side * side
    outside_left = radius**2 * np.arccos(shift / radius) - shift * np.sqrt(radius**2 - shift**2)
    tp, fp = np.array(circle - outside_left), np.array(outside_left)
    return Counts(tp, half - tp, fp, half - fp)


def _area(areas: Counts, names: str) -> float:
    return float(sum(areas._asdict()[name] for name in names.split()))


def _region_colours(top: str, bottom: str) -> tuple[str, str]:
    """Return the rightly and the wrongly classified regions among those a metric looks at."""
    seen = set(top.split()) | set(bottom.split())
    right = [region for region in ("tp", "tn") if region in seen]
    wrong = [region for region in ("fp", "fn") if region in seen]
    return " ".join(right), " ".join(wrong)


@statement("0295")
def metrics_are_quotients_of_areas(measured: Measurements, *, limit: float = 1e-12) -> Finding:
    """Compare each metric with the area of some regions over that of all it looks at."""
    table = measured.frame("metrics")
    gap = (table["value"] - table["quotient"]).abs()
    return Finding(
        bool((gap < limit).all()), f"largest gap {gap.max():.2g} over {len(table)} metrics"
    )


RIGHT, WRONG = "#D3ECE3", "#FBE3D9"
DEEP_RIGHT, DEEP_WRONG = "#4DB894", "#E88A5E"
EDGE = "#B0623F"

MEANING = {
    "TP": "true positive",
    "FP": "false positive\n(false alarm)",
    "FN": "false negative\n(miss)",
    "TN": "true negative",
}


@figure("figure-confusion-2x2")
def confusion_2x2(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the two-class confusion matrix with true classes in columns (slide 7)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=2.9)
    _matrix(panel, curves["2x2"], [f"{cell}\n{MEANING[cell]}" for cell in curves["2x2"]["cell"]])
    for column, total in enumerate(("P = TP + FN", "N = FP + TN")):
        panel.text(column + 0.5, -0.12, total, ha="center", va="top")
    panel.set_ylim(-0.35, 2.02)
    panel.yaxis.set_label_coords(-0.12, 0.57)
    return figure


@figure("figure-confusion-3x3")
def confusion_3x3(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the multi-class confusion matrix (slide 8)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=2.9)
    cells = [f"${name.replace('_', '_{')}}}$" for name in curves["3x3"]["cell"]]
    _matrix(panel, curves["3x3"], cells)
    return figure


def _matrix(panel: Axes, cells: pd.DataFrame, texts: list[str]) -> None:
    classes = list(dict.fromkeys(cells["true"]))
    size = len(classes)
    places = zip(cells["predicted"], cells["true"], cells["right"], texts, strict=True)
    for predicted, true, right, text in places:
        x, y = classes.index(true), size - 1 - classes.index(predicted)
        hatch, colour = ("", RIGHT) if right else ("////", WRONG)
        panel.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white"))
        panel.add_patch(
            Rectangle((x, y), 1, 1, fill=False, hatch=hatch, edgecolor="#E8B7A4", linewidth=0)
        )
        panel.add_patch(Rectangle((x, y), 1, 1, fill=False, edgecolor="black", linewidth=0.8))
        behind = {"facecolor": colour, "edgecolor": "none", "pad": 1.5}
        panel.text(
            x + 0.5,
            y + 0.5,
            text,
            ha="center",
            va="center",
            fontsize=9,
            bbox=behind,
        )
    panel.set(xlim=(-0.02, size + 0.02), ylim=(-0.02, size + 0.02), aspect="equal")
    panel.set_xticks(np.arange(size) + 0.5, classes)
    panel.set_yticks(np.arange(size) + 0.5, classes[::-1])
    panel.set(xlabel="true class", ylabel="predicted class")
    panel.xaxis.set_label_position("top")
    panel.tick_params(length=0, labeltop=True, labelbottom=False)
    panel.grid(False)
    for spine in panel.spines.values():
        spine.set_visible(False)


@figure("figure-metric-circles")
def circles(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw each metric as a fraction of correctly and incorrectly classified regions (slide 33)."""
    metrics, shape = curves["metrics"], curves["circle"].iloc[0]
    columns = 4
    rows = -(-(len(metrics) + 1) // columns)
    figure, axes = style.panels(rows, columns, height=rows * 1.95)
    _regions(axes[0], shape, {})
    axes[0].set_title("the classes and the classifier")
    side = shape["side"]
    places = {"TP": (-0.55, 0.05), "FP": (0.18, 0.05), "FN": (-0.75, -0.8), "TN": (0.75, -0.8)}
    for text, (x, y) in places.items():
        axes[0].text(x * side, y * side, text, ha="center", va="center")
    for x, text in ((-side / 2, "positive"), (side / 2, "negative")):
        axes[0].text(x, 0.93 * side, text, ha="center", va="top", fontsize=6)
    for panel, (_, metric) in zip(axes[1:], metrics.iterrows(), strict=False):
        _regions(panel, shape, dict(metric))
        panel.set_title(f"{metric['metric']} = {metric['value']:.2f}")
    for panel in axes[len(metrics) + 1 :]:
        panel.set_visible(False)
    looks = {
        "correct, in the numerator": (DEEP_RIGHT, ""),
        "correct, in the denominator only": (RIGHT, ""),
        "incorrect, in the numerator": (DEEP_WRONG, "////"),
        "incorrect, in the denominator only": (WRONG, "////"),
    }
    handles: list[Any] = [
        Patch(facecolor=colour, hatch=hatch, edgecolor=EDGE, linewidth=0.5)
        for colour, hatch in looks.values()
    ]
    handles.append(Line2D([], [], marker="o", color="black", markerfacecolor="none", linestyle=""))
    names = [*looks, "predicted positive (inside)"]
    figure.legend(handles, names, loc="outside lower center", ncols=3)
    return figure


def _regions(panel: Axes, shape: pd.Series, metric: Mapping[str, Any]) -> None:
    side, radius, centre = shape["side"], shape["radius"], -shape["shift"]
    halves = {
        "left": Rectangle((-side, -side), side, 2 * side, transform=panel.transData),
        "right": Rectangle((0, -side), side, 2 * side, transform=panel.transData),
    }
    for half, inside, outside in (("left", "tp", "fn"), ("right", "fp", "tn")):
        for zorder, region in ((1, outside), (2, inside)):
            colour, hatch = _look(region, metric)
            patch: Patch = Circle((centre, 0), radius)
            if region == outside:
                patch = Rectangle(halves[half].get_xy(), side, 2 * side)
            patch.set(facecolor=colour, hatch=hatch, edgecolor=EDGE, linewidth=0)
            patch.set_zorder(zorder)
            panel.add_patch(patch)
            patch.set_clip_path(halves[half])
    panel.add_patch(Circle((centre, 0), radius, fill=False, linewidth=1.0, zorder=3))
    panel.add_patch(
        Rectangle((-side, -side), 2 * side, 2 * side, fill=False, linewidth=0.6, zorder=3)
    )
    panel.plot([0, 0], [-side, side], color="black", linewidth=0.6, zorder=3)
    panel.set(xlim=(-1.05 * side, 1.05 * side), ylim=(-1.05 * side, 1.05 * side), aspect="equal")
    panel.axis("off")


def _look(region: str, metric: Mapping[str, Any]) -> tuple[str, str]:
    if not metric:
        return "white", ""
    above = region in metric["numerator"].split()
    if region in metric["right"].split():
        return (DEEP_RIGHT if above else RIGHT), ""
    if region in metric["wrong"].split():
        return (DEEP_WRONG if above else WRONG), "////"
    return "white", ""
