"""Means over folds and over classes: integer programmes, and witnesses that are verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from opchar.published.indices import COUNTS, exact
from opchar.published.matrices import Demand, UndecidedError, witness

Sizes = tuple[int, int]
Matrix = dict[str, int]
MOST_UNKNOWNS = 60_000
SECONDS = 10.0
_ALMOST = 1e-4
_TRIES, _DRAWN = 150, 200
_PARTS = {"precision": "precision", "recall": "tpr", "f1": "f1", "miss": "fnr"}
_PARTS |= {"aurpc": "aurpc", "balanced": "balanced_accuracy"}
_OF_MATRIX = {"accuracy": "weighted_recall", "error_rate": "weighted_miss"}
_OF_MATRIX |= {f"micro_{part}": "weighted_recall" for part in ("precision", "recall", "f1")}
_OF_MATRIX |= {"aurpc_ova": "macro_aurpc", "auroc_ova": "macro_balanced"}


def stratified(positives: int, negatives: int, folds: int) -> list[Sizes]:
    """Return the sizes of stratified folds, dealt as by scikit-learn's ``StratifiedKFold``."""
    start = negatives % folds
    return [
        (
            positives // folds + ((at - start) % folds < positives % folds),
            negatives // folds + (at < start),
        )
        for at in range(folds)
    ]


