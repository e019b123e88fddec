"""Scores sorted once, with sums of each class down to each distinct score."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from opchar.compilation import Compiled

Sums = tuple[NDArray[np.float64], NDArray, NDArray]
# Objects that NumPy sorts in the time in which numba is loaded.
WORTH = 4_000_000
# Below this size both take a fraction of a millisecond.
FEW = 2000


def _load() -> ModuleType:
    from opchar.spaces import compiled_sorting

    return compiled_sorting


COMPILED = Compiled(_load, WORTH)


def sums_by_score(
    positive: NDArray[np.bool_], score: NDArray[np.float64], weight: NDArray | None = None
) -> Sums:
    """Return distinct scores from the highest down, and what of each class reaches them.

    Shapes: `positive`, `score` and `weight` (n,); returned three of (k + 1,), the first of which is
    the point that accepts none; its score is left open.

    Returned: scores, sums of the positives, sums of the others; whole numbers where all weights
    are. Both ways of sorting keep the order of objects with equal scores, so that they give the
    same sums to the last bit.
    """
    if len(score) >= FEW and (weight is None or weight.dtype.kind != "O"):
        module = COMPILED.module_after(len(score))
        found = None if module is None else module.sums_by_score(positive, score, weight)
        if found is not None:
            return found
    rounded = weight is not None and weight.dtype.kind == "f"
    ascending = np.argsort(score, kind="stable" if rounded else None)
    descending, positive = score[ascending][::-1], positive[ascending][::-1]
    last_of_ties = np.flatnonzero(np.append(descending[1:] != descending[:-1], True))
    if weight is None:
        true = np.append(0, np.cumsum(positive)[last_of_ties])
        false = np.append(0, last_of_ties + 1) - true
    else:
        weight = weight[ascending][::-1]
        true = np.append(0, np.cumsum(weight * positive)[last_of_ties])
        false = np.append(0, np.cumsum(weight * ~positive)[last_of_ties])
    return np.append(np.inf, descending[last_of_ties]), true, false
