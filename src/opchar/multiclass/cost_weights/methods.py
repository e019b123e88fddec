"""One function for all ways to find class weights under given costs."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from opchar.multiclass.cost_weights.algorithms import (
    default,
    greedy,
    lachiche_flach,
    naive,
    pairwise,
    simple,
)
from opchar.multiclass.cost_weights.certificate import certify
from opchar.multiclass.cost_weights.problem import CostProblem, Weighting, cost_problem

Method = Literal[
    "default",
    "simple",
    "naive",
    "greedy",
    "lachiche-flach",
    "pairs",
    "pairs-greedy",
    "decomp",
    "decomp-greedy",
    "certified",
]


def cost_weights(
    y: ArrayLike,
    scores: ArrayLike,
    costs: ArrayLike,
    priors: ArrayLike | None = None,
    *,
    method: Method = "greedy",
    rng: np.random.Generator | None = None,
    log: bool = False,
    **options: Any,
) -> Weighting:
    """Return class weights for given costs by one of the algorithms.

    Parameters
    ----------
    y, scores, costs, priors, log
        As for `opchar.multiclass.cost_weights.problem.cost_problem`.
    method : str
        ``"default"`` (all weights one), ``"simple"``, ``"naive"``, ``"greedy"``,
        ``"lachiche-flach"``, ``"pairs"`` or ``"pairs-greedy"``; ``"decomp"`` or
        ``"decomp-greedy"``, by groups of classes; ``"certified"``, the best weights that branch
        and bound finds, with a proven lower bound.
    rng : numpy.random.Generator, optional
        For the methods that draw: greedy, both by pairs, decomp-greedy and certified.
    **options
        Of the algorithm's own function in `opchar.multiclass.cost_weights.algorithms`; for both
        by groups as for `opchar.multiclass.decomposition.by_groups` (``threshold``, ``groups``,
        ``max_group``, ``r``, and of decomp-greedy ``constrained``, ``restarts``, ``search``); for
        certified as for `opchar.multiclass.cost_weights.certificate.certify` (``max_nodes``,
        ``gap``, ``seconds``, ``start``).

    Returns
    -------
    Weighting
        With `matchings` from the methods by pairs and `lower_bounds` from the certified one.

    Raises
    ------
    ValueError
        For an unknown method or a missing generator, and as by `cost_problem`.

    Examples
    --------
    >>> y, scores = [0, 0, 1, 1], [[0.9, 0.1], [0.4, 0.6], [0.45, 0.55], [0.2, 0.8]]
    >>> rng = np.random.default_rng(0)
    >>> found = cost_weights(y, scores, [[0, 9], [1, 0]], method="greedy", rng=rng)
    >>> found.losses.tolist()
    [0.25]
    >>> best = cost_weights(y, scores, [[0, 9], [1, 0]], method="certified", rng=rng, max_nodes=50)
    >>> best.losses.tolist(), best.lower_bounds.tolist()
    ([0.25], [0.25])
    """
    if method not in get_args(Method):
        raise ValueError(f"a method is one of {', '.join(get_args(Method))}, not {method!r}")
    problem = cost_problem(y, scores, costs, priors, log=log)
    if method == "default":
        return default(problem, **options)
    if method == "simple":
        return simple(problem, **options)
    if method == "naive":
        return naive(problem, **options)
    if method == "lachiche-flach":
        return lachiche_flach(problem, **options)
    if method == "decomp":
        return _by_groups(problem, **options)
    if rng is None:
        raise ValueError(f"method {method!r} draws orders at random: give a generator as rng")
    if method == "greedy":
        return greedy(problem, rng, **options)
    if method == "decomp-greedy":
        return _by_groups(problem, end_greedily=True, rng=rng, **options)
    if method == "certified":
        return _branch_and_bound(problem, rng, **options)
    return pairwise(problem, rng, end_greedily=method == "pairs-greedy", **options)


def _by_groups(problem: CostProblem, **options: Any) -> Weighting:
    """Return weights by groups of classes, from the package that builds on this one."""
    from opchar.multiclass.decomposition import by_groups

    return by_groups(problem, **options)


def _branch_and_bound(problem: CostProblem, rng: np.random.Generator, **options: Any) -> Weighting:
    """Return the best weights found by branch and bound."""
    found = certify(problem, rng, **options)
    return Weighting(
        np.array([one.log_weights for one in found]),
        np.array([one.loss for one in found]),
        lower_bounds=np.array([one.lower_bound for one in found]),
    )
