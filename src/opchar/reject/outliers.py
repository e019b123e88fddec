"""Artificial objects of the class that is not seen in training."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats
from opchar.reject.sweep import Floats
from opchar.ties import EQUAL

LARGEST = 1e150

Reach = Literal["farthest", "deviation"]
Kept = Literal["largest", "smallest"]


def sphere_outliers(
    targets: ArrayLike,
    number: int,
    rng: np.random.Generator,
    *,
    variance: float = 0.999,
    radius: float = 1.1,
    reach: Reach = "farthest",
    kept: Kept = "largest",
) -> Floats:
    """Draw objects uniformly from a sphere in a subspace of the target class.

    The subspace of the fewest principal components with `variance` of the targets' variance is
    scaled to unit variance; the sphere lies about the targets' mean.

    Parameters
    ----------
    targets : array_like of shape (n, d)
        Two objects or more, that vary.
    number : int
        How many to draw.
    rng : numpy.random.Generator
        Source of all random numbers.
    variance : float
        In (0, 1]; with 1 all components that vary.
    radius : float
        Radius in units of `reach`, positive. It decides the volume of a VUC more than the model
        does: an object drawn far outside is rejected by any model that rejects.
    reach : {"farthest", "deviation"}
        What the radius is a multiple of: the distance of the farthest target from the mean, so that
        the sphere surrounds the class, or the standard deviation, which is one in the scaled
        space. The text says "a radius of 1.1 of the covariance of the target class".

    kept : {"largest", "smallest"}
        Which components hold the share `variance`: the fewest with at least this share, or, as the
        code of dd_tools' ``gendatouts`` takes them, those of smallest variance with at most this
        share, so that the largest is left out. One component is always kept.

    Returns
    -------
    ndarray of shape (number, d)
        In the original space.

    Raises
    ------
    ValueError
        For fewer than two targets, targets that do not vary, or numbers out of range.

    Notes
    -----
    landgrebe2007, Secs. 5.2.5 (``perf_a1``) and 5.3.4: a subspace that retains 99.9 % of the
    variance, so that ``"largest"`` has its literal meaning.
    """
    given = _check_targets(targets, number)
    if not 0 < variance <= 1 or not 0 < radius < np.inf:
        raise ValueError(
            f"variance must be in (0, 1] and radius positive, got {variance} and {radius}"
        )
    if reach not in ("farthest", "deviation"):
        raise ValueError(f"unknown reach {reach!r}: use 'farthest' or 'deviation'")
    if kept not in ("largest", "smallest"):
        raise ValueError(f"unknown components {kept!r}: use 'largest' or 'smallest'")
    mean = given.mean(axis=0)
    deviations, axes = _components(given, variance, kept)
    unit = 1.0
    if reach == "farthest":
        scaled = (given - mean) @ (axes / deviations)
        unit = float(np.linalg.norm(scaled, axis=1).max())
    directions = rng.normal(size=(number, len(deviations)))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    lengths = radius * unit * rng.random((number, 1)) ** (1 / len(deviations))
    return mean + (lengths * directions) @ (axes * deviations).T


def gaussian_outliers(
    targets: ArrayLike, number: int, rng: np.random.Generator, *, enlargement: float = 1.5
) -> Floats:
    """Draw objects from a Gaussian with an enlarged covariance of the target class.

    Parameters
    ----------
    targets : array_like of shape (n, d)
        Two objects or more, that vary.
    number : int
        How many to draw.
    rng : numpy.random.Generator
        Source of all random numbers.
    enlargement : float
        Factor of the covariance, positive.

    Returns
    -------
    ndarray of shape (number, d)
        Features in the units of the target class.

    Raises
    ------
    ValueError
        As `sphere_outliers`.

    Notes
    -----
    landgrebe2007, Sec. 5.2.5 (``perf_a2``).
    """
    given = _check_targets(targets, number)
    if not 0 < enlargement < np.inf:
        raise ValueError(f"the enlargement must be positive, got {enlargement}")
    deviations, axes = _components(given, 1.0)
    drawn = rng.normal(size=(number, len(deviations)))
    return given.mean(axis=0) + drawn @ (axes * deviations * np.sqrt(enlargement)).T


def _check_targets(targets: ArrayLike, number: int) -> Floats:
    given = floats(targets, "targets")
    if given.ndim != 2 or len(given) < 2 or not (np.abs(given) <= LARGEST).all():
        raise ValueError(
            "outliers are drawn around two or more finite targets, of shape (n, d), whose squares "
            "are finite, too"
        )
    if not np.ptp(given, axis=0).any():
        raise ValueError("outliers are drawn around targets that vary; these are all equal")
    if number < 0:
        raise ValueError(f"the number of outliers must not be negative, got {number}")
    return given


def _components(targets: Floats, variance: float, kept: Kept = "largest") -> tuple[Floats, Floats]:
    """Return standard deviations (k,) and directions (d, k) of the components that hold a share."""
    _, lengths, directions = np.linalg.svd(targets - targets.mean(axis=0), full_matrices=False)
    varies = int((lengths > lengths[0] * max(targets.shape) * np.finfo(float).eps).sum())
    shares = np.cumsum(lengths**2) / np.sum(lengths**2)
    enough = int(np.searchsorted(shares, variance - EQUAL)) + 1
    k = varies if variance >= 1 else min(enough, varies)
    chosen = slice(0, k)
    if kept == "smallest" and variance < 1:
        upwards = np.cumsum(lengths[varies - 1 :: -1] ** 2) / np.sum(lengths**2)
        chosen = slice(varies - max(int((upwards <= variance + EQUAL).sum()), 1), varies)
    return lengths[chosen] / np.sqrt(len(targets) - 1), directions[chosen].T
