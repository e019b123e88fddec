"""The two-stage systems of Table 6.1, and the losses of both designs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import multivariate_normal

from opchar.datasets.features import FeatureTable
from opchar.reject.two_stage.design import (
    DetectorCriterion,
    Grid,
    SystemDesign,
    TwoStageScores,
    even_thresholds,
)
from opchar.reject.two_stage.weight_search import weight_grid
from opchar.scores import ScoreTable

Floats = NDArray[np.float64]
Scores = Mapping[tuple[str, str], ScoreTable]
# Losses that are less apart are the same but for their last bits.
SAME = 1e-12
DESIGNS = {"independent": "I", "holistic": "H"}
PRIORS = ("sample", "equal", "none")


def log_densities(
    X: Floats,
    names: NDArray[np.object_],
    targets: Sequence[str],
    components: int,
    train: NDArray[np.intp],
) -> Floats:
    """Return the log density of each target class at all objects, shape (n, C).

    A Gaussian each, its covariance shrunk by 0.001, in principal components of all training
    objects, or in `X` for 0 components.
    """
    mapped = X
    if components:
        _, vectors = np.linalg.eigh(np.cov(X[train].T))
        mapped = X @ vectors[:, -components:]
    found = []
    for name in targets:
        mine = mapped[train][names[train] == name]
        spread = np.cov(mine.T)
        sphere = np.trace(spread) / len(spread) * np.eye(len(spread))
        gauss = multivariate_normal(mine.mean(axis=0), 0.999 * spread + 0.001 * sphere)
        found.append(gauss.logpdf(mapped))
    return np.stack(found, axis=1)


@dataclass(frozen=True)
class ByClass:
    """Scores of both stages, and log densities of the target classes, shape (n, C).

    An object passes if the density of the class that the classifier gives it is large enough.
    """

    scores: TwoStageScores
    densities: Floats

    def with_classes(self, weights: Floats) -> TwoStageScores:
        """Return the scores with the density of the class assigned as that of the detector."""
        assigned = self.scores.assign(weights)
        return replace(self.scores, detector=self.densities[np.arange(len(assigned)), assigned])

    def best(
        self,
        weightings: Sequence[Floats],
        number: int,
        costs: Floats,
        priors: Floats | None,
        criterion: DetectorCriterion | None,
    ) -> SystemDesign:
        """Return the design of least loss over a grid; with a criterion, of stages one by one.

        Alone, the detector thresholds the density of the likelier target class.
        """
        merged = replace(self.scores, detector=self.densities.max(axis=1))
        theta_ds = even_thresholds(merged.detector, number)
        if criterion is not None:
            grid = theta_ds, weightings
            return merged.independent(costs, priors, criterion=criterion, grid=grid)
        losses = self._losses(np.asarray(weightings), theta_ds, self.scores.weights(costs, priors))
        # Of several with the least loss, the strictest detector of the first weighting.
        row, column = divmod(int(np.round(losses[:, ::-1], 12).argmin()), number)
        weights = weightings[row]
        chosen = self.with_classes(weights)
        return chosen.design(theta_ds[number - 1 - column], weights, costs, priors)

    def _losses(self, weightings: Floats, theta_ds: Floats, weights: Floats) -> Floats:
        """Return the loss of each weighting at each rising threshold, up to a constant."""
        scores, size = self.scores, len(theta_ds) + 1
        assigned = scores.assign(weightings)
        share = (weights / scores.sizes)[scores.label]
        wrong = np.where(scores.is_target, 0.0, share)
        loss = np.where(scores.is_target & (assigned == scores.label), -share, wrong)
        detector = self.densities[np.arange(len(share)), assigned]
        passed = np.searchsorted(theta_ds, detector, side="right")
        cell = passed + size * np.arange(len(weightings))[:, np.newaxis]
        found = np.bincount(cell.ravel(), loss.ravel(), minlength=size * len(weightings))
        return found.reshape(-1, size)[:, :0:-1].cumsum(axis=1)[:, ::-1]


@dataclass(frozen=True)
class Choices:
    """What Sec. 6.2.4 leaves open; see `systems`."""

    chosen_on: str
    scale: str
    priors: str
    search: str
    criterion: DetectorCriterion
    by_class: bool = False


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
    first, second = even_weights(number[1]).T
    return detector, np.log(second) - np.log(first)


def even_weights(number: int) -> np.ndarray:
    """Return even weights of two classes, shape (number, 2)."""
    weights = np.linspace(0, 1, number + 2)[1:-1]
    return np.stack([weights, 1 - weights], axis=1)


class System:
    """The scores of one system, and the losses that were computed on them before."""

    def __init__(
        self, table: ScoreTable, problem: Mapping[str, Any], name: str, objects: FeatureTable
    ) -> None:
        self.problem, self.name, self.data = problem, name, table.data
        self._table, self._objects = table, objects
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
            factor = cost_unit(given, chosen.scale)
            # Equal priors and none have the same optimum.
            factor *= self.n_classes if chosen.priors == "none" else 1.0
            for name in DESIGNS:
                criterion = chosen.criterion if name == "independent" else None
                given = chosen.chosen_on, chosen.priors == "sample", chosen.search == "exact"
                made = self._designs(column, criterion, *given, chosen.by_class)
                for fold, loss, rejecting in made:
                    rows.append([column, name, fold, factor * loss, factor * rejecting])
        return pd.DataFrame(rows, columns=["costs", "design", "fold", "loss", "rejecting all"])

    def _design(
        self,
        column: str,
        criterion: DetectorCriterion | None,
        chosen_on: str,
        sampled: bool,
        exact: bool,
        by_class: bool,
    ) -> list[list[Any]]:
        """Return fold, loss and loss of rejecting all of one design at one set of costs.

        Independent stages have a criterion, the holistic design none. The priors are shares of the
        sample, or equal; the search is exact, or on a grid. A density per class needs a grid.
        """
        costs = np.asarray(self.problem["costs"][column], dtype=float)
        priors = None if sampled else np.full(self.n_classes, 1 / self.n_classes)
        found = []
        if by_class:
            number, steps = self.problem["thresholds"]
            several = self.n_classes > 3
            weights = weight_grid(self.n_classes - 1, steps) if several else even_weights(steps)
            for fold, sets in self._by_class:
                design = sets[chosen_on].best([*weights], number, costs, priors, criterion)
                judge = sets["test"].with_classes(np.asarray(design.theta_c))
                judged = judge.design(design.theta_d, design.theta_c, costs, priors)
                found.append([fold, judged.loss, judged.loss_of_rejecting_all])
            return found
        for fold, tests in self._folds:
            chosen = tests[chosen_on]
            grid = None if exact else thresholds(chosen, self.problem["thresholds"])
            if criterion is None:
                design = chosen.holistic(costs, priors, grid=grid)
            else:
                design = chosen.independent(costs, priors, criterion=criterion, grid=grid)
            judged = tests["test"].design(design.theta_d, design.theta_c, costs, priors)
            found.append([fold, judged.loss, design.loss_of_rejecting_all])
        return found

    @cached_property
    def _by_class(self) -> list[tuple[int, dict[str | None, ByClass]]]:
        """Return the scores of each fold with a density for each target class."""
        objects, outlier = self._objects, self.problem["outlier"]
        names = np.array(objects.classes, dtype=object)[objects.y]
        targets = [name for name in self._table.classes if name != outlier]
        words = re.match(r"two-stage pca(\d+)", self.problem["systems"][self.name])
        found = []
        for (fold, part), (_, scores) in zip(self._table.folds(), self._folds, strict=True):
            index = {key: each.index for key, each in part.test_sets()}
            density = log_densities(
                objects.X, names, targets, int(words[1]) if words else 0, index["train"]
            )
            sets = {key: ByClass(each, density[index[key]]) for key, each in scores.items()}
            found.append((fold, sets))
        return found

    def lower_bounds(self, column: str, priors: str) -> list[float]:
        """Return the loss that no design goes below on the test objects of each fold."""
        given = {"equal": 1 / self.n_classes, "none": 1.0}
        shares = np.full(self.n_classes, given[priors]) if priors in given else None
        costs = self.problem["costs"][column]
        return [tests["test"].lower_bound(costs, shares) for _, tests in self._folds]


def cost_unit(costs: list[float], scale: str) -> float:
    """Return what the costs of a column are multiplied by."""
    if scale == "sum":
        return float(1 / np.sum(costs))
    return 0.1 if scale == "tenths" and np.sum(costs[:-1]) == 10 else 1.0


def read_systems(
    scores: Scores, problems: list[dict[str, Any]], features: Mapping[str, FeatureTable]
) -> list[System]:
    """Return the systems of the rows of Table 6.1, problem by problem."""
    return [
        System(scores[problem["data"], model], problem, name, features[problem["data"]])
        for problem in problems
        for name, model in problem["systems"].items()
    ]
