"""Scores as probabilities: are they calibrated, and what does rejecting the uncertain ones buy."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.answers.judging import Judged
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.spaces.printing import shortest_number
from opchar.statistics.fold_widening import moved_by_rows
from opchar.statistics.proportions import wilson

BINS = 10
SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
ROUNDING = 1e-3


def calibration_table(judged: Judged) -> pd.DataFrame:
    """Return observed shares of positives beside the mean scores, in groups of like scores."""
    frames = []
    weight = np.ones(len(judged.fold)) if judged.weight is None else judged.weight
    for model, data in zip(judged.names, judged.ranked, strict=True):
        score = data.distinct[data.rank]
        if score.min() < 0 or score.max() > 1:
            continue
        size = np.bincount(data.rank, data.times, minlength=len(data.distinct)).astype(np.int64)
        group = ((np.cumsum(size) - size) * BINS // size.sum())[data.rank]
        total = np.bincount(group, weight)
        kept = total > 0
        mean_scores = np.bincount(group, weight * score)[kept] / total[kept]
        seen = np.clip(np.bincount(group, weight * judged.is_positive)[kept] / total[kept], 0, 1)
        squares = total if data.counted else np.bincount(group, weight**2)
        effective = total[kept] ** 2 / squares[kept]
        if judged.unit is not None:
            repeats = len(judged.unit) / len(np.unique(judged.unit))
            effective = effective / repeats
        if judged.draws_folds:
            groups = (group == each for each in np.flatnonzero(kept))
            rows = (moved_by_rows(judged.is_positive, each, judged.weight) for each in groups)
            effective = effective / [judged.widens(each) ** 2 for each in rows]
        low, high = wilson(seen, effective, judged.asked.level)
        frames.append(
            pd.DataFrame(
                {"class": judged.name, "model": model, "mean score": mean_scores, "positive": seen,
                 "low": low, "high": high, "objects": total[kept]}
            )
        )  # fmt: skip
    names = ["class", "model", "mean score", "positive", "low", "high", "objects"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=names)


def calibration_error(table: pd.DataFrame) -> float:
    """Return the mean distance between mean scores and observed shares, weighted by objects."""
    off = (table["mean score"] - table["positive"]).abs()
    return float(np.average(off, weights=table["objects"]))


def posteriors(scored: ScoredSample, scores: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the posteriors of all classes, shape (n, C); None if the scores are no posteriors.

    One score of two classes is taken for the posterior of the positive class.
    """
    if scores.min() < 0 or scores.max() > 1:
        return None
    if scores.shape[1] == 1:
        both = np.column_stack([1 - scores[:, 0], scores[:, 0]])
        return both if scored.positive == 1 else both[:, ::-1]
    sums = scores.sum(axis=1)
    return scores if np.abs(sums - 1).max() < ROUNDING else None


def reject_table(scored: ScoredSample, level: float) -> pd.DataFrame:
    """Return the errors of the accepted objects when the least certain ones are rejected.

    Chow, IEEE Transactions on Information Theory 16, 1970; landgrebe2007, Eq. 5.4.
    """
    rows = []
    for model, scores in scored.models.items():
        given = posteriors(scored, scores)
        if given is None:
            continue
        from opchar.reject.options import error_reject_curve  # its package takes its time

        is_right = given.argmax(axis=1) == scored.y
        times = scored.weight if scored.counted else None
        largest = given.max(axis=1)
        curve, distinct = error_reject_curve(is_right, largest, times), np.unique(largest)
        repeats = 1.0 if scored.unit is None else len(scored.unit) / len(np.unique(scored.unit))
        for share in SHARES:
            index = int(np.searchsorted(curve.rejected, share, side="right")) - 1
            rejected, error = curve.rejected[index], curve.errors_of_accepted[index]
            accepted = max((1 - rejected) * scored.sizes.sum() / repeats, 1.0)
            low, high = wilson(error, accepted, level)
            at = _short_threshold(float(curve.thresholds[index]), distinct)
            rows.append((model, share, at, rejected, error, float(low), float(high)))
    names = ["model", "reject at most", "threshold on the largest posterior", "rejected"]
    names += ["errors of the accepted", "low", "high"]
    return pd.DataFrame(rows, columns=names).drop_duplicates(["model", "rejected"])


def _short_threshold(at: float, distinct: NDArray[np.float64]) -> float:
    """Return a threshold with few digits that keeps the same objects: from `at`, one of them."""
    below = float(max(distinct[distinct < at], default=0.0))
    middle = below / 2 + at / 2
    return shortest_number(middle if middle < at else below, at, at)
