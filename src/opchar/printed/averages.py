"""Weighted sums of scores over folds, data sets or classes: programmes, verified witnesses."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from heapq import merge
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from opchar.printed.exact_indices import COUNTS
from opchar.printed.matrices import Demand, of_any_size, witness
from opchar.printed.protocol import FoldsError, Protocol
from opchar.printed.reported_values import SECONDS, UndecidedError, seconds_left, whole_numbers

Sizes = tuple[int, int]
Matrix = dict[str, int]
MOST_UNKNOWNS = 60_000
# Above, the first node of a whole-numbered programme may take longer than any limit of time.
_MOST_WHOLE = 5_000
_ALMOST = 1e-4
_TRIES, _DRAWN = 60, 100
# So far from its scores a matrix may be that tells about how many positives folds have.
_NEARLY = (Fraction(0), Fraction(1, 300), Fraction(1, 100), Fraction(1, 30), Fraction(1, 10))


class Parts(NamedTuple):
    """Matrices that are searched together, by kind."""

    sizes: list[Sizes]
    many: list[int]
    shares: list[list[Fraction]]
    classes: int = 0

    @property
    def units(self) -> list[int]:
        """The kind of each matrix."""
        return [kind for kind, many in enumerate(self.many) for _ in range(many)]

    def coupling_limits(
        self, fn: np.ndarray, fp: np.ndarray, kind: np.ndarray, fixed: Sequence[float]
    ) -> tuple[list[np.ndarray], list[tuple[float, float]]]:
        """Return rows and limits by which the kinds are classes of the same matrices.

        All have as many FN as FP together, none has more of both than there are errors. Each
        unknown adds `fn` and `fp`; each kind has `fixed` FN without any unknown.
        """
        rows: list[np.ndarray] = []
        limits: list[tuple[float, float]] = []
        for start in range(0, len(self.sizes), self.classes) if self.classes else ():
            columns = range(start, start + self.classes)
            inside, total = np.isin(kind, columns), sum(fixed[at] for at in columns)
            rows += [(fn - fp) * inside]
            rows += [(fn + fp) * (kind == at) - fn * inside for at in columns]
            limits += [(-total, -total)] + [(-np.inf, total - fixed[at]) for at in columns]
        return rows, limits

    def verify(self, matrices: list[Matrix], demands: list[Demand]) -> list[Matrix] | None:
        """Return matrices if they have the scores, of ratios in whole numbers; or None."""
        for demand, shares in zip(demands, self.shares, strict=True):
            same = demand.index.scale == "same"
            total = Fraction(0)
            for matrix, unit in zip(matrices, self.units, strict=True):
                value = demand.index.ratio(**matrix) if same else (demand.index.value(**matrix), 1)
                total += shares[unit] * Fraction(value[0]) / value[1]
            slack = 0 if same else Fraction(1, 10**12)
            if not demand.limits[0] - slack <= total <= demand.limits[1] + slack:
                return None
        for start in range(0, len(matrices), self.classes) if self.classes else ():
            members = matrices[start : start + self.classes]
            wrong = sum(m["fn"] for m in members)
            if wrong != sum(m["fp"] for m in members) or any(
                m["fn"] + m["fp"] > wrong for m in members
            ):
                return None
        return matrices


def stratified_folds(sizes: Sequence[int], folds: int) -> list[tuple[int, ...]]:
    """Return the sizes of classes in folds, dealt as by scikit-learn's ``StratifiedKFold``.

    The objects, sorted by class, are dealt out one by one.
    """
    deal, start = [], 0
    for size in sizes:
        deal.append([size // folds + ((at - start) % folds < size % folds) for at in range(folds)])
        start += size
    return [tuple(row) for row in zip(*deal, strict=True)]


def partitions(positives: int, negatives: int, folds: int) -> Iterator[list[Sizes]]:
    """Yield the sizes of folds of all (nearly) as many objects, not stratified, by any deal."""
    total = positives + negatives
    many = [total // folds + (at < total % folds) for at in range(folds)]

    def deal(at: int, left: int, most: int) -> Iterator[list[Sizes]]:
        if at == folds:
            yield []
            return
        new = at == 0 or many[at] != many[at - 1]
        after = many[at + 1 :]
        for p in range(1, min(left, many[at] - 1, left if new else most) + 1):
            # Folds of the same size have at most as many positives each, all at least one.
            room = sum(min(size - 1, p) if size == many[at] else size - 1 for size in after)
            if not len(after) <= left - p <= room:
                continue
            for rest in deal(at + 1, left - p, p):
                yield [(p, many[at] - p), *rest]

    return deal(0, positives, positives)


def fold_witness(
    demands: list[Demand], folds: Sequence[tuple[int, ...]], seconds: float = SECONDS
) -> list[Matrix] | None:
    """Return a matrix for each fold such that the means of the scores are as printed, or None.

    Matrices are sorted by size, as the folds first have them.
    """
    kinds = Counter(folds)
    shares = [[Fraction(1, len(folds))] * len(kinds) for _ in demands]
    parts = Parts([(p, n) for p, n in kinds], list(kinds.values()), shares)
    return averaged_witness(demands, parts, seconds)


def averaged_witness(demands: list[Demand], parts: Parts, seconds: float) -> list[Matrix] | None:
    """Return a matrix for each part such that weighted sums of the scores lie in limits, or None.

    Scores that are linear in TP and FP need two unknowns for each kind of parts. For others each
    matrix that a part can have is an unknown: how often it occurs; of C classes then only one
    matrix is decided. `UndecidedError` says that a programme was too large, or all too slow.
    """
    until = time.monotonic() + seconds
    linear = [at for at, demand in enumerate(demands) if demand.index.linear]
    if linear:
        linear_parts = parts._replace(shares=[parts.shares[at] for at in linear])
        found = _linear([demands[at] for at in linear], linear_parts, until)
        if found is None or len(linear) == len(demands):
            return found
    if parts.classes and len(parts.sizes) > parts.classes:
        raise UndecidedError
    return _choose(demands, parts, until)


def _linear(demands: list[Demand], parts: Parts, until: float) -> list[Matrix] | None:
    """Search the sums of TP and FP of each kind of parts; those of equal folds are one matrix."""
    alike = len(parts.sizes) == 1 and not parts.classes
    if alike and not {demand.index.name for demand in demands} & set(COUNTS):
        (p, n), many = parts.sizes[0], parts.many[0]
        found = witness(demands, many * p, many * n, until)
        return None if found is None else _deal_sums([found["tp"], found["fp"]], parts)
    limits = np.array([demand.limits for demand in demands], dtype=float)
    rows = np.zeros((len(demands), 2 * len(parts.sizes)))
    for row, (demand, shares) in enumerate(zip(demands, parts.shares, strict=True)):
        for kind, ((p, n), many) in enumerate(zip(parts.sizes, parts.many, strict=True)):
            none = demand.index.quick(0, p, 0, n)
            share = float(shares[kind])
            limits[row] -= none * many * share
            rows[row, 2 * kind] = (demand.index.quick(p, 0, 0, n) - none) / p * share
            rows[row, 2 * kind + 1] = (demand.index.quick(0, p, n, 0) - none) / n * share
    fn, fp = (np.tile(adds, len(parts.sizes)) for adds in ([-1.0, 0.0], [0.0, 1.0]))
    kinds = np.repeat(np.arange(len(parts.sizes)), 2)
    coupled, ends = parts.coupling_limits(fn, fp, kinds, [p for p, _ in parts.sizes])
    most = [many * s for sizes, many in zip(parts.sizes, parts.many, strict=True) for s in sizes]
    sums = whole_numbers([*rows, *coupled], [*limits, *ends], most, seconds_left(until))
    if sums is None:
        return None
    if matrices := parts.verify(_deal_sums(list(sums), parts), demands):
        return matrices
    raise UndecidedError


def _matrix(tp: int, fp: int, sizes: Sizes) -> Matrix:
    return {"tp": int(tp), "fn": int(sizes[0] - tp), "fp": int(fp), "tn": int(sizes[1] - fp)}


def _deal_sums(sums: Sequence[int], parts: Parts) -> list[Matrix]:
    """Deal the sums of TP and FP over the parts of each kind."""
    found = []
    for kind, (sizes, many) in enumerate(zip(parts.sizes, parts.many, strict=True)):
        deal = [
            [int(total) // many + (at < int(total) % many) for at in range(many)]
            for total in sums[2 * kind : 2 * kind + 2]
        ]
        found += [_matrix(tp, fp, sizes) for tp, fp in zip(*deal, strict=True)]
    return found


def _possible_matrices(
    demands: list[Demand], parts: Parts, until: float
) -> tuple[list[Matrix], np.ndarray, np.ndarray]:
    """Return the matrices that parts can have, what each adds to each sum, and the kind of each.

    Matrices without one of the scores are left out.
    """
    found: list[Matrix] = []
    adds: list[list[float]] = []
    kinds: list[int] = []
    for number, (p, n) in enumerate(parts.sizes):
        shares = [float(one[number]) for one in parts.shares]
        for tp, fp in product(range(p + 1), range(n + 1)):
            seconds_left(until)
            scores = [demand.index.quick(tp, p - tp, fp, n - fp) for demand in demands]
            if np.isfinite(scores).all():
                found.append(_matrix(tp, fp, (p, n)))
                adds.append([a * b for a, b in zip(scores, shares, strict=True)])
                kinds.append(number)
    return found, np.array(adds).T, np.array(kinds)


def _choose(demands: list[Demand], parts: Parts, until: float) -> list[Matrix] | None:
    """Choose so many matrices of each kind that the weighted sums of scores are as printed."""
    if sum((p + 1) * (n + 1) for p, n in parts.sizes) > MOST_UNKNOWNS:
        raise UndecidedError
    matrices_of, adds, kind = _possible_matrices(demands, parts, until)
    if len(np.unique(kind)) < len(parts.sizes):
        return None  # all matrices of some size lack one of the scores
    fixed = [0.0] * len(parts.sizes)
    wrong = np.array([[float(matrix[name]) for matrix in matrices_of] for name in ("fn", "fp")])
    coupled, ends = parts.coupling_limits(wrong[0], wrong[1], kind, fixed)
    rows = np.vstack([adds, *coupled])
    limits = np.array([*(demand.limits for demand in demands), *ends], dtype=float)
    member = np.array([kind == number for number in range(len(parts.sizes))], dtype=float)
    count = np.array(parts.many, dtype=float)
    for margin, whole in ((0.0, False), (0.0, True), (_ALMOST, True)):
        if whole and len(matrices_of) > _MOST_WHOLE:
            break
        inside = np.where(np.isfinite(limits).all(axis=1), limits[:, 1] - limits[:, 0], 0) * margin
        bounds = np.vstack([limits + np.outer(inside, [1, -1]), np.column_stack([count, count])])
        left = seconds_left(until)
        found = whole_numbers([*rows, *member], bounds, count[kind], left, whole=whole)
        if found is None and not margin:
            return None
        if not whole and (guess := _improve(rows, limits, kind, parts.units, until)) is not None:
            found = guess
        if found is not None and (member @ found == count).all():
            matrices = [m for m, many in zip(matrices_of, found, strict=True) for _ in range(many)]
            if parts.verify(matrices, demands):
                return matrices
    raise UndecidedError


def _improve(
    rows: np.ndarray, limits: np.ndarray, kind: np.ndarray, units: list[int], until: float
) -> np.ndarray | None:
    """Look for sums within limits by choosing again for up to four folds, or classes, at a time.

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
        seconds_left(until)
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


