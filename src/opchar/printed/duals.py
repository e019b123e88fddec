"""Search for proofs that no folds, data sets or classes have the printed means."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from opchar.printed.mean_proofs import (
    MOST_POINTS,
    Score,
    float_ends,
    is_averaged,
    is_steady,
    nearest_sums,
    number_of_points,
    parts_fail,
)

Part = tuple[int, int, tuple[Fraction, ...]]
_FINEST = 10**9


def deals_of(positives: int, negatives: int, folds: int, many: int) -> list[list[Part]]:
    """Return all folds of (nearly) as many positives and of as many negatives, by what meets.

    Which folds have one positive more, and which one negative more, is not known.
    """
    a, b = positives % folds, negatives % folds
    share = (Fraction(1, folds),) * many
    found = []
    for both in range(max(0, a + b - folds), min(a, b) + 1):
        counts = {(1, 1): both, (1, 0): a - both, (0, 1): b - both, (0, 0): folds - a - b + both}
        p, n = positives // folds, negatives // folds
        found.append([(p + c, n + d, share) for (c, d), k in counts.items() for _ in range(k)])
    return found


def refuted_parts(
    scores: Sequence[Score], deals: Sequence[Sequence[Part]]
) -> tuple[list[int], Any] | None:
    """Return which scores no division into parts has, and the proof for each division, or None.

    One score alone is tried first, then those that change evenly, then all together.
    """
    known = [at for at, score in enumerate(scores) if is_averaged(score[0])]
    alone = [[at] for at in known if is_steady(scores[at][0]) and scores[at][0] != "fn - fp"]
    even = [at for at in known if is_steady(scores[at][0])]
    for chosen in [*alone, even, known] if known else ():
        proof = _proof([scores[at] for at in chosen], _columns(deals, chosen), chosen in alone)
        if proof is not None:
            used = [at for at in range(len(chosen)) if any(m is None or m[at] for _, m in proof)]
            least = tuple(
                (parts, m if m is None else tuple(m[at] for at in used))
                for parts, (_, m) in zip(
                    _columns(deals, [chosen[at] for at in used]), proof, strict=True
                )
            )
            return [chosen[at] for at in used], least
    return None


def _columns(deals: Sequence[Sequence[Part]], chosen: Sequence[int]) -> list[tuple[Part, ...]]:
    """Return deals with the weights of some scores alone."""
    return [tuple((p, n, tuple(w[at] for at in chosen)) for p, n, w in deal) for deal in deals]


def _proof(scores: Sequence[Score], deals: Sequence[tuple[Part, ...]], alone: bool) -> Any:
    """Return each deal with its multipliers, or None where one is not refuted."""
    proof = []
    for deal in deals:
        multipliers = None if alone else _multipliers(scores, deal)
        if multipliers is False or not parts_fail(scores, deal, multipliers):
            return None
        proof.append((deal, multipliers))
    return tuple(proof)


def _multipliers(scores: Sequence[Score], parts: Sequence[Part]) -> Any:
    """Return numbers by which the scores, added up, exceed their limits in any parts, or False.

    They are the dual of the programme that mixes the matrices of each part.
    """
    from scipy.optimize import linprog

    names, many = tuple(name for name, *_ in scores), len(scores)
    kinds = tuple(dict.fromkeys(parts))
    if not scores or number_of_points(names, kinds) > MOST_POINTS:
        return False
    rows = _value_rows(names, kinds)
    limits = np.array([[float(low), float(high)] for _, low, high in scores])
    solved = linprog(
        np.r_[limits[:, 1], -limits[:, 0], [-float(parts.count(kind)) for kind in kinds]],
        A_ub=rows,
        b_ub=np.zeros(len(rows)),
        bounds=[(0, 1)] * (2 * many) + [(None, None)] * len(kinds),
    )
    if solved.status != 0 or solved.fun >= 0:
        return False
    gaps = (solved.x[:many] - solved.x[many : 2 * many]).tolist()
    return tuple(Fraction(gap).limit_denominator(_FINEST) for gap in gaps)


@lru_cache(64)
def _value_rows(names: tuple[str, ...], kinds: tuple[Part, ...]) -> np.ndarray:
    """Return a row for each end of the scores of each matrix: minus them, them, and its part."""
    rows = []
    for (p, n, weights), kind in zip(kinds, np.eye(len(kinds)), strict=True):
        every = zip(names, weights, strict=True)
        ends = np.array([float_ends(name, names, p, n, weight) for name, weight in every])
        values = ends.T.reshape(-1, len(names))
        rows.append(np.hstack([-values, values, np.tile(kind, (len(values), 1))]))
    return np.vstack(rows)


def refute_folds(
    scores: Sequence[Score], positives: int, negatives: int, folds: int, given: Any = ()
) -> tuple[list[int], Any] | None:
    """Return the proof that no stratified folds, or no stated ones, have the mean scores."""
    many = len(scores)
    stated = [(p, n, (Fraction(1, len(given)),) * many) for p, n in given]
    deals = [stated] if given else deals_of(positives, negatives, folds, many)
    return refuted_parts(scores, deals)


def nearest_of(score: Score, proof: Any) -> tuple[Any, Any]:
    """Return the nearest means that the folds of a proof can have."""
    ends = [nearest_sums(score, [(p, n, w[0]) for p, n, w in parts]) for parts, _ in proof]
    return max(low for low, _ in ends), min(high for _, high in ends)
