"""Intervals for the volume under the ROC hypersurface of scored objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from opchar.multiclass.roc.bounds import lower_bound
from opchar.multiclass.roc.hypersurface import vus
from opchar.multiclass.roc.weighted_scores import WeightedScores
from opchar.retired import accept_old_arguments

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class VusInterval:
    """A volume with its bootstrap interval.

    `volume`: the estimate on all objects; `low`, `high`: ends of the percentile interval; `volumes`
    (resamples,): the estimates on the resampled objects.
    """

    volume: float
    low: float
    high: float
    volumes: Floats


@accept_old_arguments(repeats="resamples", level="confidence")
def vus_interval(
    data: WeightedScores,
    rng: np.random.Generator,
    *,
    resamples: int = 200,
    confidence: float = 0.95,
    nodes: int | None = None,
) -> VusInterval:
    """Return the simplified VUS of scored objects with a bootstrap interval.

    Objects are drawn with replacement within each class, `resamples` times, at least 2.
    `confidence` is the coverage aimed at, in (0, 1); `nodes` is as in
    `opchar.multiclass.roc.hypersurface.vus`.
    """
    if resamples < 2 or not 0 < confidence < 1:
        raise ValueError(
            "an interval needs 2 or more resamples and 0 < confidence < 1, got "
            f"{resamples} and {confidence}"
        )
    members = [np.flatnonzero(data.y == c) for c in range(data.n_classes)]
    volumes = np.empty(resamples)
    for repeat in range(resamples):
        chosen = np.concatenate([rng.choice(group, len(group)) for group in members])
        sample = WeightedScores(data.y[chosen], data.scores[chosen], data.steps, data.fixed)
        volumes[repeat] = vus(sample, nodes)
    tail = (1 - confidence) / 2
    low, high = np.quantile(volumes, [tail, 1 - tail])
    return VusInterval(vus(data, nodes), float(low), float(high), volumes)


def normalised_vus(volume: float, n_classes: int) -> float:
    """Return a simplified VUS on the scale from random (zero) to perfect (one).

    ``(VUS - 1/C!) / (1 - 1/C!)``; below zero for classifiers worse than random.

    Examples
    --------
    >>> normalised_vus(1 / 6, 3), normalised_vus(1.0, 3)
    (0.0, 1.0)
    """
    bound = lower_bound(n_classes)
    return (volume - bound) / (1 - bound)
