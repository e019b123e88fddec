"""Scored objects and the class weights under which they are classified."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats, plain_array
from opchar.multiclass.weight_grids import weight_grid

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class WeightedScores:
    """Scored objects and the grid of class weights under which they are classified.

    Shapes: `y` (N,); `scores` (N, C); `steps` (r,).
    """

    y: Ints
    scores: Floats
    steps: Floats
    fixed: int

    @property
    def n_classes(self) -> int:
        """Number of classes C."""
        return int(self.scores.shape[1])

    @property
    def free(self) -> list[int]:
        """The classes with a weight of their own, in the order of the lattice's axes."""
        return [c for c in range(self.n_classes) if c != self.fixed]

    def steps_of(self, c: int) -> Floats:
        """Return the weights that a class takes."""
        return np.ones(1) if c == self.fixed else self.steps

    def weights(self, index: tuple[int, ...]) -> Floats:
        """Return the weight vector at a place of the lattice."""
        return np.insert(self.steps[list(index)], self.fixed, 1.0)

    def class_sizes(self) -> Ints:
        """Return the number of objects of each class."""
        return np.bincount(self.y, minlength=self.n_classes)


def weighted_scores(
    y: ArrayLike,
    scores: ArrayLike,
    r: int,
    *,
    low: float = 1e-3,
    high: float = 1e3,
    fixed: int = -1,
) -> WeightedScores:
    """Prepare scored objects for a grid of r logarithmic weights per class.

    Weights go from `low` to `high`; that of the class `fixed` stays one. Scores are finite and not
    negative, larger for more likely classes, and each class has objects.

    Shapes: `y` (N,); `scores` (N, C).

    Examples
    --------
    >>> prepared = weighted_scores([0, 1], [[0.6, 0.4], [0.3, 0.7]], 3)
    >>> prepared.steps.tolist(), prepared.free
    ([0.001, 1.0, 1000.0], [0])
    """
    y, scores = plain_array(y, "y"), floats(scores, "scores")
    if scores.ndim != 2 or y.shape != scores.shape[:1]:
        raise ValueError(f"{len(y)} labels need scores of shape ({len(y)}, C), got {scores.shape}")
    steps = weight_grid(2, r, low, high)[:, 0]
    c = scores.shape[1]
    if c < 2:
        raise ValueError(f"a multi-class ROC needs two or more classes, got C={c}")
    if not np.all(np.isfinite(scores) & (scores >= 0)):
        raise ValueError("scores must be finite and not negative: map them first, as by a softmax")
    if not np.isin(y, np.arange(c)).all():
        raise ValueError(f"labels must be class numbers from 0 to {c - 1}")
    y = y.astype(np.intp)
    if not np.bincount(y, minlength=c).all():
        missing = np.flatnonzero(np.bincount(y, minlength=c) == 0).tolist()
        raise ValueError(f"no object of class {missing}: its rates are undefined")
    return WeightedScores(y, scores, steps, fixed % c)
