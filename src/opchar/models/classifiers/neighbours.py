"""Classifiers from distances to the training objects: knnc and parzenc."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.neighbors import NearestNeighbors

from opchar.models.posterior import PosteriorClassifier, from_distances, from_log_densities
from opchar.ties import EQUAL, first_least, without_last_bits

CHUNK = 1024
# Rows of kernels that stay in the cache.
BAND = 32
ROUNDING = np.finfo(float).eps


def nearest_rows(among: np.ndarray, X: np.ndarray, number: int) -> np.ndarray:
    """Return the nearest of some objects to each of others, the first of those that are as near.

    Shapes: `among` (m, d); `X` (n, d); returned (n, number).
    """
    among, X = np.asarray(among, dtype=float), np.asarray(X, dtype=float)
    sizes, found = (among**2).sum(axis=1), np.empty((len(X), number), dtype=np.intp)
    for start, part in zip(range(0, len(X), CHUNK), _chunks(X), strict=True):
        own = (part**2).sum(axis=1)
        # Wrong by less than this, product and sums; tells which distances are worth computing.
        off = ROUNDING * (X.shape[1] + 8) * (np.sqrt(own) + np.sqrt(sizes.max())) ** 2
        squared = own[:, np.newaxis] + sizes - 2 * part @ among.T
        largest = squared.max(axis=1)
        reach = np.partition(squared, number - 1, axis=1)[:, number - 1]
        near = squared <= (reach + 2 * off + 2.0**-37 * largest)[:, np.newaxis]
        far = squared >= (largest - 2 * off)[:, np.newaxis]
        for row, (close, remote) in enumerate(zip(near, far, strict=True)):
            places = np.flatnonzero(close)
            rows = among[np.append(places, np.flatnonzero(remote))]
            distances = without_last_bits(cdist(part[row : row + 1], rows)[0])[: len(places)]
            found[start + row] = places[np.argsort(distances, kind="stable")[:number]]
    return found


class NearestNeighbour(PosteriorClassifier):
    """knnc: k nearest neighbours with posteriors.

    For k of two or more the posterior of class j is ``(n_j + 1) / (k + C)`` with ``n_j`` of its
    objects among the neighbours. For k = 1 it is proportional to ``1 - d_j**2 / sum_c d_c**2`` with
    ``d_j`` the distance to the nearest object of class j. (Landgrebe, 2007, Sec. 2.2.6; PRTools'
    ``knnc``.)
    """

    def __init__(self, k: int = 1) -> None:
        self.k = k

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        if not 1 <= self.k <= len(X):
            raise ValueError(
                f"knnc wants k between 1 and the {len(X)} training objects, not {self.k}"
            )
        self._labels = labels
        self._X = X
        if self.k == 1:
            groups = [X[labels == group] for group in range(len(self.classes_))]
            self._searches = [NearestNeighbors(n_neighbors=1).fit(group) for group in groups]

    def _posterior(self, X: np.ndarray) -> np.ndarray:
        if self.k == 1:
            return from_distances(np.hstack([search.kneighbors(X)[0] for search in self._searches]))
        neighbours = self._labels[nearest_rows(self._X, X, self.k)]
        number = len(self.classes_)
        counts = np.stack([(neighbours == group).sum(axis=1) for group in range(number)], axis=1)
        return (counts + 1) / (self.k + number)


class Parzen(PosteriorClassifier):
    """parzenc: Parzen densities with one Gaussian width for all classes.

    The width is the one of largest leave-one-out posterior likelihood,
    ``sum_i log(sum_{j in class of i, j != i} K_ij / sum_{j != i} K_ij)``: leaving an object out of
    densities and priors alike. It is sought on a logarithmic grid from half the smallest positive
    distance to the largest and refined around the best. Objects alone in their class do not count.
    (Landgrebe, 2007, Sec. 2.2.6; PRTools' ``parzenc``.)
    """

    def __init__(self, width: float | None = None, grid: int = 16) -> None:
        self.width = width
        self.grid = grid

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        if self.width is not None and not self.width > 0:
            raise ValueError(f"parzenc wants a positive width, not {self.width}")
        order = np.argsort(labels, kind="stable")
        self._X = X[order]
        counts = np.bincount(labels)
        self._starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self.width_ = self._likeliest_width(labels[order]) if self.width is None else self.width

    def _likeliest_width(self, labels: np.ndarray) -> float:
        squared = cdist(self._X, self._X, "sqeuclidean")
        least = squared.min(initial=np.inf, where=squared > 0)
        if least == np.inf:
            raise ValueError("parzenc wants some spread; all training objects are equal")
        counted = np.bincount(labels)[labels] > 1
        if not counted.any():
            raise ValueError("parzenc wants a class of two or more samples to estimate its width")
        largest = squared.max()
        low, high = 0.5 * np.log([least / 4, largest])
        np.fill_diagonal(squared, np.inf)
        own = np.arange(len(labels)), labels
        nearest = _take_off_nearest(squared, self._starts)
        coarse = squared.astype(np.float32) if least > 1e-36 and largest < 1e36 else squared

        def loss(log_width: float, relative: np.ndarray = squared) -> float:
            rows = zip(_chunks(relative), _chunks(nearest), strict=True)
            parts = [_log_sums(*part, self._starts, np.exp(log_width)) for part in rows]
            joint = np.concatenate(parts)
            return -float((joint[own] - logsumexp(joint, axis=1))[counted].sum())

        widths = np.linspace(low, high, self.grid)
        losses = np.array([loss(width, coarse) for width in widths])
        rounding = EQUAL * np.max(losses, initial=0.0, where=np.isfinite(losses))
        # In single precision a term is wrong by less than 3e-5: only what may be least is redone.
        near = losses <= losses.min() + 1e-4 * len(labels) + 2 * rounding
        losses[near] = [loss(width) for width in widths[near]]
        best = int(first_least(losses))
        around = widths[max(best - 1, 0)], widths[min(best + 1, self.grid - 1)]
        found = minimize_scalar(loss, bounds=around, method="bounded", options={"xatol": 1e-4})
        return float(np.exp(found.x if found.fun < losses[best] - rounding else widths[best]))

    def _posterior(self, X: np.ndarray) -> np.ndarray:
        return from_log_densities(self._joint(X))

    def _joint(self, X: np.ndarray) -> np.ndarray:
        rows = []
        for part in _chunks(X):
            squared = cdist(part, self._X, "sqeuclidean")
            nearest = _take_off_nearest(squared, self._starts)
            rows.append(_log_sums(squared, nearest, self._starts, self.width_))
        return np.concatenate(rows)

    def log_densities(self, X: Any) -> np.ndarray:
        """Return the log class-conditional densities of `X`, shape (n, C)."""
        X = self._check_input(X)
        counts = np.diff([*self._starts, len(self._X)])
        volume = 0.5 * X.shape[1] * np.log(2 * np.pi * self.width_**2)
        return self._joint(X) - np.log(counts) - volume


def _chunks(rows: np.ndarray) -> Iterator[np.ndarray]:
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK]


def _take_off_nearest(squared: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Subtract the smallest of each run of columns in place; return it, 0 where it is infinite."""
    nearest = np.minimum.reduceat(squared, starts, axis=1)
    nearest[~np.isfinite(nearest)] = 0.0
    squared -= np.repeat(nearest, np.diff([*starts, squared.shape[1]]), axis=1)
    return nearest


def _log_sums(
    relative: np.ndarray, nearest: np.ndarray, starts: np.ndarray, width: float
) -> np.ndarray:
    """Return the log of the summed kernels of each class, shape (n, C); -inf for no kernel."""
    scale = -0.5 / width**2
    sums = np.empty_like(nearest)
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        for row in range(0, len(relative), BAND):
            band = slice(row, row + BAND)
            kernels = relative[band] * relative.dtype.type(scale)
            np.exp(kernels, out=kernels)
            np.add.reduceat(kernels, starts, axis=1, out=sums[band])
        return np.log(sums, out=sums) + nearest * scale


def knnc(k: int) -> NearestNeighbour:
    """Return the k-nearest-neighbour classifier, ``"knnc3"``."""
    return NearestNeighbour(k)


def parzenc() -> Parzen:
    """Return the Parzen classifier, ``"parzenc"``."""
    return Parzen()
