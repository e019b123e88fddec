"""The precision-recall curve of the twenty samples, and the perfect one (slides 65 to 67)."""

from __future__ import annotations

import numpy as np

from opchar.experiments.tharwat2018.thresholds import as_sample
from opchar.metrics.counts import Array
from opchar.results import Results
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import auprec, precision_recall_curve

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
        the second point, which is 0 without a true positive.
    """
    is_positive, score = as_sample(positive_scores, negative_scores)
    points = operating_points(is_positive, score)
    return precision_recall_curve(points, float(np.mean(is_positive)), first="next")


def _perfect(results: Results, positive_scores: list[float], negative_scores: list[float]) -> None:
    ranks = np.arange(len(positive_scores) + len(negative_scores), 0, -1.0)
    best = list(ranks[: len(positive_scores)])
    rest = list(ranks[len(positive_scores) :])
    recall, ppv = curve(best, rest)
    results.curve("perfect", {"recall": recall, "precision": ppv})
    drawn = {"recall": [0.0, 1.0, 1.0], "precision": [1.0, 1.0, 0.0]}
    results.curve("perfect as printed", drawn)
