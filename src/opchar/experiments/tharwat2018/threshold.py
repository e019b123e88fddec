"""Twenty scored samples under a falling threshold (tharwat2018, slides 46 to 58)."""

from __future__ import annotations

import numpy as np

from opchar.metrics.counts import Array, Counts
from opchar.metrics.rates import accuracy, fnr, fpr, precision, tnr, tpr
from opchar.results import Results
from opchar.spaces.points import OperatingPoints, operating_points

TABLE = "table-roc-thresholds"
ROC = "figure-roc-example"


def sweep(
    *,
    positive_scores: list[float],
    negative_scores: list[float],
    shown: list[int],
    density_points: int,
) -> Results:
    """Sweep the threshold over the tutorial's samples.

    Parameters
    ----------
    positive_scores, negative_scores : list of float
        Scores of the two classes, read from the threshold table.
    shown : list of int
        Numbers (from 1) of the thresholds that slides 53 to 58 draw.
    density_points : int
        Resolution of the smoothed score densities.

    Returns
    -------
    Results
        ``table-roc-thresholds``, ``figure-roc-example``, ``figure-threshold-*`` and the curves of
        ``figure-roc-samples``.
    """
    results = Results()
    is_positive, score = as_sample(positive_scores, negative_scores)
    points = operating_points(is_positive, score)
    counts = counts_at(points)
    rows = threshold_labels(points)
    _table(results, rows, points, counts)
    _best(results, points, counts)
    _steps(results, points)
    second = rows[1]
    results.number(ROC, second, "TPR", points.tpr[1], unit="fraction")
    _equal_errors(results, counts, shown)
    _twentieth(results, counts)
    results.curve("samples", {"score": score, "positive": is_positive})
    results.curve(
        "roc",
        {
            "number": np.arange(1, len(points) + 1),
            "threshold": points.thresholds,
            "fpr": points.fpr,
            "tpr": points.tpr,
        },
    )
    _densities(results, positive_scores, negative_scores, density_points)
    numbers = np.array(shown)
    results.curve(
        "shown",
        {"number": numbers, "threshold": points.thresholds[numbers - 1]}
        | {name: count[numbers - 1] for name, count in counts._asdict().items()},
    )
    return results


