"""Two operating points of one trained classifier, by weights on its outputs (Sec. 1.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.experiments.landgrebe2007.planes import log_posteriors
from opchar.multiclass.gaussians import Floats
from opchar.results import Results
from opchar.scores import ScoreTable

DATA = "drawn from Gaussian classes of our choice"


def weighted_outputs(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    weights: list[float],
    nodes: int,
) -> Results:
    """Weight the outputs of a classifier that was trained on three classes.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table of posteriors, with the test sets ``test`` and ``plane``.
    features : dict of str to FeatureTable
        Of its data set, in two dimensions, with the column ``part``.
    weights : list of float
        One a class, for the second operating point; the first has equal weights.
    nodes : int
        Points along each side of the grid on which decisions are drawn.

    Returns
    -------
    Results
        figure-1.1; curves ``objects`` and ``decisions``, and ``reassigned``: how many test objects
        of which class go from which class to which by the weights.

    References
    ----------
    landgrebe2007, Sec. 1.2.
    """
    results = Results()
    (table,), (objects,) = scores.values(), features.values()
    tested = dict(table.test_sets())
    trained = objects.groups["part"] == "train"
    X, y = objects.X[trained], objects.y[trained]
    results.curve("objects", {"x1": X[:, 0], "x2": X[:, 1], "class": y + 1})
    first, second, logs = log_posteriors(tested["plane"], objects, X, nodes)
    points = {"equal weights": np.ones(len(weights)), "weighted": np.array(weights)}
    for series, phi in points.items():
        grid = {"series": series, "x1": first, "x2": second}
        results.curve("decisions", grid | _margins(logs + np.log(phi)))
    test = tested["test"]
    before, after = ((test.scores * phi).argmax(axis=1) for phi in points.values())
    for series, assigned in zip(points, (before, after), strict=True):
        for group in np.unique(test.y):
            row = f"class {group + 1}, {series}"
            rate = (assigned[test.y == group] == group).mean()
            results.number("figure-1.1", row, "recognised", rate, unit="rate", data=DATA)
    moves = pd.DataFrame({"class": test.y + 1, "before": before + 1, "after": after + 1})
    counts = moves.value_counts(sort=False).rename("objects")
    results.curve("reassigned", counts.reset_index())
    return results


def _margins(weighted: Floats) -> dict[str, Floats]:
    """Return what is zero on the boundaries: of class 1, and between classes 2 and 3 beyond it."""
    one, two, three = weighted.T
    margin = one - np.maximum(two, three)
    return {"margin_1": margin, "margin_23": np.where(margin > 0, np.nan, two - three)}
