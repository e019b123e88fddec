"""Whether two models pass through the same operating points as class weights move."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats


def log_ratio_gap(first: ArrayLike, second: ArrayLike) -> float:
    """Return how far the log ratios of scores are from those of another model, scaled and shifted.

    Weights shift the log ratios of scores. Where the gap is zero and the slope positive, both
    models pass through the same operating points as their weights move.

    Shapes: `first` and `second` (N, C).
    """
    ours, theirs = floats(first, "first"), floats(second, "second")
    if ours.ndim != 2 or ours.shape != theirs.shape:
        raise ValueError(f"scores must have one shape (N, C), got {ours.shape} and {theirs.shape}")
    if not all(np.all((scores >= 0) & np.isfinite(scores)) for scores in (ours, theirs)):
        raise ValueError("scores must be finite and not negative")
    ratios = [
        np.diff(np.log(np.maximum(scores, np.finfo(float).tiny)), axis=1)
        for scores in (ours, theirs)
    ]
    centred = [values - values.mean(axis=0) for values in ratios]
    spread = (centred[1] ** 2).sum()
    if not spread > 0:
        raise ValueError("the log ratios of the second scores do not vary")
    slope = (centred[0] * centred[1]).sum() / spread
    return float(np.abs(centred[0] - slope * centred[1]).max())
