"""Nodes of the search tree of branch and bound, and lower bounds of the loss in them.

A node is a region of weight vectors: it limits differences of log weights, ``u_i - u_j < D_ij``. An
object can be with a class in it if no limit forbids that. Those of one possible class are settled.
Any other object costs at least its cheapest class; and at least its second cheapest where the
cheapest, a, loses to one rival b, which depends on ``u_a - u_b`` alone. For each pair of classes
the sum of these steps is minimised over the one difference, as for two classes; the sum over the
pairs bounds the loss.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from opchar.multiclass.cost_weights.problem import CostProblem, Floats, Ints

Bools = NDArray[np.bool_]
NARROW = 1e-11
APART = 1e-10
CHUNK = 1 << 15


@dataclass(frozen=True)
class Nodes:
    """Some nodes with the objects that are not settled in them.

    Shapes: `limits` (N, C, C); `settled` (N,); `bounds` (N,); `excess` (N,); `node` and `item`
    (n,); `branch` (N, 2).

    `limits`: D, with all that follows from it: ``D_ik <= D_ij + D_jk``.
    """

    limits: Floats
    settled: Floats
    bounds: Floats
    excess: Floats
    node: Ints
    item: Ints
    branch: Ints

    def open_objects(self) -> list[Ints]:
        """Return the open objects of each node."""
        ends = np.searchsorted(self.node, np.arange(1, len(self.limits)))
        return np.split(self.item, ends)


def whole(problem: CostProblem) -> Floats:
    """Return the limits of a node that has weights of every order in it, shape (1, C, C)."""
    scores, n_classes = problem.log_scores, problem.n_classes
    low = np.where(np.isfinite(scores), scores, np.inf).min(axis=1)
    reach = float((scores.max(axis=1) - low).max()) + 1.0
    limits = np.full((1, n_classes, n_classes), max(n_classes - 1, 1) * reach)
    limits[:, range(n_classes), range(n_classes)] = 0.0
    return limits


def centres(limits: Floats) -> Floats:
    """Return a weight vector well inside of each node, as logarithms, shape (N, C).

    Shapes: `limits` (N, C, C).
    """
    upper = limits - limits[:, :1, :]
    lower = -(limits - limits[:, :, :1]).transpose(0, 2, 1)
    return (upper.mean(axis=2) + lower.mean(axis=2)) / 2


def split(limits: Floats, pairs: Ints, values: Floats) -> Floats:
    """Split nodes in two where the difference of two log weights has a value.

    Shapes: `limits` (N, C, C); `pairs` (N, 2); `values` (N,); returned (2 N, C, C).

    `values`: the value of ``u_i - u_j``.
    """
    i, j = pairs.T
    return np.concatenate([_add_limit(limits, i, j, values), _add_limit(limits, j, i, -values)])


def _add_limit(limits: Floats, i: Ints, j: Ints, values: Floats) -> Floats:
    """Return the limits with one more, ``u_i - u_j < value``, and what follows."""
    row = np.arange(len(limits))
    through = limits[row, :, i][:, :, None] + values[:, None, None] + limits[row, j, :][:, None, :]
    return np.minimum(limits, through)


class Bounds:
    """Lower bounds of the loss of one cost matrix in nodes."""

    def __init__(self, problem: CostProblem) -> None:
        self._scores = problem.log_scores
        self._of_classes = np.ascontiguousarray(problem.log_scores.T)
        self._price = problem.prices[0][problem.y]

    def evaluate(self, limits: Floats, settled: Floats, node: Ints, item: Ints) -> Nodes:
        """Bound the loss in nodes.

        Shapes: `limits` (N, C, C); `settled` (N,); `node` and `item` (n,).
        """
        every = np.arange(self._scores.shape[1])[:, None]
        possible = np.ascontiguousarray(self._possible(limits, node, item, every).T)
        price = np.where(possible, self._price[item], np.inf)
        lowest, highest = price.min(axis=1), np.where(possible, price, -np.inf).max(axis=1)
        n = len(limits)
        done = (lowest == highest) | np.isinf(lowest)
        settled = settled + np.bincount(node[done], lowest[done], n)
        still = ~done
        node, item, possible, price = node[still], item[still], possible[still], price[still]
        bounds, excess, branch = self._bounds(limits, node, item, possible, price)
        return Nodes(limits, settled, settled + bounds, excess, node, item, branch)

    def _possible(self, limits: Floats, node: Ints, item: Ints, held: Ints) -> Bools:
        """Return which of some classes can have each object, shape (k, n).

        The classes `held` are of shape (k, 1), or (k, n) with others for each object. The work goes
        pair by pair of classes along arrays of objects, few enough to stay near the processor.
        """
        n, n_classes = len(limits), len(self._of_classes)
        by_rival = limits.transpose(2, 1, 0).copy()
        by_rival[range(n_classes), range(n_classes)] = np.inf
        by_rival = by_rival.reshape(n_classes, -1)
        possible = np.empty((len(held), len(item)), dtype=bool)
        size = max(CHUNK // n_classes, 1)
        for first in range(0, len(item), size):
            part = slice(first, first + size)
            scores = self._of_classes.take(item[part], axis=1)
            for row, classes in enumerate(held if held.shape[1] == 1 else held[:, part]):
                held_score = np.take_along_axis(
                    scores, np.broadcast_to(classes, scores.shape[1:])[None], 0
                )[0]
                cell = classes * n + node[part]
                fails = held_score == -np.inf
                with np.errstate(invalid="ignore"):
                    for limit, others in zip(by_rival, scores, strict=True):
                        lead = limit.take(cell)
                        lead += held_score
                        lead -= others
                        fails |= lead <= NARROW
                possible[row, part] = ~fails
        return possible

    def _bounds(
        self, limits: Floats, node: Ints, item: Ints, possible: Bools, price: Floats
    ) -> tuple[Floats, Floats, Ints]:
        """Return the least cost of the open objects, the excess, and what to split."""
        n, n_classes = len(limits), self._scores.shape[1]
        rows = np.arange(len(item))
        centre = centres(limits)
        weighted = np.where(possible, self._scores[item] + centre[node], -np.inf)
        here = weighted.argmax(axis=1)
        cheap = price.argmin(axis=1)
        lowest = price[rows, cheap]
        others = price.copy()
        others[rows, cheap] = np.inf
        second = others.argmin(axis=1)
        gain = others[rows, second] - lowest
        weighted[rows, cheap] = -np.inf
        rival = weighted.argmax(axis=1)
        i, j = np.minimum(cheap, rival), np.maximum(cheap, rival)
        turn = self._scores[item, j] - self._scores[item, i]
        steps = _PairSteps(node, i, j, n_classes, turn, gain, cheap == i)
        least, regret = steps.least(centre)
        slack = np.where(here == cheap, 0.0, price[rows, here] - others[rows, second])
        missed = np.minimum(rival, second) * n_classes + np.maximum(rival, second)
        keys = np.concatenate([steps.keys, node * n_classes**2 + missed])
        worth = np.concatenate([regret, slack])
        mass = np.concatenate([steps.mass, np.zeros(len(slack))])
        branch = _largest(n, n_classes, keys, worth, mass)
        bounds = np.zeros(n)
        bounds += np.bincount(node, lowest, n)
        bounds += np.bincount(steps.keys // n_classes**2, least, n)
        excess = np.zeros(n)
        excess += np.bincount(keys // n_classes**2, worth, n)
        return bounds, excess, branch

    def split_values(self, limits: Floats, node: Ints, item: Ints, pairs: Ints) -> Floats:
        """Return where to split each node: the median of the values at which open objects turn.

        Shapes: `limits` (N, C, C); `node` and `item` (n,); `pairs` (N, 2); returned (N,).
        """
        i, j = pairs[node].T
        both = self._possible(limits, node, item, pairs[node].T).all(axis=0)
        node, item, i, j = node[both], item[both], i[both], j[both]
        turn = self._scores[item, j] - self._scores[item, i]
        order = np.lexsort((turn, node))
        node, turn = node[order], turn[order]
        ends = np.searchsorted(node, np.arange(len(limits) + 1))
        return turn[(ends[:-1] + ends[1:]) // 2]


class _PairSteps:
    """Steps of the cost along the difference of two log weights, by node and pair."""

    def __init__(
        self,
        node: Ints,
        i: Ints,
        j: Ints,
        n_classes: int,
        turn: Floats,
        gain: Floats,
        cheap_above: Bools,
    ) -> None:
        key = (node * n_classes + i) * n_classes + j
        order = np.lexsort((turn, key))
        self._key, self._turn = key[order], turn[order]
        self._step = np.where(cheap_above, -gain, gain)[order]
        self._n_classes = n_classes
        fresh = np.ones(len(key), dtype=bool)
        fresh[1:] = self._key[1:] != self._key[:-1]
        self._first = np.flatnonzero(fresh)
        self.keys = self._key[self._first]
        if len(key):
            self._segment = np.cumsum(fresh) - 1
            self._begin = np.add.reduceat(np.maximum(-self._step, 0.0), self._first)
            self.mass = np.add.reduceat(np.abs(self._step), self._first)
        else:
            self._segment, self._begin, self.mass = key, turn, gain

    def least(self, centre: Floats) -> tuple[Floats, Floats]:
        """Return the least sum of each segment, and what the centre has above it."""
        if not len(self._key):
            return self._turn, self._turn
        pair = self.keys % self._n_classes**2
        node = self.keys // self._n_classes**2
        middle = centre[node, pair // self._n_classes] - centre[node, pair % self._n_classes]
        sums = np.cumsum(self._step)
        sums -= (sums[self._first] - self._step[self._first] - self._begin)[self._segment]
        last = np.append(self._key[1:] != self._key[:-1], True)
        tied = np.append(np.diff(self._turn) <= APART, False) & ~last
        at_centre = self._begin.copy()
        passed = self._turn <= middle[self._segment]
        np.add.at(at_centre, self._segment[passed], self._step[passed])
        sums[tied] = np.inf
        least = np.minimum(np.minimum.reduceat(sums, self._first), self._begin)
        return least, np.maximum(at_centre - least, 0.0)


def _largest(n: int, n_classes: int, keys: Ints, worth: Floats, mass: Floats) -> Ints:
    """Return for each node the pair with the largest worth, or mass if nothing has any."""
    branch = np.zeros((n, 2), dtype=np.intp)
    if len(keys):
        unique, back = np.unique(keys, return_inverse=True)
        total, heavy = np.bincount(back, worth), np.bincount(back, mass)
        node, pair = np.divmod(unique, n_classes**2)
        tiny = 1e-12 * (heavy.max() + total.max())
        order = np.lexsort((heavy, np.where(total > tiny, total, 0.0), node))
        final = order[np.append(node[order][1:] != node[order][:-1], True)]
        branch[node[final]] = np.stack(np.divmod(pair[final], n_classes), axis=1)
    return branch
