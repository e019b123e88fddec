"""Two operating points of one trained classifier, by weights on its outputs (Sec. 1.2)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from opchar.datasets.features import FeatureTable
from opchar.figures import style
from opchar.multiclass.gaussians import Floats
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.planes import log_posteriors
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, figure, statement, study

DATA = "drawn from Gaussian classes of our choice"


@study(
    "weighted-outputs",
    basis="illustration",
    scores=["three-gaussians | drawn | qdc"],
    features=["three-gaussians"],
    profiles={"tiny": {"nodes": 41}},
)
def weighted_outputs(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    weights: list[float] = [1.0, 0.3, 0.8],
    nodes: int = 121,
) -> Results:
    """Weight the outputs of a classifier that was trained on three classes (Sec. 1.2).

    `features`: Of its data set, in two dimensions, with the column ``part``.
    `weights`: One per class, for the second operating point; the first has equal weights.
    """
    results = Results()
    (table,), (objects,) = scores.values(), features.values()
    tested = dict(table.test_sets())
    trained = objects.groups["part"] == "train"
    X, y = objects.X[trained], objects.y[trained]
    results.add_frame("objects", {"x1": X[:, 0], "x2": X[:, 1], "class": y + 1})
    first, second, logs = log_posteriors(tested["plane"], objects, X, nodes)
    points = {"equal weights": np.ones(len(weights)), "weighted": np.array(weights)}
    for series, phi in points.items():
        grid = {"series": series, "x1": first, "x2": second}
        results.add_frame("decisions", grid | _margins(logs + np.log(phi)))
    test = tested["test"]
    before, after = ((test.scores * phi).argmax(axis=1) for phi in points.values())
    for series, assigned in zip(points, (before, after), strict=True):
        for group in np.unique(test.y):
            row = f"class {group + 1}, {series}"
            rate = (assigned[test.y == group] == group).mean()
            results.number("figure-1.1", row, "recognised", rate, unit="rate", data=DATA)
    moves = pd.DataFrame({"class": test.y + 1, "before": before + 1, "after": after + 1})
    counts = moves.value_counts(sort=False).rename("objects")
    results.add_frame("reassigned", counts.reset_index())
    return results


def _margins(weighted: Floats) -> dict[str, Floats]:
    """Return what is zero on the boundaries: of class 1, and between classes 2 and 3 beyond it."""
    one, two, three = weighted.T
    margin = one - np.maximum(two, three)
    return {"margin_1": margin, "margin_23": np.where(margin > 0, np.nan, two - three)}


def without_weights(measured: Measurements) -> Measurements:
    """Remove the effect: assign every object as it was before the weights."""
    return measured.with_frame(
        "reassigned", lambda counts: counts.assign(after=counts["before"].to_numpy())
    )


@statement("1067", control=Control(without_weights, "every object assigned as before the weights"))
def weights_move_objects_towards_larger_weights(
    measured: Measurements, *, weights: list[float] = [1.0, 0.3, 0.8]
) -> Finding:
    """Tell whether some objects change class, each to a class of larger weight."""
    counts = measured.frame("reassigned")
    weight = np.array(weights)
    before, after = (counts[name].to_numpy(dtype=int) - 1 for name in ("before", "after"))
    objects = counts["objects"].to_numpy(dtype=float)
    moved = before != after
    astray = objects[moved & (weight[after] <= weight[before])].sum()
    share = objects[moved].sum() / objects.sum()
    return conjunction(
        {"some objects change class": share > 0, "each to a class of larger weight": astray == 0},
        f"{100 * share:.1f} % of {objects.sum():.0f} test objects change class, {astray:.0f} of "
        "them to a class of no larger weight",
    )


LOOKS: dict[str, tuple[Any, float]] = {"equal weights": ("-", 1.5), "weighted": (":", 2.0)}


@figure("figure-1.1")
def two_operating_points(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw three classes and the boundaries of a classifier at two operating points (Fig. 1.1)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=3.3)
    for number, (_, part) in enumerate(curves["objects"].groupby("class")):
        panel.plot(
            part["x1"],
            part["x2"],
            linestyle="none",
            marker=style.MARKERS[number],
            color=style.COLOURS[number],
            markersize=3,
            alpha=0.6,
            label=rf"$\omega_{{{number + 1}}}$",
        )
    handles, labels = panel.get_legend_handles_labels()
    for series, part in curves["decisions"].groupby("series", sort=False):
        dash, width = LOOKS[str(series)]
        for margin in ("margin_1", "margin_23"):
            grid = part.pivot_table(index="x2", columns="x1", values=margin, dropna=False)
            panel.contour(
                grid.columns,
                grid.index,
                grid.to_numpy(),
                levels=[0.0],
                colors="black",
                linestyles=dash,
                linewidths=width,
            )
        handles.append(Line2D([], [], color="black", linestyle=dash, linewidth=width))
        labels.append(str(series))
    panel.set(xlabel="$x_1$", ylabel="$x_2$")
    panel.grid(False)
    figure.legend(handles, labels, loc="outside lower center", ncols=5, columnspacing=1)
    return figure
