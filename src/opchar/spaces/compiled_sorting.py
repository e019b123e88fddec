"""Scores sorted by their bits, compiled by numba (``opchar[fast]``).

A radix sort of the highest bits in three passes at most; the few neighbours that these bits do not
tell apart are sorted one group at a time. The label travels in the lowest bit of the key, a weight
beside it. Objects of equal scores stay in their order.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
SIGN = np.uint64(1 << 63)
ONE = np.uint64(1)
DIGIT = 11
MASK = np.uint64((1 << DIGIT) - 1)
# Samples below this size are told apart by two digits.
SMALL = 1 << 14


@njit(cache=True)
def extents(bits: Keys) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the least and largest magnitude of the scores above zero, and of those below.

    Shapes: `bits` (n,).
    """
    low_above, high_above, low_below, high_below = (
        ~np.uint64(0),
        ONE - ONE,
        ~np.uint64(0),
        ONE - ONE,
    )
    for i in range(len(bits)):
        magnitude = bits[i] & ~SIGN
        if magnitude and bits[i] & SIGN:
            low_below, high_below = min(low_below, magnitude), max(high_below, magnitude)
        elif magnitude:
            low_above, high_above = min(low_above, magnitude), max(high_above, magnitude)
    return low_above, high_above, low_below, high_below


@njit(cache=True)
def write_keys(
    bits: Keys, positive: NDArray[np.bool_], limits: Keys, shift: np.uint64, keys: Keys, sizes: Keys
) -> None:
    """Write a key for each object, and count the digits above `shift`.

    Shapes: `bits`, `positive` and `keys` (n,); `limits` (3,); `sizes` (passes, 2048).
    """
    zero, low_above, high_below = limits
    for i in range(len(bits)):
        magnitude = bits[i] & ~SIGN
        code = zero
        if magnitude and bits[i] & SIGN:
            code = high_below - magnitude
        elif magnitude:
            code = zero + ONE + (magnitude - low_above)
        keys[i] = code << ONE | np.uint64(positive[i])
        digits = keys[i] >> shift
        for place in range(len(sizes)):
            sizes[place, digits & MASK] += ONE
            digits >>= np.uint64(DIGIT)


@njit(cache=True)
def scatter(keys: Keys, to: Keys, shift: np.uint64, starts: Keys) -> None:
    """Write keys in the order of one digit.

    Shapes: `keys` and `to` (n,); `starts` (2048,).
    """
    for i in range(len(keys)):
        digit = keys[i] >> shift & MASK
        to[starts[digit]] = keys[i]
        starts[digit] += ONE


@njit(cache=True)
def scatter_weighted(
    keys: Keys, to: Keys, shift: np.uint64, starts: Keys, weight: NDArray, weight_to: NDArray
) -> None:
    """Write keys and weights in the order of one digit.

    Shapes: `keys`, `to`, `weight` and `weight_to` (n,); `starts` (2048,).
    """
    for i in range(len(keys)):
        digit = keys[i] >> shift & MASK
        to[starts[digit]] = keys[i]
        weight_to[starts[digit]] = weight[i]
        starts[digit] += ONE


@njit(cache=True)
def settle(keys: Keys, shift: np.uint64, weight: NDArray) -> None:
    """Sort each group of neighbours whose highest bits are equal and whose others are not in order.

    Shapes: `keys` (n,); `weight` (n,), or (0,) without weights.
    """
    n, i = len(keys), 1
    while i < n:
        if keys[i] >> ONE < keys[i - 1] >> ONE:
            group, first = keys[i] >> shift, i - 1
            while first > 0 and keys[first - 1] >> shift == group:
                first -= 1
            while i < n and keys[i] >> shift == group:
                i += 1
            if len(weight):
                order = np.argsort(keys[first:i] >> ONE, kind="mergesort")
                weight[first:i] = weight[first:i][order]
                keys[first:i] = keys[first:i][order]
            else:
                keys[first:i] = np.sort(keys[first:i])
        i += 1


