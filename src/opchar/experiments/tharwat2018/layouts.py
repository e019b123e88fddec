"""How a confusion matrix is laid out, and metrics as regions (tharwat2018, slides 7, 8 and 33)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from opchar.metrics.counts import Counts
from opchar.metrics.indices.combined import jaccard
from opchar.metrics.indices.rates import (
    accuracy,
    error_rate,
    false_discovery_rate,
    false_omission_rate,
    fnr,
    fpr,
    npv,
    precision,
    tnr,
    tpr,
)
from opchar.results import Results

# Metric, the regions it counts in its numerator, and those in its denominator.
REGIONS: dict[str, tuple[Callable[..., Any], str, str]] = {
    "Acc": (accuracy, "tp tn", "tp fn fp tn"),
    "Err": (error_rate, "fp fn", "tp fn fp tn"),
    "TPR": (tpr, "tp", "tp fn"),
    "TNR": (tnr, "tn", "tn fp"),
    "FPR": (fpr, "fp", "tn fp"),
    "FNR": (fnr, "fn", "tp fn"),
    "PPV": (precision, "tp", "tp fp"),
    "NPV": (npv, "tn", "tn fn"),
    "FDR": (false_discovery_rate, "fp", "tp fp"),
    "FOR": (false_omission_rate, "fn", "tn fn"),
    "Jaccard": (jaccard, "tp", "tp fp fn"),
}


def confusion_layouts(*, classes: list[str]) -> Results:
    """Name the cells of the 2x2 and the multi-class confusion matrix.

    Parameters
    ----------
    classes : list of str
        Names of the classes of the larger matrix.

    Returns
    -------
    Results
        Curves of ``figure-confusion-2x2`` and ``figure-confusion-3x3``: one row a cell, with the
        predicted class as row and the true class as column.
    """
    results = Results()
    two = {("P", "P"): "TP", ("P", "N"): "FP", ("N", "P"): "FN", ("N", "N"): "TN"}
    for (predicted, true), cell in two.items():
        results.curve("2x2", _cell(predicted, true, cell, predicted == true))
    for predicted in classes:
        for true in classes:
            right = predicted == true
            cell = f"TP_{true}" if right else f"E_{true}{predicted}"
            results.curve("3x3", _cell(predicted, true, cell, right))
    return results


def _cell(predicted: str, true: str, cell: str, right: bool) -> dict[str, Any]:
    return {"predicted": [predicted], "true": true, "cell": cell, "right": right}


def metric_circles(*, radius: float, shift: float, side: float) -> Results:
    """Measure metrics as areas: a circle called positive over two classes side by side.

    Parameters
    ----------
    radius : float
        Radius of the circle, inside which a sample is called positive.
    shift : float
        How far the circle's centre lies inside the positive (left) half; less than `radius`.
    side : float
        Half the width, and half the height, of the square that holds all samples; the circle fits
        in.

    Returns
    -------
    Results
        ``figure-metric-circles``: each metric from the areas as counts, and in the frame
        ``metrics`` also as a quotient of regions.
    """
    results = Results()
    areas = regions(radius, shift, side)
    for name, (metric, top, bottom) in REGIONS.items():
        quotient = _area(areas, top) / _area(areas, bottom)
        value = float(metric(*areas))
        results.number("figure-metric-circles", name, "value", value)
        green, red = _coloured(top, bottom)
        results.curve(
            "metrics",
            {
                "metric": [name],
                "right": green,
                "wrong": red,
                "numerator": top,
                "value": value,
                "quotient": quotient,
            },
        )
    results.curve("circle", {"radius": [radius], "shift": shift, "side": side})
    return results


def regions(radius: float, shift: float, side: float) -> Counts:
    """Return the areas of the four regions as counts.

    Parameters
    ----------
    radius, shift, side : float
        As of `metric_circles`.

    Returns
    -------
    Counts
        Areas.

    Raises
    ------
    ValueError
        When the circle leaves the square or lies in one half.
    """
    if not 0 <= shift < radius or radius + shift > side:
        raise ValueError("the circle must cross the middle and fit into the square")
    circle, half = np.pi * radius**2, 2 * side * side
    outside_left = radius**2 * np.arccos(shift / radius) - shift * np.sqrt(radius**2 - shift**2)
    tp, fp = np.array(circle - outside_left), np.array(outside_left)
    return Counts(tp, half - tp, fp, half - fp)


def _area(areas: Counts, names: str) -> float:
    return float(sum(areas._asdict()[name] for name in names.split()))


def _coloured(top: str, bottom: str) -> tuple[str, str]:
    """Return the rightly and the wrongly classified regions among those a metric looks at."""
    seen = set(top.split()) | set(bottom.split())
    right = [region for region in ("tp", "tn") if region in seen]
    wrong = [region for region in ("fp", "fn") if region in seen]
    return " ".join(right), " ".join(wrong)
