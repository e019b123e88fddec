"""Perturbation analysis, Simple, Decomp and DecompG, step by step (Secs. 4.3.2, 4.3.5, 4.3.6)."""

from __future__ import annotations

import numpy as np

from opchar.experiments.landgrebe2007.chapter4.scenarios import of_set, scenarios
from opchar.experiments.landgrebe2007.chapter4.section2.worked_algorithms import cells
from opchar.experiments.landgrebe2007.chapter4.section3.decomposed_lines import order_of
from opchar.multiclass.cost_weights.algorithms import default, simple
from opchar.multiclass.cost_weights.problem import confusion_counts
from opchar.multiclass.decomposition import decomp, decomp_g, decomposed_roc
from opchar.multiclass.perturbation import groups, largest_by_class, score_sensitivities
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn


def worked_decomposition(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    costs: list[list[float]],
    thresholds: list[float],
    threshold: float,
    restarts: int,
    r: int,
) -> Results:
    """Follow the decomposition of one split under one cost matrix.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table with the test set ``test``; its first split is used.
    spawn : callable
        Generators by name.
    costs : list of list of float
        Cost matrix without profits, true classes in rows.
    thresholds : list of float
        Values of t_s for which the groups are named.
    threshold : float
        The t_s of Decomp and DecompG.
    restarts : int
        Repetitions of the greedy end.
    r : int
        Steps a weight.

    Returns
    -------
    Results
        Lines of table-4.6, algorithm-decomp, algorithm-simple and algorithm-decompg.
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
            problem, roc, start, spawn("groups"), restarts=restarts, search="grid"
        ),
        "DecompG, each class moved": decomp_g(
            problem, roc, start, spawn("classes"), restarts=restarts, search="grid",
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
