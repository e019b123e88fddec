"""Five Gaussian classes: confusion rates, ROC, and the limits its errors can meet (Sec. 3.2)."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.datasets.features import FeatureTable
from opchar.figures import style
from opchar.multiclass.gaussians import Floats, confusion_rates, decision_regions
from opchar.multiclass.roc.volume import ordered_gaussian_volume
from opchar.multiclass.weight_grids import weight_grid
from opchar.ranges import Count
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.known_classes import (
    density_curves,
    error_cloud_curve,
)
from opchar_reproduction.publications.landgrebe2007.planes import log_posteriors
from opchar_reproduction.publications.landgrebe2007.surfaces_figures import error_cloud_views
from opchar_reproduction.publications.landgrebe2007.weighted_classes_figures import (
    error_cloud,
)
from opchar_reproduction.results import ANALYTIC, Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, figure, statement, study

DRAWN: dict[str, Any] = {"basis": "simulation", "data": "drawn from the stated distributions"}


@study("hypersurface-five-classes", kind="vus", basis="exact", profiles={"tiny": {"r": 6}})
def five_classes(
    *,
    spawn: Spawn,
    means: list[float] = [-6.0, -3.0, 0.0, 6.0, 9.0],
    objects: Count = 1000,
    r: int = 30,
    weights: list[float] = [0.001, 1000.0],
) -> Results:
    """Confusion rates, ROC and limits on errors of five Gaussian classes (3.2.2 to 3.2.4)."""
    results = Results()
    c = len(means)
    density_curves(results, "five classes", means, 1.0, [1.0] * c)
    exact = confusion_rates(means, 1.0, np.ones((1, c)))[0]
    _matrices(results, means, exact, spawn, objects)
    rates = confusion_rates(means, 1.0, weight_grid(c, r, weights[0], weights[1]))
    for column, count in [
        ("number of weight combinations", len(rates)),
        ("ROC dimensions", int((~np.eye(c, dtype=bool)).sum())),
    ]:
        results.number("text-3.2.3", "5-class Gaussian example", column, count, unit="count")
    error_cloud_curve(results, rates)
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
            true, column = f"true {i + 1}", f"assigned {j + 1}"
            results.number("table-3.1", true, column, counts[j], unit="objects", **DRAWN)
            results.number("table-3.2", true, column, exact[i, j], unit="fraction")
        results.number("table-3.1", f"true {i + 1}", "N", objects, unit="objects", basis="input")
        where, total, note = ("eq-3.5", f"row {i + 1}"), exact[i].sum(), "phi_i = 1, p(w_i) = 1/C"
        results.number(*where, "sum of the rates", total, unit="rate")
        results.number(*where, "sum with the printed factors", total / c, unit="rate", note=note)


def _least_errors(results: Results, rates: Floats) -> None:
    """Add the least value of each error, and the least limit that each two errors both meet."""
    c = rates.shape[1]
    errors = {f"{i + 1}->{j + 1}": rates[:, i, j] for i in range(c) for j in range(c) if i != j}
    single = [(name, rate.min()) for name, rate in errors.items()]
    results.add_frame("single errors", pd.DataFrame(single, columns=["error", "least"]))
    pairs = [
        (first, second, np.maximum(errors[first], errors[second]).min())
        for first, second in combinations(errors, 2)
    ]
    results.add_frame("pairs of errors", pd.DataFrame(pairs, columns=["first", "second", "least"]))


@study(
    "hypersurface-scatter",
    kind="vus",
    basis="illustration",
    scores=["five-gaussians | drawn-own | qdc"],
    features=["five-gaussians"],
    profiles={"tiny": {"nodes": 41}},
)
def five_class_scatter(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    nodes: int = 201,
) -> Results:
    """Show objects of five planar classes and the decisions of a quadratic classifier (3.2.2)."""
    results = Results()
    (table,), (drawn,) = scores.values(), features.values()
    tested = dict(table.test_sets())
    own, c = tested["train"], len(table.classes)
    X = drawn.X[own.index]
    results.add_frame("objects", {"x": X[:, 0], "y": X[:, 1], "class": own.y + 1})
    first, second, logs = log_posteriors(tested["plane"], drawn, X, nodes)
    margins = {
        f"margin_{i + 1}": logs[:, i] - np.delete(logs, i, axis=1).max(axis=1) for i in range(c)
    }
    results.add_frame("decisions", {"x": first, "y": second} | margins)
    row, error = "quadratic classifier", float(np.mean(own.scores.argmax(axis=1) != own.y))
    column, data = "error on the objects drawn", "five Gaussian classes, generated"
    results.number("figure-3.1", row, column, error, unit="fraction", data=data)
    results.number("figure-3.1", row, "degrees of freedom", c - 1, unit="count", data=ANALYTIC)
    return results


def independent_errors(measured: Measurements) -> Measurements:
    """Control: a pair of errors can be limited wherever each of the two can."""
    least = measured.frame("single errors").set_index("error")["least"]

    def free(pairs: pd.DataFrame) -> pd.DataFrame:
        both = pairs["first"].map(least), pairs["second"].map(least)
        return pairs.assign(least=np.maximum(*both))

    return measured.with_frame("pairs of errors", free)


@statement(
    "0119",
    control=Control(
        independent_errors,
        """errors that do not depend on each other, so that a pair can be limited
        wherever its errors can""",
    ),
)
def one_limit_can_be_met_several_need_not(
    measured: Measurements, *, limit: float = 0.01
) -> Finding:
    """Sec. 3.2.4: a solution is guaranteed for one limited error, not for several."""
    single, pairs = measured.frame("single errors"), measured.frame("pairs of errors")
    met, together = single["least"] <= limit, pairs["least"] <= limit
    worst = pairs.iloc[int(pairs["least"].to_numpy().argmax())]
    return conjunction(
        {"each error can be limited": met.all(), "some pairs cannot": not together.all()},
        f"{met.sum()} of {len(met)} errors can be limited to {limit:g}, and {together.sum()} of "
        f"{len(together)} pairs of errors; {worst['first']} with {worst['second']} no lower than "
        f"{worst['least']:.3f}",
    )


@figure("figure-3.1")
def scatter(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw objects of five classes and the decision boundary (Figure 3.1)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=3.3)
    n_classes = int(curves["objects"]["class"].max())
    for number in range(n_classes):
        margins = f"margin_{number + 1}"
        margin = curves["decisions"].pivot_table(index="y", columns="x", values=margins)
        place = (margin.columns, margin.index, margin.to_numpy())
        panel.contourf(*place, [0, np.inf], colors=style.COLOURS[number], alpha=0.15)
        panel.contour(*place, [0], colors="black", linewidths=0.8)
    for number, (_, objects) in enumerate(curves["objects"].groupby("class")):
        panel.plot(
            objects["x"],
            objects["y"],
            style.MARKERS[number],
            ms=4,
            mec="black",
            mew=0.4,
            color=style.COLOURS[number],
            label=rf"$\omega_{number + 1}$",
        )
    panel.set(xlabel="$x_1$", ylabel="$x_2$")
    panel.grid(False)
    figure.legend(loc="outside lower center", ncols=n_classes, handletextpad=0.1)
    return figure


figure("figure-3.3", by=error_cloud, surface=error_cloud_views)
