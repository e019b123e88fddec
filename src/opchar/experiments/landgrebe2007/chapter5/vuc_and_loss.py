"""Whether the VUC on artificial outliers predicts the loss on truly unseen classes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from opchar.experiments.landgrebe2007.chapter5.scored import (
    TARGET,
    by_test_set,
    characteristic,
    pairs,
)
from opchar.reject.characteristic import mean_error
from opchar.reject.volume import vuc
from opchar.results import Results
from opchar.scores import ScoreTable, rejecting_threshold
from opchar.seeds import Spawn


def vuc_and_loss(
    scores: Mapping[tuple[str, str], ScoreTable],
    spawn: Spawn,
    *,
    share: float,
    level: float,
    resamples: int,
) -> Results:
    """Rank correlation, over models, of the VUC and the loss on a class hidden from training.

    Parameters
    ----------
    scores : mapping
        Score tables by data set and model, of the protocol `opchar.models.unseen.leave_class_out`.
    spawn : callable
        Generators by name.
    share : float
        Of the held-out targets that the rejection threshold leaves out, the same for all models.
    level : float
        Of the interval of the mean correlation.
    resamples : int
        Bootstrap resamples of the data sets.

    Returns
    -------
    Results
        Lines of reject-vuc-and-loss: Spearman's correlation a data set, and their mean with a
        percentile interval, data sets as units; the frame ``vuc and loss`` with a line a data set,
        model and fold. The loss is Eq. 5.16 with the hidden class, at equal errors of the known
        classes; the area beside it is free of thresholds. A good criterion has -1 with the loss.
    """
    results = Results()
    frame = pd.DataFrame(
        [
            [table.data, model, fold, *_of_fold(by_test_set(part), share)]
            for (_, model), table in scores.items()
            for fold, part in table.folds()
        ],
        columns=["data set", "model", "fold", "vuc", "loss", "vuc unseen", "known error"],
    )
    results.curve("vuc and loss", frame)
    means = frame.groupby(["data set", "model"], sort=False)[
        ["vuc", "loss", "vuc unseen", "known error"]
    ].mean()
    columns = {
        "VUC and loss": ("vuc", "loss"),
        "VUC and volume with the hidden class": ("vuc", "vuc unseen"),
        "error on known classes and loss": ("known error", "loss"),
    }
    for column, (one, other) in columns.items():
        found = {}
        for name, part in means.groupby(level="data set", sort=False):
            found[str(name)] = float(spearmanr(part[one], part[other]).statistic)
            results.number(
                "reject-vuc-and-loss",
                str(name),
                column,
                found[str(name)],
                n=len(part),
                data=str(name),
            )
        _mean(results, column, np.array(list(found.values())), spawn(column), level, resamples)
    return results


def _of_fold(tests: dict[str, ScoreTable], share: float) -> tuple[float, float, float, float]:
    """Return the volume, the loss, the volume with the hidden class and the known error."""
    sample = characteristic(tests["held out"], tests["sphere"])
    real = characteristic(tests["held out"], tests["unseen"])
    theta = real.equal_error_theta()
    t_d = rejecting_threshold(pairs(tests["held out"], TARGET)[:, 1], share)
    point = real.at(theta, t_d)
    known = real.at(theta, -np.inf)
    return (
        vuc(sample),
        mean_error(point),
        vuc(real),
        (1 - known.tpr + known.fpr_outlier) / 2,
    )


def _mean(
    results: Results,
    column: str,
    found: np.ndarray,
    rng: np.random.Generator,
    level: float,
    resamples: int,
) -> None:
    """Add the mean correlation and its interval over data sets."""
    drawn = found[rng.integers(len(found), size=(resamples, len(found)))].mean(axis=1)
    ends = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    results.number(
        "reject-vuc-and-loss",
        "mean over data sets",
        column,
        found.mean(),
        std=found.std(ddof=1),
        n=len(found),
        note=f"{level:.0%} interval of the mean over data sets: {ends[0]:.2f} to {ends[1]:.2f}",
    )
