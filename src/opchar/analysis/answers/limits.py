"""The least of one error within a limit on the other, and what is guaranteed."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.answers.judging import Judged, rate_intervals, settle
from opchar.spaces.points import OperatingPoints
from opchar.statistics.cross_fitting import CrossFitted, cross_fitted
from opchar.statistics.proportions import guaranteed_threshold
from opchar.statistics.ranking import Floats, Ranked
from opchar.ties import at_most

COLUMNS = ["class", "model", "limit", "at most", "threshold", "error", "error low", "error high",
           "error exceeds limit", "optimistic error", "other error", "other low", "other high",
           "promised threshold", "other error there", "promised of"]  # fmt: skip
# What the column "promised of" says, by whether the scores tell of folds.
ONE = "the model of these scores, if it was trained on none of these objects; not a retrained one"
FOLDS = "the {} models of the folds, on average; a retrained model is not covered"
UNWEIGHTED = "; objects count once each"
ANEW = (
    "A guarantee covers the models that made these scores. A model that is retrained on all "
    "objects is not covered: score objects outside its training data, or use "
    "opchar.RiskControlledClassifier."
)


def limit_table(judged: Judged, folds: NDArray[np.intp] | None = None) -> pd.DataFrame:
    """Return thresholds that keep one error within a limit and the other as low as possible.

    soleymani2020, Sec. 3.4.1 (Neyman-Pearson criterion); Tong, Feng and Li, Science Advances 4,
    2018.

    Shapes: `folds` (n,).
    """
    limits, promise = judged.asked.limits, promised_of(judged, folds)
    rows = []
    for model, data in zip(judged.names, judged.ranked, strict=True):
        alarms, misses = (
            settle(cross_fitted(data, judged.fold, partial(_thresholds_within, limits, error)))
            for error in ("fpr", "fnr")
        )
        for g, limit in enumerate(limits):
            for name, chosen in (("false alarms", alarms), ("misses", misses)):
                threshold = float(chosen.own_thresholds[g])
                key = (judged.name, model, name, limit, threshold)
                promised = _guaranteed_threshold(judged, data, limit, name)
                errors = _errors(judged, data, chosen, g, name)
                exceeded = not at_most(errors[0], limit)
                rows.append((*key, *errors[:3], exceeded, *errors[3:], *promised, promise))
    return pd.DataFrame(rows, columns=COLUMNS)


def promised_of(judged: Judged, folds: NDArray[np.intp] | None) -> str:
    """Return which model a guarantee from these scores is about.

    Shapes: `folds` (n,).
    """
    scorers = 1 if folds is None or judged.is_counted else len(np.unique(folds))
    promise = ONE if scorers == 1 else FOLDS.format(scorers)
    return promise if judged.weight is None or judged.is_counted else promise + UNWEIGHTED


def _thresholds_within(limits: tuple[float, ...], error: str, points: OperatingPoints) -> Floats:
    """Return for each limit the threshold of the least other error."""
    found = []
    for limit in limits:
        if error == "fpr":
            kept = np.flatnonzero(at_most(points.fpr, limit))
            found.append(points.thresholds[kept[np.argmax(points.tpr[kept])]])
        else:
            kept = np.flatnonzero(at_most(1 - points.tpr, limit))
            found.append(points.thresholds[kept[np.argmin(points.fpr[kept])]])
    return np.array(found)


def _errors(
    judged: Judged, data: Ranked, chosen: CrossFitted, g: int, name: str
) -> tuple[float, ...]:
    """Return the limited error with interval and as chosen for, and the other with interval."""
    accepted = data.distinct[data.rank] >= chosen.thresholds[judged.fold, g]
    rates = np.array([chosen.tpr[g], chosen.fpr[g]])
    own_rates = np.array([chosen.own_tpr[g], chosen.own_fpr[g]])
    (tpr_low, tpr_high), fpr_ends = rate_intervals(judged, accepted, rates, own_rates)
    misses, alarms = (1 - rates[0], 1 - tpr_high, 1 - tpr_low), (rates[1], *fpr_ends)
    if name == "misses":
        return (*misses, 1 - own_rates[0], *alarms)
    return (*alarms, own_rates[1], *misses)


def _guaranteed_threshold(
    judged: Judged, data: Ranked, limit: float, name: str
) -> tuple[float, float]:
    """Return the threshold that keeps the limit with the level, and the other error there.

    An object that repeats counts once, with the score that is worst for the limit; so does a fold
    where folds are drawn.
    """
    score = data.distinct[data.rank]
    of_class = ~judged.is_positive if name == "false alarms" else judged.is_positive
    sign = 1 if name == "false alarms" else -1
    signed_scores = sign * score[of_class]
    unit = judged.fold if judged.draws_folds else judged.unit
    if unit is not None:
        _, unit_index = np.unique(unit[of_class], return_inverse=True)
        worst = np.full(int(unit_index.max()) + 1, -np.inf)
        np.maximum.at(worst, unit_index, signed_scores)
        signed_scores = worst
    times = None if data.times is None else data.times[of_class]
    at = guaranteed_threshold(signed_scores, limit, judged.asked.level, times=times)
    if not np.isfinite(at):
        return sign * at, 1.0
    # Accepted is what lies strictly above, so the threshold is the next score up.
    at = float(np.nextafter(at, np.inf))
    accepted = sign * score[~of_class] >= at
    weight = None if judged.weight is None else judged.weight[~of_class]
    return sign * at, 1 - float(np.average(accepted, weights=weight))
