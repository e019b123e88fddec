"""Independent and holistic design of recognition systems from score tables (Sec. 6.2.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.reject.two_stage.design import (
    DetectorCriterion,
    Grid,
    TwoStageScores,
    even_thresholds,
    weight_grid,
)
from opchar.results import Results, keep_repeats
from opchar.scores import ScoreTable, rejecting_threshold
from opchar.study import study, table, variant

Scores = Mapping[tuple[str, str], ScoreTable]
SHOWN_SHARE = 0.1


# Losses that are less apart are the same but for their last bits.
SAME = 1e-12
DESIGNS = {"independent": "I", "holistic": "H"}
PRIORS = ("sample", "equal", "none")


@dataclass(frozen=True)
class Choices:
    """What Sec. 6.2.4 leaves open; see `systems`."""

    chosen_on: str
    scale: str
    priors: str
    search: str
    criterion: DetectorCriterion


@study(
    "two-stage-systems",
    choices=[
        """priors of the loss: shares of the classes in the data, costs as printed (Eq.
        6.10); equal priors and costs divided by their sum in the table of variants""",
        """outliers are costly and two thirds or more of the data: the cheapest system
        lets nearly nothing pass, and its loss is that of rejecting all, the sum of cost times
        prior of the targets (rows "rejecting all"). Printed losses lie elsewhere and contradict
        Eq. 6.10 (errata)""",
        """what differs: nothing explains it. Tried are priors, units of the costs,
        objects and number of the thresholds, and the detector's criterion. Whatever the priors
        and the unit of the costs, not all printed losses lie where an optimal design of our
        detectors can: with priors those of the data half of Mfeat's exceed what rejecting all
        costs and the other half lie below a bound that no design goes below; without priors all
        lie below that bound (table of possible losses). Printed losses of one system contradict
        each other at any priors (errata)""",
        """bound: the loss of the best threshold of the detector when the classifier
        never errs; it holds for any classifier and any way to choose thresholds, but for our
        detectors only, and for Banana only on the domain of the outliers that we chose""",
        """least loss found: exact for the two target classes of Banana; for the three
        of Mfeat a search over weights found it, and there may be a lower one above the bound""",
        """thresholds are chosen on the test objects' operating characteristic, as the
        text describes; on training objects in the table of variants""",
        """grids as stated, evenly over the full range: Banana 100 detection and 200
        classification thresholds, Mfeat 10 and 12 a class weight""",
        """Gauss: covariance shrunk by 0.001; the detector describes all target classes
        together""",
        """independent detector: first form of Eq. 6.10, c_t the sum of the target
        costs""",
        """Banana: targets as PRTools defines them; the outliers' domain is not stated
        -> uniform on the square that reaches 4 beyond the bananas' circles""",
    ],
    kind="reject",
    basis="data",
    scores=[
        {
            "data": "banana-outliers",
            "protocol": "holdout-10-own",
            "models": ["two-stage gauss + ldc", "two-stage gauss + qdc", "two-stage gauss + mogc2"],
        },
        {
            "data": "mfeat-fou-348",
            "protocol": "holdout-10-own",
            "models": [
                "two-stage pca3 gauss + fisher ldc",
                "two-stage pca3 gauss + pca3 ldc",
                "two-stage pca5 gauss + pca2 mogc2",
            ],
        },
    ],
    features=["banana-outliers"],
    variants={
        "combine": "pairs",
        "pairs": [
            ["priors", "costs"],
            ["priors", "thresholds chosen on"],
            ["priors", "number of thresholds"],
            ["priors", "detector minimises"],
        ],
        "measure_all": "all_variants",
        "frames": ["losses"],
    },
)
@variant(
    "priors",
    section="6.2.4",
    why="""Costs and priors are known beforehand, but only costs are considered; the
        example of Sec. 6.2.2 has equal priors and none in its loss.""",
    primary="shares of the classes",
    values={
        "shares of the classes": {},
        "equal": {"priors": "equal"},
        "none in the loss": {"priors": "none"},
    },
)
@variant(
    "costs",
    section="6.2.2",
    why="""The costs of the target classes sum to that of the merged class together
        with the priors, and in which unit is not said. The losses of columns whose target costs
        sum to ten are small beside those of the others, as if these costs were written in tenths,
        a scale of their own (declared after results had been seen).""",
    primary="as printed",
    values={
        "as printed": {},
        "divided by their sum": {"scale": "sum"},
        "in tenths where the targets' sum to ten (declared after results)": {"scale": "tenths"},
    },
)
@variant(
    "thresholds chosen on",
    section="6.2.4",
    why="""The operating characteristic that gives the thresholds may be that of the
        objects that judge or that of the training objects.""",
    primary="test objects",
    values={"test objects": {}, "training objects": {"chosen_on": "train"}},
)
@variant(
    "number of thresholds",
    section="6.2.4",
    why="""Even samples across the full range may be even in value or in rank; with all
        thresholds nothing depends on how they are sampled.""",
    primary="as stated, even in value",
    values={"as stated, even in value": {}, "all": {"search": "exact"}},
)
@variant(
    "detector minimises",
    section="6.2.2",
    why="""The cost of the merged target class is the sum of its classes' costs, while
        the loss weights each class with its own.""",
    primary="sum of the costs",
    values={
        "sum of the costs": {},
        "mean cost": {"criterion": "single"},
        "each class with its cost": {"criterion": "each"},
    },
)
def systems(
    scores: Scores,
    features: Mapping[str, FeatureTable],
    *,
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
) -> Results:
    """Losses of both designs of each system at each set of costs (Table 6.1).

    Parameters
    ----------
    scores : mapping
        Score tables by data set and model, with the test sets ``test`` and ``train``.
    features : mapping
        The planar set of Figure 6.1.
    problems : list of dict
        ``title``, ``data``, ``outlier`` class, ``systems`` (model by name), ``costs`` (by column),
        ``thresholds`` (numbers of the detector and of each output of the classifier), ``basis`` and
        the ``printed`` losses by system and design, I or H, in the order of the costs.
    chosen_on : {"test", "train"}
        Objects on which thresholds are chosen; losses are those of test objects.
    scale : {"printed", "sum", "tenths"}
        Whether costs are taken as printed, divided by their sum, or in tenths in those columns
        where the costs of the target classes sum to ten.
    priors : {"sample", "equal", "none"}
        Those of the loss: shares of the objects, the same for all classes, or none in the loss.
    search : {"grid", "exact"}
        Whether thresholds are those of a grid or all there are.
    criterion : {"summed", "single", "each"}
        What the detector of the independent design minimises.

    Returns
    -------
    Results
        Lines of table-6.1, table-6.1-variants, table-6.1-bounds and table-6.1-possible; the frames
        ``losses`` (a line a system, costs, design and fold), ``scatter`` and ``passing``.
    """
    results = Results()
    chosen = Choices(chosen_on, scale, priors, search, criterion)
    for system in _systems(scores, problems):
        _add_printed(results, system, chosen)
        _variants(results, system, chosen)
        _bounds(results, system, chosen)
    _possible(results, problems)
    _figure(results, scores, features, problems[0])
    return results


