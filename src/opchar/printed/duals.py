"""Search for proofs that no folds, data sets or classes have printed means; sums over classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from opchar.printed.averages import Matrix, Parts, averaged_witness
from opchar.printed.certificates import Certificate, verify
from opchar.printed.exact_indices import EXACT
from opchar.printed.matrices import Demand
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
from opchar.printed.numbers import Limits
from opchar.printed.reported_values import SECONDS

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


def no_weights(
    lines: Sequence[Sequence[tuple[str, Limits]]], targets: Sequence[Limits]
) -> tuple[tuple[tuple[Limits, ...], Limits, Fraction, Fraction], ...] | None:
    """Return a proof that no weights, the same in all lines, give means within the targets.

    The proof has, for each line, the limits of its parts and of the mean, and multipliers of the
    greatest and least mean. At each part alone the sum of the gaps is positive.
    """
    from scipy.optimize import linprog

    many = len(lines[0])
    rows, ends = [], []
    for parts, (low, high) in zip(lines, targets, strict=True):
        rows.append([-float(limits[1]) for _, limits in parts])
        rows.append([float(limits[0]) for _, limits in parts])
        ends += [-float(low), float(high)]
    matrix = np.column_stack([np.array(rows), -np.ones(len(rows))])
    solved = linprog(
        np.r_[np.zeros(many), 1.0],
        A_ub=matrix,
        b_ub=ends,
        A_eq=[[1.0] * many + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * many + [(None, None)],
    )
    if solved.status != 0 or solved.x[-1] <= 0:
        return None
    dual = [
        Fraction(max(-float(y), 0.0)).limit_denominator(10**9) for y in solved.ineqlin.marginals
    ]
    proof = tuple(
        (tuple(limits for _, limits in parts), target, dual[2 * at], dual[2 * at + 1])
        for at, (parts, target) in enumerate(zip(lines, targets, strict=True))
    )
    return proof if verify(Certificate("weights", (), proof=proof)) else None


_PARTS = {"precision": "precision", "recall": "tpr", "f1": "f1", "miss": "fnr"}
_PARTS |= {"aurpc": "aurpc", "balanced": "balanced_accuracy", "npv": "npv"}
_PARTS |= {"accuracy": "accuracy", "specificity": "tnr"}
# Names that stand for an average, and micro averages: FN and FP of all classes are as many.
_SAME = {"accuracy": "weighted_recall", "error_rate": "weighted_miss"}
_SAME |= {f"micro_{part}": "weighted_recall" for part in ("precision", "recall", "f1")}
_SAME |= {"micro_accuracy": "macro_accuracy", "micro_npv": "micro_specificity"}
_SAME |= {"aurpc_ova": "macro_aurpc", "auroc_ova": "macro_balanced", "tnr": "macro_specificity"}
_MICRO = ("micro", "specificity")
_SAME |= {"auroc_ovo": "macro_recall", "balanced_accuracy": "macro_recall"}
_SAME |= {"normalised_auroc_ova": "macro_balanced"}


def of_classes(name: str) -> bool:
    """Tell whether `class_witness` knows a score."""
    kind, _, part = _SAME.get(name, name).partition("_")
    return (kind in ("macro", "weighted") and part in _PARTS) or (kind, part) == _MICRO


def class_witness(
    scores: Mapping[str, Limits], folds: Sequence[Sequence[int]], seconds: float = SECONDS
) -> list[Matrix] | None:
    """Return counts of each class against the rest that have averaged scores, or None.

    Folds are the sizes of all classes in each; one list is one matrix of all objects. Scores are
    means over the folds, matrices stand fold by fold. Pairs of TP and FP of the classes belong to
    one confusion matrix under two conditions. The classes have as many FN as FP together, and none
    has more FN and FP than there are errors.
    """
    sizes = [(size, sum(fold) - size) for fold in folds for size in fold]
    demands = [_demand(name, limits, len(folds[0])) for name, limits in scores.items()]
    shares = [[w / len(folds) for fold in folds for w in _weights(name, fold)] for name in scores]
    return averaged_witness(demands, Parts(sizes, [1] * len(sizes), shares, len(folds[0])), seconds)


def class_parts(
    scores: Mapping[str, Limits], sizes: Sequence[int]
) -> tuple[list[Score], list[Part]]:
    """Return averaged scores as sums over classes against the rest, as proofs take them.

    The last is that all classes have as many FN as FP together.
    """
    demands = [_demand(name, limits, len(sizes)) for name, limits in scores.items()]
    named = [(demand.index.name, *demand.limits) for demand in demands]
    weights = zip(*(_weights(name, sizes) for name in scores), strict=True)
    one, none = Fraction(1), Fraction(0)
    parts = [(p, sum(sizes) - p, (*own, one)) for p, own in zip(sizes, weights, strict=True)]
    return [*named, ("fn - fp", none, none)], parts


def _demand(name: str, limits: Limits, many: int) -> Demand:
    if name == "auroc_ovo":
        # The rates of all errors of a class add up to one minus its recall.
        limits = _scale(limits, Fraction(2 * (many - 1), many), Fraction(2 - many, many))
    elif name == "normalised_auroc_ova":
        least = Fraction(many - 2, 2 * many)
        limits = _scale(limits, 1 - least, least)
    return Demand(EXACT[_PARTS[_SAME.get(name, name).partition("_")[2]]], limits, name)


def _scale(limits: Limits, factor: Fraction, shift: Fraction) -> Limits:
    return limits[0] * factor + shift, limits[1] * factor + shift


def _weights(name: str, sizes: Sequence[int]) -> list[Fraction]:
    """Return the weight of each class in an average."""
    n, many = sum(sizes), len(sizes)
    kind = _SAME.get(name, name).partition("_")[0]
    if kind == "weighted":
        return [Fraction(size, n) for size in sizes]
    if kind == "micro":
        return [Fraction(n - size, (many - 1) * n) for size in sizes]
    return [Fraction(1, many) for _ in sizes]