@njit(cache=True)
def sum_counts(
    keys: Keys, limits: Keys, found: Keys, true: NDArray[np.int64], false: NDArray[np.int64]
) -> int:
    """Write distinct scores from the highest down, and how many of each class reach them.

    Shapes: `keys` (n,); `limits` (3,); `found`, `true` and `false` (n + 1,), which begin with the
    point that accepts none.

    Returned: the number of points.
    """
    zero, low_above, high_below = limits
    place, n = 0, len(keys)
    positives = np.int64(0)
    true[0] = false[0] = 0
    for i in range(n - 1, -1, -1):
        positives += np.int64(keys[i] & ONE)
        code = keys[i] >> ONE
        if i and keys[i - 1] >> ONE == code:
            continue
        place += 1
        true[place], false[place] = positives, n - i - positives
        if code > zero:
            found[place] = code - zero - ONE + low_above
        else:
            found[place] = np.uint64(0) if code == zero else high_below - code | SIGN
    return place + 1


@njit(cache=True)
def sum_weights(
    keys: Keys, limits: Keys, found: Keys, true: NDArray, false: NDArray, weight: NDArray
) -> int:
    """Write distinct scores from the highest down, and which weight of each class reaches them.

    Shapes: `keys` and `weight` (n,); `limits` (3,); `found`, `true` and `false` (n + 1,).

    Returned: the number of points.
    """
    zero, low_above, high_below = limits
    place, n = 0, len(keys)
    true[0] = false[0] = 0
    positives, negatives = true[0], false[0]
    for i in range(n - 1, -1, -1):
        if keys[i] & ONE:
            positives += weight[i]
        else:
            negatives += weight[i]
        code = keys[i] >> ONE
        if i and keys[i - 1] >> ONE == code:
            continue
        place += 1
        true[place], false[place] = positives, negatives
        if code > zero:
            found[place] = code - zero - ONE + low_above
        else:
            found[place] = np.uint64(0) if code == zero else high_below - code | SIGN
    return place + 1


def sums_by_score(
    positive: NDArray[np.bool_], score: NDArray[np.float64], weight: NDArray | None
) -> tuple[NDArray[np.float64], NDArray, NDArray] | None:
    """Return distinct scores from the highest down, and sums of each class that reach them.

    Shapes: `positive`, `score` and `weight` (n,); returned (k + 1,), the first of which is the
    point that accepts none.

    Returned: None where no key of 63 bits holds the order of the scores.
    """
    bits, positive = np.ascontiguousarray(score).view(np.uint64), np.ascontiguousarray(positive)
    weight = None if weight is None else np.ascontiguousarray(weight)
    low_above, high_above, low_below, high_below = map(int, extents(bits))
    zero = high_below - low_below + 1 if high_below else 0
    largest = zero + 1 + high_above - low_above if high_above else zero
    if largest >= 1 << 63:
        return None
    digits = 2 if len(bits) < SMALL else 3
    shift = max((2 * largest + 1).bit_length() - digits * DIGIT, 1)
    limits = np.array([zero, low_above, high_below], dtype=np.uint64)
    keys, other = np.empty((2, len(bits)), dtype=np.uint64)
    sizes = np.zeros((digits, 1 << DIGIT), dtype=np.uint64)
    write_keys(bits, positive, limits, np.uint64(shift), keys, sizes)
    weights = weight_to = np.empty(0) if weight is None else weight
    if weight is not None:
        weights, weight_to = weight, np.empty_like(weight)
    for place in range(digits):
        if sizes[place].max() == len(bits):
            continue
        starts = np.cumsum(sizes[place], dtype=np.uint64) - sizes[place]
        at = np.uint64(shift + place * DIGIT)
        if weight is None:
            scatter(keys, other, at, starts)
        else:
            scatter_weighted(keys, other, at, starts, weights, weight_to)
            # The array that was given is read only once.
            weights, weight_to = weight_to, np.empty_like(weight) if weights is weight else weights
        keys, other = other, keys
    if weights is weight and weight is not None:
        weights = weight.copy()
    settle(keys, np.uint64(shift), weights)
    return _sums(keys, limits, None if weight is None else weights)


def _sums(
    keys: Keys, limits: Keys, weight: NDArray | None
) -> tuple[NDArray[np.float64], NDArray, NDArray]:
    kind = np.dtype(np.int64) if weight is None else weight.dtype
    found = np.empty(len(keys) + 1, dtype=np.uint64)
    true, false = np.empty((2, len(keys) + 1), dtype=kind)
    if weight is None:
        points = sum_counts(keys, limits, found, true, false)
    else:
        points = sum_weights(keys, limits, found, true, false, weight)
    parts = found[:points].view(np.float64), true[:points], false[:points]
    return parts if 2 * points > len(keys) else tuple(each.copy() for each in parts)  # type: ignore[return-value]
