"""Scores sorted once, with sums of each class down to each distinct score."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from opchar.compilation import Compiled
from opchar.spaces.blocks import blocks, key_limits

Sums = tuple[NDArray[np.float64], NDArray, NDArray]
# Objects that NumPy sorts in the time in which numba is loaded.
WORTH = 4_000_000
# Below this size all ways take a fraction of a millisecond.
FEW = 2000
SIGN, ONE = np.uint64(1 << 63), np.uint64(1)


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
    are. All ways of sorting keep the order of objects with equal scores, or give whole numbers, so
    that they give the same sums to the last bit.
    """
    found: Sums | None = None
    if len(score) >= FEW and (weight is None or weight.dtype.kind != "O"):
        module = COMPILED.module_after(len(score))
        if module is not None:
            found = module.sums_by_score(positive, score, weight)
        elif weight is None:
            found = counts_by_key(positive, score)
    return _by_order(positive, score, weight) if found is None else found


def rates_by_score(
    positive: NDArray[np.bool_], score: NDArray[np.float64], sizes: tuple[int, int]
) -> Sums | None:
    """Return `sums_by_score` over the sizes of both classes, where one pass over keys gives them.

    Shapes: `positive` and `score` (n,); returned three of (k + 1,).
    """
    module = COMPILED.module_after(len(score)) if len(score) >= FEW and all(sizes) else None
    found: Sums | None = None
    if module is not None:
        found = module.sums_by_score(positive, score, None, sizes)
    return found


def _by_order(
    positive: NDArray[np.bool_], score: NDArray[np.float64], weight: NDArray | None
) -> Sums:
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


def counts_by_key(positive: NDArray[np.bool_], score: NDArray[np.float64]) -> Sums | None:
    """Return `sums_by_score` by a sort of whole numbers: the rank of a score, then the label.

    Shapes: `positive` and `score` (n,); returned three of (k + 1,).

    Returned: None where no key of 63 bits holds the order of the scores.
    """
    low_above, high_below, zero, largest = key_limits(score)
    if largest >= 1 << 63:
        return None
    above = np.uint64((zero + 1 - low_above) % 2**64)
    keys, bits = np.empty(len(score), dtype=np.uint64), np.ascontiguousarray(score).view(np.uint64)
    for part in blocks(len(keys)):
        magnitude = bits[part] & ~SIGN
        code = magnitude + above
        np.copyto(code, np.uint64(zero), where=magnitude == 0)
        np.subtract(np.uint64(high_below), magnitude, out=code, where=bits[part] > SIGN)
        np.bitwise_or(code << ONE, positive[part], out=keys[part])
    keys.sort()
    descending = keys[::-1]
    positives = (descending & ONE).view(np.int64)
    np.cumsum(positives, out=positives)
    keys >>= ONE
    last_of_ties = np.flatnonzero(np.append(descending[1:] != descending[:-1], True))
    true, false = np.zeros((2, len(last_of_ties) + 1), dtype=np.int64)
    np.take(positives, last_of_ties, out=true[1:])
    np.subtract(last_of_ties + 1, true[1:], out=false[1:])
    found = np.zeros(len(true), dtype=np.uint64)
    codes = np.take(descending, last_of_ties, out=found[1:])
    for part in blocks(len(codes)):
        code, magnitude = codes[part], codes[part] - above
        np.copyto(magnitude, np.uint64(0), where=code == zero)
        np.subtract(np.uint64(high_below) | SIGN, code, out=magnitude, where=code < zero)
        codes[part] = magnitude
    return found.view(np.float64), true, false
