"""Twenty scored samples under a falling threshold (tharwat2018, slides 46 to 58)."""

import numpy as np

from opchar.metrics.counts import Counts, counts_at
from opchar.metrics.indices.rates import accuracy, fnr, fpr, precision, tnr, tpr
from opchar.spaces.points import OperatingPoints, operating_points
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

TABLE = "table-roc-thresholds"
ROC = "figure-roc-example"


@study("threshold-sweep", basis="exact")
def sweep(
    *,
    positive_scores: list[float] = [0.82, 0.8, 0.7, 0.62, 0.6, 0.49, 0.4, 0.37, 0.23, 0.19],
    negative_scores: list[float] = [0.75, 0.54, 0.5, 0.45, 0.39, 0.32, 0.3, 0.26, 0.21, 0.1],
    shown: list[int] = [1, 3, 8, 11, 14, 20],
) -> Results:
    """Sweep the threshold over the tutorial's samples.

    positive_scores, negative_scores: Scores of the two classes, read from the threshold table.
    shown: Numbers (from 1) of the thresholds that slides 53 to 58 draw.
    """
    results = Results()
    is_positive, score = as_sample(positive_scores, negative_scores)
    points = operating_points(is_positive, score)
    counts = counts_at(points)
    rows = threshold_labels(points)
    _table(results, rows, points, counts)
    _best(results, points, counts)
    results.number(ROC, rows[1], "TPR", points.tpr[1], unit="fraction")
    _twentieth(results, counts)
    results.add_frame("samples", {"score": score, "positive": is_positive})
    numbered = {"number": np.arange(1, len(points) + 1), "threshold": points.thresholds}
    rates = {"fpr": points.fpr, "tpr": points.tpr}
    results.add_frame("roc", numbered | rates | counts._asdict())
    chosen = np.array(shown) - 1
    each_shown = {name: part[chosen] for name, part in (numbered | counts._asdict()).items()}
    results.add_frame("shown", each_shown)
    return results


def as_sample(
    positive_scores: list[float], negative_scores: list[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(is_positive, score)`` of two lists, highest score first (slide 47)."""
    score = np.array([*positive_scores, *negative_scores])
    is_positive = np.arange(len(score)) < len(positive_scores)
    order = np.argsort(-score, kind="stable")
    return is_positive[order], score[order]


def threshold_labels(points: OperatingPoints) -> list[str]:
    r"""Return the table's row names, ``t_1 = \infty``, ``t_2 = 0.82`` and so on."""
    return [
        rf"t_{number} = " + (r"\infty" if np.isinf(value) else f"{value:.2f}")
        for number, value in enumerate(points.thresholds, start=1)
    ]


def _table(results: Results, rows: list[str], points: OperatingPoints, counts: Counts) -> None:
    rates = {"TPR": tpr(*counts), "FPR": fpr(*counts), "FNR": fnr(*counts)}
    precisions, accuracies = precision(*counts), 100 * accuracy(*counts)
    for index, row in enumerate(rows):
        threshold = points.thresholds[index]
        results.number(TABLE, row, "threshold", threshold, unit="score", basis="input")
        for name in ("tp", "fn", "tn", "fp"):
            count = getattr(counts, name)[index]
            results.number(TABLE, row, name.upper(), count, unit="count", basis="input")
        for name, values in rates.items():
            results.number(TABLE, row, name, values[index], unit="fraction")
        if np.isnan(precisions[index]):
            results.text(TABLE, row, "PPV", "-")
        else:
            results.number(TABLE, row, "PPV", precisions[index], unit="fraction")
        results.number(TABLE, row, "Acc", accuracies[index], unit="%")


def _best(results: Results, points: OperatingPoints, counts: Counts) -> None:
    accuracies = accuracy(*counts)
    best = int(np.argmax(accuracies))
    results.number(ROC, "best accuracy", "Acc", 100 * accuracies[best], unit="%")
    results.number(ROC, "best accuracy", "FPR", points.fpr[best], unit="fraction")
    results.number(ROC, "best accuracy", "TPR", points.tpr[best], unit="fraction")
    results.number(ROC, "best accuracy", "threshold", points.thresholds[best], unit="score")
    results.number(ROC, "best accuracy", "TNR", tnr(*counts)[best], unit="fraction")


def _twentieth(results: Results, counts: Counts) -> None:
    index = 20 - 1
    wrong, right = 100 * fpr(*counts)[index], 100 * tnr(*counts)[index]
    results.number("figure-threshold-t20", "t_20", "negatives wrong", wrong, unit="%")
    results.number("figure-threshold-t20", "t_20", "negatives right", right, unit="%")
