"""Scores sorted by their bits, compiled by numba (``opchar[fast]``).

A radix sort of the highest bits in three passes at most; the few neighbours that these bits do not
tell apart are sorted one group at a time. The label travels in the lowest bit of the key, a weight
beside it. Objects of equal scores stay in their order. Keys without weights are left to NumPy where
its instructions for 512 bits sort them in half the time; the order is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.lib import introspect
from numpy.typing import NDArray

from opchar.spaces.blocks import key_limits

Keys = NDArray[np.uint64]
SIGN = np.uint64(1 << 63)
ONE = np.uint64(1)
DIGIT = 11
MASK = np.uint64((1 << DIGIT) - 1)
# Samples below this size are told apart by two digits.
SMALL = 1 << 14


def numpy_is_faster() -> bool:
    """Tell whether NumPy uses instructions for 512 bits here, as its sort then does."""
    used = introspect.opt_func_info(func_name="^add$")["add"].values()
    return any("AVX512" in each["current"] or "X86_V4" in each["current"] for each in used)


NUMPY_IS_FASTER = numpy_is_faster()


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
def scatter(
    keys: Keys, to: Keys, shift: np.uint64, starts: Keys, weight: NDArray, weight_to: NDArray
) -> None:
    """Write keys, and weights if there are any, in the order of one digit.

    Shapes: `keys` and `to` (n,); `starts` (2048,); `weight` and `weight_to` (n,) or (0,).
    """
    weighted = len(weight) > 0
    for i in range(len(keys)):
        digit = keys[i] >> shift & MASK
        to[starts[digit]] = keys[i]
        if weighted:
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


@njit(cache=True, error_model="numpy")
def sum_down(
    keys: Keys,
    limits: Keys,
    found: Keys,
    true: NDArray,
    false: NDArray,
    weight: NDArray,
    sizes: NDArray[np.int64],
) -> int:
    """Write distinct scores from the highest down, and what of each class reaches them.

    Shapes: `keys` (n,); `limits` (3,); `found`, `true` and `false` (n + 1,), which begin with the
    point that accepts none; `weight` (n,), or (0,) where each object counts one; `sizes` (2,), by
    which positives and others are divided, or (0,).

    Returned: the number of points.
    """
    zero, low_above, high_below = limits
    n, place, weighted, divided = len(keys), 0, len(weight) > 0, len(sizes) > 0
    true[0] = false[0] = 0
    positives = negatives = weight[0] * 0 if weighted else 0
    for i in range(n - 1, -1, -1):
        if not weighted:
            positives += np.int64(keys[i] & ONE)
            negatives = n - i - positives
        elif keys[i] & ONE:
            positives += weight[i]
        else:
            negatives += weight[i]
        code = keys[i] >> ONE
        if i and keys[i - 1] >> ONE == code:
            continue
        place += 1
        if divided:
            true[place], false[place] = positives / sizes[0], negatives / sizes[1]
        else:
            true[place], false[place] = positives, negatives
        if code > zero:
            found[place] = code - zero - ONE + low_above
        else:
            found[place] = np.uint64(0) if code == zero else high_below - code | SIGN
    return place + 1


class Sorted(NamedTuple):
    """Keys in ascending order, room for as many, the weights beside them, and how to read keys."""

    keys: Keys
    room: Keys
    weight: NDArray
    limits: Keys


def sort_keys(
    positive: NDArray[np.bool_],
    score: NDArray[np.float64],
    weight: NDArray | None = None,
    by_numpy: bool = NUMPY_IS_FASTER,
) -> Sorted | None:
    """Sort the bits of scores, with the label in the lowest one: all that a curve has to sort.

    Shapes: `positive`, `score` and `weight` (n,); returned keys (n,), room (n + 1,), weights (n,)
    or, where none are given, (0,).

    `by_numpy`: who sorts keys without weights. Returned: None where no key of 63 bits holds the
    order of the scores.
    """
    low_above, high_below, zero, largest = key_limits(score)
    if largest >= 1 << 63:
        return None
    n = len(score)
    bits, positive = np.ascontiguousarray(score).view(np.uint64), np.ascontiguousarray(positive)
    given = np.empty(0, dtype=np.int64) if weight is None else np.ascontiguousarray(weight)
    by_numpy = by_numpy and weight is None
    digits = 0 if by_numpy else 2 if n < SMALL else 3
    shift = max((2 * largest + 1).bit_length() - digits * DIGIT, 1)
    limits = np.array([zero, low_above, high_below], dtype=np.uint64)
    keys, other = np.empty(n + 1, dtype=np.uint64), np.empty(n + 1, dtype=np.uint64)
    sizes = np.zeros((digits, 1 << DIGIT), dtype=np.uint64)
    write_keys(bits, positive, limits, np.uint64(shift), keys[:n], sizes)
    if by_numpy:
        keys[:n].sort()
        return Sorted(keys[:n], other, given, limits)
    weights, weight_to = given, np.empty_like(given)
    for place in range(digits):
        if sizes[place].max() == n:
            continue
        starts = np.cumsum(sizes[place], dtype=np.uint64) - sizes[place]
        scatter(keys[:n], other[:n], np.uint64(shift + place * DIGIT), starts, weights, weight_to)
        # The array that was given is read only once.
        weights, weight_to = weight_to, np.empty_like(given) if weights is given else weights
        keys, other = other, keys
    weights = given.copy() if weights is given else weights
    settle(keys[:n], np.uint64(shift), weights)
    return Sorted(keys[:n], other, weights, limits)


def sums_by_score(
    positive: NDArray[np.bool_],
    score: NDArray[np.float64],
    weight: NDArray | None,
    classes: Sequence[int] = (),
    by_numpy: bool = NUMPY_IS_FASTER,
) -> tuple[NDArray[np.float64], NDArray, NDArray] | None:
    """Return distinct scores from the highest down, and sums of each class that reach them.

    Shapes: `positive`, `score` and `weight` (n,); returned (k + 1,), the first of which is the
    point that accepts none. Counts are divided by the sizes of both `classes`, if given.

    Returned: None where no key of 63 bits holds the order of the scores.
    """
    if (found := sort_keys(positive, score, weight, by_numpy)) is None:
        return None
    keys, room, weights, limits = found
    n, by = len(keys), np.array(classes, dtype=np.int64)
    true, false = np.empty((2, n + 1), dtype=float if classes else weights.dtype)
    points = sum_down(keys, limits, room, true, false, weights, by)
    parts = room[:points].view(np.float64), true[:points], false[:points]
    return parts if 2 * points > n else tuple(each.copy() for each in parts)  # type: ignore[return-value]
