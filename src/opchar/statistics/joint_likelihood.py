"""The probability of a published table given a reproduced one, with dependent cells and misprints.

Cells of one table share splits, models and draws, so that their deviations go together. How much
they do is estimated from the repeats of the reproduction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import connected_components
from scipy.special import ndtr
from sklearn.covariance import ledoit_wolf

from opchar.arguments import floats

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
MISPRINT = 0.01
COMMON = 0.5
SLACK = 1e-6
LEAST_REPEATS = 4


def cell_log_likelihood(
    published: ArrayLike, unit: ArrayLike, values: ArrayLike, spread: ArrayLike
) -> Floats:
    """Return the log probability of publishing each cell, given what a variant gives for it.

    A cell is published right with probability 0.99: then it is the value of a normal distribution
    around the reproduced value, rounded to the published digits. Else any number up to twice the
    published one may stand there, so that a single misprint does not rule a variant out.

    Shapes: `published` and `unit` (k,); `values` and `spread` (..., k); returned (..., k).
    """
    x, u, s = floats(published, "published"), floats(unit, "unit"), floats(spread, "spread")
    if not all(np.isfinite(each).all() for each in (x, u, s)) or not (u > 0).all():
        raise ValueError("published numbers, units and spreads must be finite, units positive")
    off = x - floats(values, "values")
    half = u / 2 * (1 + SLACK)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        mass = ndtr((half - np.abs(off)) / s) - ndtr((-half - np.abs(off)) / s)
    mass = np.where(s > 0, mass, np.abs(off) <= half)
    mass = np.where(np.isnan(off), 0.0, mass)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log((1 - MISPRINT) * mass + np.exp(_misprint_probability(x, u))))


def _misprint_probability(x: Floats, u: Floats) -> Floats:
    """Return the log probability that a cell is misprinted, and as this number."""
    return np.asarray(np.log(MISPRINT * u / (2 * np.maximum(np.abs(x), u))))


def correlation_of_repeats(repeats: ArrayLike) -> Floats:
    """Return the correlation of cells over repeats, shrunk towards none.

    O. Ledoit and M. Wolf, "A well-conditioned estimator for large-dimensional covariance matrices",
    Journal of Multivariate Analysis 88, 2004.

    Shapes: `repeats` (n, k); returned (k, k).
    """
    given = floats(repeats, "repeats")
    if given.ndim != 2 or len(given) < LEAST_REPEATS or not np.isfinite(given).all():
        raise ValueError(f"at least {LEAST_REPEATS} repeats of finite numbers are needed")
    _, exponent = np.frexp(np.abs(given).max(axis=0))
    given = np.ldexp(given, -exponent)  # exact, and no square of them overflows
    deviations = given.std(axis=0)
    varies = deviations > SLACK * np.abs(given).max(axis=0)
    correlation = np.eye(given.shape[1])
    if varies.sum() > 1:
        standard = (given[:, varies] - given[:, varies].mean(axis=0)) / deviations[varies]
        shrunk = ledoit_wolf(standard)[0]
        scale = np.sqrt(np.diag(shrunk))
        correlation[np.ix_(varies, varies)] = shrunk / np.outer(scale, scale)
    return correlation


def common_error(cells: int, share: float = COMMON) -> Floats:
    """Return the correlation of cells that have a share of their variance in common.

    Shapes: returned (cells, cells).
    """
    if not 0 <= share < 1:
        raise ValueError("the common share of the variance must lie in [0, 1)")
    return (1 - share) * np.eye(cells) + share


def joint_log_likelihood(
    published: ArrayLike,
    unit: ArrayLike,
    values: ArrayLike,
    spread: ArrayLike,
    correlation: ArrayLike,
) -> Floats:
    """Return the log probability of publishing whole tables, given what one variant gives.

    Cells that are right deviate together, as a multivariate normal distribution has it, with the
    variance of rounding added; a cell is a misprint with probability 0.01, as for
    `cell_log_likelihood`. Which cells are misprints is found one at a time: the cell whose
    probability given all others gains most, as long as one gains.

    Shapes: `published` (T, k); `unit` and `values` and `spread` (k,); `correlation` (k, k);
    returned (T,).
    """
    return Joint(unit, values, spread, correlation).log_likelihood(published)


class Joint:
    """`joint_log_likelihood` of one variant, whose constant parts are computed once."""

    def __init__(
        self, unit: ArrayLike, values: ArrayLike, spread: ArrayLike, correlation: ArrayLike
    ) -> None:
        self._u, self._v = floats(unit, "unit"), floats(values, "values")
        self._s, r = floats(spread, "spread"), floats(correlation, "correlation")
        random = self._s > 0
        dependent = (np.abs(r) > SLACK) & np.outer(random, random) | np.eye(len(r), dtype=bool)
        number, labels = connected_components(dependent, directed=False)
        self._alone = np.bincount(labels, minlength=number)[labels] == 1
        groups = [labels == label for label in np.unique(labels[~self._alone])]
        self._groups = [
            (group, _Group(self._u[group], self._v[group], self._s[group], r[np.ix_(group, group)]))
            for group in groups
        ]

    def log_likelihood(self, published: ArrayLike) -> Floats:
        """Return the log probability of tables of shape (T, k), shape (T,)."""
        x, alone = np.atleast_2d(floats(published, "published")), self._alone
        of_each = cell_log_likelihood(x[:, alone], self._u[alone], self._v[alone], self._s[alone])
        total = of_each.sum(axis=1)
        for group, cells in self._groups:
            total += cells.log_likelihood(x[:, group])
        return np.asarray(total)


class _Group:
    """Cells that depend on each other."""

    def __init__(self, u: Floats, v: Floats, s: Floats, r: Floats) -> None:
        self.unit, self.values, rounding = u, v, u**2 / 12
        self.error = np.sqrt(s**2 + rounding)
        covariance = r * np.outer(s / self.error, s / self.error)
        covariance += np.diag(rounding / self.error**2)
        self.precision: Floats = np.asarray(np.linalg.inv(covariance), dtype=np.float64)
        self.digits = np.log(u / self.error) - np.log(2 * np.pi) / 2
        self.level = self.digits.sum() + np.linalg.slogdet(self.precision)[1] / 2
        self.absent = np.isnan(v)

    def log_likelihood(self, x: Floats) -> Floats:
        """Return the log probability of the cells in each table."""
        precision, digits = self.precision, self.digits
        z = np.nan_to_num((x - self.values) / self.error)
        misprinted = _misprint_probability(x, self.unit) - np.log(1 - MISPRINT)
        weighted = z @ precision
        total = self.level - (weighted * z).sum(axis=1) / 2
        total = np.minimum(total, 0.0) + len(digits) * np.log(1 - MISPRINT)
        first = _gains(np.diag(precision), weighted, digits, misprinted, self.absent)
        going = np.flatnonzero(first.max(axis=1) > 0)
        total[going] += _of_misprints(
            precision, weighted[going], digits, misprinted[going], self.absent
        )
        return np.asarray(total)


_FORCED = 1e9


def _of_misprints(
    precision: Floats,
    weighted: Floats,
    digits: Floats,
    misprinted: Floats,
    absent: NDArray[np.bool_],
) -> Floats:
    """Return what the log probability of each table gains by its misprints, found one at a time.

    Each misprint takes one outer product from the precision of all cells, which leaves the
    precision of the others. Each table keeps these vectors, the diagonal and the weighted
    deviations.
    """
    tables, cells = weighted.shape
    weighted, found = weighted.copy(), np.zeros(tables)
    corner = np.tile(np.diag(precision), (tables, 1))
    forced = np.tile(absent, (tables, 1))
    less = np.zeros((tables, cells, cells))
    some = np.arange(tables)
    for step in range(cells):
        gain = _gains(corner[some], weighted[some], digits, misprinted[some], forced[some])
        worst = gain.argmax(axis=1)
        most = gain[np.arange(len(some)), worst]
        kept = most > 0
        some, worst, most = some[kept], worst[kept], most[kept]
        if not len(some):
            break
        found[some] += most - _FORCED * forced[some, worst]
        forced[some, worst] = False
        before = less[some, :step]
        at = before[np.arange(len(some)), :, worst]
        vector = precision[worst] - (at[:, None] @ before)[:, 0]
        vector /= np.sqrt(corner[some, worst])[:, None]
        less[some, step] = vector
        component = weighted[some, worst] / np.sqrt(corner[some, worst])
        corner[some] -= vector**2
        weighted[some] -= vector * component[:, None]
        corner[some, worst] = 0.0
    return found


def _gains(
    corner: Floats, weighted: Floats, digits: Floats, misprinted: Floats, forced: NDArray[np.bool_]
) -> Floats:
    """Return what the log probability of each table gains if a cell is called a misprint."""
    with np.errstate(divide="ignore", invalid="ignore"):
        given_others = digits + np.log(corner) / 2 - weighted**2 / corner / 2
    gain = misprinted - given_others + _FORCED * forced
    return np.where(corner > SLACK, gain, -np.inf)
