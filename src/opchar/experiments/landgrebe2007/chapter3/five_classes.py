"""Five Gaussian classes: confusion rates, ROC, and the limits its errors can meet (Sec. 3.2)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.experiments.landgrebe2007.planes import log_posteriors
from opchar.multiclass.gaussians import (
    Floats,
    confusion_rates,
    decision_regions,
    densities,
    weight_grid,
)
from opchar.multiclass.roc.volume import ordered_gaussian_volume
from opchar.results import ANALYTIC, Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn

DRAWN = "drawn from the stated distributions"


def five_classes(
    *,
    spawn: Spawn,
    means: list[float],
    objects: int,
    r: int,
    weights: list[float],
) -> Results:
    """Confusion rates, ROC and limits on errors of five Gaussian classes (3.2.2 to 3.2.4).

    Parameters
    ----------
    spawn : callable
        Source of the sampled objects.
    means : list of float
        Means of the unit-variance classes.
    objects : int
        Objects a class of the sampled confusion matrix.
    r : int
        Steps a weight.
    weights : [low, high]
        Range of the logarithmic weight grid.

    Returns
    -------
    Results
        Lines of table-3.1, table-3.2, eq-3.5, eq-3.15 and text-3.2.3; curves ``densities`` and
        ``roc``; frames ``single errors`` and ``pairs of errors``.
    """
    results = Results()
    c = len(means)
    x = np.linspace(min(means) - 4, max(means) + 4, 481)
    for index, density in enumerate(densities(means, 1.0, x), start=1):
        series = {"series": "five classes", "class": index}
        results.curve("densities", series | {"x": x, "density": density, "weighted": density})
    exact = confusion_rates(means, 1.0, np.ones((1, c)))[0]
    _matrices(results, means, exact, spawn, objects)
    rates = confusion_rates(means, 1.0, weight_grid(c, r, weights[0], weights[1]))
    for column, count in [
        ("number of weight combinations", len(rates)),
        ("ROC dimensions", int((~np.eye(c, dtype=bool)).sum())),
    ]:
        results.number("text-3.2.3", "5-class Gaussian example", column, count, unit="count")
    seen = np.unique(rates[:, [0, 1, 1], [1, 0, 2]].round(3), axis=0)
    results.curve("roc", {"xi_12": seen[:, 0], "xi_21": seen[:, 1], "xi_23": seen[:, 2]})
    _least_errors(results, rates)
    for number in range(2, c + 1):
        volume = ordered_gaussian_volume(means[:number])[0]
        results.number("eq-3.15", f"first {number} classes", "VUS exact", volume, unit="volume")
    return results


def _matrices(
    results: Results, means: list[float], exact: Floats, spawn: Spawn, objects: int
) -> None:
    """Add the confusion matrix of a sample, the exact rates, and their rows' sums."""
    c = len(means)
    x = spawn("objects").normal(np.array(means)[:, None], 1.0, (c, objects))
    edges, winners = decision_regions(means, 1.0, np.ones((1, c)))
    assigned = winners[0][np.searchsorted(edges[0], x) - 1]
    for i, row in enumerate(assigned):
        counts = np.bincount(row, minlength=c)
        for j in range(c):
            results.number(
                "table-3.1",
                f"true {i + 1}",
                f"assigned {j + 1}",
                counts[j],
                unit="objects",
                basis="simulation",
                data=DRAWN,
            )
            results.number(
                "table-3.2", f"true {i + 1}", f"assigned {j + 1}", exact[i, j], unit="fraction"
            )
        results.number("table-3.1", f"true {i + 1}", "N", objects, unit="objects", basis="input")
        results.number("eq-3.5", f"row {i + 1}", "sum of the rates", exact[i].sum(), unit="rate")
        results.number(
            "eq-3.5",
            f"row {i + 1}",
            "sum with the printed factors",
            exact[i].sum() / c,
            unit="rate",
            note="phi_i = 1, p(w_i) = 1/C",
        )


def _least_errors(results: Results, rates: Floats) -> None:
    """Add the least value of each error, and the least limit that each two errors both meet.

    Frames ``single errors`` (error, least) and ``pairs of errors`` (first, second, least).
    """
    c = rates.shape[1]
    errors = {f"{i + 1}->{j + 1}": rates[:, i, j] for i in range(c) for j in range(c) if i != j}
    single = [(name, rate.min()) for name, rate in errors.items()]
    results.curve("single errors", pd.DataFrame(single, columns=["error", "least"]))
    pairs = [
        (first, second, np.maximum(errors[first], errors[second]).min())
        for first, second in combinations(errors, 2)
    ]
    results.curve("pairs of errors", pd.DataFrame(pairs, columns=["first", "second", "least"]))


def five_class_scatter(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    nodes: int,
) -> Results:
    """Show objects of five planar classes and the decisions of a quadratic classifier (3.2.2).

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table of posteriors, with the test sets ``train`` and ``plane``.
    features : dict of str to FeatureTable
        Of its data set, in two dimensions.
    nodes : int
        Points along each side of the map of decisions.

    Returns
    -------
    Results
        Lines of figure-3.1; curves ``objects`` and ``decisions``: a grid with the margin of each
        class, by how much the logarithm of its posterior exceeds those of all others.
    """
    results = Results()
    (table,), (drawn,) = scores.values(), features.values()
    tested = dict(table.test_sets())
    own, c = tested["train"], len(table.classes)
    X = drawn.X[own.index]
    results.curve("objects", {"x": X[:, 0], "y": X[:, 1], "class": own.y + 1})
    first, second, logs = log_posteriors(tested["plane"], drawn, X, nodes)
    margins = {
        f"margin_{i + 1}": logs[:, i] - np.delete(logs, i, axis=1).max(axis=1) for i in range(c)
    }
    results.curve("decisions", {"x": first, "y": second} | margins)
    row, error = "quadratic classifier", float(np.mean(own.scores.argmax(axis=1) != own.y))
    results.number(
        "figure-3.1",
        row,
        "error on the objects drawn",
        error,
        unit="fraction",
        data="five Gaussian classes, generated",
    )
    results.number("figure-3.1", row, "degrees of freedom", c - 1, unit="count", data=ANALYTIC)
    return results
