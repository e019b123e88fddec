"""Independent and holistic design of recognition systems from score tables (Sec. 6.2.4)."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.reject.two_stage.design import DetectorCriterion
from opchar.scores import rejecting_threshold
from opchar_reproduction.publications.landgrebe2007.chapter6.systems.designs import (
    DESIGNS,
    PRIORS,
    SAME,
    Choices,
    Scores,
    System,
    read_systems,
)
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, settings, study

PROBLEMS = settings(__file__, "problems.csv")
SHOWN_SHARE = 0.1


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
    problems: list[dict[str, Any]] = PROBLEMS,
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
        _add_printed(results, system, chosen)
        if beyond:
            _add_variants(results, system, chosen)
            _add_bounds(results, system, chosen)
    if beyond:
        _add_possible(results, problems)
        _add_figure(results, scores, features, problems[0])
    return results


def _add_spread(
    results: Results,
    system: System,
    artefact: str,
    row: str,
    column: str,
    values: pd.Series,
    *,
    varies: bool = True,
) -> None:
    """Add a mean loss over the folds, with its standard deviation where it varies."""
    about = {"unit": "loss", "basis": system.problem["basis"], "data": system.data}
    if varies:
        kept = artefact == "table-6.1"
        add_mean(results, artefact, row, column, values, kept=kept, **about)
    else:
        results.number(artefact, row, column, values.mean(), n=len(values), **about)


def _add_printed(results: Results, system: System, chosen: Choices) -> None:
    """Add the lines that the work prints, and the frame that its statements read.

    Beside them, once for each problem, stands the cost of rejecting all objects (Eq. 6.10), which
    is the same for all systems.
    """
    frame = system.losses(chosen)
    results.add_frame("losses", frame.assign(problem=system.problem["title"], system=system.name))
    for (column, design), part in frame.groupby(["costs", "design"], sort=False):
        row = f"{system.row} {DESIGNS[str(design)]}"
        _add_spread(results, system, "table-6.1", row, str(column), part["loss"])
    if system.name == next(iter(system.problem["systems"])):
        shares = frame[frame["design"] == "holistic"].groupby("costs", sort=False)["rejecting all"]
        row = f"{system.problem['title']} / rejecting all"
        for column, values in shares:
            # Shares of the classes, and so this loss, differ in their last bits or not at all.
            varies = bool(np.ptp(values) > SAME)
            _add_spread(results, system, "table-6.1", row, str(column), values, varies=varies)


def _add_variants(results: Results, system: System, chosen: Choices) -> None:
    """Add mean losses under what else the text can mean."""
    variants: dict[str, dict[str, Any]] = {
        "thresholds chosen on training objects": {"chosen_on": "train"},
        "costs divided by their sum": {"scale": "sum"},
        "equal priors": {"priors": "equal"},
        "no priors": {"priors": "none"},
        "detector with the mean cost": {"criterion": "single"},
        "detector with each class's cost": {"criterion": "each"},
        "exact, all thresholds": {"search": "exact"},
    }
    found = {name: system.losses(replace(chosen, **change)) for name, change in variants.items()}
    for name, frame in found.items():
        for (column, design), part in frame.groupby(["costs", "design"], sort=False):
            row = f"{system.row} {DESIGNS[str(design)]} / {column}"
            _add_spread(results, system, "table-6.1-variants", row, name, part["loss"])


def _add_bounds(results: Results, system: System, chosen: Choices) -> None:
    """Add between which losses optimal designs of a system lie, and where the printed ones do.

    No design that the test objects judge loses less than the best detector with a classifier that
    never errs; none that is optimal on them loses more than rejecting all. The least loss that is
    found is exact for two target classes; for three a search found it, which may miss lower ones.
    """
    for priors in PRIORS:
        exact = replace(chosen, chosen_on="test", search="exact", priors=priors, scale="printed")
        frame = system.losses(exact)
        holistic = frame[frame["design"] == "holistic"]
        for index, (column, part) in enumerate(holistic.groupby("costs", sort=False)):
            lowest = pd.Series(system.lower_bounds(str(column), priors))
            columns = {
                "lower bound of any design": lowest,
                "least loss found": part["loss"],
                "loss of rejecting all": part["rejecting all"],
            }
            row = f"{system.row} / {column!s}"
            for name, values in columns.items():
                words = f"{name}, priors: {priors}"
                _add_spread(results, system, "table-6.1-bounds", row, words, values)
            printed = system.problem["printed"][system.name]
            bounds = {
                "problem": system.problem["title"],
                "basis": system.problem["basis"],
                "priors": priors,
                "design": list(printed),
                "printed": [losses[index] for losses in printed.values()],
                "unit": float(np.sum(system.problem["costs"][str(column)])),
                "least bound": lowest.min(),
                "rejecting all": part["rejecting all"].max(),
            }
            results.add_frame("printed", bounds)


def _add_possible(results: Results, problems: list[dict[str, Any]]) -> None:
    """Count the printed losses that no design, and that no optimal design, can have.

    A loss counts only where it lies beyond the bounds of all hold-outs.
    """
    whole = results.curves["printed"]
    for problem, priors, scale in product(problems, PRIORS, ("as printed", "divided by their sum")):
        frame = whole[(whole["problem"] == problem["title"]) & (whole["priors"] == priors)]
        unit = 1.0 if scale == "as printed" else frame["unit"]
        below = frame["printed"] < frame["least bound"] / unit
        above = frame["printed"] > frame["rejecting all"] / unit
        is_holistic = frame["design"] == "H"
        counts = {
            "printed losses": len(frame),
            "below the bound of any design": below.sum(),
            "holistic, above the loss of rejecting all": (above & is_holistic).sum(),
            "independent, above the loss of rejecting all": (above & ~is_holistic).sum(),
            "between both": (~below & ~above).sum(),
        }
        row = f"{problem['title']} / priors: {priors}; costs {scale}"
        for column, count in counts.items():
            basis = problem["basis"]
            results.number("table-6.1-possible", row, column, count, unit="losses", basis=basis)


def _add_figure(
    results: Results, scores: Scores, features: Mapping[str, FeatureTable], problem: dict[str, Any]
) -> None:
    """Add the objects of Figure 6.1, and what each stage makes of those of the first fold."""
    objects = features[problem["data"]]
    names = np.array(objects.classes, dtype=object)
    results.add_frame(
        "scatter", {"x": objects.X[:, 0], "y": objects.X[:, 1], "class": names[objects.y]}
    )
    table = scores[problem["data"], list(problem["systems"].values())[-1]]
    tests = {str(name): each for name, each in next(iter(table.folds()))[1].test_sets()}
    train = tests["train"]
    assert train.detector is not None
    is_target = names[train.y] != problem["outlier"]
    threshold = rejecting_threshold(train.detector[is_target], SHOWN_SHARE)
    for part in tests.values():
        assert part.detector is not None
        x, y = objects.X[part.index].T
        passes = (part.detector >= threshold).astype(float)
        first = (part.scores[:, 0] >= part.scores[:, 1]).astype(float)
        passing = {"x": x, "y": y, "class": names[part.y], "passes": passes, "first": first}
        results.add_frame("passing", passing)
