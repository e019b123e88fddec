"""Means over folds and data sets: integer programmes, and witnesses that are verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from opchar.published.indices import COUNTS
from opchar.published.matrices import Demand, UndecidedError, witness

Sizes = tuple[int, int]
Matrix = dict[str, int]
MOST_UNKNOWNS = 60_000
# Above, the first node of a whole-numbered programme may take longer than any limit of time.
_MOST_WHOLE = 5_000
SECONDS = 10.0
_ALMOST = 1e-4
_TRIES, _DRAWN = 60, 100


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


def partitions(positives: int, negatives: int, folds: int) -> Iterator[list[Sizes]]:
    """Yield the sizes of folds of all (nearly) as many objects, not stratified, by any deal."""
    total = positives + negatives
    many = [total // folds + (at < total % folds) for at in range(folds)]

    def dealt(at: int, left: int, most: int) -> Iterator[list[Sizes]]:
        if at == folds:
            if left == 0:
                yield []
            return
        new = at == 0 or many[at] != many[at - 1]
        for p in range(1, min(left, many[at] - 1, left if new else most) + 1):
            for rest in dealt(at + 1, left - p, p):
                yield [(p, many[at] - p), *rest]

    return dealt(0, positives, positives)


def fold_witness(
    demands: list[Demand],
    folds: list[Sizes],
    seconds: float = SECONDS,
    weights: Sequence[Fraction] | None = None,
) -> list[Matrix] | None:
    """Return a matrix for each fold such that the means of the scores are as printed, or None.

    Linear scores of equal folds are those of the sums, which are searched in whole numbers; unequal
    folds need two unknowns for each size. For other scores each matrix that a fold can have is an
    unknown: how often it occurs. `UndecidedError` says that a programme was too large or slow.

    Weights, which add up to one, are those of the folds in the mean: equal when not given. Matrices
    are sorted by size and weight, as the folds first have them.
    """
    worth = weights or [Fraction(1, len(folds))] * len(folds)
    counted = Counter(zip(folds, worth, strict=True))
    kinds = [(sizes, many) for (sizes, _), many in counted.items()]
    each = [weight for _, weight in counted]
    if not all(demand.index.linear for demand in demands):
        linear = [demand for demand in demands if demand.index.linear]
        if linear and fold_witness(linear, folds, seconds, weights) is None:
            return None
        shares = np.array([[float(weight) for weight in each]] * len(demands))
        return chosen_matrices(demands, kinds, shares, seconds)
    names = {demand.index.name for demand in demands}
    if len(kinds) == 1 and not names & set(COUNTS):
        (p, n), many = kinds[0]
        found = witness(demands, many * p, many * n)
        return None if found is None else _spread([found["tp"], found["fp"]], kinds)
    rows = np.zeros((len(demands), 2 * len(kinds)))
    constants = np.zeros(len(demands))
    for at, demand in enumerate(demands):
        for number, ((p, n), many) in enumerate(kinds):
            none, tp, fp = slopes(demand, p, n)
            constants[at] += none * many * each[number]
            rows[at, 2 * number] = tp * each[number]
            rows[at, 2 * number + 1] = fp * each[number]
    limits = np.array([demand.limits for demand in demands], dtype=float) - constants[:, None]
    most = [float(many * s) for sizes, many in kinds for s in sizes]
    sums = integers(rows, limits, most, seconds)
    if sums is None:
        return None
    matrices = _spread(list(sums), kinds)
    parts = [weight for weight, (_, many) in zip(each, kinds, strict=True) for _ in range(many)]
    if not fit(matrices, demands, [parts] * len(demands)):
        raise UndecidedError
    return matrices


def slopes(demand: Demand, positives: int, negatives: int) -> tuple[float, float, float]:
    """Return the value of a linear score without TP and FP, and what one TP, one FP adds."""
    none = demand.index.quick(0, positives, 0, negatives)
    tp = (demand.index.quick(positives, 0, 0, negatives) - none) / positives
    return none, tp, (demand.index.quick(0, positives, negatives, 0) - none) / negatives


def matrix_of(tp: int, fp: int, sizes: Sizes) -> Matrix:
    """Return the counts of a matrix from TP, FP and the numbers of positives and negatives."""
    return {"tp": int(tp), "fn": int(sizes[0] - tp), "fp": int(fp), "tn": int(sizes[1] - fp)}


def _spread(sums: Sequence[int], kinds: list[tuple[Sizes, int]]) -> list[Matrix]:
    """Deal the sums of TP and FP over the folds of each size."""
    found = []
    for number, (sizes, many) in enumerate(kinds):
        dealt = [
            [int(total) // many + (at < int(total) % many) for at in range(many)]
            for total in sums[2 * number : 2 * number + 2]
        ]
        found += [matrix_of(tp, fp, sizes) for tp, fp in zip(*dealt, strict=True)]
    return found


def fit(
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


def chosen_matrices(
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
                places.append((number, matrix_of(tp, fp, (p, n))))
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
        fits = len(found) == len(units) and fit(found, demands, weights)
        if coupled and fits:
            wrong = sum(m["fn"] for m in found)
            fits = wrong == sum(m["fp"] for m in found)
            fits &= all(m["fn"] + m["fp"] <= wrong for m in found)
        return found if fits else None

    everything = np.vstack([rows, member])
    most = count[kind].tolist()
    for margin, whole in ((0.0, False), (0.0, True), (_ALMOST, True)):
        if whole and len(places) > _MOST_WHOLE:
            break
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
    """Look for sums within limits by choosing anew for up to four folds, or classes, at a time.

    Of all sums of two and two choices the nearest to the limits is taken, by a search tree.
    """
    from scipy.spatial import KDTree

    rng = np.random.default_rng(0)
    of_kind = [np.flatnonzero(kind == number) for number in range(max(units) + 1)]
    least = [sum(row[of_kind[unit]].min() for unit in units) for row in rows]
    low = np.where(np.isfinite(limits[:, 0]), limits[:, 0], least)
    half = (limits[:, 1] - low) / 2
    # Sums that must be equal are of whole numbers.
    middle, half = low + half, np.where(half > 0, half, 0.5)
    points = rows.T / half
    chosen = np.array([rng.choice(of_kind[number]) for number in units])
    nearest = np.inf
    for _ in range(_TRIES if len(units) > 1 else 0):
        moved = rng.permutation(len(units))[:4]
        # Without a partner a choice is among as many as two have together.
        pairs = len(moved) if len(moved) > 2 else 0
        drawn = [_DRAWN ** (1 if at ^ 1 < pairs else 2) for at in range(len(moved))]
        tried = [
            np.append(rng.permutation(of_kind[units[at]])[:most], chosen[at])
            for at, most in zip(moved, drawn, strict=True)
        ]
        halves = [np.array(list(product(*part))) for part in (tried[:2], tried[2:])]
        if len(moved) < 3:
            halves = [one[:, None] for one in tried]
        sums = [points[part].sum(axis=1) for part in halves]
        wanted = middle / half - np.delete(points[chosen], moved, axis=0).sum(axis=0)
        far, at = KDTree(sums[0]).query(wanted - sums[1], p=np.inf, distance_upper_bound=nearest)
        best = int(far.argmin())
        if far[best] < nearest:
            nearest = far[best]
            chosen[moved] = [*halves[0][at[best]], *halves[1][best]]
        if nearest < 1 - _ALMOST:
            return np.bincount(chosen, minlength=rows.shape[1])
    return None
