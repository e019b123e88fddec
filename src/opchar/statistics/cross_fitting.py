"""Thresholds chosen on some folds and judged on the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.spaces.points import OperatingPoints
from opchar.statistics.ranking import Ranked

Floats = NDArray[np.float64]
Choice = Callable[[OperatingPoints], ArrayLike]


@dataclass(frozen=True)
class CrossFitted:
    """Thresholds of some folds, judged on the objects of others.

    `thresholds` are those that the objects of each fold were judged by, chosen on all other folds,
    for each of g operating conditions; rates are of all objects together, each judged once. Names
    with ``own`` are optimistic: chosen on all objects and judged on the same.

    Shapes: `thresholds` (folds, g); all others (g,).
    """

    thresholds: Floats
    tpr: Floats
    fpr: Floats
    own_thresholds: Floats
    own_tpr: Floats
    own_fpr: Floats

    def part(self, conditions: slice | NDArray[np.intp]) -> CrossFitted:
        """Return what concerns some of the operating conditions."""
        return CrossFitted(
            self.thresholds[:, conditions],
            *(self.tpr[conditions], self.fpr[conditions], self.own_thresholds[conditions]),
            *(self.own_tpr[conditions], self.own_fpr[conditions]),
        )


def cross_fitted(data: Ranked, fold: NDArray[np.intp], choose: Choice) -> CrossFitted:
    """Choose thresholds on all folds but one, judge them on that one, in turn.

    Shapes: `fold` (n,).
    """

    def by_points(counts: tuple[Floats, Floats]) -> Floats:
        return np.asarray(choose(data.points(counts)), dtype=float)

    return cross_fitted_by_counts(data, fold, by_points)


def cross_fitted_by_counts(
    data: Ranked, fold: NDArray[np.intp], choose: Callable[[tuple[Floats, Floats]], Floats]
) -> CrossFitted:
    """Choose thresholds on all folds but one, by more than the operating points of these."""
    folds = int(fold.max()) + 1
    if folds < 2:
        raise ValueError("to choose on some folds and judge on the others takes two or more")
    whole = data.counts
    thresholds, kept = [], []
    for number in range(folds):
        mine = data.weights_of(fold == number)
        others = (whole[0] - mine[0], whole[1] - mine[1])
        if data.importance is not None:  # differences of sums lose small weights beside large ones
            others = data.weights_of(fold != number)
        if not (others[0].sum() > 0 and others[1].sum() > 0):
            raise ValueError(f"all objects of a class are in one fold, number {number}")
        thresholds.append(np.asarray(choose(others), dtype=float))
        kept.append(data.accepted_weights(thresholds[-1], mine))
    totals = np.array([part.sum() for part in whole])[:, None]
    tpr, fpr = np.clip(np.sum(kept, axis=0) / totals, 0, 1)
    whole_thresholds = np.asarray(choose(whole), dtype=float)
    own_tpr, own_fpr = np.clip(data.accepted_weights(whole_thresholds, whole) / totals, 0, 1)
    return CrossFitted(np.array(thresholds), tpr, fpr, whole_thresholds, own_tpr, own_fpr)


def drawn_folds(
    is_positive: NDArray[Any],
    rng: np.random.Generator,
    folds: int = 10,
    unit: NDArray[np.intp] | None = None,
) -> NDArray[np.intp]:
    """Draw folds with equal shares of each class.

    Shapes: `is_positive`, `unit`, returned (n,).
    """
    labels = np.asarray(is_positive)
    if unit is not None:
        _, first, unit_index = np.unique(unit, return_index=True, return_inverse=True)
        labels = labels[first]
    sizes = np.unique(labels, return_counts=True)[1]
    folds = min(folds, int(sizes.min()))
    if folds < 2:
        raise ValueError("a class has one object only: it cannot be in two folds")
    drawn, start = np.empty(len(labels), dtype=np.intp), 0
    for label in np.unique(labels):
        members = rng.permutation(np.flatnonzero(labels == label))
        drawn[members] = (start + np.arange(len(members))) % folds
        start += len(members)
    return drawn if unit is None else drawn[unit_index]
