"""How many losses the searches for class weights evaluate (Secs. 4.2.4 and 4.2.5)."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from opchar.multiclass.cost_weights.matchings import find_matchings
from opchar.seeds import Spawn
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement, study


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


@study("costs-search-effort", kind="costs", basis="illustration")
def search_effort(
    *,
    spawn: Spawn,
    classes: list[int] = [4, 6, 8, 10],
    r: int = 80,
    restarts: int = 3,
    cap: int = 1000,
) -> Results:
    """Count the losses that each algorithm evaluates, by its definition.

    `classes`: Numbers of classes, even.
    `r`, `restarts`: Steps a weight, and repetitions of Greedy.
    `cap`: Matchings that are listed at most.
    """
    results = Results()
    for c in classes:
        matchings = find_matchings(c, spawn("matchings", c), cap=cap).matchings
        settings = {"C": [c], "r": r, "restarts": restarts, "matchings": len(matchings)}
        tried = {
            "Naive": naive_trials(c, r),
            "Greedy": greedy_trials(c, r, restarts),
            "pairs": pair_trials(c, r),
        }
        effort = {name: sum(1 for _ in trials) for name, trials in tried.items()}
        effort["calibration"] = int(np.sum([r * len(matching) for matching in matchings]))
        results.add_frame("effort", settings | effort)
    return results


def evaluations_grow_linearly(measured: Measurements, *, algorithm: str) -> Finding:
    """Ask whether an algorithm evaluates r C losses, or as many for each of its repetitions."""
    table = measured.frame("effort").sort_values("C")
    times = table["restarts"] if algorithm == "Greedy" else 1
    ratio = table[algorithm] / (times * table["r"] * table["C"])
    counted = ", ".join(f"{count:g}" for count in table[algorithm])
    return Finding(
        bool((ratio == 1).all()),
        f"{counted} losses for C = {', '.join(f'{c:g}' for c in table['C'])}",
    )


@statement("0325")
def pairs_and_calibration_are_bounded(measured: Measurements) -> Finding:
    """Ask whether pairs take r(C^2 - C)/2 losses and calibration at most N_PC times as many."""
    table = measured.frame("effort").sort_values("C")
    pairs = table["r"] * table["C"] * (table["C"] - 1) / 2
    share = table["calibration"] / (table["matchings"] * pairs)
    return conjunction(
        {
            "pairs take r(C^2 - C)/2": (table["pairs"] == pairs).all(),
            "calibration at most N_PC times as many": (share <= 1).all(),
        },
        f"pairs take {', '.join(f'{count:g}' for count in table['pairs'])} losses, calibration "
        f"{share.min():.2f} to {share.max():.2f} of N_PC times as many",
    )