def matrices_of(demands: list[Demand], positives: int, negatives: int, protocol: Protocol) -> Any:
    """Return a matrix for each fold such that the means are the scores, or None."""
    if protocol.parts:
        return fold_witness(demands, protocol.parts, protocol.seconds)
    sizes = filled_folds((positives, negatives), protocol.folds)
    if protocol.folding == "stratified":
        return fold_witness(demands, sizes, protocol.seconds)
    until = time.monotonic() + protocol.seconds
    for dealt in partitions(positives, negatives, protocol.folds):
        if (found := fold_witness(demands, dealt, seconds_left(until))) is not None:
            return found
    return None


def filled_folds(sizes: Sequence[int], folds: int) -> list[tuple[int, ...]]:
    """Return the sizes of classes in folds; none may be zero."""
    dealt = stratified_folds(sizes, folds)
    if min(map(min, dealt)) < 1:
        classes = " and ".join(map(str, sizes))
        raise FoldsError(f"{classes} objects do not fill {folds} folds")
    return dealt


def folds_of_any_size(demands: list[Demand], protocol: Protocol) -> Any:
    """Return matrices of folds that have the scores, at sizes that the protocol leaves open.

    Equal folds of the greatest test sets come first: they have most matrices. Their share of
    positives is near that of one matrix with nearly these scores. The limit of time ends the search
    with `UndecidedError`.
    """
    until, least = time.monotonic() + protocol.seconds, protocol.folds
    sizes = (protocol.positives, protocol.negatives)
    most = protocol.objects or protocol.most_objects
    wider = (
        [replace(d, limits=(d.limits[0] - off, d.limits[1] + off)) for d in demands]
        for off in _NEARLY
    )
    tried = (of_any_size(own, *sizes, range(2, most + 1), until=until) for own in wider)
    near = next(filter(None, tried), (1, 1))
    share = Fraction(near[0], sum(near))
    totals = range(most, 2 * least - 1 if protocol.objects is None else most - 1, -1)
    for equal in (True, False):
        for total in totals:
            if equal and total % least:
                continue
            for p in positive_counts(total, sizes, least, total * share):
                if (p % least == total % least == 0) is not equal:
                    continue
                left = replace(protocol, seconds=seconds_left(until))
                if (found := matrices_of(demands, p, total - p, left)) is not None:
                    return found
    return None


def positive_counts(
    total: int, sizes: tuple[int | None, int | None], least: int, middle: Fraction
) -> Iterator[int]:
    """Yield how many of all objects may be positive, at least so many of each, nearest first."""
    p, n = sizes
    last = total - least
    if p is not None or n is not None:
        known = p if p is not None else total - (n or 0)
        if least <= known <= last and n in (None, total - known):
            yield known
        return
    below = min(max(math.floor(middle), least - 1), last)
    sides = range(below, least - 1, -1), range(below + 1, last + 1)
    yield from merge(*sides, key=lambda p: abs(p - middle))
