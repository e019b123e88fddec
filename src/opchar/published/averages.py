"""Means over folds and over classes: integer programmes, and witnesses that are verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from opchar.published.indices import COUNTS, Exact, exact
from opchar.published.matrices import Demand, UndecidedError, witness

Sizes = tuple[int, int]
Point = tuple[int, int]
MOST_POINTS = 60_000
SECONDS = 10.0
_ALMOST = 1e-4
_TRIES, _DRAWN = 150, 200


def stratified(positives: int, negatives: int, folds: int) -> list[Sizes]:
    """Return the positives and negatives of stratified folds.

    Each class is dealt to the folds in turn, and the second goes on where the first stopped, as
    scikit-learn's ``StratifiedKFold`` does.

    Parameters
    ----------
    positives, negatives, folds : int

    Returns
    -------
    list of (int, int)

    Examples
    --------
    >>> stratified(4, 7, 3)
    [(1, 3), (2, 2), (1, 2)]
    """
    start = negatives % folds
    return [
        (
            positives // folds + ((at - start) % folds < positives % folds),
            negatives // folds + (at < start),
        )
        for at in range(folds)
    ]


def integers(
    rows: np.ndarray, limits: Sequence[tuple[float, float]], most: Sequence[float], seconds: float
) -> np.ndarray | None:
    """Return whole numbers from 0 whose sums lie in limits, or None if there are none.

    Parameters
    ----------
    rows : ndarray, shape (r, v)
        Coefficients of the sums.
    limits : sequence of (float, float)
        Of each sum.
    most : sequence of float
        The greatest value of each number.
    seconds : float
        After which the search is given up.

    Returns
    -------
    ndarray of int, shape (v,), or None

    Raises
    ------
    UndecidedError
        When the solver stops before it knows.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    low, high = np.array(limits, dtype=float).T
    width = high - low
    scale = np.where((width > 0) & np.isfinite(width), width / 2, 1.0)
    found = milp(
        np.zeros(rows.shape[1]),
        integrality=np.ones(rows.shape[1]),
        bounds=Bounds(0, np.array(most, dtype=float)),
        constraints=LinearConstraint(rows / scale[:, None], low / scale, high / scale),
        options={"time_limit": seconds},
    )
    if found.status == 2:
        return None
    if found.status != 0:
        raise UndecidedError
    return np.rint(found.x).astype(int)


def _searched(
    rows: np.ndarray,
    limits: list[tuple[float, float]],
    most: Sequence[float],
    verified: Callable[[np.ndarray], bool],
    seconds: float,
) -> np.ndarray | None:
    """Return verified numbers; limits that the solver oversteps are narrowed once."""
    for margin in (0.0, _ALMOST):
        narrowed = [(a + margin * (b - a), b - margin * (b - a)) for a, b in limits]
        found = integers(rows, narrowed if margin else limits, most, seconds)
        if found is None and not margin:
            return None
        if found is not None and verified(found):
            return found
    raise UndecidedError


def fold_witness(
    demands: list[Demand], folds: list[Sizes], seconds: float = SECONDS
) -> list[dict[str, int]] | None:
    """Return a matrix for each fold such that the means of the scores are as printed, or None.

    Linear scores of equal folds have the mean of the sum of all folds, and are searched in whole
    numbers. Linear scores of unequal folds need two unknowns for each size of fold; for others each
    matrix that a fold can have is an unknown, how often it occurs.

    Parameters
    ----------
    demands : list of Demand
        Limits of means over the folds.
    folds : list of (int, int)
        Positives and negatives of each.
    seconds : float
        Limit of the integer programme.

    Returns
    -------
    list of dict, or None

    Raises
    ------
    UndecidedError
        When the programme does not end, or is too large.
    """
    kinds = list(Counter(folds).items())
    indices = [demand.index for demand in demands]
    linear = all(index.linear for index in indices)
    if linear and len(kinds) == 1 and not {index.name for index in indices} & set(COUNTS):
        sizes, many = kinds[0]
        found = witness(demands, many * sizes[0], many * sizes[1])
        return None if found is None else _spread([found["tp"], found["fp"]], kinds)
    limits = [(float(low), float(high)) for low, high in (demand.limits for demand in demands)]
    if linear:
        return _linear(indices, kinds, limits, demands, seconds)
    groups = []
    for sizes, many in kinds:
        _small_enough(len(kinds) * (sizes[0] + 1) * (sizes[1] + 1))
        places, values = _values(indices, *sizes)
        groups.append((many, places, values / len(folds)))

    def of_folds(chosen: list[list[Point]]) -> list[dict[str, int]]:
        return [
            _matrix(tp, fp, sizes)
            for (sizes, _), points in zip(kinds, chosen, strict=True)
            for tp, fp in points
        ]

    found_points = _lattice(groups, limits, lambda x: _means_fit(of_folds(x), demands), seconds)
    return None if found_points is None else of_folds(found_points)


