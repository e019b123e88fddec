"""Operating points of known one-dimensional Gaussian classes, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from opchar.multiclass.weight_grids import weight_grid

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
CHUNK = 100_000
FAR = 40.0


def _line_regions(means: Floats, variance: float, log_weights: Floats) -> tuple[Floats, Ints]:
    """Return edges and winners of the upper envelope of lines (one common variance)."""
    order = np.argsort(means)
    slope = means[order] / variance
    level = log_weights[:, order] - means[order] ** 2 / (2 * variance)
    edges = np.full((len(level), len(means) + 1), np.inf)
    edges[:, 0] = -np.inf
    for first_right in range(1, len(means)):
        with np.errstate(over="ignore"):
            crossing = (level[:, :first_right, None] - level[:, None, first_right:]) / (
                slope[None, first_right:] - slope[:first_right, None]
            )
        edges[:, first_right] = crossing.min(axis=2).max(axis=1)
    return edges, np.broadcast_to(order, level.shape)


def _roots(a: float, b: float, c: Floats) -> Floats:
    """Return the two real roots of ``a x^2 + b x + c`` for each c; NaN where there are none."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        if a == 0:
            root = -c / b if b else np.full_like(c, np.nan)
            return np.stack([root, np.full_like(c, np.nan)], axis=1)
        shift = -(b + np.copysign(np.sqrt(b * b - 4 * a * c), b)) / 2
        return np.stack([shift / a, np.where(shift == 0, 0.0, c / shift)], axis=1)


def _parabola_regions(means: Floats, variances: Floats, log_weights: Floats) -> tuple[Floats, Ints]:
    """Return edges and winners of the upper envelope of parabolas."""
    square = -1 / (2 * variances)
    linear = means / variances
    level = log_weights - means**2 / (2 * variances) - np.log(variances) / 2
    roots = [
        _roots(square[i] - square[j], linear[i] - linear[j], level[:, i] - level[:, j])
        for i, j in combinations(range(len(means)), 2)
    ]
    reach = FAR * variances.max() ** 0.5
    roots_in_reach = np.clip(
        np.concatenate(roots, axis=1), means.min() - reach, means.max() + reach
    )
    inner = np.sort(roots_in_reach, axis=1)
    ends = np.full((len(level), 1), np.inf)
    edges = np.concatenate([-ends, np.where(np.isnan(inner), np.inf, inner), ends], axis=1)
    left = np.where(np.isfinite(edges[:, :-1]), edges[:, :-1], edges[:, 1:] - 2)
    right = np.where(np.isfinite(edges[:, 1:]), edges[:, 1:], left + 2)
    middle = np.where(np.isfinite(left), (left + right) / 2, 0.0)[..., None]
    height = square * middle**2 + linear * middle + level[:, None, :]
    return edges, np.argmax(height, axis=2)


def _positive(name: str, values: ArrayLike) -> Floats:
    """Return `values` as floats, all of them positive and finite."""
    array = np.asarray(values, dtype=float)
    if not (np.all(array > 0) and np.all(np.isfinite(array))):
        raise ValueError(f"{name} must be positive and finite")
    return array


def decision_regions(
    means: ArrayLike, variances: ArrayLike, weights: ArrayLike, priors: ArrayLike | None = None
) -> tuple[Floats, Ints]:
    """Return the intervals of the line on which each class wins.

    Shapes: `means`, `variances`, `priors` (C,); `weights` (n, C); `edges` (n, B + 1); `winners` (n,
    B).

    The rule ``argmax_i phi_i p(w_i) p(x | w_i)`` (landgrebe2007, Eq. 4.25) is the upper envelope
    of parabolas in x, of lines where all variances are equal and all means differ. Parabolas are
    compared up to 40 of the largest standard deviation beyond the means, where no class has mass
    that a double could hold.
    """
    means = np.asarray(means, dtype=float)
    if not np.isfinite(means).all():
        raise ValueError("means must be finite")
    variances = np.broadcast_to(_positive("variances", variances), means.shape)
    log_weights = np.log(_positive("weights", weights))
    if log_weights.ndim != 2 or log_weights.shape[1] != len(means):
        raise ValueError(f"weights must have shape (n, {len(means)}), got {log_weights.shape}")
    if priors is not None:
        log_weights = log_weights + np.log(_positive("priors", priors))
    apart = np.diff(np.sort(means / variances)).min(initial=np.inf) > 0
    if apart and np.all(variances == variances[0]):
        return _line_regions(means, float(variances[0]), log_weights)
    return _parabola_regions(means, variances, log_weights)


def _masses(
    means: ArrayLike, variances: ArrayLike, weights: ArrayLike, priors: ArrayLike | None
) -> Iterator[tuple[slice, Floats, Ints]]:
    """Yield for a chunk of weights the mass (B, C, n) of each class in each interval, and winners.

    The winners have shape (B, n).
    """
    means, weights = np.asarray(means, dtype=float), np.asarray(weights, dtype=float)
    deviations = np.sqrt(np.broadcast_to(np.asarray(variances, dtype=float), means.shape))
    for start in range(0, len(weights), CHUNK):
        part = slice(start, start + CHUNK)
        edges, winners = decision_regions(means, variances, weights[part], priors)
        standard = (edges.T[:, None] - means[:, None]) / deviations[:, None]
        yield part, np.diff(ndtr(standard), axis=0).clip(0), winners.T


