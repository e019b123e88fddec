"""Scored objects under random costs, and slow ways to the same answers."""

import numpy as np

from opchar.multiclass.cost_weights.problem import cost_problem


def overlapping(classes, objects, *, matrices=1, spread=1.5, seed=0, profits=False):
    """Return Gaussian classes in the plane, scored by their log densities, under random costs."""
    rng = np.random.default_rng(seed)
    means = rng.normal(size=(classes, 2)) * spread
    y = np.arange(objects) % classes
    x = means[y] + rng.normal(size=(objects, 2))
    log_scores = -0.5 * ((x[:, None] - means) ** 2).sum(axis=2)
    costs = rng.uniform(size=(matrices, classes, classes))
    if not profits:
        costs[:, range(classes), range(classes)] = 0
    return cost_problem(y, log_scores, costs, log=True)


def loss_by_loop(y, scores, weights, costs, priors):
    """Return the loss of Eq. 4.6, object by object."""
    total = 0.0
    for i, row in zip(y, scores, strict=True):
        j = int(np.argmax(weights * row))
        share = priors[i] / np.count_nonzero(np.asarray(y) == i)
        total += share * (costs[i, j] if i != j else -costs[i, i])
    return total


def exhaustive(problem):
    """Return the lowest loss over all cells of weights, for each cost matrix and C = 2 or 3.

    For three classes each cell has a corner where two turns of objects meet, and all cells round a
    corner are looked into.
    """
    scores = problem.log_scores
    if scores.shape[1] == 2:
        turns = np.unique(scores[:, 1] - scores[:, 0])
        places = np.concatenate([[turns[0] - 1], (turns[1:] + turns[:-1]) / 2, [turns[-1] + 1]])
        weights = np.stack([places, np.zeros(len(places))], axis=1)
    else:
        first, second, third = (
            np.unique(scores[:, b] - scores[:, a]) for a, b in ((0, 2), (1, 2), (0, 1))
        )
        corners = [(u, v) for u in first for v in second]
        corners += [(u, u - w) for u in first for w in third]
        corners += [(w + v, v) for w in third for v in second]
        e = 1e-7
        round_it = [(e, 2 * e), (2 * e, e), (-e, -2 * e), (-2 * e, -e), (e, -e), (-e, e)]
        moved = np.array(corners)[:, None] + np.array(round_it)
        weights = np.insert(moved.reshape(-1, 2), 2, 0.0, axis=1)
    winners = np.argmax(scores + weights[:, None], axis=2)
    return problem.prices[:, problem.y, winners].sum(axis=2).min(axis=1)
