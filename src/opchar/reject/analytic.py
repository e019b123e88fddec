"""The operating characteristic of a distance reject-option for known one-dimensional classes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

Floats = NDArray[np.float64]
Rule = Literal["ratio", "difference"]
HALVINGS = 60
TAIL = 1e-33
ROOT = np.sqrt(2 * np.pi)


class Density(Protocol):
    """What a class needs: a frozen continuous distribution of `scipy.stats` has it."""

    def pdf(self, x: Floats) -> Floats:
        """Return p(x)."""
        ...

    def logpdf(self, x: Floats) -> Floats:
        """Return ln p(x)."""
        ...

    def cdf(self, x: Floats) -> Floats:
        """Return P(X < x)."""
        ...

    def ppf(self, share: Floats) -> Floats:
        """Return where the distribution function has a value."""
        ...

    def isf(self, share: Floats) -> Floats:
        """Return where one minus the distribution function has a value."""
        ...


class _Named(ABC):
    """A distribution of `scipy.stats` under the parameters of the thesis."""

    @property
    @abstractmethod
    def distribution(self) -> Density:
        """The frozen distribution."""

    def pdf(self, x: Floats) -> Floats:
        """Return p(x)."""
        return np.asarray(self.distribution.pdf(x))

    def logpdf(self, x: Floats) -> Floats:
        """Return ln p(x), minus infinity where the density is zero."""
        return np.asarray(self.distribution.logpdf(x))

    def cdf(self, x: Floats) -> Floats:
        """Return P(X < x)."""
        return np.asarray(self.distribution.cdf(x))

    def ppf(self, share: Floats) -> Floats:
        """Return where the distribution function has a value."""
        return np.asarray(self.distribution.ppf(share))

    def isf(self, share: Floats) -> Floats:
        """Return where one minus the distribution function has a value."""
        return np.asarray(self.distribution.isf(share))


@dataclass(frozen=True)
class Gaussian(_Named):
    """A normal class.

    Parameters
    ----------
    mean : float
        Of the density.
    variance : float
        Positive.
    """

    mean: float
    variance: float = 1.0

    def __post_init__(self) -> None:
        if not self.variance > 0:
            raise ValueError(f"the variance of a Gaussian must be positive, got {self.variance}")

    @cached_property
    def distribution(self) -> Density:
        """The frozen distribution."""
        from scipy.stats import norm

        return norm(self.mean, np.sqrt(self.variance))

    # As `scipy.stats.norm` computes them, without its checks: searches ask for a few at a time.

    def pdf(self, x: Floats) -> Floats:
        """Return p(x)."""
        spread = np.sqrt(self.variance)
        return np.asarray(np.exp(-(((x - self.mean) / spread) ** 2) / 2) / ROOT / spread)

    def logpdf(self, x: Floats) -> Floats:
        """Return ln p(x), minus infinity where the density is zero."""
        spread = np.sqrt(self.variance)
        return np.asarray(-(((x - self.mean) / spread) ** 2) / 2 - np.log(ROOT) - np.log(spread))

    def cdf(self, x: Floats) -> Floats:
        """Return P(X < x)."""
        return np.asarray(ndtr((x - self.mean) / np.sqrt(self.variance)))


@dataclass(frozen=True)
class Uniform(_Named):
    """A class equally likely everywhere on an interval, as the thesis assumes of the unseen.

    Parameters
    ----------
    low, high : float
        The interval, ``low < high``.
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"a uniform class needs low < high, got {self.low} and {self.high}")

    @cached_property
    def distribution(self) -> Density:
        """The frozen distribution."""
        from scipy.stats import uniform

        return uniform(self.low, self.high - self.low)


def span(*densities: Density) -> tuple[float, float]:
    """Return an interval outside which each density has at most `TAIL` on either side."""
    low = min(float(density.ppf(np.asarray(TAIL))) for density in densities)
    return low, max(float(density.isf(np.asarray(TAIL))) for density in densities)


@dataclass(frozen=True)
class RejectRates:
    """Rates of the target decision at every pair of thresholds.

    Attributes
    ----------
    thetas : ndarray of shape (k,)
        Classification thresholds.
    distances : ndarray of shape (m,)
        Rejection thresholds t_d on the target's density.
    tpr, fpr_outlier, fpr_reject : ndarray of shape (m, k)
        Shares of targets, of known outliers and of the unseen class that are called target.
    """

    thetas: Floats
    distances: Floats
    tpr: Floats
    fpr_outlier: Floats
    fpr_reject: Floats

    def mean_performance(self) -> Floats:
        """Return ``1 - ((1 - TP_r) + FP_r^o) / 2`` (landgrebe2007, Eq. 5.14), shape (m, k)."""
        return 1 - ((1 - self.tpr) + self.fpr_outlier) / 2

    def mean_error(self) -> Floats:
        """Return ``((1 - TP_r) + FP_r^o + FP_r^r) / 3`` (landgrebe2007, Eq. 5.16), shape (m, k)."""
        return ((1 - self.tpr) + self.fpr_outlier + self.fpr_reject) / 3


