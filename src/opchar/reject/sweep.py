"""Exact optima over all pairs of two thresholds, in ``n log n``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from opchar.ties import EQUAL, first_least

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class ThresholdPairs:
    """The best inner threshold for every outer one.

    Shapes: `outer` (m,); `inner` (m,); `least` (m,).
    """

    outer: Floats
    inner: Floats
    least: Floats
    best: int


def least_suffixes(position: Ints, value: Floats, size: int) -> tuple[Floats, Ints]:
    """Return the least suffix sum of an array after each of a series of additions to it.

    A binary tree over the array holds the sum and the least suffix sum of each node. A node changes
    only when something is added below it, so a level of the tree has `n` versions of its nodes,
    sorted by node and time. Each level follows from the one below by array operations: ``n log n``
    steps of the processor and ``log n`` of the interpreter.

    Shapes: `position` (n,); `value` (n,); `least` (n,); `start` (n,).
    """
    time = np.argsort(position, kind="stable")
    node = position[time]
    total = _cumulative_sums(value[time], node)
    rounding = EQUAL * np.abs(value).sum()
    least = np.where(total < -rounding, total, 0.0)
    start = np.where(total < -rounding, node, node + 1)
    level = 0
    while size > 1 << level:
        merged = np.argsort((node >> 1) * len(value) + time, kind="stable")
        is_right = (node & 1)[merged] == 1
        time, node = time[merged], node[merged] >> 1
        begin, length = _blocks(node)
        left, right = _latest(is_right, begin, length)
        boundary = (2 * node + 1) << level
        right_total = _version(total, right, 0.0)
        right_least = _version(least, right, 0.0)
        right_start = _version(start, right, boundary + (1 << level))
        left_least = right_total + _version(least, left, 0.0)
        is_better = left_least < right_least - rounding
        left_start = _version(start, left, boundary)
        total = right_total + _version(total, left, 0.0)
        least = np.where(is_better, left_least, right_least)
        start = np.where(is_better, left_start, right_start)
        level += 1
    return least, np.minimum(start, size)


def _blocks(node: Ints) -> tuple[Ints, Ints]:
    """Return where the block of each line's node begins, and how long the block is."""
    first = np.flatnonzero(np.append(True, node[1:] != node[:-1]))
    lengths = np.diff(np.append(first, len(node)))
    return np.repeat(first, lengths), np.repeat(lengths, lengths)


def _cumulative_sums(value: Floats, node: Ints) -> Floats:
    """Return cumulative sums that begin again with each node."""
    sums = np.cumsum(value)
    begin, _ = _blocks(node)
    return sums - (sums - value)[begin]


def _latest(is_right: NDArray[np.bool_], begin: Ints, length: Ints) -> tuple[Ints, Ints]:
    """Return the latest versions of a line's left and right child, -1 before there is one."""
    counted = np.append(0, np.cumsum(is_right))
    n_right = counted[1:] - counted[begin]
    n_left = np.arange(len(begin)) - begin + 1 - n_right
    all_left = length - (counted[begin + length] - counted[begin])
    left = np.where(n_left > 0, begin + n_left - 1, -1)
    right = np.where(n_right > 0, begin + all_left + n_right - 1, -1)
    return left, right


def _version(values: NDArray, index: Ints, otherwise: float | Ints) -> NDArray:
    """Return the value of a version, or of a node to which nothing was added yet."""
    return np.where(index >= 0, values[index], otherwise)


def least_over_pairs(outer: Floats, inner: Floats, joint: Floats, alone: Floats) -> ThresholdPairs:
    """Return the best inner threshold for each outer one.

    Minimised is the sum of `alone` over the objects with ``outer >= t`` and of `joint` over those
    with, besides, ``inner >= theta``.

    Shapes: `outer` and `inner` (n,); `joint` and `alone` (n,).
    """
    thetas, position = np.unique(inner, return_inverse=True)
    descending = np.argsort(-outer, kind="stable")
    least, start = least_suffixes(position[descending], joint[descending], len(thetas))
    ordered = outer[descending]
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    sums = np.append(0.0, least[last] + np.cumsum(alone[descending])[last])
    return ThresholdPairs(
        outer=np.append(np.inf, ordered[last]),
        inner=np.append(np.inf, np.append(thetas, np.inf)[start[last]]),
        least=sums,
        best=int(first_least(sums, scale=float(np.abs(joint).sum() + np.abs(alone).sum()))),
    )


def most_within_limits(
    outer: Floats, inner: Floats, kind: Ints, allowed: Sequence[int]
) -> tuple[int, tuple[float, float]]:
    """Return the pair of thresholds that passes most objects of kind 0 and few enough of others.

    As the outer threshold falls, more objects pass it, and the least inner threshold that keeps the
    limits can only rise: what it leaves out once never returns.

    Shapes: `outer` and `inner` (n,); `kind` (n,).
    """
    thetas, rank = np.unique(inner, return_inverse=True)
    descending = np.argsort(-outer, kind="stable")
    ordered = outer[descending]
    is_last = np.append(ordered[1:] != ordered[:-1], True)
    found, best, least = 0, (np.inf, np.inf), -1
    passing: list[list[int]] = [[] for _ in range(len(allowed) + 1)]
    pairs = zip(rank[descending].tolist(), kind[descending].tolist(), strict=True)
    for position, (score, of_kind) in enumerate(pairs):
        if score > least:
            heappush(passing[of_kind], score)
        for heap, most in zip(passing[1:], allowed, strict=True):
            while len(heap) > most:
                least = max(least, heappop(heap))
        for heap in passing:
            while heap and heap[0] <= least:
                heappop(heap)
        if is_last[position] and len(passing[0]) > found:
            found, best = len(passing[0]), (thetas[passing[0][0]], ordered[position])
    return found, best
