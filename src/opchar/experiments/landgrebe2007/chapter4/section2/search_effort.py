"""How many losses the searches for class weights evaluate (Secs. 4.2.4 and 4.2.5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from opchar.multiclass.cost_weights.matchings import find_matchings
from opchar.results import Results
from opchar.seeds import Spawn


def naive_trials(n_classes: int, r: int) -> Iterator[tuple[int, int]]:
    """Yield the weights that the Naive algorithm tries: each class, each step (Eq. 4.10)."""
    for c in range(n_classes):
        for step in range(r):
            yield c, step


def greedy_trials(n_classes: int, r: int, restarts: int) -> Iterator[tuple[int, int, int]]:
    """Yield the weights that the Greedy algorithm tries: each repetition as Naive (Eq. 4.12)."""
    for repeat in range(restarts):
        for c, step in naive_trials(n_classes, r):
            yield repeat, c, step


def pair_trials(n_classes: int, r: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the operating points of the pairwise ROCs: each pair of classes, each step."""
    for pair in combinations(range(n_classes), 2):
        for step in range(r):
            yield pair, step


def search_effort(*, spawn: Spawn, classes: list[int], r: int, restarts: int, cap: int) -> Results:
    """Count the losses that each algorithm evaluates, by its definition.

    Parameters
    ----------
    spawn : callable
        Generators by name.
    classes : list of int
        Numbers of classes, even.
    r, restarts : int
        Steps a weight, and repetitions of Greedy.
    cap : int
        Matchings that are listed at most.

    Returns
    -------
    Results
        Frame ``effort``.
    """
    results = Results()
    for c in classes:
        matchings = find_matchings(c, spawn("matchings", c), cap=cap).matchings
        results.curve(
            "effort",
            {
                "C": [c],
                "r": r,
                "restarts": restarts,
                "matchings": len(matchings),
                "Naive": sum(1 for _ in naive_trials(c, r)),
                "Greedy": sum(1 for _ in greedy_trials(c, r, restarts)),
                "pairs": sum(1 for _ in pair_trials(c, r)),
                "calibration": int(np.sum([r * len(matching) for matching in matchings])),
            },
        )
    return results
