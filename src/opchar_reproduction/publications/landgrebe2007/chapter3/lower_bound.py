"""The simplified volume of a random classifier by three ways (Secs. 3.3.4 and 3.3.7)."""

from itertools import pairwise
from math import factorial

import numpy as np
import pandas as pd

from opchar.multiclass.roc.bounds import (
    joggle_bound,
    lower_bound,
    lower_bound_hull,
    lower_bound_recursion,
    random_volume,
)
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import settings, statement, study

GRIDS = settings(__file__, "lower_bound_grids.csv")

HULL = "Estimated VUS (QHull, random classifier)"
INTEGRATION = "table-3.3.4-numeric-integration"


@study("vus-lower-bound", kind="vus", basis="exact")
def lower_bounds(
    *, classes: list[int] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], grids: list[list[int]] = GRIDS
) -> Results:
    """Volume of a random classifier by Qhull, by recursion and by the trapezoid (3.3.4, 3.3.7).

    `classes`: The numbers of classes C of Eq. 3.17.
    `grids`: The rows of the table of trapezoid estimates.
    """
    results = Results()
    hulls = [(c, lower_bound_hull(c), joggle_bound(c)) for c in classes]
    note = "tolerance: the largest change by Qhull's default joggle"
    for c, volume, joggle in hulls:
        row = f"C={c}"
        results.number("eq-3.17", row, HULL, volume, unit="volume", tolerance=joggle, note=note)
        results.number("eq-3.17", row, "1/C!", lower_bound(c), unit="volume")
    proved = [(c, *lower_bound_recursion(c).as_integer_ratio()) for c in classes]
    results.add_frame("hulls", pd.DataFrame(hulls, columns=["classes", "volume", "joggle"]))
    columns = ["classes", "numerator", "denominator"]
    results.add_frame("integrals", pd.DataFrame(proved, columns=columns))
    for c, r in grids:
        row, estimate = f"C={c}, r={r}", random_volume(c, r)
        results.number(INTEGRATION, row, "VUS estimation", estimate, unit="volume")
        results.number(INTEGRATION, row, "Actual VUS", lower_bound(c), unit="volume", note="1/C!")
        results.add_frame("trapezoids", {"classes": [c], "r": [r], "estimate": [estimate]})
    return results


@statement("0217")
def hulls_are_one_over_factorials(measured: Measurements) -> Finding:
    """Sec. 3.3.4: the lower bound is 1/C! and approaches zero with an increasing C."""
    frame = measured.frame("hulls").sort_values("classes")
    factorials = frame["classes"].map(lambda c: factorial(int(c)))
    off = (frame["volume"] * factorials - 1).abs()
    falling = all(after < before / 2 for before, after in pairwise(frame["volume"]))
    exact = (off <= frame["joggle"] * factorials).all()
    return conjunction(
        {"the bound is 1/C!": exact, "it falls to zero": falling},
        f"hull volume times C! is 1 within {off.max():.2g} for C = {frame['classes'].min():.0f} to "
        f"{frame['classes'].max():.0f}; the last volume is {frame['volume'].iloc[-1]:.3e}",
    )


@statement("0234")
def finer_grids_are_nearer(measured: Measurements) -> Finding:
    """Sec. 3.3.4: a higher number of steps results in higher accuracy."""
    frame = measured.frame("trapezoids").sort_values(["classes", "r"])
    bound = 1 / frame["classes"].map(lambda c: factorial(int(c)))
    off = frame.assign(off=frame["estimate"] - bound)
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


@statement("0262")
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
