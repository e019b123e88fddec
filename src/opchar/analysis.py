"""A user's own scores through the analyses of the works: areas, envelopes, thresholds, volume."""

from __future__ import annotations

import numpy as np

from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.spaces.cost import lower_envelope
from opchar.spaces.det import equal_error_rate
from opchar.spaces.envelope import Envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import auprec, iauprec, precision
from opchar.spaces.roc import auc

GRID = np.linspace(0.0, 1.0, 501)


def analyse(
    table: ScoreTable, *, positive: str | None = None, alpha: float = 0.5, weights: int = 50
) -> Results:
    """Judge one model from its scores over all thresholds, priors and preferences.

    Folds are pooled. With two classes the rarer one is positive; with more, each class is set
    against the rest.

    Parameters
    ----------
    table : ScoreTable
        As `opchar.scores.read_scores` gives it.
    positive : str, optional
        Only this class as the positive one.
    alpha : float
        Weight of precision in the F-measure, in [0, 1].
    weights : int
        Steps a class weight for the volume under the multi-class ROC (at most four classes, and
        scores that are not negative).

    Returns
    -------
    Results
        Lines by class; the curves ``roc``, ``precision-recall``, ``f`` and ``cost``; the table
        ``thresholds`` with the best threshold for each range of priors (F) and of PC(+) (cost).

    Raises
    ------
    ScoresError
        If the table has no class `positive`.
    """
    results = Results()
    sizes = np.bincount(table.y, minlength=len(table.classes))
    if positive is not None:
        chosen = [positive]
    elif len(table.classes) == 2:
        chosen = [table.classes[int(np.argmin(sizes))]]
    else:
        chosen = [name for name, size in zip(table.classes, sizes, strict=True) if size]
    for name in chosen:
        _one_class(results, name, *table.binary(name), alpha)
    if 2 < len(table.classes) <= 4 and (sizes > 0).all() and (table.scores >= 0).all():
        from opchar.multiclass.bootstrap import normalised_vus
        from opchar.multiclass.hypersurface import vus, weighted_scores

        volume = vus(weighted_scores(table.y, table.scores, weights))
        results.number("summary", "all classes", "VUS", volume, unit="volume")
        share = normalised_vus(volume, len(table.classes))
        results.number("summary", "all classes", "VUS, random 0 and perfect 1", share)
    return results


def _one_class(
    results: Results, name: str, is_positive: np.ndarray, score: np.ndarray, alpha: float
) -> None:
    points = operating_points(is_positive, score)
    prior = float(is_positive.mean())
    f, cost = upper_envelope(points, alpha), lower_envelope(points)
    for measure, value in {
        "positives": int(is_positive.sum()),
        "negatives": int((~is_positive).sum()),
        "AUC": auc(points),
        "equal error rate": equal_error_rate(points).rate,
        "AUPREC at the prior of the scores": auprec(points, prior),
        "IAUPREC over all priors": iauprec(points, 0.01, 0.99),
        f"best F (alpha {alpha:g}) at the prior of the scores": float(f(prior)),
        f"threshold of best F (alpha {alpha:g}) there": float(f.threshold(prior)),
        "least error at the prior of the scores": float(cost(prior)),
        "threshold of least error there": float(cost.threshold(prior)),
    }.items():
        results.number("summary", name, measure, value)
    results.curve("roc", {"series": name, "fpr": points.fpr, "tpr": points.tpr})
    results.curve("hull", {"series": name, "fpr": points.hull.fpr, "tpr": points.hull.tpr})
    heights = precision(points.tpr, points.fpr, prior)
    results.curve("precision-recall", {"series": name, "recall": points.tpr, "precision": heights})
    results.curve("f", {"series": name, "prior": GRID, "f": f(GRID), "alpha": alpha})
    results.curve("cost", {"series": name, "pc": GRID, "cost": cost(GRID)})
    _thresholds(results, name, "F", f)
    _thresholds(results, name, "cost", cost)


def _thresholds(results: Results, name: str, space: str, envelope: Envelope) -> None:
    columns = {
        "from": envelope.breakpoints[:-1],
        "to": envelope.breakpoints[1:],
        "threshold": envelope.points.thresholds,
        "tpr": envelope.points.tpr,
        "fpr": envelope.points.fpr,
    }
    results.curve("thresholds", {"class": name, "space": space, **columns})
