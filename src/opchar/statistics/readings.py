"""How well each reading of a protocol explains a published table as a whole.

A *reading* is one admissible set of choices that a publication leaves open. Each gives a value and
a spread for every published cell; from these follow the likelihood of the published cells, the
weight of the reading among all, and whether exactly one other reading explains what the primary
one does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp, ndtr
from scipy.stats import norm

from opchar.arguments import floats

Floats = NDArray[np.float64]
MISPRINT = 0.01
LIMIT = 2.0
FAMILY = 0.05
SHARE = 0.9
LEAST_FACTOR = 100.0
FALSE_POSITIVES = 0.01
_SLACK = 1e-6
_BLOCK = 2_000_000


@dataclass(frozen=True)
class Readings:
    """Published cells, and what each reading gives for them.

    Parameters
    ----------
    published : ndarray of float, shape (k,)
        The published values.
    unit : ndarray of float, shape (k,)
        One unit of the last published digit of each.
    values : ndarray of float, shape (R, k)
        The reproduced values; the first reading is the primary one. NaN where a reading gives none.
    spread : ndarray of float, shape (R, k)
        Standard error of reproduced minus published value, without rounding; 0 where nothing is
        random.
    """

    published: Floats
    unit: Floats
    values: Floats
    spread: Floats

    def __post_init__(self) -> None:
        k = len(self.published)
        if self.values.ndim != 2 or self.values.shape != self.spread.shape:
            raise ValueError(
                f"values and spread must have one shape (R, k), got {self.values.shape} and "
                f"{self.spread.shape}"
            )
        if k == 0 or self.values.shape[0] == 0 or self.values.shape[1] != k or len(self.unit) != k:
            raise ValueError(f"{k} published cells, but values of shape {self.values.shape}")
        if not (np.all(self.unit > 0) and np.all(self.spread >= 0)):
            raise ValueError("units must be positive and spreads not negative")


def cell_log_likelihood(
    published: ArrayLike, unit: ArrayLike, values: ArrayLike, spread: ArrayLike
) -> Floats:
    """Return the log probability of publishing each cell, given what a reading gives for it.

    A cell is published right with probability 0.99: then it is the value of a normal distribution
    around the reproduced value, rounded to the published digits. Else any number up to twice the
    published one may stand there, so that a single misprint does not rule a reading out.

    Parameters
    ----------
    published, unit : array_like, shape (k,)
        As in `Readings`.
    values, spread : array_like, shape (..., k)
        As in `Readings`; a NaN value leaves the misprint only.

    Returns
    -------
    ndarray of float, shape (..., k)

    Raises
    ------
    ValueError
        If a published number, unit or spread is NaN or infinite, or a unit is not positive.
    """
    x, u, s = floats(published, "published"), floats(unit, "unit"), floats(spread, "spread")
    if not all(np.isfinite(each).all() for each in (x, u, s)) or not (u > 0).all():
        raise ValueError("published numbers, units and spreads must be finite, units positive")
    off = x - floats(values, "values")
    half = u / 2 * (1 + _SLACK)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        mass = np.where(
            s > 0, ndtr((half - np.abs(off)) / s) - ndtr((-half - np.abs(off)) / s), 0.0
        )
    mass = np.where(s > 0, mass, np.abs(off) <= half)
    mass = np.where(np.isnan(off), 0.0, mass)
    misprint = u / (2 * np.maximum(np.abs(x), u))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log((1 - MISPRINT) * mass + MISPRINT * misprint))


def deviations(readings: Readings) -> Floats:
    """Return z of every cell under every reading, shape (R, k), rounding included.

    Where nothing is random, z is 0 within half a unit of the last digit and the distance in
    standard deviations of rounding elsewhere. NaN values stay NaN.

    Parameters
    ----------
    readings : Readings
        What was published, and what each reading gives.

    Returns
    -------
    ndarray of float, shape (R, k)
    """
    return _deviations(readings.published, readings)


def _deviations(published: Floats, readings: Readings) -> Floats:
    """Return `deviations` from published cells of shape (..., 1, k): shape (..., R, k)."""
    off = readings.values - published
    error = np.sqrt(readings.spread**2 + readings.unit**2 / 12)
    exact = (readings.spread == 0) & (np.abs(off) <= readings.unit / 2 * (1 + _SLACK))
    return np.where(exact, 0.0, off / error)


def log_likelihoods(readings: Readings) -> Floats:
    """Return the log likelihood of all published cells under each reading, shape (R,).

    Parameters
    ----------
    readings : Readings
        What was published, and what each reading gives.

    Returns
    -------
    ndarray of float, shape (R,)
    """
    cells = cell_log_likelihood(readings.published, readings.unit, readings.values, readings.spread)
    return np.asarray(cells.sum(axis=1))


def weights(log_likelihood: ArrayLike) -> Floats:
    """Return the share of each reading in the likelihood of all, each as likely as any before.

    Parameters
    ----------
    log_likelihood : array_like, shape (R,)

    Returns
    -------
    ndarray of float, shape (R,)
        They sum to one, and depend on neither order nor names.

    Raises
    ------
    ValueError
        If one is plus infinity.
    """
    given = floats(log_likelihood, "log_likelihood")
    if (given == np.inf).any():
        raise ValueError("a likelihood is infinite")
    return np.asarray(np.exp(given - logsumexp(given)))


def within(readings: Readings) -> NDArray[np.int64]:
    """Return the number of cells with ``|z| <= 2`` under each reading, shape (R,).

    Parameters
    ----------
    readings : Readings
        What was published, and what each reading gives.

    Returns
    -------
    ndarray of int, shape (R,)
    """
    z = np.abs(deviations(readings))
    return np.asarray((z <= LIMIT + 1e-9).sum(axis=1))


def certain(readings: Readings) -> NDArray[np.int64]:
    """Return the number of cells that differ by Holm's procedure at 5 %, shape (R,).

    Parameters
    ----------
    readings : Readings
        What was published, and what each reading gives.

    Returns
    -------
    ndarray of int, shape (R,)
    """
    tails = 2 * norm.sf(np.abs(np.nan_to_num(deviations(readings), nan=np.inf)))
    cells = tails.shape[1]
    kept = np.sort(tails, axis=1) > FAMILY / np.arange(cells, 0, -1)
    return np.where(kept.any(axis=1), kept.argmax(axis=1), cells)


def fits(readings: Readings) -> NDArray[np.bool_]:
    """Tell which readings explain the cells: 90 % with ``|z| <= 2``, none certain to differ.

    Parameters
    ----------
    readings : Readings
        What was published, and what each reading gives.

    Returns
    -------
    ndarray of bool, shape (R,)
    """
    return _fits(deviations(readings))


def _fits(z: Floats) -> NDArray[np.bool_]:
    """Return `fits` for deviations of shape (..., k). Holm rejects something if the largest."""
    cells = z.shape[-1]
    size = np.nan_to_num(np.abs(z), nan=np.inf)
    enough = (size <= LIMIT + 1e-9).sum(axis=-1) >= SHARE * cells
    return np.asarray(enough & (2 * norm.sf(size.max(axis=-1)) > FAMILY / cells))


def explaining(readings: Readings, factor: float = LEAST_FACTOR) -> int | None:
    """Return the one other reading that explains what the primary one does not.

    Parameters
    ----------
    readings : Readings
    factor : float
        Least ratio of its likelihood to that of the primary reading.

    Returns
    -------
    int or None
        The most likely reading, if it fits (`fits`), is not the primary one, and is at least
        `factor` times as likely as that; None else.
    """
    likely = log_likelihoods(readings)
    best = int(np.argmax(likely))
    ahead = likely[best] - likely[0] >= np.log(factor)
    return best if best and ahead and bool(fits(readings)[best]) else None


def chance_factors(readings: Readings, rng: np.random.Generator, draws: int = 2000) -> Floats:
    """Return the likelihood ratios by which wrong readings explain tables that none of them made.

    Each draw is a table as far from the middle of all readings as the published one, but without
    its pattern: the deviations from the mean over readings are dealt out to the cells at random,
    with random signs. What a reading explains there it explains by chance.

    Parameters
    ----------
    readings : Readings
    rng : numpy.random.Generator
    draws : int
        Number of tables.

    Returns
    -------
    ndarray of float, shape (draws,)
        Log of the likelihood ratio of the explaining reading to the primary one; minus infinity
        where none explains the table.
    """
    given = ~np.isnan(readings.values)
    total = np.where(given, readings.values, 0.0).sum(axis=0)
    centre = np.where(
        given.any(axis=0), total / np.maximum(given.sum(axis=0), 1), readings.published
    )
    error = np.sqrt((readings.spread**2).mean(axis=0) + readings.unit**2 / 12)
    z = (readings.published - centre) / error
    dealt = rng.permuted(np.tile(z, (draws, 1)), axis=1)
    dealt *= rng.choice([-1.0, 1.0], size=dealt.shape)
    tables = np.round((centre + dealt * error) / readings.unit) * readings.unit
    parts = np.array_split(tables, max(1, tables.size * len(readings.values) // _BLOCK))
    return np.concatenate([_factors(part, readings) for part in parts])


def _factors(tables: Floats, readings: Readings) -> Floats:
    """Return the log ratio by which the most likely reading explains each table, or -inf."""
    published = tables[:, None, :]
    likely = cell_log_likelihood(published, readings.unit, readings.values, readings.spread).sum(
        axis=2
    )
    fit = _fits(_deviations(published, readings))
    best = likely.argmax(axis=1)
    rows = np.arange(len(tables))
    found = likely[rows, best] - likely[:, 0]
    return np.where((best > 0) & fit[rows, best], found, -np.inf)


def least_factor(log_factors: ArrayLike, rate: float = FALSE_POSITIVES) -> float:
    """Return the least likelihood ratio that chance reaches in fewer than `rate` of the tables.

    Parameters
    ----------
    log_factors : array_like, shape (draws,)
        As `chance_factors` returns them.
    rate : float
        Tolerated share of false explanations, in (0, 1).

    Returns
    -------
    float
        At least 100; infinite if chance reaches any ratio too often.

    Raises
    ------
    ValueError
        If there is no draw, one is NaN, or the rate is outside (0, 1).
    """
    given = np.sort(floats(log_factors, "log_factors"))[::-1]
    if not len(given) or np.isnan(given).any() or not 0 < rate < 1:
        raise ValueError("draws must be numbers, at least one, and a rate between 0 and 1")
    allowed = int(np.ceil(rate * len(given))) - 1
    with np.errstate(over="ignore"):
        threshold = float(np.exp(given[allowed])) if np.isfinite(given[allowed]) else 0.0
    return max(LEAST_FACTOR, threshold * (1 + _SLACK))
