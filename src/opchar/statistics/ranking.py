"""Scored objects sorted once: operating points of any part of them, weighted or resampled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats, truths
from opchar.arguments import scores as as_scores
from opchar.spaces.points import OperatingPoints

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ranked:
    """Scored objects with their rank among the distinct scores.

    Make one by `rank_scores`.

    Shapes: `distinct` (k,); `rank` (n,); `is_positive` (n,); `weight` (n,).

    `counted`: each weight is a number of objects of one class and score.
    """

    distinct: Floats
    rank: NDArray[np.intp]
    is_positive: NDArray[np.bool_]
    weight: Floats | None
    counted: bool = False

    @property
    def times(self) -> Floats | None:
        """How many objects each row is; None if each is one."""
        return self.weight if self.counted else None

    @property
    def importance(self) -> Floats | None:
        """Weights other than numbers of objects."""
        return None if self.counted else self.weight

    @cached_property
    def counts(self) -> tuple[Floats, Floats]:
        """Weight of the positives and of the negatives at each distinct score."""
        return self.weights_of(np.ones(len(self.rank), dtype=bool))

    def weights_of(self, keep: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return the weights at each distinct score of a part of the objects.

        Shapes: `keep` (n,); `of_positives` and `of_negatives` (k,).
        """
        found = []
        for of_class in (self.is_positive, ~self.is_positive):
            chosen = of_class & keep
            weight = None if self.weight is None else self.weight[chosen]
            found.append(np.bincount(self.rank[chosen], weight, minlength=len(self.distinct)))
        return found[0].astype(float), found[1].astype(float)

    def points(self, counts: tuple[Floats, Floats] | None = None) -> OperatingPoints:
        """Return operating points whose thresholds lie halfway between neighbouring scores.

        An object that is not in the sample is then as likely to fall on either side. The first
        threshold is infinity, the last minus infinity.
        """
        positives, negatives = self.counts if counts is None else counts
        here = np.flatnonzero(positives + negatives > 0)[::-1]
        positives, negatives = positives[here], negatives[here]
        tp = np.concatenate([[0.0], np.cumsum(positives)])
        fp = np.concatenate([[0.0], np.cumsum(negatives)])
        score = self.distinct[here]
        middle = score[:-1] / 2 + score[1:] / 2
        middle = np.where(middle > score[1:], middle, score[:-1])
        exact = self.importance is None and tp[-1] > 0 and fp[-1] > 0
        return OperatingPoints(
            _rate(fp),
            _rate(tp),
            np.concatenate([[np.inf], middle, [-np.inf]]),
            int(tp[-1]) if exact else None,
            int(fp[-1]) if exact else None,
        )

    def accepted_weights(self, thresholds: ArrayLike, counts: tuple[Floats, Floats]) -> Floats:
        """Return the weight of the positives and negatives that reach thresholds.

        Shapes: `thresholds` (g,); returned (2, g).
        """
        reached = np.searchsorted(self.distinct, np.asarray(thresholds, dtype=float))
        sums = [np.concatenate([np.cumsum(part[::-1])[::-1], [0.0]]) for part in counts]
        return np.array([part[reached] for part in sums])

    def join_groups(self, most: int) -> Ranked:
        """Return the objects with neighbouring scores joined into at most `most` groups.

        Groups hold equal numbers of objects, as far as ties allow, and their mean score.
        """
        if len(self.distinct) <= most:
            return self
        size = np.bincount(self.rank, self.times, minlength=len(self.distinct)).astype(np.int64)
        group = (np.cumsum(size) - size) * most // size.sum()
        _, group = np.unique(group, return_inverse=True)
        means = np.bincount(group, self.distinct * size) / np.bincount(group, size)
        return replace(self, distinct=means, rank=group[self.rank])


def rank_scores(
    is_positive: ArrayLike,
    score: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    counted: bool = False,
) -> Ranked:
    """Sort scored objects.

    Shapes: `is_positive` (n,); `score` (n,); `weight` (n,).
    """
    positive, scores = truths(is_positive, "labels"), as_scores(score)
    weights = None if weight is None else floats(weight, "weight")
    if positive.ndim != 1 or positive.shape != scores.shape or not len(scores):
        raise ValueError(f"labels and scores differ: shapes {positive.shape} and {scores.shape}")
    if not np.isfinite(scores).all():
        raise ValueError("scores must be finite")
    if weights is not None and (weights.shape != scores.shape or not (weights >= 0).all()):
        raise ValueError("give each object one weight that is not negative")
    if weights is not None and not weights.sum() < np.inf:
        raise ValueError("weights are too large for a sum; divide them by one number")
    distinct, rank = np.unique(scores, return_inverse=True)
    return Ranked(distinct, rank, positive, weights, counted)


def _rate(sums: Floats) -> Floats:
    return sums / sums[-1] if sums[-1] > 0 else np.full(sums.shape, np.nan)
