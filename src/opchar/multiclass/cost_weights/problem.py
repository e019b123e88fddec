"""Scored objects under cost matrices: the input of every search for class weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats, plain_array
from opchar.multiclass.cost_weights.matchings import Matchings

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
LARGEST = 1e300


@dataclass(frozen=True)
class CostProblem:
    """Scored objects and the cost of each assignment.

    Shapes: `y` (N,); `log_scores` (N, C); `prices` (M, C, C).

    `prices`: what one object of a class (row) adds to the loss when it is assigned to another
    (column): ``p(w_i) s_ij / N_i`` off the diagonal and ``-p(w_i) s_ii / N_i`` on it, for M cost
    matrices.
    """

    y: Ints
    log_scores: Floats
    prices: Floats

    @property
    def n_classes(self) -> int:
        """Number of classes C."""
        return int(self.log_scores.shape[1])

    def class_sizes(self) -> Ints:
        """Return the number of objects of each class."""
        return np.bincount(self.y, minlength=self.n_classes)

    def of_matrix(self, m: int) -> CostProblem:
        """Return the problem under one of its cost matrices."""
        return CostProblem(self.y, self.log_scores, self.prices[[m]])

    def of_classes(self, classes: list[int]) -> CostProblem:
        """Return the problem among some classes, which has their objects and scores only."""
        member = np.isin(self.y, classes)
        index = np.full(self.n_classes, -1)
        index[classes] = np.arange(len(classes))
        scores = never_empty(self.log_scores[member][:, classes])
        prices = self.prices[:, classes][:, :, classes]
        return CostProblem(index[self.y[member]].astype(np.intp), scores, prices)


@dataclass(frozen=True)
class Weighting:
    """The class weights that an algorithm found.

    Shapes: `log_weights` (M, C); `losses` (M,); `lower_bounds` (M,).

    `losses`: loss at these weights on the objects given (landgrebe2007, Eq. 4.6).
    """

    log_weights: Floats
    losses: Floats
    matchings: Matchings | None = None
    lower_bounds: Floats | None = None

    @property
    def weights(self) -> Floats:
        """The weights, shape (M, C), scaled so that the largest of each vector is one."""
        return np.exp(self.log_weights - self.log_weights.max(axis=1, keepdims=True))


def cost_problem(
    y: ArrayLike,
    scores: ArrayLike,
    costs: ArrayLike,
    priors: ArrayLike | None = None,
    *,
    log: bool = False,
) -> CostProblem:
    """Prepare scored objects and cost matrices.

    Parameters
    ----------
    y : array_like of int, shape (N,)
        True classes, ``0 .. C - 1``.
    scores : array_like of float, shape (N, C)
        Scores that are not negative, or their logarithms; larger for more likely classes. Only
        the ratios within a row count.
    costs : array_like of float, shape (C, C) or (M, C, C)
        Cost of assigning a true class (row) to another (column); profits on the diagonal.
    priors : array_like of float, shape (C,), optional
        Class priors; those of the objects when not given. They need not sum to one: ones give
        the loss of Eq. 4.6 without priors.
    log : bool
        Whether `scores` are logarithms. They do not underflow where classes are far apart.

    Returns
    -------
    CostProblem
        Objects in a form that all algorithms share.

    Raises
    ------
    ValueError
        For scores that are negative, not numbers or plus infinity, labels outside the classes,
        costs or priors that are not finite or of another shape, costs above 1e300 in size (times
        the sum of the priors, where it is above one), whose sums would overflow, or a class with a
        prior but without objects.

    Notes
    -----
    landgrebe2007, Eqs. 4.6 and 4.28, with the confusion rates normalised by class (Sec. 4.2.2)
    and each prior used once: Eqs. 4.3 and 4.7 print it inside the rates as well. A class without
    objects and without a prior adds nothing to the loss, but still can get objects. An object
    whose scores are all zero stays with the first class.
    """
    y, log_scores = scored_objects(y, scores, log=log)
    c = log_scores.shape[1]
    costs = floats(costs, "costs")
    if costs.ndim == 2:
        costs = costs[None]
    if costs.ndim != 3 or costs.shape[1:] != (c, c) or not np.isfinite(costs).all():
        raise ValueError(f"costs must be finite, of shape ({c}, {c}) or (M, {c}, {c})")
    sizes = np.bincount(y, minlength=c)
    priors = sizes / len(y) if priors is None else np.asarray(priors, dtype=float)
    if priors.shape != (c,) or not np.all((priors >= 0) & (priors < np.inf)):
        raise ValueError(f"give a finite prior that is not negative for each of the {c} classes")
    if (empty := np.flatnonzero((priors > 0) & (sizes == 0))).size:
        raise ValueError(f"no object of class {empty.tolist()}: its prior must be zero")
    with np.errstate(over="ignore", invalid="ignore"):
        largest = np.abs(costs).max(initial=0.0) * max(1.0, float(priors.sum()))
    if largest > LARGEST:
        raise ValueError(
            f"costs, times the sum of the priors, are {LARGEST:g} in size at most: sums of larger "
            "ones overflow; only ratios of costs count, so divide all by the largest"
        )
    signs = 1 - 2 * np.eye(c)
    return CostProblem(y, log_scores, costs * signs * (priors / np.maximum(sizes, 1))[:, None])


def scored_objects(y: ArrayLike, scores: ArrayLike, *, log: bool = False) -> tuple[Ints, Floats]:
    """Check scored objects and take logarithms.

    Shapes: `y` (N,); `log_scores` (N, C).
    """
    log_scores = _log_scores(floats(scores, "scores"), log)
    return _labels(plain_array(y, "y"), log_scores), log_scores


def _log_scores(scores: Floats, log: bool) -> Floats:
    """Return the logarithms of scores that are numbers in their range."""
    if scores.ndim != 2 or 0 in scores.shape:
        raise ValueError(f"scores must have shape (N, C), with objects, not {scores.shape}")
    if not np.all(scores < np.inf) or not (log or np.all(scores >= 0)):
        raise ValueError(
            "scores must be finite and not negative, or their logarithms below infinity (log=True)"
        )
    if not log:
        with np.errstate(divide="ignore"):
            scores = np.log(scores)
    return never_empty(scores)


def _labels(y: NDArray[np.generic], log_scores: Floats) -> Ints:
    """Return class numbers that fit the scores."""
    n, c = log_scores.shape
    if y.shape != (n,):
        raise ValueError(f"{n} rows of scores need as many labels, got shape {y.shape}")
    if not np.isin(y, np.arange(c)).all():
        raise ValueError(f"labels must be class numbers from 0 to {c - 1}")
    return y.astype(np.intp)


def never_empty(log_scores: Floats) -> Floats:
    """Return log scores in which objects without any score are with the first class.

    Shapes: `log_scores` (..., C); returned (..., C).
    """
    empty = np.all(log_scores == -np.inf, axis=1)
    if empty.any():
        log_scores = log_scores.copy()
        log_scores[empty, 0] = 0.0
    return log_scores


def assign(log_scores: Floats, log_weights: Floats) -> Ints:
    """Return the class of each object, the first of equal ones.

    Shapes: `log_scores` (N, C); `log_weights` (C,); returned (N,).

    Returned: the class with the largest weighted score (landgrebe2007, Eq. 4.5).
    """
    return np.argmax(log_scores + log_weights, axis=1)


def losses(problem: CostProblem, log_weights: ArrayLike) -> Floats:
    """Return the loss at a weight vector, for each cost matrix.

    Shapes: `log_weights` (C,) or (M, C); returned (M,).

    Returned: landgrebe2007, Eq. 4.6.
    """
    log_weights = np.asarray(log_weights, dtype=float)
    if log_weights.ndim == 1:
        log_weights = log_weights[None]
    counts = [confusion_counts(problem, row) for row in log_weights]
    return np.einsum("mij,mij->m", problem.prices, np.broadcast_to(counts, problem.prices.shape))


def confusion_counts(problem: CostProblem, log_weights: Floats) -> Ints:
    """Return the confusion matrix at a weight vector.

    Shapes: `log_weights` (C,); returned (C, C).
    """
    c = problem.n_classes
    key = problem.y * c + assign(problem.log_scores, log_weights)
    return np.bincount(key, minlength=c * c).reshape(c, c)


def mean_subjective_utilities(problem: CostProblem, losses: ArrayLike) -> Floats:
    """Return losses on the scale from chance (zero) to no error (one).

    landgrebe2007, Eqs. 4.18 and 4.19, in the way of `opchar.metrics.mean_subjective_utility`: the
    sum of Eq. 4.18 runs over all cells. Without the diagonal a classifier without errors would
    score zero, while Eq. 4.19 needs one. Profits count as negative costs, in the loss of no error
    and in the loss of chance.

    Shapes: `losses` (M,); returned (M,).
    """
    sizes = problem.class_sizes()
    chance = problem.prices.sum(axis=2) @ sizes / problem.n_classes
    perfect = np.diagonal(problem.prices, axis1=1, axis2=2) @ sizes
    scale, utility = chance - perfect, np.full(len(chance), np.nan)
    np.divide(chance - np.asarray(losses, dtype=float), scale, out=utility, where=scale != 0)
    return utility
