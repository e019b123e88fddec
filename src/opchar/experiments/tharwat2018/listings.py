"""The tutorial's algorithms, line by line (tharwat2018, slides 59 and 63)."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from opchar.experiments.tharwat2018.thresholds import as_sample
from opchar.results import Results
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc

Point = tuple[float, float]


def roc_as_printed(
    is_positive: ArrayLike, score: ArrayLike, *, divide_by_all: bool = False
) -> list[Point]:
    """Generate an ROC exactly as the listing of slide 59 says.

    ``ROC(i)`` is indexed by the sample, so samples with tied scores leave holes (dropped here), and
    the last assignment, after the loop, overwrites the point of the last sample.

    Parameters
    ----------
    is_positive : array_like of bool, shape (n,)
        Labels.
    score : array_like of float, shape (n,)
        Scores; sorted from high to low, which the listing leaves open.
    divide_by_all : bool
        The listing calls both all samples and the negatives N; True divides FP by all samples.

    Returns
    -------
    list of (float, float)
        ``(FPR, TPR)`` in the order of the sorted samples.
    """
    labels, scores = _sorted(is_positive, score)
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
    return [roc[place] for place in sorted(roc)]


def roc_corrected(is_positive: ArrayLike, score: ArrayLike) -> list[Point]:
    """Generate an ROC by the same listing, with every point appended.

    Parameters
    ----------
    is_positive : array_like of bool, shape (n,)
        Labels, at least one of each class.
    score : array_like of float, shape (n,)
        Scores.

    Returns
    -------
    list of (float, float)
        ``(FPR, TPR)`` from (0, 0) to (1, 1), one point a distinct score and one for none.
    """
    labels, scores = _sorted(is_positive, score)
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

    Parameters
    ----------
    is_positive : array_like of bool, shape (n,)
        Labels, at least one of each class.
    score : array_like of float, shape (n,)
        Scores; ties are crossed by one slanted side.

    Returns
    -------
    float
        The area under the ROC curve, in [0, 1].
    """
    labels, scores = _sorted(is_positive, score)
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


def algorithms(
    *,
    positive_scores: list[float],
    negative_scores: list[float],
    tied: dict[str, list[float]],
) -> Results:
    """Run both algorithms on the tutorial's samples, and show what the printed one loses.

    Parameters
    ----------
    positive_scores, negative_scores : list of float
        The tutorial's samples.
    tied : dict of str to list of float
        ``positive`` and ``negative`` scores with ties between the classes.

    Returns
    -------
    Results
        ``algorithm-roc`` and ``algorithm-auc``.
    """
    results = Results()
    sample = as_sample(positive_scores, negative_scores)
    printed, corrected = roc_as_printed(*sample), roc_corrected(*sample)
    for name, points in (("as printed", printed), ("corrected", corrected)):
        results.number("algorithm-roc", name, "points", len(points), unit="count")
        x, y = zip(*points, strict=True)
        results.curve("roc", {"listing": name, "fpr": x, "tpr": y})
    x, y = zip(*roc_as_printed(*sample, divide_by_all=True), strict=True)
    results.number("algorithm-roc", "FP divided by all samples", "last FPR", x[-1], unit="fraction")
    labels, scores = sample
    upside_down = auc_by_trapezoids(labels, -scores)
    results.number("algorithm-roc", "sorted from low to high", "AUC", upside_down, unit="area")
    results.curve("roc", {"listing": "FP divided by all samples", "fpr": x, "tpr": y})
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


def _sorted(is_positive: ArrayLike, score: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    labels, scores = np.asarray(is_positive, bool), np.asarray(score, float)
    if labels.shape != scores.shape or labels.all() or not labels.any():
        raise ValueError("labels and scores must be equally long and hold both classes")
    order = np.argsort(-scores, kind="stable")
    return labels[order], scores[order]
