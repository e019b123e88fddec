"""The precision-recall curve of the twenty samples, and the perfect one (slides 65 to 67)."""

from __future__ import annotations

import numpy as np

from opchar.experiments.tharwat2018.threshold import as_sample
from opchar.metrics.counts import Array
from opchar.results import Results
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import auprec, precision

FIGURE = "figure-pr"


def precision_recall(
    *,
    positive_scores: list[float],
    negative_scores: list[float],
    first_wrong: dict[str, list[float]],
) -> Results:
    """Draw precision against recall, with the tutorial's rule for the first point.

    Parameters
    ----------
    positive_scores, negative_scores : list of float
        The tutorial's samples.
    first_wrong : dict of str to list of float
        ``positive`` and ``negative`` scores of a sample whose highest score is a negative's, for
        the rule's other case.

    Returns
    -------
    Results
        ``figure-pr`` and the curves of ``text-pr-perfect``.
    """
    results = Results()
    recall, ppv = curve(positive_scores, negative_scores)
    results.number(FIGURE, "second PR point", "recall", recall[1], unit="fraction")
    results.number(FIGURE, "second PR point", "precision", ppv[1], unit="fraction")
    other_recall, other_ppv = curve(first_wrong["positive"], first_wrong["negative"])
    estimated = (float(recall[0]), float(ppv[0])), (float(other_recall[0]), float(other_ppv[0]))
    results.claim(
        FIGURE,
        "first PR point",
        estimated == ((0.0, 1.0), (0.0, 0.0)),
        f"first point {estimated[0]} after ({recall[1]:.1f}, {ppv[1]:.1f}); {estimated[1]} for a "
        f"sample whose second point is ({other_recall[1]:.1f}, {other_ppv[1]:.1f})",
    )
    results.curve("curve", {"recall": recall, "precision": ppv})
    results.curve("first", {"recall": other_recall, "precision": other_ppv})
    _perfect(results, positive_scores, negative_scores)
    is_positive, score = as_sample(positive_scores, negative_scores)
    area = auprec(operating_points(is_positive, score), float(np.mean(is_positive)))
    results.number(FIGURE, "area", "AUPREC", area, unit="area")
    return results


def curve(positive_scores: list[float], negative_scores: list[float]) -> tuple[Array, Array]:
    """Return recall and precision at every threshold, the first point by slide 66.

    Parameters
    ----------
    positive_scores, negative_scores : list of float
        Scores of the two classes.

    Returns
    -------
    recall, precision : numpy.ndarray
        From accepting nothing to accepting all. Where nothing is accepted, precision is that of
        the second point if it has a true positive, else 0.
    """
    is_positive, score = as_sample(positive_scores, negative_scores)
    points = operating_points(is_positive, score)
    ppv = precision(points.tpr, points.fpr, float(np.mean(is_positive)))
    ppv[0] = ppv[1] if points.tpr[1] > 0 else 0.0
    return points.tpr, ppv


def _perfect(results: Results, positive_scores: list[float], negative_scores: list[float]) -> None:
    ranks = np.arange(len(positive_scores) + len(negative_scores), 0, -1.0)
    best = list(ranks[: len(positive_scores)])
    rest = list(ranks[len(positive_scores) :])
    recall, ppv = curve(best, rest)
    prior = len(best) / len(ranks)
    horizontal = bool((ppv[recall < 1] == 1).all() and ppv[recall == 1].max() == 1)
    vertical_to = float(ppv[-1])
    results.claim(
        FIGURE,
        "perfect PR curve",
        horizontal and vertical_to == 0,
        f"(0, 1) to (1, 1) holds, but from there the curve falls only to (1, {vertical_to:.2f}): "
        f"calling all samples positive has precision P/(P+N) = {prior:.2f}, as the tutorial's own "
        "threshold table says at t_21; precision 0 needs a sample without positives",
    )
    results.curve("perfect", {"recall": recall, "precision": ppv})
    drawn = {"recall": [0.0, 1.0, 1.0], "precision": [1.0, 1.0, 0.0]}
    results.curve("perfect as printed", drawn)
