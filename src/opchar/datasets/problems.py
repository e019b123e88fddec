"""Imbalanced problems drawn from a set of many classes (mullick2020, Sec. 5.1).

The paper's own list of subsets is in a supplement that is not public. This is our one recipe for
all: classes are drawn without replacement; the first one keeps as many objects as the smallest
drawn class has, the last that number over the imbalance ratio, and those between fall
geometrically.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Problem:
    """A subset of a set, with as many objects of each class as the imbalance asks for.

    Shapes: `index` (n,).
    """

    index: np.ndarray
    classes: tuple[int, ...]
    ratio: float


def draw(
    y: np.ndarray, n_classes: int, ratios: tuple[float, float], rng: np.random.Generator
) -> Problem:
    """Draw one imbalanced problem.

    Shapes: `y` (n,).
    """
    known, counts = np.unique(y, return_counts=True)
    if not 2 <= n_classes <= len(known):
        raise ValueError(f"{n_classes} classes are wanted and the set has {len(known)}")
    chosen = rng.permutation(len(known))[:n_classes]
    wanted = float(np.exp(rng.uniform(np.log(ratios[0]), np.log(ratios[1]))))
    largest = int(counts[chosen].min())
    steps = np.linspace(0, 1, n_classes)
    targets = np.maximum(np.rint(largest / wanted**steps).astype(int), 1)
    parts = [
        rng.choice(np.flatnonzero(y == known[label]), size=size, replace=False)
        for label, size in zip(chosen, targets, strict=True)
    ]
    classes = tuple(int(known[label]) for label in chosen)
    return Problem(np.sort(np.concatenate(parts)), classes, float(targets[0] / targets[-1]))


def two_class(
    y: np.ndarray,
    rng: np.random.Generator,
    *,
    problems: int = 12,
    ratios: tuple[float, float] = (5.0, 40.0),
) -> list[Problem]:
    """Draw the two-class problems of mullick2020: 12 with imbalance ratios of 5 to 40.

    Shapes: `y` (n,).
    """
    return [draw(y, 2, ratios, rng) for _ in range(problems)]


def multi_class(
    y: np.ndarray,
    rng: np.random.Generator,
    *,
    sizes: Sequence[int] = (3, 3, 3, 3, 5, 5, 5, 10, 10, 10),
    ratios: tuple[float, float] = (20.0, 30.0),
) -> list[Problem]:
    """Draw the multi-class problems: four of 3, three of 5 and three of 10 classes, 20 to 30.

    Shapes: `y` (n,).
    """
    return [draw(y, size, ratios, rng) for size in sizes]
