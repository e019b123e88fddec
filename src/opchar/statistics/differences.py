"""Which levels of a factor differ, in one block design or in many repeats of it at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Differences:
    """Which of several levels, such as models, differ significantly.

    Parameters
    ----------
    means : mapping of level to float
        Of each level, over all other factors.
    differing : frozenset of frozenset
        The pairs that differ.
    """

    means: Mapping[Any, float]
    differing: frozenset[frozenset[Any]]

    def differ(self, first: object, second: object) -> bool:
        """Tell whether two levels differ significantly."""
        return frozenset((first, second)) in self.differing

    def above(self, first: object, second: object) -> bool:
        """Tell whether the first level is significantly higher than the second."""
        return self.differ(first, second) and self.means[first] > self.means[second]

    def similar(self, *levels: object) -> bool:
        """Tell whether no two of the levels differ significantly."""
        return not any(self.differ(*two) for two in combinations(levels, 2))

    def restrict(self, levels: Collection[Any]) -> Differences:
        """Return the comparison of some of the levels only."""
        means = {level: self.means[level] for level in levels}
        return Differences(means, frozenset(two for two in self.differing if two <= means.keys()))

    def in_words(self) -> str:
        """Return the pairs that differ, the higher level first, or ``none``."""
        ordered = [
            f"{one} > {two}" if self.means[one] > self.means[two] else f"{two} > {one}"
            for one, two in combinations(self.means, 2)
            if self.differ(one, two)
        ]
        return ", ".join(ordered) or "none"


def differences(
    values: np.ndarray, levels: Sequence[Any], alpha: float = 0.005
) -> list[Differences]:
    """Return which levels differ in many repeats of a block design at once, as `compare` tells it.

    Parameters
    ----------
    values : ndarray of float, shape (repeats, a, b) or (repeats, a, b, c)
        The first factor, whose `levels` are compared, and one or two blocks.
    levels : sequence of length a
        Names of the levels.
    alpha : float
        Level of significance of Tukey's test, in (0, 1).

    Returns
    -------
    list of Differences
        One per repeat.
    """
    _, error, degrees = _additive(values)
    means = values.mean(axis=tuple(range(2, values.ndim)))
    blocks = values[0, 0].size
    least = _critical_range(alpha, len(levels), degrees) * np.sqrt(error / blocks)
    apart = np.abs(means[:, :, None] - means[:, None, :])
    differ = (apart > least[:, None, None]) & (apart > np.finfo(float).eps)
    pairs = list(combinations(range(len(levels)), 2))
    return [
        Differences(
            dict(zip(levels, mean.tolist(), strict=True)),
            frozenset(frozenset((levels[i], levels[j])) for i, j in pairs if found[i, j]),
        )
        for mean, found in zip(means, differ, strict=True)
    ]


def design_array(design: pd.DataFrame, factors: Sequence[str]) -> np.ndarray:
    """Return the values of a complete design as an array with one axis a factor.

    Parameters
    ----------
    design : pandas.DataFrame
        Columns ``value`` and `factors`; every combination of levels once.
    factors : sequence of str
        One per axis; levels are in the order in which they occur.

    Returns
    -------
    ndarray of float
        One axis a factor, in that order.

    Raises
    ------
    ValueError
        If a combination of levels is missing or occurs twice.
    """
    codes = [pd.factorize(design[factor]) for factor in factors]
    shape = tuple(len(levels) for _, levels in codes)
    cell = np.ravel_multi_index(tuple(code for code, _ in codes), shape)
    if len(cell) != np.prod(shape) or len(np.unique(cell)) != len(cell):
        raise ValueError(f"the design is not complete: {len(cell)} lines for levels {shape}")
    values = np.empty(shape)
    values.flat[cell] = design["value"].to_numpy(dtype=float)
    return values


@cache
def _critical_range(alpha: float, levels: int, degrees: int) -> float:
    from scipy.stats import studentized_range

    return float(studentized_range.isf(alpha, levels, degrees))


def f_values(values: np.ndarray) -> np.ndarray:
    """Return the F-value of the first factor in many repeats of a block design at once.

    Parameters
    ----------
    values : ndarray of float
        As for `differences`.

    Returns
    -------
    ndarray of float, shape (repeats,)
        As `anova` gives it; infinite or NaN where nothing but rounding is left to the residual.
    """
    between, error, degrees = _additive(values)
    size = values[0].size
    scale = np.abs(values).max(axis=tuple(range(1, values.ndim)))
    rounding = (size * np.finfo(float).eps * scale) ** 2 * size
    undefined = np.where(between * (values.shape[1] - 1) > rounding, np.inf, np.nan)
    return np.divide(between, error, out=undefined, where=error * degrees > rounding)


def _additive(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return mean squares of the first factor and of the residual, and the latter's df."""
    axes = range(1, values.ndim)
    grand = values.mean(axis=tuple(axes), keepdims=True)
    effects = [
        values.mean(axis=tuple(other for other in axes if other != axis), keepdims=True) - grand
        for axis in axes
    ]
    residual = values - grand - sum(effects)
    sizes = values.shape[1:]
    degrees = int(np.prod(sizes)) - 1 - sum(size - 1 for size in sizes)
    first = (effects[0] ** 2).sum(axis=tuple(axes)) * np.prod(sizes[1:]) / (sizes[0] - 1)
    return first, (residual**2).sum(axis=tuple(axes)) / degrees, degrees
