"""Errors and volumes of single test sets (Tables 3.5 and 3.6)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.special import logit

from opchar.multiclass.roc.bounds import pair_areas
from opchar.multiclass.roc.hypersurface import vus
from opchar.multiclass.roc.weighted_scores import Floats, weighted_scores
from opchar.scores import ScoreTable

BOUND = "least AUC of two classes"


JUDGED = ["Error", "VUS"]


MEASURES = [*JUDGED, BOUND]


POSTERIORS, DISTANCES = "posteriors", "distances to the boundary"


Grid = Sequence[float]


def outputs(posteriors: Floats, output: str) -> Floats:
    """Return what weights multiply.

    landgrebe2007, Secs. 3.2.2 (outputs may be distances) and 3.3.3 (posteriors).

    Shapes: `posteriors` (n, C); returned (n, C).
    """
    if output == POSTERIORS:
        return posteriors
    eps = float(np.finfo(float).eps)
    farthest = float(logit(1 - eps))
    return np.clip(logit(np.clip(posteriors, eps, 1 - eps)) / (2 * farthest) + 0.5, 0, 1)


def measure_folds(named: Mapping[str, ScoreTable], grids: Mapping[int, Grid]) -> pd.DataFrame:
    """Measure all folds of all models; columns model, fold and one for each measure."""
    return pd.DataFrame(
        [
            {"model": model, "fold": fold} | measure_fold(part, grids[len(part.classes)])
            for model, table in named.items()
            for fold, part in table.folds()
        ]
    )


def measure_fold(table: ScoreTable, grid: Grid) -> dict[str, float]:
    """Measure the scores of one test set."""
    return {
        "Error": float((table.scores.argmax(axis=1) != table.y).mean()),
        "VUS": fold_volume(table, grid),
        BOUND: min(pair_areas(table.y, table.scores))[0],
    }


def fold_volume(table: ScoreTable, grid: Grid) -> float:
    """Return the simplified VUS of one test set, on a grid ``[low, high, r]`` of weights."""
    low, high, r = grid
    return vus(weighted_scores(table.y, table.scores, int(r), low=low, high=high))


def outputs_of(
    scores: Mapping[tuple[str, str], ScoreTable], output: str
) -> dict[tuple[str, str], ScoreTable]:
    """Return score tables with the scores that weights multiply."""
    return {
        name: replace(table, scores=outputs(table.scores, output)) for name, table in scores.items()
    }
