"""How the volume estimate nears the exact one, and what it is worth on samples (Sec. 3.3.4)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.multiclass.gaussians import drawn_posteriors
from opchar.multiclass.roc.bootstrap import VusInterval, normalised_vus, vus_interval
from opchar.multiclass.roc.volume import ordered_gaussian_volume
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.ranges import Count, Rate
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter3.known_distributions.measure import (
    EXACT,
    means_of,
    rule,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import figure, study

CONVERGENCE = "vus-convergence"
INTERVALS = "vus-intervals"
OF_SAMPLES = {"basis": "simulation", "data": "drawn from the stated distributions"}


@study(
    "vus-accuracy",
    kind="vus",
    basis="exact",
    profiles={
        "tiny": {
            "resolutions": {3: [10, 20], 4: [6, 10]},
            "resamples": {3: 4, 4: 4},
            "objects": 100,
            "grids": {3: [0.01, 100.0, 20], 4: [0.01, 100.0, 10]},
        },
        "paper": {
            "resamples": {3: 400, 4: 400},
            "objects": 1000,
            "grids": {3: [0.001, 1000.0, 100], 4: [0.001, 1000.0, 50]},
        },
    },
)
def known_volumes(
    *,
    spawn: Spawn,
    rows: list[str] = [
        "-0.05; 0.0; 0.05",
        "-0.3; 0.0; 0.3",
        "-0.5; 0.0; 0.5",
        "-1.0; 0.0; 1.0",
        "-1.5; 0.0; 1.5",
        "-4.0; 0.0; 4.0",
        "-0.15; -0.05; 0.05; 0.15",
        "-0.75; -0.25; 0.25; 0.75",
        "-1.00; -0.33; 0.33; 1.00",
        "-1.50; -0.50; 0.50; 1.5",
        "-2.25; -0.75; 0.75; 2.25",
        "-3.00; -1.00; 1.00; 3.0",
    ],
    resolutions: dict[int, list[int]] = {3: [10, 20, 40, 80, 160], 4: [10, 20, 40, 60]},
    weights: list[float] = [0.001, 1000.0],
    shown: list[str] = [
        "-0.05; 0.0; 0.05",
        "-0.5; 0.0; 0.5",
        "-1.5; 0.0; 1.5",
        "-0.15; -0.05; 0.05; 0.15",
        "-1.00; -0.33; 0.33; 1.00",
        "-2.25; -0.75; 0.75; 2.25",
    ],
    objects: Count = 300,
    grids: dict[int, list[float]] = {3: [0.01, 100.0, 40], 4: [0.01, 100.0, 20]},
    resamples: dict[Count, Count] = {3: 100, 4: 40},
    level: Rate = 0.99,
) -> Results:
    """Volumes of known Gaussian classes against the resolution, and bootstrapped on samples.

    `rows`: means of the unit-variance classes, as in Tables 3.3 and 3.4; `resolutions`: steps a
    weight, ascending, by the number of classes; `weights`: range of the weights of the analytic
    estimates; `shown`: the rows whose analytic estimates are made; `objects`: objects of each class
    in a sample; `grids`: weights for the samples, by the number of classes; `resamples`: resamples
    of each sample, by the number of classes; `level`: coverage that the intervals aim at. Returns:
    lines of vus-convergence and vus-intervals; curve ``convergence``.
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
        found = vus_interval(
            sample, spawn("resamples", row), resamples=resamples[c], confidence=level
        )
        inside += _interval(results, row, found, level)
    row = "rows with the exact volume inside"
    results.number(INTERVALS, row, EXACT, inside, unit="count", **OF_SAMPLES)
    return results


def _interval(results: Results, row: str, found: VusInterval, level: float) -> bool:
    """Add the volume and interval of a sample beside the exact volume; tell if it is inside."""
    means = means_of(row)
    exact = ordered_gaussian_volume(means)[0]
    normalised = normalised_vus(exact, len(means))
    for column, value, about in [
        (EXACT, exact, {}),
        ("VUS of the sample", found.volume, OF_SAMPLES),
        (f"{level:.0%} interval from", found.low, OF_SAMPLES),
        ("to", found.high, OF_SAMPLES),
        ("normalised VUS exact", normalised, {}),
    ]:
        results.number(INTERVALS, row, column, value, unit="volume", **about)
    return found.low <= exact <= found.high


def _convergence(results: Results, row: str, resolutions: list[int], weights: list[float]) -> None:
    """Add the estimates of one row at all resolutions."""
    means = means_of(row)
    exact = ordered_gaussian_volume(means)[0]
    estimates = [rule(means, r, weights, r) for r in resolutions]
    for r, estimate in zip(resolutions, estimates, strict=True):
        results.number(CONVERGENCE, row, f"r = {r}", estimate, unit="volume")
    results.number(CONVERGENCE, row, EXACT, exact, unit="volume")
    missed = 1 - np.array(estimates) / exact
    who = {"classes": len(means), "series": row}
    results.add_frame("convergence", who | {"r": resolutions, "missed": missed})


@figure("vus-convergence")
def convergence(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the share of the exact volume that is missed against the resolution."""
    figure, panels = style.panels(1, 2, height=2.8)
    groups = list(curves["convergence"].groupby("classes"))
    for panel, (_, group) in zip(panels, groups, strict=True):
        for number, (name, curve) in enumerate(group.groupby("series", sort=False)):
            panel.loglog(
                curve["r"],
                100 * curve["missed"],
                label=str(name),
                marker=style.MARKERS[number],
                **style.series(number),
            )
        panel.set_xticks(curve["r"], [f"{r:g}" for r in curve["r"]])
        panel.minorticks_off()
        panel.set(xlabel="resolution $r$", ylabel="volume missed [%]")
        panel.legend(title="means", loc="lower left")
    style.letter(panels, [f"{classes} classes" for classes, _ in groups])
    return figure
