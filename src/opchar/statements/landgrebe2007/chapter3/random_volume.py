"""What Secs. 3.3.4 and 3.3.7 say of the volume of a random classifier."""

from __future__ import annotations

from itertools import pairwise
from math import factorial

import numpy as np

from opchar.statements.measurements import Finding, Measurements


def hulls_are_one_over_factorials(measured: Measurements) -> Finding:
    """Sec. 3.3.4: the lower bound is 1/C! and approaches zero with an increasing C."""
    frame = measured.frame("hulls").sort_values("classes")
    factorials = frame["classes"].map(lambda c: factorial(int(c)))
    off = (frame["volume"] * factorials - 1).abs()
    falling = all(after < before / 2 for before, after in pairwise(frame["volume"]))
    return Finding(
        bool((off <= frame["joggle"] * factorials).all() and falling),
        f"hull volume times C! is 1 within {off.max():.1e} for C = {frame['classes'].min():.0f} to "
        f"{frame['classes'].max():.0f}; the last volume is {frame['volume'].iloc[-1]:.3e}",
    )


def finer_grids_are_nearer(measured: Measurements) -> Finding:
    """Sec. 3.3.4: a higher number of steps results in higher accuracy."""
    frame = measured.frame("trapezoids").sort_values(["classes", "r"])
    off = frame.assign(
        off=frame["estimate"] - 1 / frame["classes"].map(lambda c: factorial(int(c)))
    )
    compared = [
        abs(after) < abs(before)
        for _, part in off.groupby("classes")
        for before, after in pairwise(part["off"])
    ]
    return Finding(
        bool(compared) and all(compared),
        "; ".join(
            f"C = {c:.0f}: "
            + ", ".join(f"off by {line.off:.2e} at r = {line.r:.0f}" for line in part.itertuples())
            for c, part in off.groupby("classes")
        ),
    )


def integrals_are_one_over_factorials(measured: Measurements) -> Finding:
    """Sec. 3.3.7: the volume is 1/C!, by exact integration."""
    frame = measured.frame("integrals")
    integrals = frame[["classes", "numerator", "denominator"]].to_numpy(dtype=np.int64).tolist()
    equal = [above * factorial(c) == below for c, above, below in integrals]
    first = ", ".join(f"{above}/{below}" for _, above, below in integrals)
    return Finding(
        bool(equal) and all(equal),
        f"exact rational integration gives 1/C! for {sum(equal)} of {len(equal)} values of C: "
        f"{first}",
    )


def random_surface_is_a_plane(measured: Measurements, *, rounding: float) -> Finding:
    """Figure 3.6: the surface of a random classifier is the plane through the unit points."""
    surface = measured.frame("surface").query("series == 'random'")
    off = float((surface[["xi_11", "xi_22", "xi_33"]].sum(axis=1) - 1).abs().max())
    volume = measured.value("figure-3.6", "random", "VUS exact")
    return Finding(
        off <= rounding and abs(volume - 1 / 6) <= rounding,
        f"the rates of three equal classes sum to one within {off:.1e}; volume {volume:.10f}",
    )
