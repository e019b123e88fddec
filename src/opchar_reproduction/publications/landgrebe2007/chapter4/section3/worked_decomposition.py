"""Perturbation analysis, Simple, Decomp and DecompG, step by step (Secs. 4.3.2, 4.3.5, 4.3.6)."""

import numpy as np

from opchar.multiclass.cost_weights.algorithms import default, simple
from opchar.multiclass.cost_weights.problem import confusion_counts
from opchar.multiclass.decomposition import decomp, decomp_g, decomposed_roc
from opchar.multiclass.perturbation import groups, largest_by_class, score_sensitivities
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import of_set, scenarios
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.worked_algorithms import cells
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_lines import (
    order_of,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

COSTS = settings(__file__, "../costs.csv")


@study(
    "costs-worked-decomposition",
    kind="costs",
    basis="illustration",
    scores=["prtools8 | shuffled-half-10-own | qdc"],
    profiles={"tiny": {"r": 12}},
)
def worked_decomposition(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    costs: list[list[float]] = COSTS,
    thresholds: list[float] = [0.0, 0.2, 0.4, 0.6, 0.8],
    threshold: float = 0.4,
    restarts: int = 3,
    r: int = 80,
) -> Results:
    """Follow the decomposition of one split under one cost matrix.

    `thresholds`: Values of t_s for which the groups are named.
    """
    (table,) = scores.values()
    _, part = next(table.folds())
    test = of_set(part, "test")
    problem = scenarios(part, np.array(costs, dtype=float)[None], priors="balanced").judged
    results = Results()
    largest = largest_by_class(score_sensitivities(test.y, test.scores, r))
    for (moving, output), change in np.ndenumerate(largest):
        row, column = f"weight of class {moving + 1}", f"class {output + 1}"
        results.number("algorithm-decomp", row, column, float(change), unit="rate")
    for t_s in thresholds:
        found = groups(largest, t_s)
        named = "; ".join(" ".join(str(c + 1) for c in group) for group in found)
        results.text("algorithm-decomp", f"t_s = {t_s:g}", "groups", named)
        results.text("algorithm-decomp", f"t_s = {t_s:g}", "operations", order_of(found))
    plain = default(problem)
    results.number("algorithm-simple", "equal weights", "loss", plain.losses[0], unit="loss")
    sums = simple(problem)
    for c, weight in enumerate(np.exp(sums.log_weights[0])):
        results.number("algorithm-simple", f"class {c + 1}", "weight", float(weight), unit="weight")
    results.number("algorithm-simple", "these weights", "loss", sums.losses[0], unit="loss")
    roc = decomposed_roc(test.y, test.scores, groups(largest, threshold), r)
    start = decomp(problem, roc)
    steps = {
        "equal weights": plain,
        "Decomp": start,
        "DecompG, groups scaled": decomp_g(
            problem, roc, start, spawn("groups"), restarts=restarts, search="grid and present"
        ),
        "DecompG, each class moved": decomp_g(
            problem, roc, start, spawn("classes"), restarts=restarts, search="grid and present",
            constrained=False,
        ),
    }  # fmt: skip
    for row, weighting in steps.items():
        results.number("algorithm-decompg", row, "loss", weighting.losses[0], unit="loss")
        for c, weight in enumerate(np.exp(weighting.log_weights[0])):
            column = f"phi_{c + 1}"
            results.number("algorithm-decompg", row, column, float(weight), unit="weight")
    counts = confusion_counts(problem, start.log_weights[0])
    cells(results, "table-4.6", counts / counts.sum(axis=1, keepdims=True), "rate", n=len(test.y))
    return results
