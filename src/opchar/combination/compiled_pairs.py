"""All pairs of classifiers at all thresholds, compiled by numba (``opchar[fast]``).

Pair by pair what `opchar.combination.pairwise` does with whole arrays: the same integers, the same
order. `opchar.combination.ranks` defines the codes.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@njit(cache=True)
def try_pairs(
    ranks: Ints, orders: Ints, weights: Ints, coefficients: Ints, rows: Ints, tp: Ints, source: Ints
) -> None:
    """Keep for each function and number of false positives the most true ones, and who has them.

    Shapes: `ranks` (E, M); `orders` (E, M); `weights` (M,); `coefficients` (B, 4); `rows` (B, 4);
    `tp` and `source` (R, n_negative + 1).

    `tp` and `source`: the source of classifiers e and k is ``e * E + k``; of two that reach as
    much, the lower one is kept.
    """
    everything, width = weights.sum(), ranks.max() + 2
    single, both = np.empty(width, np.int64), np.empty(width, np.int64)
    seen = np.empty((len(coefficients), everything + 1), np.bool_)
    for e in range(len(ranks)):
        for k in range(e + 1, len(ranks)):
            seen[:], single[:], both[:] = False, 0, 0
            for n in range(len(weights)):
                single[: ranks[k, n] + 1] += weights[n]
            mark_codes(ranks[e], ranks[k], orders[e], weights, coefficients, single, both, seen)
            for b in range(len(coefficients)):
                improve(seen[b], rows[b], e * len(ranks) + k, k * len(ranks) + e, tp, source)


@njit(cache=True)
def mark_codes(
    ranks: Ints,
    partner: Ints,
    order: Ints,
    weights: Ints,
    coefficients: Ints,
    single: Ints,
    both: Ints,
    seen: NDArray[np.bool_],
) -> None:
    """Mark the codes of each function at all pairs of thresholds of two classifiers.

    Shapes: `ranks` and `partner` (M,); `single` and `both` (T,); `seen` (B, n_codes).
    """
    everything, code = weights.sum(), 0
    width, last = partner.max() + 2, len(order) - 1
    while True:
        for b in range(len(coefficients)):
            of_all, of_one, of_other, of_both = coefficients[b]
            fixed = of_all * everything + of_one * code
            for w in range(width):
                seen[b, fixed + of_other * single[w] + of_both * both[w]] = True
        if last < 0:
            return
        rank = ranks[order[last]]
        while last >= 0 and ranks[order[last]] == rank:
            n = order[last]
            code += weights[n]
            both[: partner[n] + 1] += weights[n]
            last -= 1


@njit(cache=True)
def improve(
    seen: NDArray[np.bool_], rows: Ints, source: int, mirrored: int, tp: Ints, sources: Ints
) -> None:
    """Keep what a function and its complement reach, where it is more than before.

    Shapes: `seen` (n_codes,); `rows` (4,); `tp` and `sources` (R, n_negative + 1).
    """
    negative = tp.shape[1] - 1
    positive = len(seen) // (negative + 1) - 1
    for fp in range(negative + 1):
        codes = seen[fp * (positive + 1) : (fp + 1) * (positive + 1)]
        most = positive
        while most >= 0 and not codes[most]:
            most -= 1
        if most < 0:
            continue
        least = 0
        while not codes[least]:
            least += 1
        for index in range(4):
            row, owner = rows[index], mirrored if index % 2 else source
            at, reached = (fp, most) if index < 2 else (negative - fp, positive - least)
            if row < 0 or reached < tp[row, at]:
                continue
            if reached > tp[row, at] or owner < sources[row, at]:
                tp[row, at], sources[row, at] = reached, owner
