"""How far the mean error of ten hold-outs moves with the hold-outs (Table 4.8)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    mean_error,
    of_set,
    share_wrong,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

ERRORS = "table-4.8-redrawn"


@study(
    "costs-error-spread",
    kind="costs",
    scores=[
        "dermatology | holdout-50 | fisher ldc",
        "statlog-satimage | holdout-50 | fisher mogc2",
    ],
)
def error_spread(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    sets: Sequence[Mapping[str, str]] = [
        {"data": "dermatology", "row": "Dermatology"},
        {"data": "statlog-satimage", "row": "Satellite"},
    ],
    together: int = 10,
) -> Results:
    """Measure errors over many hold-outs, and their means over a few at a time.

    `scores`: one table a data set; `sets`: ``data`` and ``row``; `together`: hold-outs whose mean
    is printed. Returns: lines of table-4.8-redrawn: mean and standard deviation over all hold-outs,
    and the least and largest mean of `together` of them, each used once.
    """
    results = Results()
    tables = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        table = tables[setting["data"]]
        parts = [of_set(part, "test") for _, part in table.folds()]
        if len(parts) < 2 * together:
            raise ValueError(f"{2 * together} or more hold-outs are needed, not {len(parts)}")
        whole = len(parts) // together * together
        for name, measure in {"classes": mean_error, "objects": share_wrong}.items():
            found = 100 * np.array([measure(part) for part in parts])
            means = found[:whole].reshape(-1, together).mean(axis=1)
            row = f"{setting['row']} / over the {name}"
            about: dict[str, Any] = {"unit": "%", "data": table.data}
            results.mean(ERRORS, row, "mean", found, **about)
            about["n"] = len(means)
            few = f"mean of {together}"
            results.number(ERRORS, row, f"least {few}", float(means.min()), **about)
            results.number(ERRORS, row, f"largest {few}", float(means.max()), **about)
    return results
