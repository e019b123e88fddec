"""One decomposition of sixteen classes under one cost matrix (Sec. 4.3.6, Figure 4.17)."""

from __future__ import annotations

import numpy as np

from opchar.datasets.features import FeatureTable
from opchar.experiments.landgrebe2007.chapter4.scenarios import (
    Law,
    of_set,
    random_costs,
    scenarios,
)
from opchar.experiments.landgrebe2007.chapter4.section3.boundaries import (
    quadratic_log_scores,
    regions,
)
from opchar.experiments.landgrebe2007.chapter4.section3.decomposed_tables import decomposition
from opchar.multiclass.cost_weights.algorithms import default
from opchar.multiclass.decomposition import decomp
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn

MISSING = "unavailable: the 16 x 16 cost matrix of the example"
OWN = "figure-4.17"


def sixteen_classes(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
    law: Law,
    threshold: float,
    largest_group: int,
    r: int,
    step: float,
) -> Results:
    """Find weights for a random cost matrix by decomposition, and draw both boundaries.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table with the test sets ``train`` and ``test``.
    features : dict of str to FeatureTable
        The objects.
    spawn : callable
        Generators by name.
    law : str
        Of the cost matrix, which the work's text has as a picture only.
    threshold, largest_group, r
        Of the decomposition.
    step : float
        Of the grid on which the boundaries are drawn.

    Returns
    -------
    Results
        Lines of text-4.3.6 and eq-4.40 without values, and of figure-4.17; frames ``objects`` and
        ``regions``.
    """
    (table,) = scores.values()
    (objects,) = features.values()
    c = len(table.classes)
    results = Results()
    _without_costs(results, c)
    _, part = next(table.folds())
    test = of_set(part, "test")
    costs = random_costs(law, 1, c, spawn("costs"))
    problem = scenarios(part, costs, priors="balanced").judged
    roc, _, _ = decomposition(test, threshold, largest_group, r)
    found = decomp(problem, roc)
    for name, weighting in (("default", default(problem)), ("Decomp", found)):
        results.number(OWN, f"own cost matrix / {name}", "loss", weighting.losses[0], unit="loss")
    coefficients = quadratic_log_scores(objects.X[part.index], part.scores)
    x = objects.X[test.index]
    results.curve("objects", {"x": x[:, 0], "y": x[:, 1], "class": test.y + 1.0})
    for name, log_weights in (("default", np.zeros(c)), ("Decomp", found.log_weights[0])):
        grid = regions(coefficients, log_weights, x, step=step, margin=1.0)
        results.curve("regions", grid.assign(series=name))
    return results


def _without_costs(results: Results, n_classes: int) -> None:
    """Name the printed values that cannot be computed without the example's cost matrix."""
    for name in ("default", "Decomp"):
        row = f"16-class example / {name}"
        results.number("text-4.3.6", row, "loss", np.nan, unit="loss", data=MISSING)
    for c in range(1, n_classes + 1):
        results.number("eq-4.40", "Phi*", f"phi_{c}", np.nan, unit="weight", data=MISSING)
