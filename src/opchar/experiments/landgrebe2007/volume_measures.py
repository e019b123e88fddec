"""Error, volume and what bounds it, of the scores of one model (thesis, Sec. 3.3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from opchar.multiclass.hypersurface import vus, weighted_scores
from opchar.scores import ScoreTable
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc

BOUND = "least AUC of two classes"
JUDGED = ["Error", "VUS"]
MEASURES = [*JUDGED, BOUND]
Grid = Sequence[float]


def pair_areas(table: ScoreTable) -> Iterator[tuple[float, str, str]]:
    """Yield the AUC of each two classes with the names of the two.

    At any weights the objects of two classes that are recognised are so by the ratio of their two
    scores, too. So no volume over all classes exceeds the least of these areas.

    Parameters
    ----------
    table : ScoreTable
        One fold.

    Yields
    ------
    area : float
    first, second : str
    """
    for i, j in combinations(range(len(table.classes)), 2):
        either = np.isin(table.y, [i, j])
        pair = table.scores[either][:, [i, j]]
        total = pair.sum(axis=1)
        share = np.divide(pair[:, 0], total, out=np.full(len(total), 0.5), where=total > 0)
        area = auc(operating_points(table.y[either] == i, share))
        yield area, table.classes[i], table.classes[j]


def measure_fold(table: ScoreTable, grid: Grid) -> dict[str, float]:
    """Measure the scores of one test set.

    Parameters
    ----------
    table : ScoreTable
        One fold; higher scores mean more likely classes.
    grid : [low, high, r]
        Range of the logarithmic weights, and steps a weight.

    Returns
    -------
    dict of str to float
        The `MEASURES`.
    """
    return {
        "Error": float(np.mean(table.scores.argmax(axis=1) != table.y)),
        "VUS": fold_volume(table, grid),
        BOUND: min(area for area, _, _ in pair_areas(table)),
    }


def fold_volume(table: ScoreTable, grid: Grid) -> float:
    """Return the simplified VUS of one test set, on a grid ``[low, high, r]`` of weights."""
    low, high, r = grid
    return vus(weighted_scores(table.y, table.scores, int(r), low=low, high=high))


def ratio_gap(one: ScoreTable, other: ScoreTable) -> float:
    """Return how far the log ratios of scores are from linear functions of those of another model.

    Where the gap is zero and the slope is one for all pairs of classes, both models pass through
    the same operating points as their weights move.

    Parameters
    ----------
    one, other : ScoreTable
        Over the same objects and folds.

    Returns
    -------
    float
        The largest deviation from a least-squares line over the folds; each fold has one slope and
        one shift a pair of neighbouring classes.
    """
    gaps = []
    for (_, first), (_, second) in zip(one.folds(), other.folds(), strict=True):
        ours, theirs = (
            np.diff(np.log(np.maximum(part.scores, np.finfo(float).tiny)), axis=1)
            for part in (first, second)
        )
        centred = [ratios - ratios.mean(axis=0) for ratios in (ours, theirs)]
        slope = (centred[0] * centred[1]).sum() / (centred[1] ** 2).sum()
        gaps.append(float(np.abs(centred[0] - slope * centred[1]).max()))
    return max(gaps)