def all_variants(
    scores: Scores,
    features: Mapping[str, FeatureTable],
    *,
    problems: list[dict[str, Any]],
    variants: Mapping[str, Mapping[str, Any]],
    **choices: Any,
) -> dict[str, Results]:
    """Return Table 6.1 under several variants.

    Parameters
    ----------
    scores, features, problems, **choices
        As for `systems`; the features are for the figure, which has no variants.
    variants : mapping of str to mapping
        Parameters of `systems` that each variant changes.

    Returns
    -------
    dict of str to Results
        The lines of table-6.1 and the frame ``losses``.
    """
    found: dict[str, Results] = {name: Results() for name in variants}
    for system in _systems(scores, problems):
        for name, changes in variants.items():
            _add_printed(found[name], system, Choices(**{**choices, **changes}))
    return found


def two_stage(table: ScoreTable, outlier: str) -> TwoStageScores:
    """Return the scores of both stages of the objects of one test set."""
    assert table.detector is not None
    names = np.array(table.classes, dtype=object)[table.y]
    return TwoStageScores.from_labels(
        names, table.detector, table.scores, classes=list(table.classes), outlier=outlier
    )


def thresholds(sample: TwoStageScores, number: list[int]) -> Grid:
    """Return even thresholds of both stages over their full range (Sec. 6.2.4)."""
    detector = even_thresholds(sample.detector, number[0])
    if sample.n_classes > 2:
        return detector, weight_grid(sample.n_classes, number[1])
    weights = np.linspace(0, 1, number[1] + 2)[1:-1]
    return detector, np.log(1 - weights) - np.log(weights)


