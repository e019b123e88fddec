"""What Secs. 3.3.3 and 3.3.4 say of classes with known distributions."""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial

import numpy as np

from opchar.statements.measurements import Finding, Measurements


def volumes_fall_towards_the_bound(measured: Measurements, *, classes: int, near: float) -> Finding:
    """Sec. 3.3.4: the VUS decreases from the separable to the random case, towards 1/C!."""
    frame = measured.frame("known volumes")
    frame = frame[frame["classes"] == classes].sort_values("separation")
    grows = all(np.all(np.diff(frame[name]) > 0) for name in ("estimate", "exact"))
    nearest, second = frame["exact"].iloc[:2] * factorial(classes)
    return Finding(
        bool(grows and abs(nearest - 1) < abs(second - 1) and nearest < near),
        f"from random to separable: exact {_listed(frame['exact'])}, estimated "
        f"{_listed(frame['estimate'])}; the first is {nearest:.2f} times 1/{classes}!",
    )


def overlap_needs_a_finer_grid(measured: Measurements) -> Finding:
    """Sec. 3.3.4: a higher resolution was required as the classes approached complete overlap."""
    frame = measured.frame("missed")
    common = frame[frame["r"] == frame["r"].min()]
    nearest = common.loc[common["separation"].idxmin()]
    finer = frame[(frame["r"] > nearest["r"]) & (frame["series"] == nearest["series"])]["share"]
    others = common.drop(index=nearest.name)["share"].max()
    return Finding(
        bool(nearest["share"] > others and (finer < nearest["share"]).any()),
        f"with {nearest['r']:.0f} weights a class ({nearest['series']}) misses "
        f"{nearest['share']:.2%} of its volume, the others up to {others:.2%}; with more weights "
        f"it misses {', '.join(f'{share:.2%}' for share in finer)}",
    )


def second_experiment_overlaps_more(measured: Measurements, *, more: str, less: str) -> Finding:
    """Figure 3.8: classes overlap more in the second four-class experiment than in the fourth."""
    error = measured.column("figure-3.8", "Bayes error at equal priors")
    return Finding(
        bool(error[more] > error[less]),
        f"Bayes error at equal priors {error[more]:.4f} ({more}), {error[less]:.4f} ({less})",
    )


def areas_lie_between_one_half_and_one(
    measured: Measurements, *, tolerance: float, rounding: float
) -> Finding:
    """Figure 3.5: perfect classification has area one, a random classifier one half."""
    area = measured.column("figure-3.5", "AUC")
    return Finding(
        bool(
            abs(area["A"] - 1) <= tolerance
            and abs(area["C"] - 0.5) <= rounding
            and area["C"] + rounding < area["B"] < area["A"]
        ),
        ", ".join(f"{letter} {area[letter]:.4f}" for letter in "ABC"),
    )


def overlapping_classes_have_more_than_random(measured: Measurements) -> Finding:
    """Figure 3.7: the volume of partially overlapping classes exceeds that of Figure 3.6."""
    overlapping = measured.value("figure-3.7", "overlapping", "VUS exact")
    random = measured.value("figure-3.6", "random", "VUS exact")
    return Finding(
        overlapping > random, f"volume {overlapping:.4f}, {random:.4f} for equal classes"
    )


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.3f}" for value in values)
