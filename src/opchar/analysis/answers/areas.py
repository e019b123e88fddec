"""How well do the scores order the objects: areas, with intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from opchar.analysis.answers.judging import Judged
from opchar.spaces.det import equal_error_rate
from opchar.spaces.p_roc import exact_auprecs, nodes_between
from opchar.spaces.points import OperatingPoints
from opchar.spaces.roc import auc
from opchar.statistics.areas import Areas, areas, student_quantile
from opchar.statistics.ranking import Ranked
from opchar.statistics.resampling import Resampled, resample_objects

COLUMNS = ["class", "model", "measure", "value", "low", "high", "method"]
RANGE = (0.01, 0.99)
NODES = 12


def area_table(judged: Judged) -> tuple[pd.DataFrame, Areas]:
    """Return areas and the equal error rate of each model with intervals."""
    scores = np.array([data.distinct[data.rank] for data in judged.ranked])
    found = areas(judged.is_positive, scores, judged.weight, judged.unit, counted=judged.is_counted)
    if judged.draws_folds:
        found = _over_folds(judged, found)
    low, high = found.interval(judged.asked.level)
    rows = []
    for number, (model, data) in enumerate(zip(judged.names, judged.ranked, strict=True)):
        key = (judged.name, model)
        value = float(found.areas[number])
        rows.append((*key, "AUC", value, low[number], high[number], "DeLong, in the logit"))
        if judged.folds_given:
            rows += [(*key, *row) for row in _by_fold(judged, data)]
        rows += [(*key, *row) for row in _bootstrap_intervals(judged, model, data)]
    return pd.DataFrame(rows, columns=COLUMNS), found


def _over_folds(judged: Judged, found: Areas) -> Areas:
    """Return areas with their covariance over draws of whole folds."""
    moved = []
    for data in judged.ranked:
        positives, negatives = (each / each.sum() for each in data.counts)
        below = np.cumsum(negatives) - negatives / 2
        above = 1 - np.cumsum(positives) + positives / 2
        moved.append(judged.moves(np.where(judged.is_positive, below[data.rank], above[data.rank])))
    factors = [judged.widens(each) for each in moved]
    sums = np.array([np.bincount(judged.fold, each) for each in moved])
    covariance = sums @ sums.T * sums.shape[1] / (sums.shape[1] - 1)
    least = np.diag(found.covariance) * np.square(factors)
    np.fill_diagonal(covariance, np.maximum(np.diag(covariance), least))
    sizes = [max(int(n / max(factors) ** 2), 2) for n in (found.n_positive, found.n_negative)]
    return replace(found, covariance=covariance, n_positive=sizes[0], n_negative=sizes[1])


def _by_fold(judged: Judged, data: Ranked) -> list[tuple[str, float, float, float, str]]:
    """Return the mean AUC over folds, as within a fold all scores come from the same model."""
    found = []
    for number in range(int(judged.fold.max()) + 1):
        counts = data.weights_of(judged.fold == number)
        if all(part.sum() > 0 for part in counts):
            found.append(auc(data.points(counts)))
    if len(found) < 3:
        return []
    mean, error = float(np.mean(found)), float(np.std(found, ddof=1) / np.sqrt(len(found)))
    reach = student_quantile(judged.asked.level, len(found) - 1) * error
    low, high = max(mean - reach, 0.0), min(mean + reach, 1.0)
    return [("AUC, mean over folds", mean, low, high, f"Student's t over {len(found)} folds")]


def _bootstrap_intervals(
    judged: Judged, model: str, data: Ranked
) -> list[tuple[str, float, float, float, str]]:
    """Return areas under precision and the equal error rate, with bootstrap intervals."""
    names = [f"AUPRC at prior {prior:.4g}" for prior in judged.priors]
    names += [f"AUPRC over priors {RANGE[0]:g} to {RANGE[1]:g}", "equal error rate"]

    nodes, weights = nodes_between(*RANGE, NODES)
    priors, single = np.append(judged.priors, nodes), len(judged.priors)

    def statistics(points: OperatingPoints) -> list[float]:
        found = exact_auprecs(points, priors)
        mean = weights @ found[single:]
        return [*found[:single], mean, equal_error_rate(points).rate]

    asked, by_fold = judged.asked, judged.asked.unit == "folds"
    drawn: Resampled = resample_objects(
        data,
        statistics,
        asked.spawn(judged.name, model, "areas"),
        repeats=asked.resamples,
        unit=judged.fold if by_fold else judged.unit,
        strata=not by_fold,
    )
    degrees = int(judged.fold.max()) if by_fold else min(judged.effective) - 1
    method = f"bootstrap of {asked.unit}, {asked.resamples} resamples, in the logit"
    ends = [drawn.share_interval(index, asked.level, degrees) for index in range(len(names))]
    return [
        (name, float(value), *end, method)
        for name, value, end in zip(names, drawn.estimates, ends, strict=True)
    ]