def confusion_rates(
    means: ArrayLike, variances: ArrayLike, weights: ArrayLike, priors: ArrayLike | None = None
) -> Floats:
    """Return the confusion rate matrix of known Gaussian classes under each weight vector.

    Shapes: returned (n, C, C).

    landgrebe2007, Eqs. 4.24 and 4.25, without the factors ``phi_i p(w_i)``: with them the rows
    of the printed matrices (Eq. 4.26) would not sum to one.

    >>> confusion_rates([0.0, 2.0], 1.0, [[1.0, 1.0]]).round(4).tolist()
    [[[0.8413, 0.1587], [0.1587, 0.8413]]]
    """
    c = len(np.asarray(means))
    rates = np.empty((len(np.asarray(weights)), c, c))
    for part, mass, winners in _masses(means, variances, weights, priors):
        for assigned in range(c):
            rates[part, :, assigned] = np.sum(mass * (winners == assigned)[:, None], axis=0).T
    return rates


def class_rates(
    means: ArrayLike, variances: ArrayLike, weights: ArrayLike, priors: ArrayLike | None = None
) -> Floats:
    """Return the diagonals of `confusion_rates`: the share of each class that is recognised.

    Shapes: returned (n, C).

    ``xi_{1,1} ... xi_{C,C}``, the axes of the simplified ROC (landgrebe2007, Eq. 3.15).
    """
    c = len(np.asarray(means))
    rates = np.empty((len(np.asarray(weights)), c))
    for part, mass, winners in _masses(means, variances, weights, priors):
        for assigned in range(c):
            rates[part, assigned] = np.sum(mass[:, assigned] * (winners == assigned), axis=0)
    return rates


def diagonal_lattice(
    means: ArrayLike,
    variances: ArrayLike,
    r: int,
    low: float = 1e-3,
    high: float = 1e3,
    fixed: int = -1,
) -> Floats:
    """Return `class_rates` at all combinations of r logarithmic weights per class.

    Shapes: returned (r,).

    landgrebe2007, Sec. 3.3.4: the ROC of known distributions.
    """
    c = len(np.asarray(means))
    rates = class_rates(means, variances, weight_grid(c, r, low, high, fixed))
    return rates.reshape((r,) * (c - 1) + (c,))


def threshold_rates(means: ArrayLike, thresholds: ArrayLike, deviation: float = 1.0) -> Floats:
    """Return the recognised share of ordered Gaussian classes cut at given thresholds.

    Shapes: `means` (C,); `thresholds` (n, C - 1); returned (n, C).

    >>> threshold_rates([0.0, 2.0], [[1.0]]).round(4).tolist()
    [[0.8413, 0.8413]]
    """
    thresholds = np.asarray(thresholds, dtype=float)
    ends = np.full((len(thresholds), 1), np.inf)
    edges = np.concatenate([-ends, thresholds, ends], axis=1)
    means = np.asarray(means, dtype=float)
    return (
        ndtr((edges[:, 1:] - means) / deviation) - ndtr((edges[:, :-1] - means) / deviation)
    ).clip(0)


def three_class_surface(means: ArrayLike, first: int, second: int) -> Floats:
    """Return the simplified ROC surface of three ordered unit-variance classes on a grid of ranks.

    Shapes: `means` (3,); returned (first * second, 3).

    The axes of Figures 3.6 and 3.7 of landgrebe2007.
    """
    means = np.asarray(means, dtype=float)
    share, split = np.meshgrid(np.linspace(0, 1, first), np.linspace(0, 1, second), indexing="ij")
    low = ndtri(share) + means[0]
    left_over = ndtr(means[1] - low)
    high = means[1] - ndtri(left_over * (1 - split))
    thresholds = np.stack([low.ravel(), np.maximum(low, high).ravel()], axis=1)
    return threshold_rates(means, thresholds)


def densities(means: ArrayLike, variances: ArrayLike, x: ArrayLike) -> Floats:
    """Return the class densities p(x | w_i) on a grid.

    Shapes: `means`, `variances` (C,); `x` (n,); returned (C, n).
    """
    means = np.asarray(means, dtype=float)[:, None]
    variances = np.broadcast_to(np.asarray(variances, dtype=float).reshape(-1, 1), means.shape)
    x = np.asarray(x, dtype=float)
    return np.exp(-((x - means) ** 2) / (2 * variances)) / np.sqrt(2 * np.pi * variances)


def drawn_posteriors(
    means: ArrayLike, objects: int, rng: np.random.Generator
) -> tuple[Ints, Floats]:
    """Draw objects of unit-variance classes and score them by their true posteriors.

    Shapes: `means` (C,); `y` (C * objects,); `posteriors` (C * objects, C).
    """
    means = np.asarray(means, dtype=float)
    y = np.repeat(np.arange(len(means)), objects)
    scores = densities(means, 1.0, rng.normal(means[y])).T
    return y, scores / scores.sum(axis=1, keepdims=True)
