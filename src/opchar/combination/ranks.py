"""Counts of true and false positives of whole families of decisions at once, from ranks.

A pair (TP, FP) is packed into one integer, its *code* ``FP * (n_positive + 1) + TP``. A sample
weighs 1 when positive and ``n_positive + 1`` when negative, so codes add up like counts. The code
of a negated decision is the code of all samples minus its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import plain_array
from opchar.arguments import scores as as_scores

BLOCK = 1 << 21
_DENSE = 1 << 16


@dataclass(frozen=True)
class RankedScores:
    """Scores of several soft classifiers on one labelled sample, reduced to ranks.

    Shapes: `ranks` (M,); `is_positive` (M,).
    """

    names: tuple[str, ...]
    thresholds: tuple[np.ndarray, ...]
    ranks: tuple[np.ndarray, ...]
    is_positive: np.ndarray

    @cached_property
    def n_positive(self) -> int:
        """Number of positive samples."""
        return int(self.is_positive.sum())

    @cached_property
    def n_negative(self) -> int:
        """Number of negative samples."""
        return len(self.is_positive) - self.n_positive

    @cached_property
    def weights(self) -> np.ndarray:
        """What each sample adds to a code."""
        return np.where(self.is_positive, 1, self.n_positive + 1).astype(np.int64)

    @cached_property
    def everything(self) -> int:
        """The code of accepting all samples; codes run from 0 to here."""
        return int(self.weights.sum())

    @cached_property
    def singles(self) -> tuple[np.ndarray, ...]:
        """The codes of each classifier at all its thresholds, which ascend; the codes descend."""
        return tuple(
            _suffix_sum(self._count(ranks, len(thresholds)), axis=0)
            for ranks, thresholds in zip(self.ranks, self.thresholds, strict=True)
        )

    def joint(self, e: int, k: int) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the codes of "both accept" for all pairs of thresholds, in blocks of rows.

        Shapes: `codes` (rows, number of thresholds of k).
        """
        high, width = len(self.thresholds[e]), len(self.thresholds[k])
        rows = max(BLOCK // width, 1)
        above = np.zeros(width, dtype=np.int64)
        for stop in range(high, 0, -rows):
            start = max(stop - rows, 0)
            cell = (self.ranks[e] - start) * width + self.ranks[k]
            inside = (self.ranks[e] >= start) & (self.ranks[e] < stop)
            counts = self._count(cell, (stop - start) * width, inside).reshape(-1, width)
            counts[-1] += above
            columns = _suffix_sum(counts, axis=0)
            above = columns[0].copy()
            yield start, _suffix_sum(columns, axis=1)

    def _count(self, cell: np.ndarray, cells: int, inside: np.ndarray | None = None) -> np.ndarray:
        weights = self.weights
        if inside is not None and not inside.all():
            cell, weights = cell[inside], weights[inside]
        return np.bincount(cell, weights, minlength=cells).astype(np.int64)

    def is_dense(self, size: int) -> bool:
        """Return whether so many codes are cheaper to mark than to sort."""
        return self.everything < max(4 * size, _DENSE)

    def distinct(self, codes: np.ndarray) -> np.ndarray:
        """Return the distinct codes in ascending order, by marking where that is cheaper."""
        if not self.is_dense(codes.size):
            return np.unique(codes)
        seen = np.zeros(self.everything + 1, dtype=bool)
        seen[codes.ravel()] = True
        return np.flatnonzero(seen)

    def best(self, distinct: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(fp, tp)``: the most true positives for each count of false positives."""
        fp, tp = np.divmod(distinct, self.n_positive + 1)
        last = np.append(fp[1:] != fp[:-1], True)
        return fp[last], tp[last]


def rank(scores: Mapping[str, ArrayLike], is_positive: ArrayLike) -> RankedScores:
    """Rank the scores of each classifier.

    Shapes: `scores` (M,); `is_positive` (M,).
    """
    labels = plain_array(is_positive, "is_positive")
    if labels.ndim != 1 or (labels.dtype != bool and not np.isin(labels, (0, 1)).all()):
        raise ValueError("is_positive must be one-dimensional and boolean, or 0 and 1")
    labels = labels.astype(bool)
    if not labels.any() or labels.all():
        raise ValueError("combining classifiers needs samples of both classes")
    names: Sequence[str] = [str(name) for name in scores]
    if not names:
        raise ValueError("there is no classifier to combine")
    thresholds, ranks = [], []
    for name, given in zip(names, scores.values(), strict=True):
        values = as_scores(given)
        if values.shape != labels.shape:
            raise ValueError(f"{name} has scores of shape {values.shape}, labels {labels.shape}")
        if not np.isfinite(values).all():
            raise ValueError(f"{name} has a score that is not finite")
        distinct, rank = np.unique(values, return_inverse=True)
        thresholds.append(np.append(distinct, np.inf))
        ranks.append(rank.astype(np.int64))
    return RankedScores(tuple(names), tuple(thresholds), tuple(ranks), labels)


def _suffix_sum(counts: np.ndarray, axis: int) -> np.ndarray:
    return np.flip(np.cumsum(np.flip(counts, axis), axis), axis)
