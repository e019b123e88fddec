"""Independent and holistic design of recognition systems from score tables (Sec. 6.2.4)."""

from collections.abc import Mapping
from typing import Any

from opchar.datasets.features import FeatureTable
from opchar.reject.two_stage.design import DetectorCriterion
from opchar_reproduction.publications.landgrebe2007.chapter6.systems.designs import (
    Choices,
    Scores,
    read_systems,
)
from opchar_reproduction.publications.landgrebe2007.chapter6.systems.lines import (
    add_bounds,
    add_figure,
    add_possible,
    add_printed,
    add_variants,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, study


@study(
    "two-stage-systems",
    kind="reject",
    scores=[
        """banana-outliers | holdout-10-own | two-stage gauss + ldc; two-stage gauss + qdc;
        two-stage gauss + mogc2""",
        """mfeat-fou-348 | holdout-10-own | two-stage pca3 gauss + fisher ldc; two-stage pca3 gauss
        + pca3 ldc; two-stage pca5 gauss + pca2 mogc2""",
    ],
    features=["banana-outliers", "mfeat-fou-348"],
    variants={
        "combine": "pairs",
        "pairs": [
            ["priors", "costs"],
            ["priors", "thresholds chosen on"],
            ["priors", "number of thresholds"],
            ["priors", "detector minimises"],
            ["priors", "densities of the detector"],
        ],
        "with": {"beyond": False},
        "frames": ["losses"],
    },
    units="fold",
)
def systems(
    scores: Scores,
    features: Mapping[str, FeatureTable],
    *,
    shared: Shared,
    problems: list[dict[str, Any]] = [
        {
            "title": "Banana",
            "data": "banana-outliers",
            "outlier": "outlier",
            "basis": "illustration",
            "systems": {
                "Gauss + LDC": "two-stage gauss + ldc",
                "Gauss + QDC": "two-stage gauss + qdc",
                "Gauss + MOG": "two-stage gauss + mogc2",
            },
            "costs": {
                "Cost 1 [5, 5, 10]": [5, 5, 10],
                "Cost 2 [3, 1, 4]": [3, 1, 4],
                "Cost 3 [1, 3, 4]": [1, 3, 4],
                "Cost 4 [1, 1, 4]": [1, 1, 4],
            },
            "thresholds": [100, 200],
            "printed": {
                "Gauss + LDC": {
                    "I": [0.081, 0.37, 0.233, 0.244],
                    "H": [0.067, 0.326, 0.171, 0.189],
                },
                "Gauss + QDC": {
                    "I": [0.089, 0.418, 0.26, 0.265],
                    "H": [0.072, 0.354, 0.179, 0.182],
                },
                "Gauss + MOG": {"I": [0.059, 0.252, 0.206, 0.205], "H": [0.049, 0.23, 0.17, 0.169]},
            },
        },
        {
            "title": "Mfeat",
            "data": "mfeat-fou-348",
            "outlier": "outlier",
            "basis": "data",
            "systems": {
                "PCA3 Gauss + Fisher LDC": "two-stage pca3 gauss + fisher ldc",
                "PCA3 Gauss + PCA3 LDC": "two-stage pca3 gauss + pca3 ldc",
                "PCA5 Gauss + PCA2 MOG2": "two-stage pca5 gauss + pca2 mogc2",
            },
            "costs": {
                "Cost 1 [1, 1, 1, 3]": [1, 1, 1, 3],
                "Cost 2 [8, 1, 1, 10]": [8, 1, 1, 10],
                "Cost 3 [1, 8, 1, 10]": [1, 8, 1, 10],
                "Cost 4 [1, 1, 1, 12]": [1, 1, 1, 12],
            },
            "thresholds": [10, 12],
            "printed": {
                "PCA3 Gauss + Fisher LDC": {
                    "I": [0.648, 0.212, 0.225, 1.385],
                    "H": [0.547, 0.146, 0.223, 1.317],
                },
                "PCA3 Gauss + PCA3 LDC": {
                    "I": [0.654, 0.214, 0.225, 1.389],
                    "H": [0.551, 0.146, 0.224, 1.305],
                },
                "PCA5 Gauss + PCA2 MOG2": {
                    "I": [0.442, 0.146, 0.154, 0.929],
                    "H": [0.38, 0.112, 0.148, 0.847],
                },
            },
        },
    ],
    chosen_on: str = "test",
    scale: str = "printed",
    priors: str = "sample",
    search: str = "grid",
    criterion: DetectorCriterion = "summed",
    by_class: bool = False,
    beyond: bool = True,
) -> Results:
    """Losses of both designs of each system at each set of costs (Table 6.1).

    `features`: The objects: of Figure 6.1, and of a density for each class.
    `problems`: ``title``, ``data``, ``outlier`` class, ``systems`` (model by name), ``costs`` (by
    column); ``thresholds`` (numbers of the detector and of each output of the classifier);
    ``basis``; the ``printed`` losses by system and design, I or H, in the order of the costs.
    `chosen_on`: Objects on which thresholds are chosen; losses are measured on test objects.
    `scale`: Whether costs are taken as printed, divided by their sum, or in tenths in those columns
    where the costs of the target classes sum to ten.
    `priors`: Those of the loss: shares of the objects, the same for all classes, or none in the
    loss.
    `search`: Whether thresholds come from a grid or are all possible ones.
    `criterion`: What the detector of the independent design minimises.
    `by_class`: Whether the detector thresholds the density of the class assigned.
    `beyond`: Whether other variants and bounds stand beside Table 6.1, and Figure 6.1 is drawn.
    """
    results = Results()
    chosen = Choices(chosen_on, scale, priors, search, criterion, by_class)
    for system in shared(read_systems, scores, problems, features):
        add_printed(results, system, chosen)
        if beyond:
            add_variants(results, system, chosen)
            add_bounds(results, system, chosen)
    if beyond:
        add_possible(results, problems)
        add_figure(results, scores, features, problems[0])
    return results