def regions_above(
    function: Callable[[Floats], Floats],
    levels: ArrayLike,
    low: float,
    high: float,
    cells: int = 8192,
) -> Floats:
    """Return the intervals where a function exceeds each level.

    Shapes: `levels` (n,); returned (n, k, 2).
    """
    levels = np.asarray(levels, dtype=float)
    x = np.linspace(low, high, cells + 1)
    values, order = function(x), np.argsort(levels)
    below = np.searchsorted(levels[order], values)  # the levels that each value exceeds
    crossed = np.abs(np.diff(below))
    cell = np.repeat(np.arange(cells), crossed)
    rank = np.arange(len(cell)) - (np.cumsum(crossed) - crossed)[cell]
    rank += np.minimum(below[1:], below[:-1])[cell]
    by_level = np.lexsort((cell, order[rank]))
    cell, rank = cell[by_level], rank[by_level]
    level, left, right = order[rank], x[cell], x[cell + 1]
    rising = below[cell + 1] > rank
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        to_right = (function(middle) > levels[level]) != rising
        last = np.all((middle == left) | (middle == right))
        left, right = np.where(to_right, middle, left), np.where(to_right, right, middle)
        if last:  # no number is left between the ends
            break
    ends: list[list[float]] = [[-np.inf] if first else [] for first in values[0] > levels]
    for index, root in zip(level.tolist(), ((left + right) / 2).tolist(), strict=True):
        ends[index].append(root)
    for region, last in zip(ends, values[-1] > levels, strict=True):
        if last:
            region.append(np.inf)
    regions = np.full((len(levels), max([len(e) // 2 for e in ends] + [1]), 2), np.inf)
    for index, pairs in enumerate(ends):
        regions[index, : len(pairs) // 2] = np.reshape(pairs, (-1, 2))
    return regions


def mass(density: Density, first: Floats, second: Floats) -> Floats:
    """Return the probability of each intersection of a region of `first` with one of `second`.

    Shapes: `first` (m, i, 2); `second` (k, j, 2); returned (m, k).
    """
    low = np.maximum(first[:, None, :, None, 0], second[None, :, None, :, 0])
    high = np.minimum(first[:, None, :, None, 1], second[None, :, None, :, 1])
    return np.sum(np.clip(density.cdf(high) - density.cdf(low), 0, None), axis=(2, 3))


def target_regions(
    target: Density,
    outlier: Density,
    thetas: ArrayLike,
    distances: ArrayLike,
    *,
    rule: Rule = "ratio",
    prior: float = 0.5,
) -> tuple[Floats, Floats]:
    """Return the regions that the classifier and the reject option assign to the target.

    Parameters
    ----------
    target, outlier : Density
        The known classes.
    thetas : array_like of shape (k,)
        Classification thresholds: of the logarithm of the ratio of the prior-weighted densities
        for ``rule="ratio"``, of their difference for ``rule="difference"``. Zero means the same
        for both.
    distances : array_like of shape (m,)
        Rejection thresholds t_d, not negative; zero rejects nothing.
    rule : {"ratio", "difference"}
        ``"difference"`` is Eq. 5.10 as printed; it is not optimal away from zero.
    prior : float
        Prior of the target among the known classes, between zero and one.

    Returns
    -------
    classified : ndarray of shape (k, i, 2)
        Intervals by theta.
    accepted : ndarray of shape (m, j, 2)
        Intervals by t_d; an object is called target inside both.

    Raises
    ------
    ValueError
        For an unknown rule, negative distances or a prior that is not between zero and one.

    Notes
    -----
    landgrebe2007, Eqs. 5.10 and 5.13.
    """
    distances = np.asarray(distances, dtype=float)
    if np.any(distances < 0) or not 0 < prior < 1:
        raise ValueError("t_d must not be negative and the prior must lie between 0 and 1")
    if rule not in ("ratio", "difference"):
        raise ValueError(f"unknown rule {rule!r}: use 'ratio' or 'difference'")
    low, high = span(target, outlier)

    def score(x: Floats) -> Floats:
        if rule == "difference":
            return prior * target.pdf(x) - (1 - prior) * outlier.pdf(x)
        return target.logpdf(x) - outlier.logpdf(x) + np.log(prior / (1 - prior))

    accepted = regions_above(target.pdf, distances, low, high)
    accepted[distances == 0] = np.inf
    accepted[distances == 0, 0] = -np.inf, np.inf
    return regions_above(score, thetas, low, high), accepted


def reject_rates(
    target: Density,
    outlier: Density,
    unseen: Density,
    thetas: ArrayLike,
    distances: ArrayLike,
    *,
    rule: Rule = "ratio",
    prior: float = 0.5,
) -> RejectRates:
    """Return TP_r, FP_r^o and FP_r^r at every pair of classification and rejection threshold.

    Parameters
    ----------
    target, outlier, unseen : Density
        The known target and outlier classes, and the class met only in use.
    thetas, distances, rule, prior
        As for `target_regions`.

    Returns
    -------
    RejectRates
        Three arrays, with a row for each classification threshold.

    Raises
    ------
    ValueError
        As `target_regions`.

    Notes
    -----
    landgrebe2007, Eqs. 5.9 to 5.13, as rates within each class: the prior factors of Eqs. 5.9
    and 5.12 would keep TP_r below the prior of the target.

    Examples
    --------
    >>> rates = reject_rates(Gaussian(0), Gaussian(3), Uniform(-6, 9), [0.0], [0.0, 0.15])
    >>> rates.tpr.round(4).tolist(), rates.fpr_reject.round(4).tolist()
    ([[0.9332], [0.8381]], [[0.5], [0.1865]])
    """
    classified, accepted = target_regions(
        target, outlier, thetas, distances, rule=rule, prior=prior
    )
    return RejectRates(
        thetas=np.asarray(thetas, dtype=float),
        distances=np.asarray(distances, dtype=float),
        tpr=mass(target, accepted, classified),
        fpr_outlier=mass(outlier, accepted, classified),
        fpr_reject=mass(unseen, accepted, classified),
    )
