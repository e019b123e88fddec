"""What branch and bound finds and proves for each budget, beside searches of fixed effort."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from opchar.multiclass.cost_weights.algorithms import default, greedy, pairwise
from opchar.multiclass.cost_weights.certificate import Certificate, certify
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.matchings import find_matchings
from opchar.multiclass.cost_weights.pairs import kept_pairs
from opchar.multiclass.cost_weights.problem import CostProblem, Floats
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    random_costs,
    scenarios,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

ARTEFACT = "certified-budgets"
ABOVE = "loss above the best known, %"
PROVEN = "gap proven, %"
EFFORT = "line searches"
RESTARTS = 3


@study(
    "costs-certified-budgets",
    kind="costs",
    scores=[
        "statlog-satimage | holdout-10-own | fisher mogc2",
        "image-segmentation | holdout-10-own | fisher qdc",
        "clusters-8 | holdout-10-own | qdc",
        "prtools8 | shuffled-half-10-own | qdc",
        "nist16 | holdout-10-own | nlfisher mogc2",
        "letter-recognition | first-16000-own | fisher qdc",
    ],
    profiles={
        "tiny": {
            "matrices": 2,
            "cap": 5,
            "nodes": [1, 10, 100],
            "sets": [
                {"data": "image-segmentation", "row": "Segmentation"},
                {"data": "nist16", "row": "Nist", "most": 10},
            ],
        },
        "quick": {"matrices": 3, "cap": 30, "nodes": [1, 10, 30, 100, 300, 1000, 3000]},
    },
)
def certified_budgets(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]] = [
        {"data": "statlog-satimage", "row": "Satellite"},
        {"data": "image-segmentation", "row": "Segmentation"},
        {"data": "clusters-8", "row": "Synth8C"},
        {"data": "prtools8", "row": "PRTools8"},
        {"data": "nist16", "row": "Nist", "most": 1000},
        {"data": "letter-recognition", "row": "Letter", "most": 100},
    ],
    matrices: int = 20,
    law: Law = "uniform",
    search: Search = "grid and present",
    cap: int = 200,
    nodes: Sequence[int] = [1, 10, 30, 100, 300, 1000, 3000, 10000, 30000],
) -> Results:
    """Measure the loss found and the gap proven for each budget of branch and bound.

    `scores`: one table a data set; the first fold is used; `sets`: ``data``, ``row`` and, where
    many classes make nodes dear, ``most`` of them; `matrices`: cost matrices a data set, with zeros
    on the diagonal, at balanced priors; `law`, `search`, `cap`: as in
    `opchar_reproduction.publications.studies.certified_gaps.certified_gaps`; `nodes`: the budgets:
    nodes that may be bounded for each cost matrix, ascending. A count gives the same result on
    every machine, as a time would not. A batch of nodes is finished, so that a few more are
    bounded; how many is measured. Returns: lines of certified-budgets; frames ``budgets`` and
    ``algorithms``, a row a cost matrix.
    """
    results = Results()
    tables = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        data = setting["data"]
        _, part = next(tables[data].folds())
        costs = random_costs(law, matrices, len(part.classes), spawn("costs", data))
        problem = scenarios(part, costs, priors="balanced").judged
        found = {
            count: certify(problem, spawn("certify", data), max_nodes=count)
            for count in nodes
            if count <= setting.get("most", np.inf)
        }
        others = _others(problem, spawn, data, search, cap)
        losses = [np.array([one.loss for one in proven]) for proven in found.values()]
        best = np.min(np.array([*losses, *(loss for loss, _ in others.values())]), axis=0)
        _add_budgets(results, setting["row"], found, best, tables[data].data)
        _add_algorithms(results, setting["row"], others, best, tables[data].data)
    return results


def _others(
    problem: CostProblem, spawn: Spawn, data: str, search: Search, cap: int
) -> dict[str, tuple[Floats, int]]:
    """Return losses and numbers of line searches, for one cost matrix, of three algorithms."""
    c = problem.n_classes
    simple = greedy(problem, spawn("Greedy", data), restarts=RESTARTS, search=search)
    pairs = pairwise(
        problem,
        spawn("PairsG", data),
        number=c,
        cap=cap,
        end_greedily=True,
        restarts=RESTARTS,
        search=search,
    )
    effort = searches_of_pairs(problem, spawn("PairsG", data), number=c, cap=cap)
    return {
        "Default": (default(problem).losses, 0),
        "Greedy": (simple.losses, RESTARTS * c),
        "PairsG": (pairs.losses, effort + RESTARTS * c),
    }


def searches_of_pairs(
    problem: CostProblem, rng: np.random.Generator, *, number: int, cap: int
) -> int:
    """Count the line searches of the pairwise algorithm for one cost matrix."""
    sample = rng.spawn(3)[0]
    pairs = kept_pairs(problem, number=number)
    matchings = find_matchings(problem.n_classes, sample, pairs=pairs, cap=cap).matchings
    used = {pair for matching in matchings for pair in matching}
    scaled = sum(map(len, matchings)) if problem.n_classes > 2 else 0
    return len(used) + scaled


def _above(losses: Floats, best: Floats) -> Floats:
    """Return by how much losses are above the best, in percent; NaN where the best is zero."""
    above = np.full(len(best), np.nan)
    np.divide(losses - best, np.abs(best), out=above, where=best != 0)
    return 100 * above


def _add_budgets(
    results: Results, row: str, found: Mapping[int, Sequence[Certificate]], best: Floats, data: str
) -> None:
    """Add what each budget gives."""
    for count, proven in found.items():
        above = _above(np.array([one.loss for one in proven]), best)
        gaps = np.array([100 * one.relative_gap for one in proven])
        used = np.array([one.n_nodes for one in proven])
        who = {"data set": row, "budget": count, "scenario": np.arange(len(proven))}
        results.add_frame("budgets", who | {"nodes": used, "above": above, "gap": gaps})
        name = f"{row} / {count} nodes"
        _mean(results, name, ABOVE, above, data)
        _mean(results, name, PROVEN, gaps, data)
        _mean(results, name, "nodes bounded", used, data, unit="count")
        optimal = sum(one.stopped == "optimal" for one in proven)
        results.text(ARTEFACT, name, "proven", f"{optimal} of {len(proven)} optimal", data=data)


def _add_algorithms(
    results: Results, row: str, others: Mapping[str, tuple[Floats, int]], best: Floats, data: str
) -> None:
    """Add the algorithms whose effort is fixed."""
    for name, (losses, effort) in others.items():
        above = _above(losses, best)
        who = {"data set": row, "algorithm": name, EFFORT: effort}
        results.add_frame("algorithms", who | {"scenario": np.arange(len(losses)), "above": above})
        _mean(results, f"{row} / {name}", ABOVE, above, data)
        results.number(ARTEFACT, f"{row} / {name}", EFFORT, effort, unit="count", data=data)


def _mean(
    results: Results, row: str, column: str, values: np.ndarray, data: str, *, unit: str = "%"
) -> None:
    """Add a mean over the cost matrices that have a finite value, and say over how many."""
    values = values[np.isfinite(values)]
    if not len(values):
        results.text(ARTEFACT, row, column, "the best loss is zero", data=data)
        return
    results.mean(ARTEFACT, row, column, values, unit=unit, data=data)