class _System:
    """The scores of one system, and the losses that were computed on them before."""

    def __init__(self, table: ScoreTable, problem: Mapping[str, Any], name: str) -> None:
        self.problem, self.name, self.data = problem, name, table.data
        self.row = f"{problem['title']} / {name}"
        self.n_classes = len(table.classes)
        self._folds = [
            (fold, {key: two_stage(each, problem["outlier"]) for key, each in part.test_sets()})
            for fold, part in table.folds()
        ]
        self._designs = cache(self._design)

    def losses(self, chosen: Choices) -> pd.DataFrame:
        """Return the loss of both designs on the test objects of each fold."""
        rows = []
        for column, given in self.problem["costs"].items():
            factor = _unit(given, chosen.scale)
            # Equal priors and none have the same optimum.
            factor *= self.n_classes if chosen.priors == "none" else 1.0
            for name in DESIGNS:
                criterion = chosen.criterion if name == "independent" else None
                given = chosen.chosen_on, chosen.priors == "sample", chosen.search == "exact"
                for fold, loss, rejecting in self._designs(column, criterion, *given):
                    rows.append([column, name, fold, factor * loss, factor * rejecting])
        return pd.DataFrame(rows, columns=["costs", "design", "fold", "loss", "rejecting all"])

    def _design(
        self,
        column: str,
        criterion: DetectorCriterion | None,
        chosen_on: str,
        sampled: bool,
        exact: bool,
    ) -> list[list[Any]]:
        """Return fold, loss and loss of rejecting all of one design at one set of costs.

        Independent stages have a criterion, the holistic design none. The priors are those of the
        sample, or equal; the search is exact, or on a grid.
        """
        costs = np.asarray(self.problem["costs"][column], dtype=float)
        priors = None if sampled else np.full(self.n_classes, 1 / self.n_classes)
        found = []
        for fold, tests in self._folds:
            own = tests[chosen_on]
            grid = None if exact else thresholds(own, self.problem["thresholds"])
            if criterion is None:
                design = own.holistic(costs, priors, grid=grid)
            else:
                design = own.independent(costs, priors, criterion=criterion, grid=grid)
            judged = tests["test"].design(design.theta_d, design.theta_c, costs, priors)
            found.append([fold, judged.loss, design.loss_of_rejecting_all])
        return found

    def lower_bounds(self, column: str, priors: str) -> list[float]:
        """Return the loss that no design goes below on the test objects of each fold."""
        given = {"equal": 1 / self.n_classes, "none": 1.0}
        shares = np.full(self.n_classes, given[priors]) if priors in given else None
        costs = self.problem["costs"][column]
        return [tests["test"].lower_bound(costs, shares) for _, tests in self._folds]


def _unit(costs: list[float], scale: str) -> float:
    """Return what the costs of a column are multiplied by."""
    if scale == "sum":
        return float(1 / np.sum(costs))
    return 0.1 if scale == "tenths" and np.sum(costs[:-1]) == 10 else 1.0


def _systems(scores: Scores, problems: list[dict[str, Any]]) -> Iterator[_System]:
    for problem in problems:
        for name, model in problem["systems"].items():
            yield _System(scores[problem["data"], model], problem, name)


def _add_printed(results: Results, system: _System, chosen: Choices) -> None:
    """Add the lines that the work prints, and the frame that its statements read.

    Beside them, once for each problem, stands what rejecting all objects costs (Eq. 6.10), which
    is the same for all systems.
    """
    frame = system.losses(chosen)
    results.add_frame("losses", frame.assign(problem=system.problem["title"], system=system.name))
    for (column, design), part in frame.groupby(["costs", "design"], sort=False):
        row = f"{system.row} {DESIGNS[str(design)]}"
        _spread(results, system, "table-6.1", row, str(column), part["loss"])
    if system.name == next(iter(system.problem["systems"])):
        shares = frame[frame["design"] == "holistic"].groupby("costs", sort=False)["rejecting all"]
        row = f"{system.problem['title']} / rejecting all"
        for column, values in shares:
            # Shares of the classes, and so this loss, differ in their last bits or not at all.
            varies = bool(np.ptp(values) > SAME)
            _spread(results, system, "table-6.1", row, str(column), values, varies=varies)


