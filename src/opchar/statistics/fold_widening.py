"""How much wider an interval is when whole folds are drawn, and not rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from opchar.statistics.areas import CONSTANT, normal_quantile, student_quantile

Floats = NDArray[np.float64]


def moved_by_rows(
    values: NDArray[Any], among: NDArray[np.bool_], weight: Floats | None, slope: float = 1.0
) -> Floats:
    """Return how much each row moves the mean of values among some of the rows, times a slope.

    Shapes: `values`, `among`, `weight` (n,); returned (n,).
    """
    shares = among * (np.ones(len(values)) if weight is None else weight)
    shares = shares / max(float(shares.sum()), 1e-300)
    return slope * shares * (values - shares @ values)


def widening_factor(moved: Floats, fold: NDArray[np.intp], level: float = 0.95) -> float:
    """Return by which factor drawing folds makes an interval wider than drawing rows does.

    Rows of a fold move a figure together, so that sums over folds give its variance (Liang and
    Zeger, Biometrika 73, 1986). Student's t has the quantile for the number of folds. Rows that do
    not vary show nothing of this; each fold then counts as one object.

    Shapes: `moved`, `fold` (n,); returned at least 1.
    """
    folds = np.unique(fold, return_inverse=True)[1]
    number, rows = int(folds.max()) + 1, float(moved @ moved)
    most = len(moved) / number
    if number < 2 or np.sqrt(rows) <= CONSTANT:
        return float(np.sqrt(most))
    sums = np.bincount(folds, moved)
    ratio = float(sums @ sums) * number / (number - 1) / rows
    scale = student_quantile(level, number - 1) / normal_quantile(level)
    return max(float(np.sqrt(ratio)) * scale, 1.0)
