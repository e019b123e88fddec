"""The multi-class ROC as that of independent groups of classes, and class weights from it.

The groups follow from `opchar.multiclass.perturbation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.multiclass.cost_weights.algorithms import greedy
from opchar.multiclass.cost_weights.certificate import certify
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import (
    CostProblem,
    Weighting,
    cost_problem,
    losses,
    scored_objects,
)
from opchar.multiclass.perturbation import groups as groups_at
from opchar.multiclass.perturbation import groups_up_to, largest_by_class, score_sensitivities
from opchar.multiclass.roc.hypersurface import lowest_losses, vus
from opchar.multiclass.roc.weighted_scores import WeightedScores, weighted_scores

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class DecomposedROC:
    """The multi-class ROC of scored objects as that of independent groups of classes.

    `y` (N,); `log_scores` (N, C): minus infinity for a score of 0; `groups`: each class in one
    group; `r`: steps a weight; `low`, `high`: range of the weights. The first class of a group has
    weight one.
    """

    y: Ints
    log_scores: Floats
    groups: list[list[int]]
    r: int
    low: float
    high: float

    @property
    def n_points(self) -> int:
        """Number of operating points, the sum of ``r^(size - 1)`` over the groups."""
        return sum(self.r ** (len(group) - 1) for group in self.groups)

    def part(self, group: list[int]) -> WeightedScores:
        """Return the objects and scores of the classes of a group, and its grid of weights."""
        member = np.isin(self.y, group)
        scores = self.log_scores[member][:, group]
        best = scores.max(axis=1, keepdims=True)
        scores = np.exp(scores - np.where(np.isfinite(best), best, 0.0))
        index = np.searchsorted(group, self.y[member])
        return weighted_scores(index, scores, self.r, low=self.low, high=self.high, fixed=0)

    def lowest_losses(self, costs: ArrayLike, priors: ArrayLike | None = None) -> Weighting:
        """Return the best weights of the groups for each cost matrix (Decomp)."""
        problem = cost_problem(self.y, self.log_scores, costs, priors, log=True)
        return decomp(problem, self)

    def volume(self, nodes: int | None = None) -> float:
        """Return the simplified VUS as the product over the groups.

        A class alone has volume one (landgrebe2007, Sec. 4.3.4).
        """
        return prod(vus(self.part(group), nodes) for group in self.groups if len(group) > 1)


def decomposed_roc(
    y: ArrayLike,
    scores: ArrayLike,
    groups: list[list[int]],
    r: int = 80,
    *,
    low: float = 1e-3,
    high: float = 1e3,
    max_group: int = 4,
    log: bool = False,
) -> DecomposedROC:
    """Prepare the ROC of scored objects, decomposed by groups of classes."""
    y, log_scores = scored_objects(y, scores, log=log)
    ordered = [sorted(group) for group in groups]
    if sorted(c for group in ordered for c in group) != list(range(log_scores.shape[1])):
        raise ValueError(f"each of the {log_scores.shape[1]} classes must be in one group")
    if (size := max(map(len, ordered))) > max_group:
        raise ValueError(
            f"a group of {size} classes needs {r}^{size - 1} operating points: take a larger "
            f"threshold, groups_up_to(..., {max_group}), or a larger max_group"
        )
    return DecomposedROC(y, log_scores, ordered, r, low, high)


def decomp(
    problem: CostProblem,
    roc: DecomposedROC,
    *,
    search: Literal["grid", "certified"] = "grid",
    rng: np.random.Generator | None = None,
) -> Weighting:
    """Return the best weights of each group for each cost matrix.

    The Decomp algorithm (landgrebe2007, Sec. 4.3.6). The losses belong to the whole problem, all
    classes competing.
    """
    if search not in ("grid", "certified"):
        raise ValueError(f"a search is 'grid' or 'certified', not {search!r}")
    if search == "certified" and rng is None:
        raise ValueError("the certified optimum starts from random orders: give a generator as rng")
    log_weights = np.zeros((len(problem.prices), problem.n_classes))
    for group in roc.groups:
        if len(group) == 1:
            continue
        part = problem.of_classes(group)
        if search == "grid":
            signed = part.prices * part.class_sizes()[:, None]
            _, weights = lowest_losses(roc.part(group), signed, np.full(len(group), 1 / len(group)))
            log_weights[:, group] = np.log(weights)
        elif rng is not None:
            log_weights[:, group] = [found.log_weights for found in certify(part, rng)]
    return Weighting(log_weights, losses(problem, log_weights))


def decomp_g(
    problem: CostProblem,
    roc: DecomposedROC,
    start: Weighting,
    rng: np.random.Generator,
    *,
    constrained: bool = True,
    restarts: int = 3,
    search: Search = "exact",
) -> Weighting:
    """Improve the weights of a decomposition by the greedy algorithm.

    `constrained`: Whether the ratios within a group are held, so that only the groups are scaled.
    The DecompG algorithm (landgrebe2007, Sec. 4.3.6).
    """
    units = roc.groups if constrained else None
    return greedy(
        problem, rng, restarts=restarts, search=search, start=start.log_weights, units=units
    )


def by_groups(
    problem: CostProblem,
    *,
    groups: list[list[int]] | None = None,
    threshold: float | None = None,
    max_group: int = 4,
    r: int = 80,
    low: float = 1e-3,
    high: float = 1e3,
    inside: Literal["grid", "certified"] = "grid",
    end_greedily: bool = False,
    constrained: bool = True,
    restarts: int = 3,
    search: Search = "exact",
    rng: np.random.Generator | None = None,
) -> Weighting:
    """Decompose the problem into groups of classes and return the best weights of each group.

    `max_group`: The largest group to accept; the time grows with ``r^(size - 1)``.
    Of `decomp` or `decomp_g` with the groups of the objects given (landgrebe2007, Sec. 4.3.6).
    """
    if end_greedily and rng is None:
        raise ValueError("the greedy end draws orders at random: give a generator as rng")
    y, scores = problem.y, problem.log_scores
    if groups is None:
        steps: dict[str, Any] = {"low": low, "high": high, "log": True}
        changes = largest_by_class(score_sensitivities(y, scores, r, **steps))
        if threshold is None:
            groups, _ = groups_up_to(changes, max_group)
        else:
            groups = groups_at(changes, threshold)
    roc = decomposed_roc(y, scores, groups, r, low=low, high=high, max_group=max_group, log=True)
    found = decomp(problem, roc, search=inside, rng=rng)
    if not end_greedily or rng is None:
        return found
    return decomp_g(
        problem, roc, found, rng, constrained=constrained, restarts=restarts, search=search
    )
