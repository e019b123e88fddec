"""Rates of acceptance of models at many thresholds, with their covariance on the same objects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from opchar.statistics.ranking import Floats, Ranked

SAMPLE = 20_000
BLOCK = 20_000
NEGLIGIBLE = 1e-9


def class_rates(
    models: Sequence[Ranked],
    thresholds: Sequence[Floats],
    fold: NDArray[np.intp],
    unit: NDArray[np.intp] | None,
) -> list[tuple[Floats, Floats, float]]:
    """Return rates of acceptance, their covariance and the number of objects, of each class.

    Shapes: `thresholds` (f, g); `fold` (n,); `unit` (n,); returned (m, g).
    """
    conditions = thresholds[0].shape[1]
    rejected = np.array(
        [_rejected_counts(data, rows, fold) for data, rows in zip(models, thresholds, strict=True)]
    )
    positive, weight = models[0].is_positive, models[0].weight
    found = []
    for of_class in (positive, ~positive):
        weights = np.ones(of_class.sum()) if weight is None else weight[of_class]
        units = None if unit is None else unit[of_class]
        found.append(
            _acceptance_rates(rejected[:, of_class], weights, units, conditions, models[0].counted)
        )
    return found


def few_rows(
    is_positive: NDArray[np.bool_], unit: NDArray[np.intp] | None, times: Floats | None = None
) -> NDArray[np.intp]:
    """Return rows of at most `SAMPLE` objects of each class, which are enough for correlations.

    A row that stands for several objects may come several times.

    Shapes: `is_positive` (n,); `unit` (n,); `times` (n,).
    """
    if times is not None:
        return _few_objects(is_positive, times.astype(np.int64))
    units = np.arange(len(is_positive)) if unit is None else unit
    rng = np.random.default_rng(0)
    kept = np.zeros(int(units.max()) + 1, dtype=bool)
    for of_class in (is_positive, ~is_positive):
        members = np.unique(units[of_class]) if unit is not None else units[of_class]
        kept[rng.permutation(members)[:SAMPLE]] = True
    return np.flatnonzero(kept[units])


def _few_objects(is_positive: NDArray[np.bool_], times: NDArray[np.int64]) -> NDArray[np.intp]:
    rng = np.random.default_rng(0)
    found = []
    for of_class in (is_positive, ~is_positive):
        rows = np.flatnonzero(of_class)
        number = min(SAMPLE, int(times[rows].sum()))
        drawn = rng.multivariate_hypergeometric(times[rows], number, method="marginals")
        found.append(np.repeat(rows, drawn))
    return np.sort(np.concatenate(found))


def select_rows(data: Ranked, rows: NDArray[np.intp]) -> Ranked:
    """Return some of the scored objects; of rows that stand for several one object each.

    Shapes: `rows` (k,).
    """
    weight = None if data.importance is None else data.importance[rows]
    return Ranked(data.distinct, data.rank[rows], data.is_positive[rows], weight)


def symmetric_root(covariance: Floats) -> Floats:
    """Return the symmetric root of a covariance.

    What is less than `NEGLIGIBLE` of the largest eigenvalue is taken off all: a small one that just
    passes the limit does not add a direction at once.

    Shapes: `covariance` (k, k); returned (k, k).
    """
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    left = values - max(values.max(initial=0.0), 1e-300) * NEGLIGIBLE
    kept = vectors[:, left > 0]
    return np.asarray(kept * np.sqrt(left[left > 0]) @ kept.T)


def _rejected_counts(data: Ranked, thresholds: Floats, fold: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return at how many of the first conditions each object is rejected."""
    if (thresholds[:, 1:] > thresholds[:, :-1]).any():
        raise ValueError("thresholds must not rise along the conditions")
    found = np.empty(len(fold), dtype=np.intp)
    for number, row in enumerate(thresholds):
        mine = fold == number
        score = data.distinct[data.rank[mine]]
        found[mine] = len(row) - np.searchsorted(row[::-1], score, side="right")
    return found


def _acceptance_rates(
    rejected: NDArray[np.intp],
    weight: Floats,
    unit: NDArray[np.intp] | None,
    conditions: int,
    counted: bool = False,
) -> tuple[Floats, Floats, float]:
    """Return the rate of acceptance of each model and condition, its covariance, and the number.

    Objects that fare alike under all models and conditions are counted once.
    """
    key = np.zeros(rejected.shape[1], dtype=np.int64)
    for row in rejected:
        key = key * (conditions + 1) + row
        _, key = np.unique(key, return_inverse=True)
    _, first = np.unique(key, return_index=True)
    share = weight / weight.sum()
    units = np.arange(len(key)) if unit is None else np.unique(unit, return_inverse=True)[1]
    number = int(weight.sum()) if counted else int(units.max()) + 1
    if number < 2:
        raise ValueError("rates with their errors need two objects of each class")
    shares = np.bincount(key, share, minlength=len(first))
    patterns = _Patterns(rejected[:, first], conditions)
    rate = sum((shares[part] @ patterns.indicators(part) for part in patterns.parts), np.zeros(1))
    covariance = np.zeros((len(rate), len(rate)))
    if unit is None:
        square = share / number if counted else share**2
        squares = np.bincount(key, square, minlength=len(first))
        for part in patterns.parts:
            off = patterns.indicators(part) - rate
            covariance += (off * squares[part, None]).T @ off
        effective = 1 / float(squares.sum())
    else:
        from scipy.sparse import coo_array

        summed = coo_array((share, (units, key)), shape=(number, len(first))).tocsr()
        sums = np.zeros((number, len(rate)))
        for part in patterns.parts:
            sums += summed[:, part] @ (patterns.indicators(part) - rate)
        covariance += sums.T @ sums
        unit_share = np.bincount(units, share)
        effective = 1 / float(unit_share @ unit_share)
    models = rejected.shape[0]
    rates = np.clip(rate, 0, 1).reshape(models, conditions)
    return rates, covariance * number / (number - 1), effective


class _Patterns:
    """What happens to objects under all models and conditions, a block of them at a time."""

    def __init__(self, rejected: NDArray[np.intp], conditions: int) -> None:
        self._rejected, self._conditions = rejected, conditions
        number = rejected.shape[1]
        self.parts = [slice(at, min(at + BLOCK, number)) for at in range(0, number, BLOCK)]

    def indicators(self, part: slice) -> Floats:
        """Return ones where an object is accepted, shape (objects, m g)."""
        accepted = self._rejected[:, part].T[:, :, None] <= np.arange(self._conditions)
        return accepted.reshape(len(accepted), -1).astype(float)
