"""How far Table 4.4 moves with the fifty cost matrices that are drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import Floats, mean_subjective_utilities
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    random_costs,
    scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.gains import (
    SUMMARIES,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.searches import (  # noqa: E501
    COMPARED,
    algorithms,
    pair_limit,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

SETS = settings(__file__, "gains_redrawn_sets.csv")
DIGITS = {
    "data": "mfeat-fou",
    "row": "Digits",
    "t_p": 0.98,
    "pairs": 10,
    "kept": [10, 45],
    "few": 2,
}
SATELLITE = {"data": "statlog-satimage", "row": "Satellite", "t_p": None, "pairs": 15}

GAINS = "table-4.4-redrawn"
KEPT = "table-4.4-pairs-kept"


@study(
    "costs-gains-redrawn",
    kind="costs",
    scores=[
        "mfeat-fou | half-10-own | ldc",
        "statlog-satimage | first-4435-own | fisher mogc2",
        "chromosome-bands | half-10-own | pca10 mogc2",
        "letter-recognition | first-16000-own | fisher qdc",
    ],
    profiles={
        "tiny": {
            "matrices": 8,
            "together": 3,
            "tables": 20,
            "cap": 5,
            "sets": [DIGITS, SATELLITE],
        }
    },
)
def gains_redrawn(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]] = SETS,
    law: Law = "rows",
    search: Search = "grid and present",
    matrices: int = 250,
    together: int = 50,
    tables: int = 2000,
    cap: int = 1000,
) -> Results:
    """Measure improvements under many cost matrices, and summaries of a few of them at a time.

    `scores`: one table a data set, with the test sets ``train`` and ``test``; its first split is
    used; `sets`: ``data``, ``row``, ``t_p`` or None and the printed number of ``pairs``, which are
    kept; ``kept``, where other numbers of pairs are compared, and on how ``few`` matrices; ``only``
    some of the algorithms;
    `matrices`: cost matrices in all; `together`: those of one table, drawn from them without
    putting back; `tables`: how many tables are drawn; `cap`: the largest number of matchings tried.
    Returns: lines of table-4.4-redrawn: mean, standard deviation, least and largest value of each
    cell of Table 4.4 over the tables; and of Naive, in what share of the tables the mean is below
    the median, and the least mean over the median. Lines of table-4.4-pairs-kept: mean improvements
    by the number of pairs that are kept, on the same matrices.
    """
    if matrices < 2 * together:
        raise ValueError(f"{2 * together} or more matrices are needed, not {matrices}")
    results = Results()
    by_data = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        table = by_data[setting["data"]]
        gains = _improvements(table, setting, law, search, matrices, cap, spawn)
        for number in setting.get("kept", []):
            few = setting["few"]
            some = _improvements(table, {**setting, "pairs": number}, law, search, few, cap, spawn)
            row = f"{setting['row']} / {number} pairs"
            for name in ("Greedy", "Pairs", "PairsG"):
                about: dict[str, Any] = {"unit": "MSU", "data": table.data, "n": few}
                results.number(KEPT, row, name, float(some[name].mean()), **about)
        rng = spawn("tables", setting["data"])
        drawn = np.array(
            [rng.choice(matrices, size=together, replace=False) for _ in range(tables)]
        )
        for name in gains:
            _add(results, f"{setting['row']} / {name}", gains[name][drawn], table.data)
        _add_skew(results, f"{setting['row']} / Naive", gains["Naive"][drawn], table.data)
    return results


def _improvements(
    table: ScoreTable,
    setting: Mapping[str, Any],
    law: Law,
    search: Search,
    matrices: int,
    cap: int,
    spawn: Spawn,
) -> dict[str, Floats]:
    """Return the improvement of each algorithm over the default, one a cost matrix."""
    _, part = next(table.folds())
    data = setting["data"]
    costs = random_costs(law, matrices, len(part.classes), spawn("costs", data))
    case = scenarios(part, costs)
    compared = [name for name in COMPARED if name in setting.get("only", COMPARED)]
    found = {
        name: mean_subjective_utilities(case.judged, case.losses(find(case.tuned, spawn(name))))
        for name, find in algorithms(pair_limit(setting, "number"), search, cap).items()
        if name in ("Default", *compared)
    }
    return {name: np.maximum(found[name] - found["Default"], 0.0) for name in compared}


def _add(results: Results, row: str, tables: Floats, data: str) -> None:
    """Add how each summary varies over the tables."""
    about: dict[str, Any] = {"unit": "MSU", "data": data, "n": len(tables)}
    for name, summary in SUMMARIES.items():
        cells = summary(tables, axis=1)
        results.number(GAINS, row, name, cells.mean(), std=float(cells.std(ddof=1)), **about)
        results.number(GAINS, row, f"least {name}", float(cells.min()), **about)
        results.number(GAINS, row, f"largest {name}", float(cells.max()), **about)


def _add_skew(results: Results, row: str, tables: Floats, data: str) -> None:
    """Add how often the mean is below the median, and by how much at most."""
    means, medians = tables.mean(axis=1), np.median(tables, axis=1)
    about: dict[str, Any] = {"data": data, "n": len(tables)}
    share = float((means < medians).mean())
    results.number(GAINS, row, "tables with the mean below the median", share, **about)
    ratio = means[medians > 0] / medians[medians > 0]
    if len(ratio):
        results.number(GAINS, row, "least mean over the median", float(ratio.min()), **about)
