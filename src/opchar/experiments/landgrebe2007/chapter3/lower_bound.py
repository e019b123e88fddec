"""The simplified volume of a random classifier by three ways (Secs. 3.3.4 and 3.3.7)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from opchar.multiclass.roc.bounds import (
    joggle_bound,
    lower_bound,
    lower_bound_hull,
    lower_bound_recursion,
    random_volume,
)
from opchar.results import Results

HULL = "Estimated VUS (QHull, random classifier)"
INTEGRATION = "table-3.3.4-numeric-integration"


def lower_bounds(*, classes: list[int], grids: list[list[int]]) -> Results:
    """Volume of a random classifier by Qhull, by recursion and by the trapezoid (3.3.4, 3.3.7).

    Parameters
    ----------
    classes : list of int
        The numbers of classes C of Eq. 3.17.
    grids : list of [C, r]
        The rows of the table of trapezoid estimates.

    Returns
    -------
    Results
        Lines of eq-3.17 and table-3.3.4-numeric-integration; frames ``hulls`` (classes, volume,
        joggle: how far joggled input may move it), ``integrals`` (classes, numerator and
        denominator of the exact volume) and ``trapezoids`` (classes, r, estimate).
    """
    results = Results()
    hulls = [(c, lower_bound_hull(c), joggle_bound(c)) for c in classes]
    for c, volume, joggle in hulls:
        results.number(
            "eq-3.17",
            f"C={c}",
            HULL,
            volume,
            unit="volume",
            tolerance=joggle,
            note="tolerance: the largest change by Qhull's default joggle",
        )
        results.number("eq-3.17", f"C={c}", "1/C!", lower_bound(c), unit="volume")
    proved = [lower_bound_recursion(c) for c in classes]
    results.curve("hulls", pd.DataFrame(hulls, columns=["classes", "volume", "joggle"]))
    results.curve(
        "integrals",
        {
            "classes": classes,
            "numerator": [volume.numerator for volume in proved],
            "denominator": [volume.denominator for volume in proved],
        },
    )
    _trapezoids(results, grids)
    return results


def _trapezoids(results: Results, grids: Sequence[Sequence[int]]) -> None:
    """Add the table of trapezoid estimates of the random volume against the grid."""
    for c, r in grids:
        row, estimate = f"C={c}, r={r}", random_volume(c, r)
        results.number(INTEGRATION, row, "VUS estimation", estimate, unit="volume")
        results.number(INTEGRATION, row, "Actual VUS", lower_bound(c), unit="volume", note="1/C!")
        results.curve("trapezoids", {"classes": [c], "r": [r], "estimate": [estimate]})
