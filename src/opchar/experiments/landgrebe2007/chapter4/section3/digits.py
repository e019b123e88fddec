"""Confusion of ten digits and what one weight changes (Sec. 4.3.3, Figure 4.9)."""

from __future__ import annotations

import numpy as np

from opchar.experiments.landgrebe2007.known_classes import matrix_curve
from opchar.multiclass.cost_weights.problem import confusion_counts, cost_problem
from opchar.multiclass.perturbation import largest_by_class, score_sensitivities
from opchar.results import Results
from opchar.scores import ScoreTable


def ten_digits(
    *, scores: dict[tuple[str, str], ScoreTable], moved: int, factor: float, r: int
) -> Results:
    """Confuse ten digits at equal weights and with one of the weights changed.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table.
    moved : int
        The class, from 1, whose weight is multiplied.
    factor : float
        By how much.
    r : int
        Steps of each weight in the perturbation analysis.

    Returns
    -------
    Results
        Frames ``confusion`` (means over the splits), ``rates`` and ``largest changes`` (by split).
    """
    (table,) = scores.values()
    c = len(table.classes)
    results, rates = Results(), []
    for fold, part in table.folds():
        problem = cost_problem(part.y, part.scores, np.zeros((c, c)))
        log_weights = np.zeros((2, c))
        log_weights[1, moved - 1] = np.log(factor)
        counts = np.array([confusion_counts(problem, row) for row in log_weights])
        rates.append(counts / counts.sum(axis=2, keepdims=True))
        largest = largest_by_class(score_sensitivities(part.y, part.scores, r))
        i, k = np.indices((c, c)).reshape(2, -1) + 1
        results.curve(
            "rates",
            {
                "fold": fold,
                "true": i,
                "assigned": k,
                "default": rates[-1][0].ravel(),
                "moved": rates[-1][1].ravel(),
            },
        )
        results.curve(
            "largest changes", {"fold": fold, "weight": i, "class": k, "change": largest.ravel()}
        )
    mean = np.mean(rates, axis=0)
    for name, matrix in (("unit weights", mean[0]), (f"phi_{moved} = {factor:g}", mean[1])):
        matrix_curve(results, name, matrix)
    return results