def _linear(
    indices: list[Exact],
    kinds: list[tuple[Sizes, int]],
    limits: list[tuple[float, float]],
    demands: list[Demand],
    seconds: float,
) -> list[dict[str, int]] | None:
    """Search the sums of TP and FP over the folds of each size."""
    folds = sum(many for _, many in kinds)
    rows = np.zeros((len(indices), 2 * len(kinds)))
    constants = np.zeros(len(indices))
    for at, index in enumerate(indices):
        for number, ((p, n), many) in enumerate(kinds):
            none = index.quick(0, p, 0, n)
            constants[at] += none * many / folds
            rows[at, 2 * number] = (index.quick(p, 0, 0, n) - none) / max(p, 1) / folds
            rows[at, 2 * number + 1] = (index.quick(0, p, n, 0) - none) / max(n, 1) / folds
    moved = [(a - c, b - c) for (a, b), c in zip(limits, constants, strict=True)]
    most = [float(many * size) for sizes, many in kinds for size in sizes]
    found = _searched(
        rows, moved, most, lambda x: _means_fit(_spread(list(x), kinds), demands), seconds
    )
    return None if found is None else _spread(list(found), kinds)


def _values(indices: list[Exact], positives: int, negatives: int) -> tuple[list[Point], np.ndarray]:
    """Return all matrices of a fold with finite scores, and the scores, one row an index."""
    places, columns = [], []
    for tp, fp in product(range(positives + 1), range(negatives + 1)):
        found = [index.quick(tp, positives - tp, fp, negatives - fp) for index in indices]
        if np.isfinite(found).all():
            places.append((tp, fp))
            columns.append(found)
    return places, np.array(columns).T.reshape(len(indices), -1)


def _lattice(
    groups: list[tuple[int, list[Point], np.ndarray]],
    limits: list[tuple[float, float]],
    verified: Callable[[list[list[Point]]], bool],
    seconds: float,
) -> list[list[Point]] | None:
    """Choose from each group so many points that the sums of all columns lie in the limits."""
    columns = np.concatenate([values for _, _, values in groups], axis=1)
    edges = np.cumsum([0, *(len(places) for _, places, _ in groups)])
    member = np.zeros((len(groups), columns.shape[1]))
    for number in range(len(groups)):
        member[number, edges[number] : edges[number + 1]] = 1

    def points(chosen: np.ndarray) -> list[list[Point]]:
        return [
            [place for place, often in zip(places, chosen[a:b], strict=True) for _ in range(often)]
            for (_, places, _), a, b in zip(groups, edges[:-1], edges[1:], strict=True)
        ]

    guess = _improved(groups, np.array(limits), verified)
    if guess is not None:
        return guess
    found = _searched(
        np.concatenate([columns, member]),
        [*limits, *((float(many), float(many)) for many, _, _ in groups)],
        np.repeat([float(many) for many, _, _ in groups], np.diff(edges)).tolist(),
        lambda x: verified(points(x)),
        seconds,
    )
    return None if found is None else points(found)


