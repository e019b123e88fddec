"""Dual-LexiBoost: boosting that minimises the hinge losses of the classes one after another."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack, vstack

from opchar.models.classifiers.neighbours import nearest_rows
from opchar.models.posterior import PosteriorClassifier
from opchar.ties import EQUAL, first_largest

Dual = Literal["published", "exact"]


class DualLexiBoost(PosteriorClassifier):
    """Dual-LexiBoost with weighted nearest neighbours (Datta, Nag and Das, 2019).

    A weak learner gives an object to the class with the largest sum of weights among its k nearest
    training objects, a training object being its own neighbour; ties go to the nearest of the tied.
    Two passes of boosting follow, each starting from weights that are equal within and between
    classes, and stopping early when the objects classified correctly weigh less than one half. The
    first pass finds the least mean hinge loss of each class by itself; the second weighs the rounds
    so that the largest excess over those is least. The score of a class is the weight of the rounds
    that choose it. For two classes this is the published algorithm; for more, the margin of a round
    is 1 where it is right and -1 where it is wrong, which is our extension.

    Shapes: `losses_` (C,); `round_weights_` (t,); `object_weights_` (t, n).
    """

    row_by_row = True

    def __init__(self, k: int = 3, rounds: int = 10, dual: Dual = "published") -> None:
        self.k = k
        self.rounds = rounds
        self.dual = dual

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        if not 1 <= self.k <= len(X):
            raise ValueError(
                f"k must be between 1 and the n_samples={len(X)} training objects, not {self.k}"
            )
        if self.rounds < 1 or self.dual not in ("published", "exact"):
            raise ValueError("give one round or more, and dual='published' or 'exact'")
        self._X, self._labels = X, labels
        neighbours = nearest_rows(X, X, self.k)
        exact = self.dual == "exact"

        def by_class(margins: np.ndarray) -> np.ndarray:
            weights = np.zeros(len(labels))
            for group in range(len(self.classes_)):
                own = labels == group
                weights[own] = class_weights(margins[:, own], exact=exact)
            return weights

        margins, _ = self._boost(neighbours, by_class)
        counts = np.bincount(labels)
        self.losses_ = np.array(
            [least_loss(margins[:, labels == group]) for group in range(len(counts))]
        )
        margins, self.object_weights_ = self._boost(
            neighbours, lambda h: joint_weights(h, labels, self.losses_, exact=exact)
        )
        self.round_weights_ = round_weights(margins, labels, self.losses_)

    def _boost(self, neighbours: np.ndarray, reweigh: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return margins and object weights of the rounds of one pass, both of shape (t, n)."""
        counts = np.bincount(self._labels)
        weights = 1 / counts[self._labels] / len(counts)
        margins: list[np.ndarray] = []
        used: list[np.ndarray] = []
        for _ in range(self.rounds):
            right = self._vote(neighbours, weights) == self._labels
            if margins and weights[right].sum() < 0.5 - EQUAL:
                break
            margins.append(np.where(right, 1.0, -1.0))
            used.append(weights)
            solved = np.maximum(reweigh(np.array(margins)), 0)
            if not solved.sum() > 0:
                break
            weights = solved / solved.sum()
        return np.array(margins), np.array(used)

    def _vote(self, neighbours: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the class with the largest weight among the neighbours of each object."""
        closeness = 2.0 ** -np.arange(1, neighbours.shape[1] + 1)
        nearly_nothing = 1e-9 * weights.max() * closeness
        given = weights[neighbours] + nearly_nothing
        owners = self._labels[neighbours]
        votes = [np.where(owners == c, given, 0).sum(axis=1) for c in range(len(self.classes_))]
        return first_largest(votes)

    def _posterior(self, X: np.ndarray) -> np.ndarray:
        neighbours = nearest_rows(self._X, X, self.k)
        scores = np.zeros((len(X), len(self.classes_)))
        rows = np.arange(len(X))
        for weight, weights in zip(self.round_weights_, self.object_weights_, strict=True):
            scores[rows, self._vote(neighbours, weights)] += weight
        return scores


def class_weights(margins: np.ndarray, *, exact: bool) -> np.ndarray:
    """Solve the weight program of one class in the first pass.

    Minimise ``rho - sum_i u_i`` subject to ``sum_i u_i h_si <= rho`` for each round s and
    ``0 <= u_i <= 1/n``, and as published ``sum_i u_i = 1``, which leaves nothing to solve.

    Shapes: `margins` (t, n); returned (n,).
    """
    t, n = margins.shape
    if not exact:
        return np.full(n, 1 / n)
    solved = _solve(
        np.append(-np.ones(n), 1.0),
        hstack([csr_array(margins), csr_array(-np.ones((t, 1)))]),
        np.zeros(t),
        None,
        [(0, 1 / n)] * n + [(None, None)],
    )
    return solved[:n]


def least_loss(margins: np.ndarray) -> float:
    """Return the least total hinge loss of a class over weighted rounds.

    Minimise ``sum_i t_i`` subject to ``sum_s a_s h_si + t_i >= 1``, ``sum_s a_s = 1`` and
    ``a, t >= 0``.

    Shapes: `margins` (t, n).
    """
    t, n = margins.shape
    if (margins == margins[0]).all():  # whatever the weights of the rounds
        return float(np.maximum(1 - margins[0], 0).sum())
    solved = _solve(
        np.append(np.zeros(t), np.ones(n)),
        hstack([csr_array(-margins.T), -eye_array(n)]),
        -np.ones(n),
        np.append(np.ones(t), np.zeros(n)),
        [(0, None)] * (t + n),
    )
    return float(solved[t:].sum())


def joint_weights(
    margins: np.ndarray, labels: np.ndarray, losses: np.ndarray, *, exact: bool
) -> np.ndarray:
    """Solve the weight program of all classes in the second pass.

    Minimise ``sum_c (S_c / n_c) v_c - sum_i u_i + rho`` subject to ``sum_i u_i h_si <= rho`` for
    each round s, ``u_i <= v_c / n_c`` for objects i of class c, ``u, v >= 0`` and, as published,
    ``sum_i u_i = 1``; exactly, ``sum_c v_c = 1``.

    Shapes: `margins` (t, n); `labels` (n,); `losses` (C,); returned (n,).
    """
    t, n = margins.shape
    counts = np.bincount(labels)
    number = len(counts)
    shares = csr_array((-1 / counts[labels], (np.arange(n), labels)), shape=(n, number))
    of_rounds = hstack([csr_array((t, number)), csr_array(margins), csr_array(-np.ones((t, 1)))])
    of_objects = hstack([shares, eye_array(n), csr_array((n, 1))])
    sums = np.zeros(number + n + 1)
    sums[slice(0, number) if exact else slice(number, number + n)] = 1
    solved = _solve(
        np.concatenate([losses / counts, -np.ones(n), [1.0]]),
        vstack([of_rounds, of_objects]),
        np.zeros(t + n),
        sums,
        [(0, None)] * (number + n) + [(None, None)],
    )
    return solved[number : number + n]


def round_weights(margins: np.ndarray, labels: np.ndarray, losses: np.ndarray) -> np.ndarray:
    """Weigh the rounds so that the largest mean excess loss of a class is least.

    Minimise ``lam`` subject to ``sum_s a_s h_si + t_i >= 1``,
    ``sum_{i in c} t_i - n_c lam <= S_c``, ``sum_s a_s = 1`` and ``a, t >= 0``.

    Shapes: `margins` (t, n); `labels` (n,); `losses` (C,); returned (t,).
    """
    t, n = margins.shape
    counts = np.bincount(labels)
    members = csr_array((np.ones(n), (labels, np.arange(n))), shape=(len(counts), n))
    of_objects = hstack([csr_array(-margins.T), -eye_array(n), csr_array((n, 1))])
    of_classes = hstack([csr_array((len(counts), t)), members, csr_array(-counts[:, None])])
    solved = _solve(
        np.append(np.zeros(t + n), 1.0),
        vstack([of_objects, of_classes]),
        np.concatenate([-np.ones(n), losses]),
        np.concatenate([np.ones(t), np.zeros(n + 1)]),
        [(0, None)] * (t + n) + [(None, None)],
    )
    weights = np.maximum(solved[:t], 0)
    return weights / weights.sum()


def _solve(
    cost: np.ndarray, rows: Any, limits: np.ndarray, sums: np.ndarray | None, bounds: list[Any]
) -> np.ndarray:
    """Minimise ``cost @ x`` subject to ``rows @ x <= limits`` and ``sums @ x = 1`` by HiGHS."""
    equal = {} if sums is None else {"A_eq": csr_array(sums[None, :]), "b_eq": [1.0]}
    found = linprog(cost, A_ub=csr_array(rows), b_ub=limits, bounds=bounds, method="highs", **equal)
    if found.status != 0:
        raise ValueError(f"the linear program of a boosting round failed: {found.message}")
    return found.x


def lexiboost(k: int = 3) -> DualLexiBoost:
    """Return Dual-LexiBoost with weighted k nearest neighbours, ``"lexiboost3"``.

    `k`: neighbours.
    """
    return DualLexiBoost(k)
