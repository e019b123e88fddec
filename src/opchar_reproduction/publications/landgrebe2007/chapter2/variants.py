"""What Table 2.2 may have measured: named variants of each choice that Sec. 2.2.6 leaves open."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from opchar.metrics.drift import (
    OperatingRule,
    drift,
    equal_error_points,
    least_error_points,
    mean_weighted_error,
    reweighted_points,
    sample_points,
)
from opchar.metrics.indices.costs import acc_sens
from opchar.scores import ScoreTable
from opchar.spaces.det import equal_error_rate
from opchar.spaces.points import OperatingPoints, operating_points
from opchar_reproduction.study import Shared

LEAST, EQUAL, REWEIGHTED = "least error", "equal weighted errors", "posteriors weighted anew"

POINTS: dict[str, OperatingRule] = {
    LEAST: least_error_points,
    EQUAL: equal_error_points,
    REWEIGHTED: reweighted_points,
}

HEIGHT, ERROR = "mean height of the ROC", "one minus the mean weighted error"
LABELLED, SWAPPED = "as labelled", "exchanged"
FIRST = {LABELLED: 0, SWAPPED: 1}
EQUAL_ERRORS, EQUAL_PRIORS = "equal errors", "equal priors"
EPSILON = "equal error rate eps"
EXCHANGED = "AUC, classes exchanged"
JUDGED = ["AUC", "Sens", "AccSens"]
MEASURES = [*JUDGED, EPSILON]


class Choices(NamedTuple):
    """One choice in each dimension that the text leaves open; the first of each is the primary.

    landgrebe2007, Secs. 2.2.3 to 2.2.6.

    `point`: which operating point belongs to a prior: the text analyses where on the ROC
    performance drifts to for the new prior (Sec. 2.2.4). `thresholds`: steps on the posterior at
    which the ROC is sampled, m of Sec. 2.3.3; all when not given. `area`: what AUC is over a range
    of priors: Eq. 2.2 between both operating points, or the classification error integrated over
    the range, as the text words it. `epsilon`: whether eps is the least mean of both error rates,
    the error of "the equal prior case" (Sec. 2.2.4), whatever the rule for other priors; or the
    error where both are equal.
    """

    point: str = LEAST
    thresholds: int | None = None
    area: str = HEIGHT
    classes: str = LABELLED
    epsilon: str = EQUAL_PRIORS


def variants_beside(thresholds: int) -> dict[str, Choices]:
    """Return the variants that stand beside Table 2.2, by name."""
    return {
        LEAST: Choices(LEAST),
        f"{LEAST}, {thresholds} thresholds": Choices(LEAST, thresholds),
        EQUAL: Choices(EQUAL),
        f"{EQUAL}, {thresholds} thresholds": Choices(EQUAL, thresholds),
        REWEIGHTED: Choices(REWEIGHTED),
    }


def equal_prior_error(points: OperatingPoints) -> float:
    """Return the least mean of both error rates: of the best operating point at equal priors."""
    tpr, fpr = least_error_points(points, np.array([0.5]))
    return float(1 - tpr[0] + fpr[0]) / 2


def measures(
    points: OperatingPoints, variant: Choices, low: float, high: float
) -> dict[str, float]:
    """Return AUC, also with the classes exchanged, Sens, AccSens and eps of a ROC by one variant.

    landgrebe2007, Eqs. 2.2 to 2.4.

    `low` and `high`: range of the prior of w1, ``0 < low < high < 1``.
    """
    drifted = _Drifted(points, variant.thresholds, variant.point, low, high)
    return _choose_measures(drifted, variant)


class _Drifted:
    """A ROC at some thresholds, and where a rule puts its operating points over the priors."""

    def __init__(
        self, points: OperatingPoints, thresholds: int | None, point: str, low: float, high: float
    ) -> None:
        self.points = points if thresholds is None else sample_points(points, thresholds)
        self.range = low, high
        self.operating = POINTS[point]
        self.moved = drift(self.points, self.operating, low, high)
        self.errors = {
            EQUAL_PRIORS: equal_prior_error(self.points),
            EQUAL_ERRORS: equal_error_rate(self.points).rate,
        }

    @cached_property
    def area_of_errors(self) -> float:
        return 1 - mean_weighted_error(self.points, self.operating, *self.range)


def _choose_measures(drifted: _Drifted, variant: Choices) -> dict[str, float]:
    """Return the measures that a variant takes from what it shares with others."""
    moved = drifted.moved
    area, other = moved.auc, moved.auc_exchanged
    if variant.area == ERROR:
        area = other = drifted.area_of_errors
    return {
        "AUC": area,
        EXCHANGED: other,
        "Sens": moved.sens,
        "AccSens": float(acc_sens(area, moved.sens)),
        EPSILON: drifted.errors[variant.epsilon],
    }


def measure_fold(
    table: ScoreTable, variants: Mapping[str, Choices], low: float, high: float, shared: Shared
) -> dict[str, dict[str, float]]:
    """Measure the scores of one test set by several variants.

    `low` and `high`: range of the prior of w1, ``0 < low < high < 1``.
    """
    found = {}
    for name, variant in variants.items():
        points = shared(_points, table, variant.classes)
        given = variant.thresholds, variant.point, low, high
        found[name] = _choose_measures(shared(_Drifted, points, *given), variant)
    return found


def _points(table: ScoreTable, classes: str) -> OperatingPoints:
    """Return the operating points of one test set, on log odds of the class that is w1."""
    return operating_points(*table.log_odds(table.classes[FIRST[classes]]))