def _improved(
    groups: list[tuple[int, list[Point], np.ndarray]],
    limits: np.ndarray,
    verified: Callable[[list[list[Point]]], bool],
) -> list[list[Point]] | None:
    """Look for a witness by choosing anew for two folds, or classes, at a time."""
    rng = np.random.default_rng(0)
    units = [number for number, (many, _, _) in enumerate(groups) for _ in range(many)]
    values = [groups[number][2] for number in units]
    width = np.where(np.isfinite(limits).all(axis=1), limits[:, 1] - limits[:, 0], 1.0)
    width = np.maximum(width, 1e-12)[:, None, None]
    low, high = limits[:, :1, None], limits[:, 1:, None]
    chosen = [int(rng.integers(part.shape[1])) for part in values]
    for _ in range(_TRIES if len(units) > 1 else 0):
        pair = rng.choice(len(units), 2, replace=False)
        tried = [
            np.append(rng.integers(values[at].shape[1], size=_DRAWN), chosen[at]) for at in pair
        ]
        rest = np.sum(
            [values[at][:, one] for at, one in enumerate(chosen) if at not in pair]
            or [np.zeros(len(limits))],
            axis=0,
        )
        first, second = (values[at][:, places] for at, places in zip(pair, tried, strict=True))
        sums = rest[:, None, None] + first[:, :, None] + second[:, None, :]
        beyond = (np.maximum(np.maximum(low - sums, sums - high), 0) / width).sum(axis=0)
        a, b = np.unravel_index(int(beyond.argmin()), beyond.shape)
        chosen[pair[0]], chosen[pair[1]] = int(tried[0][a]), int(tried[1][b])
        if beyond[a, b] < _ALMOST:
            points: list[list[Point]] = [[] for _ in groups]
            for number, one in zip(units, chosen, strict=True):
                points[number].append(groups[number][1][one])
            if verified(points):
                return points
    return None


def _small_enough(unknowns: int) -> None:
    if unknowns > MOST_POINTS:
        raise UndecidedError


def _matrix(tp: int, fp: int, sizes: Sizes) -> dict[str, int]:
    return {"tp": int(tp), "fn": int(sizes[0] - tp), "fp": int(fp), "tn": int(sizes[1] - fp)}


