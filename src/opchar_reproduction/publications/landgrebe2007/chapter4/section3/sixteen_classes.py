"""One decomposition of sixteen classes under one cost matrix (Sec. 4.3.6, Figure 4.17)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.datasets.features import FeatureTable
from opchar.figures import style
from opchar.multiclass.cost_weights.algorithms import default
from opchar.multiclass.decomposition import decomp
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    of_set,
    random_costs,
    scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.boundaries import (
    quadratic_log_scores,
    regions,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_tables.searches import (  # noqa: E501
    decomposition,
)
from opchar_reproduction.publications.landgrebe2007.chapter4_figures import (
    Curves,
    _boundary,
    _shade_moved,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import figure, study

MISSING = "unavailable: the 16 x 16 cost matrix of the example"
OWN = "figure-4.17"


@study(
    "costs-sixteen-classes",
    kind="costs",
    basis="illustration",
    scores=["clusters-16 | holdout-10-own | qdc"],
    features=["clusters-16"],
    profiles={"tiny": {"r": 12, "step": 1.0}},
    nothing_open="""The cost matrix of the example is not in the text, so that no choice gives
        its printed numbers.""",
)
def sixteen_classes(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
    law: Law = "uniform",
    threshold: float = 0.08,
    largest_group: int = 4,
    r: int = 80,
    step: float = 0.1,
) -> Results:
    """Find weights for a random cost matrix by decomposition, and draw both boundaries.

    `law`: Of the cost matrix, which the work's text has as a picture only.
    `threshold`, `largest_group`, `r`: Of the decomposition.
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
    results.add_frame("objects", {"x": x[:, 0], "y": x[:, 1], "class": test.y + 1.0})
    for name, log_weights in (("default", np.zeros(c)), ("Decomp", found.log_weights[0])):
        grid = regions(coefficients, log_weights, x, step=step, margin=1.0)
        results.add_frame("regions", grid.assign(series=name))
    return results


def _without_costs(results: Results, n_classes: int) -> None:
    """Name the printed values that cannot be computed without the example's cost matrix."""
    for name in ("default", "Decomp"):
        row = f"16-class example / {name}"
        results.number("text-4.3.6", row, "loss", np.nan, unit="loss", data=MISSING)
    for c in range(1, n_classes + 1):
        results.number("eq-4.40", "Phi*", f"phi_{c}", np.nan, unit="weight", data=MISSING)


@figure("figure-4.17")
def sixteen_class_boundaries(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw both boundaries of sixteen classes (Figure 4.17)."""
    figure, panels = style.panels(1, 2, height=2.7)
    for panel, name in zip(panels, ("default", "Decomp"), strict=True):
        for number, part in curves["objects"].groupby("class"):
            panel.scatter(part["x"], part["y"], s=3, color="#8a8a8a", linewidths=0)
            at = part["x"].mean(), part["y"].mean()
            style.label_on(panel, *at, f"{number:g}", "black", size=6)
        chosen = curves["regions"][curves["regions"]["series"] == name]
        _boundary(panel, chosen, style.COLOURS[0], "-")
        panel.set(xlabel="feature 1", ylabel="feature 2")
        panel.set_aspect("equal")
    _shade_moved(panels[1], curves["regions"], "default", "Decomp")
    style.letter(panels, ["equal weights", "weights of Decomp"])
    figure.legend(*panels[1].get_legend_handles_labels(), loc="outside lower center")
    return figure
