"""Arguments that make no sense are one clear ValueError, not a number."""

import numpy as np
import pytest

from opchar.arguments import counts, probabilities
from opchar.metrics.drift import drift
from opchar.metrics.indices import composite, rates
from opchar.multiclass.roc.hypersurface import lowest_losses
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.spaces import cost, precision_recall, roc
from opchar.spaces.points import from_rates

POINTS = from_rates([0.0, 0.5, 0.8, 1.0], [0.0, 0.1, 0.4, 1.0])
Y, SCORES = [0, 1, 2, 0, 1, 2], np.eye(3)[[0, 1, 2, 1, 1, 2]]


@pytest.mark.parametrize("prior", [2, -0.1, 1.001])
def test_priors_outside_the_unit_interval_are_refused(prior: float) -> None:
    for call in (precision_recall.auprec, precision_recall.average_precision):
        with pytest.raises(ValueError, match="prior must be between 0 and 1"):
            call(POINTS, prior)
    with pytest.raises(ValueError, match="prior must be between 0 and 1"):
        cost.probability_cost(prior, 0.5)
    with pytest.raises(ValueError, match="m must be between 0 and 1"):
        cost.probability_cost(0.5, prior)


@pytest.mark.parametrize(("low", "high"), [(0.9, 0.1), (-3, 7), (0.1, 1.9), (0.0, 0.5), (0.5, 0.5)])
def test_a_range_of_priors_is_one(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="0 < low < high < 1"):
        drift(POINTS, lambda points, priors: (priors, priors), low, high)


def test_other_rates_and_priors() -> None:
    with pytest.raises(ValueError, match="max_fpr must be between 0 and 1, got 2"):
        roc.neyman_pearson(POINTS, 2)
    data = weighted_scores(Y, SCORES, 5)
    with pytest.raises(ValueError, match="priors must sum to 1, not to 10"):
        lowest_losses(data, 1.0 - np.eye(3)[None], priors=[2, 5, 3])


NAMES = ("accuracy", "error_rate", "tpr", "tnr", "fpr", "fnr", "precision")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", range(4))
def test_negative_counts_are_refused(name: str, place: int) -> None:
    given = [3.0, 1.0, 2.0, 3.0]
    given[place] = -5.0
    used = {"tpr": (0, 1), "fnr": (0, 1), "tnr": (2, 3), "fpr": (2, 3), "precision": (0, 2)}
    if place in used.get(name, range(4)):
        with pytest.raises(ValueError, match="must not be negative, got -5"):
            getattr(rates, name)(*given)


def test_negative_counts_of_the_f_measure_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        composite.f1(-5, 1, 2, 3)


def test_right_values_pass_unchanged() -> None:
    values = np.array([0.0, 1.0, np.nan, 1 + 1e-12])
    assert probabilities(values, "x") is values
    assert np.array_equal(counts([0, 2.5, np.nan]), [0, 2.5, np.nan], equal_nan=True)