def _spread(sums: Sequence[int], kinds: list[tuple[Sizes, int]]) -> list[dict[str, int]]:
    """Deal the sums of TP and FP over the folds of each size."""
    found = []
    for number, (sizes, many) in enumerate(kinds):
        dealt = [
            [int(total) // many + (at < int(total) % many) for at in range(many)]
            for total in sums[2 * number : 2 * number + 2]
        ]
        found += [_matrix(tp, fp, sizes) for tp, fp in zip(*dealt, strict=True)]
    return found


def _means_fit(matrices: list[dict[str, int]], demands: list[Demand]) -> bool:
    """Tell whether means over matrices lie in the limits; of ratios in whole numbers."""
    return bool(matrices) and all(
        _within([_value(demand.index, m) for m in matrices], len(matrices), demand)
        for demand in demands
    )


def _value(index: Exact, matrix: dict[str, int]) -> Fraction:
    counts = (matrix["tp"], matrix["fn"], matrix["fp"], matrix["tn"])
    if index.scale == "same":
        above, below = index.ratio(*counts)
        return Fraction(above, below)
    return Fraction(index.value(*counts))


def _within(values: list[Fraction], weight: int, demand: Demand) -> bool:
    slack = 0 if demand.index.scale == "same" else Fraction(1, 10**12)
    low, high = demand.limits
    return low - slack <= sum(values) / weight <= high + slack


def class_witness(
    scores: dict[str, tuple[Fraction, Fraction]], sizes: Sequence[int], seconds: float = SECONDS
) -> list[list[int]] | None:
    """Return a confusion matrix of C classes with the averaged scores, or None.

    For each class the pair of its TP and FP is an unknown. Pairs belong to one matrix if the
    classes have as many FN as FP together, and none has more FN and FP than there are errors.

    Parameters
    ----------
    scores : dict of str to (Fraction, Fraction)
        Limits of ``"accuracy"``, ``"error_rate"``, ``"auroc_ova"``, ``"aurpc_ova"``, or of
        ``macro_``, ``weighted_`` or ``micro_`` ``precision``, ``recall`` or ``f1``.
    sizes : sequence of int
        Objects of each class.
    seconds : float
        Limit of the integer programme.

    Returns
    -------
    list of list of int, or None
        Rows are true classes.

    Raises
    ------
    UndecidedError
        When the programme does not end, or is too large.
    KeyError
        For a score that is not an average over classes.
    """
    n, many = sum(sizes), len(sizes)
    parts = {name: _of_class(name) for name in scores}
    _small_enough(sum((size + 1) * (n - size + 1) for size in sizes))
    groups = []
    for number, size in enumerate(sizes):
        places, values = _values([index for _, index in parts.values()], size, n - size)
        weights = [size / n if kind == "weighted" else 1 / many for kind, _ in parts.values()]
        tp, fp = np.array(places).T
        errors = np.tile(-(size - tp), (many, 1))
        errors[number] += size - tp + fp
        groups.append(
            (1, places, np.vstack([values * np.array(weights)[:, None], size - tp - fp, errors]))
        )
    limits = [(float(low), float(high)) for low, high in scores.values()]

    def fits(chosen: list[list[Point]]) -> bool:
        fn = [size - points[0][0] for size, points in zip(sizes, chosen, strict=True)]
        fp = [points[0][1] for points in chosen]
        return (
            sum(fn) == sum(fp)
            and all(a + b <= sum(fn) for a, b in zip(fn, fp, strict=True))
            and all(
                low <= class_average(name, [p[0][0] for p in chosen], fp, sizes) <= high
                for name, (low, high) in scores.items()
            )
        )

    found = _lattice(groups, [*limits, (0, 0), *[(-np.inf, 0.0)] * many], fits, seconds)
    if found is None:
        return None
    return _off_diagonal([p[0][0] for p in found], [p[0][1] for p in found], sizes)


def class_average(name: str, tp: list[int], fp: list[int], sizes: Sequence[int]) -> Fraction:
    """Return an average over classes, exactly.

    Parameters
    ----------
    name : str
        As in `class_witness`.
    tp, fp, sizes : sequence of int
        True positives, false positives and objects of each class.

    Returns
    -------
    Fraction
    """
    kind, index = _of_class(name)
    n = sum(sizes)
    found = Fraction(0)
    for a, b, size in zip(tp, fp, sizes, strict=True):
        above, below = index.ratio(a, size - a, b, n - size - b)
        weight = Fraction(size, n) if kind == "weighted" else Fraction(1, len(sizes))
        found += weight * Fraction(above, below)
    return found


def _of_class(name: str) -> tuple[str, Exact]:
    """Return how an average weighs classes, and of which index it is."""
    plain = {"accuracy": "weighted_recall", "error_rate": "weighted_miss"}
    plain |= {f"micro_{part}": "weighted_recall" for part in ("precision", "recall", "f1")}
    plain |= {"aurpc_ova": "macro_aurpc", "auroc_ova": "macro_balanced"}
    kind, _, part = plain.get(name, name).partition("_")
    known = {"precision": "precision", "recall": "tpr", "f1": "f1", "miss": "fnr"}
    known |= {"aurpc": "aurpc", "balanced": "balanced_accuracy"}
    index = exact(known[part])
    if index is None or kind not in ("macro", "weighted"):
        raise KeyError(name)
    return kind, index


def _off_diagonal(tp: list[int], fp: list[int], sizes: Sequence[int]) -> list[list[int]] | None:
    """Return a matrix with the diagonal, the sizes of classes and the FP of each."""
    many = len(sizes)
    cells = [(i, j) for i in range(many) for j in range(many) if i != j]
    rows = np.array(
        [[float(i == c) for i, _ in cells] for c in range(many)]
        + [[float(j == c) for _, j in cells] for c in range(many)]
    )
    sums = [float(size - hits) for size, hits in zip(sizes, tp, strict=True)] + list(map(float, fp))
    found = integers(rows, [(one, one) for one in sums], [float(sum(sizes))] * len(cells), SECONDS)
    if found is None:
        raise UndecidedError
    matrix = np.diag(tp)
    for (i, j), count in zip(cells, found, strict=True):
        matrix[i, j] = count
    return [[int(count) for count in row] for row in matrix]