def integers(
    rows: np.ndarray,
    limits: ArrayLike,
    most: Sequence[float],
    seconds: float,
    *,
    whole: bool = True,
) -> np.ndarray | None:
    """Return numbers from 0 to `most` whose sums, a row each, lie in limits; None if none do."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    low, high = np.array(limits, dtype=float).T
    width = high - low
    scale = np.where((width > 0) & np.isfinite(width), width / 2, 1.0)
    found = milp(
        np.zeros(rows.shape[1]),
        integrality=np.full(rows.shape[1], float(whole)),
        bounds=Bounds(0, np.array(most, dtype=float)),
        constraints=LinearConstraint(rows / scale[:, None], low / scale, high / scale),
        options={"time_limit": seconds},
    )
    if found.status == 2:
        return None
    if found.status != 0:
        raise UndecidedError
    return np.rint(found.x).astype(int)


def fold_witness(
    demands: list[Demand], folds: list[Sizes], seconds: float = SECONDS
) -> list[Matrix] | None:
    """Return a matrix for each fold such that the means of the scores are as printed, or None.

    Linear scores of equal folds are those of the sums, which are searched in whole numbers; unequal
    folds need two unknowns for each size. For other scores each matrix that a fold can have is an
    unknown: how often it occurs. `UndecidedError` says that a programme was too large or slow.
    """
    kinds = list(Counter(folds).items())
    names = {demand.index.name for demand in demands}
    if not all(demand.index.linear for demand in demands):
        shares = np.full((len(demands), len(kinds)), 1 / len(folds))
        return _chosen(demands, kinds, shares, seconds)
    if len(kinds) == 1 and not names & set(COUNTS):
        (p, n), many = kinds[0]
        found = witness(demands, many * p, many * n)
        return None if found is None else _spread([found["tp"], found["fp"]], kinds)
    rows = np.zeros((len(demands), 2 * len(kinds)))
    constants = np.zeros(len(demands))
    for at, demand in enumerate(demands):
        for number, ((p, n), many) in enumerate(kinds):
            none = demand.index.quick(0, p, 0, n)
            constants[at] += none * many / len(folds)
            rows[at, 2 * number] = (demand.index.quick(p, 0, 0, n) - none) / p / len(folds)
            rows[at, 2 * number + 1] = (demand.index.quick(0, p, n, 0) - none) / n / len(folds)
    limits = np.array([demand.limits for demand in demands], dtype=float) - constants[:, None]
    sums = integers(
        rows, limits, [float(many * s) for sizes, many in kinds for s in sizes], seconds
    )
    if sums is None:
        return None
    matrices = _spread(list(sums), kinds)
    if not _fit(matrices, demands, [[Fraction(1, len(folds))] * len(folds)] * len(demands)):
        raise UndecidedError
    return matrices


def class_witness(
    scores: dict[str, tuple[Fraction, Fraction]], sizes: Sequence[int], seconds: float = SECONDS
) -> list[Matrix] | None:
    """Return counts of each class against the rest that have averaged scores, or None.

    For each class the pair of its TP and FP is an unknown. Pairs belong to one confusion matrix if
    and only if the classes have as many FN as FP together, and none has more FN and FP than there
    are errors.
    """
    n, demands, shares = sum(sizes), [], []
    for name, limits in scores.items():
        kind, _, part = _OF_MATRIX.get(name, name).partition("_")
        demands.append(Demand(exact(_PARTS[part]), limits, name))  # type: ignore[arg-type]
        shares.append([size / n if kind == "weighted" else 1 / len(sizes) for size in sizes])
    kinds = [((size, n - size), 1) for size in sizes]
    return _chosen(demands, kinds, np.array(shares), seconds, coupled=True)


def of_classes(name: str) -> bool:
    """Tell whether `class_witness` knows a score."""
    kind, _, part = _OF_MATRIX.get(name, name).partition("_")
    return kind in ("macro", "weighted") and part in _PARTS


def _matrix(tp: int, fp: int, sizes: Sizes) -> Matrix:
    return {"tp": int(tp), "fn": int(sizes[0] - tp), "fp": int(fp), "tn": int(sizes[1] - fp)}


def _spread(sums: Sequence[int], kinds: list[tuple[Sizes, int]]) -> list[Matrix]:
    """Deal the sums of TP and FP over the folds of each size."""
    found = []
    for number, (sizes, many) in enumerate(kinds):
        dealt = [
            [int(total) // many + (at < int(total) % many) for at in range(many)]
            for total in sums[2 * number : 2 * number + 2]
        ]
        found += [_matrix(tp, fp, sizes) for tp, fp in zip(*dealt, strict=True)]
    return found


def _fit(
    matrices: list[Matrix], demands: list[Demand], shares: Sequence[Sequence[Fraction]]
) -> bool:
    """Tell whether weighted sums over matrices lie in the limits; of ratios in whole numbers."""
    for demand, weights in zip(demands, shares, strict=True):
        same = demand.index.scale == "same"
        total = Fraction(0)
        for matrix, weight in zip(matrices, weights, strict=True):
            value = demand.index.ratio(**matrix) if same else (demand.index.value(**matrix), 1)
            total += weight * Fraction(value[0]) / value[1]
        slack = 0 if same else Fraction(1, 10**12)
        if not demand.limits[0] - slack <= total <= demand.limits[1] + slack:
            return False
    return True


def _chosen(
    demands: list[Demand],
    kinds: list[tuple[Sizes, int]],
    shares: np.ndarray,
    seconds: float,
    *,
    coupled: bool = False,
) -> list[Matrix] | None:
    """Choose so many matrices of each kind that the weighted sums of scores are as printed."""
    if sum((p + 1) * (n + 1) for (p, n), _ in kinds) > MOST_UNKNOWNS:
        raise UndecidedError
    places: list[tuple[int, Matrix]] = []
    columns: list[list[float]] = []
    for number, ((p, n), _) in enumerate(kinds):
        for tp, fp in product(range(p + 1), range(n + 1)):
            scores = [demand.index.quick(tp, p - tp, fp, n - fp) for demand in demands]
            if np.isfinite(scores).all():
                places.append((number, _matrix(tp, fp, (p, n))))
                columns.append([a * b for a, b in zip(scores, shares[:, number], strict=True)])
                if coupled:
                    errors = [float(tp - p)] * len(kinds)
                    errors[number] += p - tp + fp
                    columns[-1] += [float(p - tp - fp), *errors]
    rows, limits = np.array(columns).T, np.array([demand.limits for demand in demands], dtype=float)
    if coupled:
        limits = np.vstack([limits, [[0, 0]], [[-np.inf, 0]] * len(kinds)])
    kind = np.array([number for number, _ in places])
    member = np.array([[float(one == number) for one in kind] for number in range(len(kinds))])
    count = np.array([many for _, many in kinds], dtype=float)
    units = [number for number, many in enumerate(count) for _ in range(int(many))]
    weights = [
        [Fraction(share[number]).limit_denominator(10**9) for number in units] for share in shares
    ]

    def verified(often: np.ndarray) -> list[Matrix] | None:
        found = [m for (_, m), many in zip(places, often, strict=True) for _ in range(many)]
        fits = len(found) == len(units) and _fit(found, demands, weights)
        if coupled and fits:
            wrong = sum(m["fn"] for m in found)
            fits = wrong == sum(m["fp"] for m in found)
            fits &= all(m["fn"] + m["fp"] <= wrong for m in found)
        return found if fits else None

    everything = np.vstack([rows, member])
    most = count[kind].tolist()
    for margin, whole in ((0.0, False), (0.0, True), (_ALMOST, True)):
        inside = np.where(np.isfinite(limits).all(axis=1), limits[:, 1] - limits[:, 0], 0) * margin
        bounds = np.vstack([limits + np.outer(inside, [1, -1]), np.column_stack([count, count])])
        found = integers(everything, bounds, most, seconds, whole=whole)
        if found is None and not margin:
            return None
        if not whole and (guess := _improved(rows, limits, kind, units)) is not None:
            found = guess
        if found is not None and (matrices := verified(found)):
            return matrices
    raise UndecidedError


def _improved(
    rows: np.ndarray, limits: np.ndarray, kind: np.ndarray, units: list[int]
) -> np.ndarray | None:
    """Look for sums within limits by choosing anew for two folds, or classes, at a time."""
    rng = np.random.default_rng(0)
    width = np.where(np.isfinite(limits).all(axis=1), limits[:, 1] - limits[:, 0], 1.0)
    width = np.maximum(width, 1e-12)[:, None, None]
    low, high = limits[:, :1, None], limits[:, 1:, None]
    of_kind = [np.flatnonzero(kind == number) for number in range(max(units) + 1)]
    chosen = np.array([rng.choice(of_kind[number]) for number in units])
    for _ in range(_TRIES if len(units) > 1 else 0):
        pair = rng.choice(len(units), 2, replace=False)
        tried = [np.append(rng.choice(of_kind[units[at]], _DRAWN), chosen[at]) for at in pair]
        sums = np.delete(rows[:, chosen], pair, axis=1).sum(axis=1)[:, None, None]
        sums = sums + rows[:, tried[0], None] + rows[:, None, tried[1]]
        beyond = (np.maximum(np.maximum(low - sums, sums - high), 0) / width).sum(axis=0)
        a, b = np.unravel_index(int(beyond.argmin()), beyond.shape)
        chosen[pair] = tried[0][a], tried[1][b]
        if beyond[a, b] < _ALMOST:
            return np.bincount(chosen, minlength=rows.shape[1])
    return None