def _spread(
    results: Results,
    system: _System,
    artefact: str,
    row: str,
    column: str,
    values: pd.Series,
    *,
    varies: bool = True,
) -> None:
    """Add a mean loss over the folds, with its standard deviation where it varies."""
    results.number(
        artefact,
        row,
        column,
        values.mean(),
        std=values.std() if varies else None,
        n=len(values),
        unit="loss",
        basis=system.problem["basis"],
        data=system.data,
    )
    if varies and artefact == "table-6.1":
        keep_repeats(results, artefact, row, column, values)


def _variants(results: Results, system: _System, chosen: Choices) -> None:
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
            _spread(results, system, "table-6.1-variants", row, name, part["loss"])


def _bounds(results: Results, system: _System, chosen: Choices) -> None:
    """Add between which losses optimal designs of a system lie, and where the printed ones do.

    No design that the test objects judge loses less than the best detector with a classifier that
    never errs; none that is optimal on them loses more than rejecting all. The least loss that is
    found is exact for two target classes; for three a search found it, which may miss lower ones.
    """
    for priors in PRIORS:
        exact = replace(chosen, chosen_on="test", search="exact", priors=priors, scale="printed")
        frame = system.losses(exact)
        holistic = frame[frame["design"] == "holistic"]
        for place, (column, part) in enumerate(holistic.groupby("costs", sort=False)):
            lowest = pd.Series(system.lower_bounds(str(column), priors))
            columns = {
                "lower bound of any design": lowest,
                "least loss found": part["loss"],
                "loss of rejecting all": part["rejecting all"],
            }
            row = f"{system.row} / {column!s}"
            for name, values in columns.items():
                words = f"{name}, priors: {priors}"
                _spread(results, system, "table-6.1-bounds", row, words, values)
            for design in DESIGNS.values():
                results.add_frame(
                    "printed",
                    {
                        "problem": [system.problem["title"]],
                        "basis": system.problem["basis"],
                        "priors": priors,
                        "design": design,
                        "printed": system.problem["printed"][system.name][design][place],
                        "unit": float(np.sum(system.problem["costs"][str(column)])),
                        "least bound": lowest.min(),
                        "rejecting all": part["rejecting all"].max(),
                    },
                )


def _possible(results: Results, problems: list[dict[str, Any]]) -> None:
    """Count the printed losses that no design has, and those that no optimal design has.

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


def _figure(
    results: Results,
    scores: Scores,
    features: Mapping[str, FeatureTable],
    problem: dict[str, Any],
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
        results.add_frame(
            "passing",
            {
                "x": objects.X[part.index, 0],
                "y": objects.X[part.index, 1],
                "class": names[part.y],
                "passes": (part.detector >= threshold).astype(float),
                "first": (part.scores[:, 0] >= part.scores[:, 1]).astype(float),
            },
        )


table(
    "table-6.1",
    title="Losses of independent and holistic design",
    section="6.2.4",
    caption="""Means and standard deviations over ten hold-outs. The rows "rejecting all"
        tell what a system costs that lets nothing pass (Eq. 6.10).""",
)


table(
    "table-6.1-variants",
    title="Losses of both designs under other variants of the protocol",
    section="6.2.4",
    caption="Mean losses when one choice at a time is made otherwise.",
)


table(
    "table-6.1-bounds",
    title="Between which losses any optimal design lies",
    section="6.2.4",
    caption="""By the priors of the loss: a bound that no design goes below, the least loss
        that was found over all thresholds on the test objects, and the loss of rejecting all.
        Means and standard deviations over ten hold-outs.""",
)


table(
    "table-6.1-possible",
    title="Printed losses that no design of these detectors has",
    section="6.2.4",
    caption="""How many printed losses lie below the bound of any design, and how many
        above what rejecting all costs, which no design does that is optimal on the objects that
        judge it; independent designs may. Counted is what lies beyond the bounds of all ten
        hold-outs. Measured after the differences had been seen.""",
)