def as_sample(
    positive_scores: list[float], negative_scores: list[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(is_positive, score)`` of two lists, highest score first (slide 47).

    Parameters
    ----------
    positive_scores, negative_scores : list of float
        Scores of the two classes.

    Returns
    -------
    is_positive : numpy.ndarray of bool
    score : numpy.ndarray
    """
    score = np.array([*positive_scores, *negative_scores])
    is_positive = np.arange(len(score)) < len(positive_scores)
    order = np.argsort(-score, kind="stable")
    return is_positive[order], score[order]


def counts_at(points: OperatingPoints) -> Counts:
    """Return the counts at every operating point of a scored sample.

    Parameters
    ----------
    points : OperatingPoints
        With the sizes of the sample.

    Returns
    -------
    Counts
        One entry a point.
    """
    false, true, negatives, positives = points.coordinates
    tp, fp = true.astype(float), false.astype(float)
    return Counts(tp, positives - tp, fp, negatives - fp)


def threshold_labels(points: OperatingPoints) -> list[str]:
    r"""Return the table's row names, ``t_1 = \infty``, ``t_2 = 0.82`` and so on."""
    return [
        rf"t_{number} = " + (r"\infty" if np.isinf(value) else f"{value:.2f}")
        for number, value in enumerate(points.thresholds, start=1)
    ]


def _table(results: Results, rows: list[str], points: OperatingPoints, counts: Counts) -> None:
    rates = {"TPR": tpr(*counts), "FPR": fpr(*counts), "FNR": fnr(*counts)}
    precisions, accuracies = precision(*counts), 100 * accuracy(*counts)
    for place, row in enumerate(rows):
        results.number(TABLE, row, "threshold", points.thresholds[place], unit="score")
        for name in ("tp", "fn", "tn", "fp"):
            count = getattr(counts, name)[place]
            results.number(TABLE, row, name.upper(), count, unit="count")
        for name, values in rates.items():
            results.number(TABLE, row, name, values[place], unit="fraction")
        if np.isnan(precisions[place]):
            results.text(TABLE, row, "PPV", "-")
        else:
            results.number(TABLE, row, "PPV", precisions[place], unit="fraction")
        results.number(TABLE, row, "Acc", accuracies[place], unit="%")


def _best(results: Results, points: OperatingPoints, counts: Counts) -> None:
    accuracies = accuracy(*counts)
    best = int(np.argmax(accuracies))
    results.number(ROC, "best accuracy", "Acc", 100 * accuracies[best], unit="%")
    results.number(ROC, "best accuracy", "FPR", points.fpr[best], unit="fraction")
    results.number(ROC, "best accuracy", "TPR", points.tpr[best], unit="fraction")
    results.number(ROC, "best accuracy", "threshold", points.thresholds[best], unit="score")
    right_positives, right_negatives = tpr(*counts)[best], tnr(*counts)[best]
    results.claim(
        ROC,
        "interpretation",
        right_positives > right_negatives,
        f"at the best threshold {points.thresholds[best]:.2f} TPR = {right_positives:.1f} and TNR "
        f"= {right_negatives:.1f}: negatives are identified better than positives",
    )


def _steps(results: Results, points: OperatingPoints) -> None:
    right, up = np.diff(points.fpr), np.diff(points.tpr)
    one_at_a_time = ((right > 0) ^ (up > 0)).all()
    ends = (points.fpr[0], points.tpr[0], points.fpr[-1], points.tpr[-1]) == (0, 0, 1, 1)
    results.claim(
        ROC,
        "step function",
        bool(one_at_a_time and ends),
        f"{len(points)} points from (0, 0) to (1, 1), each step along one axis only",
    )


def _equal_errors(results: Results, counts: Counts, shown: list[int]) -> None:
    place = 11 - 1
    at = {name: int(count[place]) for name, count in counts._asdict().items()}
    others = [
        number
        for number in range(1, counts.tp.size + 1)
        if counts.fp[number - 1] == counts.fn[number - 1]
    ]
    results.claim(
        "figure-threshold-t11",
        "t_11",
        at == {"tp": 6, "fn": 4, "fp": 4, "tn": 6} and 11 in shown,
        f"TP = {at['tp']}, TN = {at['tn']}, FP = {at['fp']}, FN = {at['fn']}; thresholds with "
        f"equally many errors of both kinds: {others}",
    )


def _twentieth(results: Results, counts: Counts) -> None:
    place = 20 - 1
    wrong, right = 100 * fpr(*counts)[place], 100 * tnr(*counts)[place]
    results.number("figure-threshold-t20", "t_20", "negatives wrong", wrong, unit="%")
    results.number("figure-threshold-t20", "t_20", "negatives right", right, unit="%")


def _densities(
    results: Results, positive_scores: list[float], negative_scores: list[float], points: int
) -> None:
    for name, scores in (("positive", positive_scores), ("negative", negative_scores)):
        values = np.array(scores)
        width = silverman(values)
        grid = np.linspace(-0.2, 1.2, points)
        results.curve(
            "density",
            {"class": name, "score": grid, "density": kernel_density(values, grid, width)},
        )


def silverman(scores: Array) -> float:
    """Return Silverman's bandwidth, 0.9 min(s, IQR / 1.34) n^(-1/5)."""
    spread = np.percentile(scores, 75) - np.percentile(scores, 25)
    return float(0.9 * min(scores.std(ddof=1), spread / 1.34) * scores.size ** (-1 / 5))


def kernel_density(scores: Array, at: Array, width: float) -> Array:
    """Return a Gaussian kernel density estimate.

    Parameters
    ----------
    scores : numpy.ndarray, shape (n,)
        The sample.
    at : numpy.ndarray, shape (m,)
        Where.
    width : float
        Standard deviation of the kernel.

    Returns
    -------
    numpy.ndarray, shape (m,)
        The density.
    """
    standard = (at[:, None] - scores) / width
    return np.exp(-(standard**2) / 2).mean(axis=1) / (width * np.sqrt(2 * np.pi))
