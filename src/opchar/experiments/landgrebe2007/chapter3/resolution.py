"""How the volume estimate nears the exact one, and what it is worth on samples (Sec. 3.3.4)."""

from __future__ import annotations

import numpy as np

from opchar.experiments.landgrebe2007.chapter3.known_distributions import (
    EXACT,
    means_of,
    rule,
)
from opchar.multiclass.gaussians import drawn_posteriors
from opchar.multiclass.roc.bootstrap import VusInterval, normalised_vus, vus_interval
from opchar.multiclass.roc.hypersurface import weighted_scores
from opchar.multiclass.roc.volume import ordered_gaussian_volume
from opchar.results import Results
from opchar.seeds import Spawn

CONVERGENCE = "vus-convergence"
INTERVALS = "vus-intervals"
DRAWN = "drawn from the stated distributions"


def known_volumes(
    *,
    spawn: Spawn,
    rows: list[str],
    resolutions: dict[int, list[int]],
    weights: list[float],
    shown: list[str],
    objects: int,
    grids: dict[int, list[float]],
    resamples: dict[int, int],
    level: float,
) -> Results:
    """Volumes of known Gaussian classes against the resolution, and bootstrapped on samples.

    Parameters
    ----------
    spawn : callable
        Source of samples and resamples.
    rows : list of str
        Means of the unit-variance classes, as in Tables 3.3 and 3.4.
    resolutions : dict of int to list of int
        Steps a weight, ascending, by the number of classes.
    weights : [low, high]
        Range of the weights of the analytic estimates.
    shown : list of str
        The rows whose analytic estimates are made.
    objects : int
        Objects of each class in a sample.
    grids : dict of int to [low, high, r]
        Weights for the samples, by the number of classes.
    resamples : dict of int to int
        Resamples of each sample, by the number of classes.
    level : float
        Coverage that the intervals aim at.

    Returns
    -------
    Results
        Lines of vus-convergence and vus-intervals; curve ``convergence``.
    """
    results = Results()
    for row in shown:
        _convergence(results, row, resolutions[len(means_of(row))], weights)
    inside = 0
    for row in rows:
        c = len(means_of(row))
        low, high, r = grids[c]
        y, posteriors = drawn_posteriors(means_of(row), objects, spawn("sample", row))
        sample = weighted_scores(y, posteriors, int(r), low=low, high=high)
        found = vus_interval(sample, spawn("resamples", row), repeats=resamples[c], level=level)
        inside += _interval(results, row, found, level)
    results.number(
        INTERVALS,
        "rows with the exact volume inside",
        EXACT,
        inside,
        unit="count",
        basis="simulation",
        data=DRAWN,
    )
    return results


def _interval(results: Results, row: str, found: VusInterval, level: float) -> bool:
    """Add the volume and interval of a sample beside the exact volume; tell if it is inside."""
    means = means_of(row)
    exact = ordered_gaussian_volume(means)[0]
    normalised = normalised_vus(exact, len(means))
    for column, value, drawn in [
        (EXACT, exact, False),
        ("VUS of the sample", found.volume, True),
        (f"{level:.0%} interval from", found.low, True),
        ("to", found.high, True),
        ("normalised VUS exact", normalised, False),
    ]:
        results.number(
            INTERVALS,
            row,
            column,
            value,
            unit="volume",
            basis="simulation" if drawn else None,
            data=DRAWN if drawn else None,
        )
    return found.low <= exact <= found.high


def _convergence(results: Results, row: str, resolutions: list[int], weights: list[float]) -> None:
    """Add the estimates of one row at all resolutions."""
    means = means_of(row)
    exact = ordered_gaussian_volume(means)[0]
    estimates = [rule(means, r, weights, r) for r in resolutions]
    for r, estimate in zip(resolutions, estimates, strict=True):
        results.number(CONVERGENCE, row, f"r = {r}", estimate, unit="volume")
    results.number(CONVERGENCE, row, EXACT, exact, unit="volume")
    results.curve(
        "convergence",
        {
            "classes": len(means),
            "series": row,
            "r": resolutions,
            "missed": 1 - np.array(estimates) / exact,
        },
    )
