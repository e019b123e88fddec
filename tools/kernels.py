"""Compile ahead what numba compiles, into the folder from which the jobs of a project load it.

    python tools/kernels.py      # in the folder of a project; part of `make setup`

Each kernel is called once on a small example, by the same function as in a run, and so with the
same types of arrays. Without numba there is nothing to do.
"""

import os

import numpy as np

from opchar.combination import pairwise as pairs
from opchar.multiclass.cost_weights import line_search
from opchar.multiclass.cost_weights.algorithms import greedy
from opchar.multiclass.cost_weights.problem import cost_problem
from opchar.multiclass.roc import simplices
from opchar.multiclass.roc.volume import linear_surface
from opchar.spaces import sorting
from opchar_reproduction.project.checked import compiled_folder
from opchar_reproduction.project.environment import start_anew

AT_ONCE = -1


def compile_searches() -> None:
    """Compile searches along class weights."""
    line_search.COMPILED.worth = AT_ONCE
    y, costs = np.arange(6) % 3, np.ones((1, 3, 3)) - np.eye(3)
    problem = cost_problem(y, np.eye(3)[y] + 1.0, costs)
    greedy(problem, np.random.default_rng(0))


def compile_surfaces() -> None:
    """Compile surfaces on regular grids."""
    simplices.COMPILED.worth = AT_ONCE
    linear_surface(np.random.default_rng(0).uniform(size=(3, 3, 3)), 3)


def compile_pairs() -> None:
    """Compile pairs of classifiers at all thresholds."""
    pairs.COMPILED.worth = AT_ONCE
    scores = {"a": np.arange(6) / 6, "b": np.arange(6)[::-1] / 6}
    pairs.pairwise(scores, np.arange(6) < 3)


def compile_sorting() -> None:
    """Compile sums and shares of each class by score, sums with weights of both kinds, too."""
    sorting.COMPILED.worth = AT_ONCE
    score = np.arange(sorting.FEW) / 7
    for weight in (None, np.ones(sorting.FEW, dtype=np.int64), np.ones(sorting.FEW)):
        sorting.sums_by_score(score > 9, score, weight)
    sorting.rates_by_score(score > 9, score, (1, 1))


if __name__ == "__main__":
    start_anew()
    os.environ["NUMBA_CACHE_DIR"] = str(compiled_folder().resolve())
    compile_searches()
    compile_surfaces()
    compile_pairs()
    compile_sorting()
