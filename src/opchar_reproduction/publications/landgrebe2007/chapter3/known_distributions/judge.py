"""What Secs. 3.3.3 and 3.3.4 say of classes with known distributions."""

from collections.abc import Iterable
from math import factorial

import numpy as np

from opchar_reproduction.percent import per_cent
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


def volumes_fall_towards_the_bound(measured: Measurements, *, classes: int, near: float) -> Finding:
    """Sec. 3.3.4: the VUS decreases from the separable to the random case, towards 1/C!."""
    frame = measured.frame("known volumes")
    frame = frame[frame["classes"] == classes].sort_values("separation")
    grows = all(np.all(np.diff(frame[name]) > 0) for name in ("estimate", "exact"))
    nearest, second = frame["exact"].iloc[:2] * factorial(classes)
    return conjunction(
        {
            "volumes fall with the separation": grows,
            "they approach that of a random classifier": abs(nearest - 1) < abs(second - 1)
            and nearest < near,
        },
        f"from random to separable: exact {_list_values(frame['exact'])}, estimated "
        f"{_list_values(frame['estimate'])}; the first is {nearest:.2f} times 1/{classes}!",
    )


@statement("1075")
def overlap_needs_a_finer_grid(measured: Measurements) -> Finding:
    """Sec. 3.3.4: a higher resolution was required as the classes approached complete overlap."""
    frame = measured.frame("missed")
    common = frame[frame["r"] == frame["r"].min()]
    nearest = common.loc[common["separation"].idxmin()]
    finer = frame[(frame["r"] > nearest["r"]) & (frame["series"] == nearest["series"])]["share"]
    others = common.drop(index=nearest.name)["share"].max()
    return conjunction(
        {
            "the row nearest to random misses most": nearest["share"] > others,
            "more weights make it miss less": (finer < nearest["share"]).any(),
        },
        f"with {nearest['r']:.0f} weights per class ({nearest['series']}) misses "
        f"{per_cent(nearest['share'], 2)} of its volume, the others up to {per_cent(others, 2)}; "
        f"with more weights it misses {', '.join(per_cent(share, 2) for share in finer)}",
    )


@statement("1071")
def second_experiment_overlaps_more(
    measured: Measurements, *, more: str = "experiment 2", less: str = "experiment 4"
) -> Finding:
    """Figure 3.8: classes overlap more in the second four-class experiment than in the fourth."""
    error = measured.column("figure-3.8", "Bayes error at equal priors")
    return Finding(
        bool(error[more] > error[less]),
        f"Bayes error at equal priors {error[more]:.4f} ({more}), {error[less]:.4f} ({less})",
    )


def _list_values(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.3f}" for value in values)
