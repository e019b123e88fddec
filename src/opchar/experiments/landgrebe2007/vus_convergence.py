"""How the volume estimate nears the exact one, and what it is worth on samples (Sec. 3.3.4)."""

from __future__ import annotations

import numpy as np

from opchar.experiments.landgrebe2007.vus import EXACT, means_of, rule
from opchar.multiclass.bootstrap import normalised_vus, vus_interval
from opchar.multiclass.gaussians import densities
from opchar.multiclass.hypersurface import WeightedScores, weighted_scores
from opchar.multiclass.volume import Floats, ordered_gaussian_volume
from opchar.results import Results
from opchar.seeds import Spawn

CONVERGENCE = "vus-convergence"
INTERVALS = "vus-intervals"


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
        means = np.array(means_of(row))
        exact = ordered_gaussian_volume(means)[0]
        sample = gaussian_sample(means, objects, grids[len(means)], spawn("sample", row))
        found = vus_interval(
            sample, spawn("resamples", row), repeats=resamples[len(means)], level=level
        )
        inside += found.low <= exact <= found.high
        for column, value in [
            (EXACT, exact),
            ("VUS of the sample", found.volume),
            (f"{level:.0%} interval from", found.low),
            ("to", found.high),
            ("normalised VUS exact", normalised_vus(exact, len(means))),
        ]:
            results.number(INTERVALS, row, column, value, unit="volume")
    results.number(INTERVALS, "rows with the exact volume inside", EXACT, inside, unit="count")
    return results


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


def gaussian_sample(
    means: Floats, objects: int, grid: list[float], rng: np.random.Generator
) -> WeightedScores:
    """Draw objects of unit-variance classes and score them by their true posteriors.

    Parameters
    ----------
    means : ndarray of shape (C,)
        Class means.
    objects : int
        Objects of each class.
    grid : [low, high, r]
        Range of the weights, and steps a weight.
    rng : numpy.random.Generator
        Source of the objects.

    Returns
    -------
    WeightedScores
    """
    y = np.repeat(np.arange(len(means)), objects)
    scores = densities(means, 1.0, rng.normal(means[y])).T
    low, high, r = grid
    return weighted_scores(
        y, scores / scores.sum(axis=1, keepdims=True), int(r), low=low, high=high
    )
