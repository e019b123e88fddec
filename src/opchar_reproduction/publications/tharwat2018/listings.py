"""The tutorial's algorithms, line by line (tharwat2018, slides 59 and 63)."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from opchar.figures import style
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc
from opchar_reproduction.publications.tharwat2018.roc_figures import _space
from opchar_reproduction.publications.tharwat2018.thresholds.measure import as_sample
from opchar_reproduction.results import Results
from opchar_reproduction.study import figure, study

Point = tuple[float, float]


def roc_as_printed(
    is_positive: ArrayLike, score: ArrayLike, *, divide_by_all: bool = False
) -> list[Point]:
    """Generate an ROC exactly as the listing of slide 59 says.

    ``ROC(i)`` is indexed by the sample, so samples with tied scores leave holes (dropped here), and
    the last assignment, after the loop, overwrites the point of the last sample.

    Shapes: `is_positive` (n,); `score` (n,).
    """
    labels, scores = _sort_descending(is_positive, score)
    positives, negatives = int(labels.sum()), int((~labels).sum())
    n = len(labels) if divide_by_all else negatives
    fp = tp = 0
    previous = -np.inf
    roc: dict[int, Point] = {}
    i = 0
    for i in range(1, len(labels) + 1):
        if scores[i - 1] != previous:
            roc[i] = (fp / n, tp / positives)
            previous = scores[i - 1]
        if labels[i - 1]:
            tp += 1
        else:
            fp += 1
    roc[i] = (fp / n, tp / positives)
    return [roc[number] for number in sorted(roc)]


def roc_corrected(is_positive: ArrayLike, score: ArrayLike) -> list[Point]:
    """Generate an ROC by the same listing, with every point appended.

    Shapes: `is_positive` (n,); `score` (n,).
    """
    labels, scores = _sort_descending(is_positive, score)
    positives, negatives = int(labels.sum()), int((~labels).sum())
    fp = tp = 0
    previous: float | None = None
    roc: list[Point] = []
    for label, value in zip(labels, scores, strict=True):
        if value != previous:
            roc.append((fp / negatives, tp / positives))
            previous = value
        if label:
            tp += 1
        else:
            fp += 1
    roc.append((fp / negatives, tp / positives))
    return roc


def auc_by_trapezoids(is_positive: ArrayLike, score: ArrayLike) -> float:
    """Add trapezoids instead of points in the listing of slide 59, as slide 63 describes.

    Shapes: `is_positive` (n,); `score` (n,).
    """
    labels, scores = _sort_descending(is_positive, score)
    fp = tp = fp_before = tp_before = 0
    previous: float | None = None
    area = 0.0
    for label, value in zip(labels, scores, strict=True):
        if value != previous:
            area += trapezoid(fp, fp_before, tp, tp_before)
            previous, fp_before, tp_before = value, fp, tp
        if label:
            tp += 1
        else:
            fp += 1
    area += trapezoid(fp, fp_before, tp, tp_before)
    return area / (tp * fp)


def trapezoid(x_1: float, x_2: float, y_1: float, y_2: float) -> float:
    """Return the area between two points and the x axis, base times mean height."""
    return abs(x_1 - x_2) * (y_1 + y_2) / 2


@study("algorithms", basis="exact")
def algorithms(
    *,
    positive_scores: list[float] = [0.82, 0.8, 0.7, 0.62, 0.6, 0.49, 0.4, 0.37, 0.23, 0.19],
    negative_scores: list[float] = [0.75, 0.54, 0.5, 0.45, 0.39, 0.32, 0.3, 0.26, 0.21, 0.1],
    tied: dict[str, list[float]] = {
        "positive": [0.9, 0.8, 0.6, 0.6, 0.6, 0.6, 0.3, 0.3],
        "negative": [0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.2, 0.1],
    },
) -> Results:
    """Run both algorithms on the tutorial's samples, and show what the printed one loses.

    positive_scores, negative_scores: The tutorial's samples.
    tied: ``positive`` and ``negative`` scores with ties between the classes.
    """
    results = Results()
    sample = as_sample(positive_scores, negative_scores)
    printed, corrected = roc_as_printed(*sample), roc_corrected(*sample)
    for name, points in (("as printed", printed), ("corrected", corrected)):
        results.number("algorithm-roc", name, "points", len(points), unit="count")
        x, y = zip(*points, strict=True)
        results.add_frame("roc", {"listing": name, "fpr": x, "tpr": y})
    x, y = zip(*roc_as_printed(*sample, divide_by_all=True), strict=True)
    results.number("algorithm-roc", "FP divided by all samples", "last FPR", x[-1], unit="fraction")
    labels, scores = sample
    upside_down = auc_by_trapezoids(labels, -scores)
    results.number("algorithm-roc", "sorted from low to high", "AUC", upside_down, unit="area")
    results.add_frame("roc", {"listing": "FP divided by all samples", "fpr": x, "tpr": y})
    _area(results, "20 samples", *sample, basis="exact")
    with_ties = as_sample(tied["positive"], tied["negative"])
    _area(results, "with ties", *with_ties, basis="illustration")
    return results


def _area(
    results: Results, name: str, labels: np.ndarray, scores: np.ndarray, *, basis: str
) -> None:
    areas = {
        "by the algorithm": (auc_by_trapezoids(labels, scores), "area"),
        "pairs won": (_pairs_won(labels, scores), "fraction"),
        "under the curve": (auc(operating_points(labels, scores)), "area"),
    }
    for column, (area, unit) in areas.items():
        results.number("algorithm-auc", name, column, area, unit=unit, basis=basis)


def _pairs_won(labels: np.ndarray, scores: np.ndarray) -> float:
    pairs = list(product(scores[labels], scores[~labels]))
    return sum(1.0 if up > down else 0.5 if up == down else 0.0 for up, down in pairs) / len(pairs)


def _sort_descending(is_positive: ArrayLike, score: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    labels, scores = np.asarray(is_positive, bool), np.asarray(score, float)
    if labels.shape != scores.shape or labels.all() or not labels.any():
        raise ValueError("labels and scores must be equally long and hold both classes")
    order = np.argsort(-scores, kind="stable")
    return labels[order], scores[order]


@figure("algorithm-roc")
def listing(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw what the printed listing gives beside the corrected one (slide 59)."""
    figure, axes = style.panels(1, 2, height=3.5)
    parts = {str(name): part for name, part in curves["roc"].groupby("listing", sort=False)}
    printed, whole = parts["as printed"], parts["corrected"]
    kept = set(zip(printed["fpr"], printed["tpr"], strict=True))
    lost = [p for p in zip(whole["fpr"], whole["tpr"], strict=True) if p not in kept]
    _space(axes[0])
    axes[0].plot(whole["fpr"], whole["tpr"], **style.series(0), marker="o", label="corrected")
    axes[0].plot(printed["fpr"], printed["tpr"], **style.series(1), marker="x", label="as printed")
    for x, y in lost:
        axes[0].annotate(
            f"lost: ({x:.1f}, {y:.1f})",
            (x, y),
            xytext=(0.45, 0.95),
            ha="center",
            va="center",
            arrowprops={"arrowstyle": "->", "linewidth": 0.8},
        )
    axes[0].legend(loc="lower right")
    _space(axes[1])
    axes[1].plot(whole["fpr"], whole["tpr"], **style.series(0), label="FP / negatives")
    by_all = parts["FP divided by all samples"]
    axes[1].plot(by_all["fpr"], by_all["tpr"], **style.series(1), label="FP / all samples")
    axes[1].legend(loc="lower right")
    style.letter(axes, ["the point after the loop", "the meaning of N"])
    return figure
