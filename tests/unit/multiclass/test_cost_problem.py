"""Scored objects under cost matrices."""

import numpy as np
import pytest

from cost_cases import loss_by_loop, overlapping
from opchar.metrics import mean_subjective_utility
from opchar.metrics.indices.costs import expected_loss
from opchar.multiclass.cost_weights.algorithms import Weighting, default
from opchar.multiclass.cost_weights.methods import cost_weights
from opchar.multiclass.cost_weights.problem import (
    confusion_counts,
    cost_problem,
    losses,
    mean_subjective_utilities,
)

Y = [0, 0, 1, 2, 2, 2]
SCORES = np.random.default_rng(3).dirichlet(np.ones(3), 6)
COSTS = np.random.default_rng(4).uniform(-0.2, 1, (2, 3, 3))


@pytest.mark.parametrize("priors", [None, [0.2, 0.5, 0.3], [1.0, 1.0, 1.0]])
def test_losses_are_those_of_the_equation(priors):
    problem = cost_problem(Y, SCORES, COSTS, priors)
    weights = np.array([1.0, 0.3, 2.5])
    found = losses(problem, np.log(weights))
    used = np.bincount(Y) / 6 if priors is None else priors
    slow = [loss_by_loop(Y, SCORES, weights, costs, used) for costs in COSTS]
    assert found == pytest.approx(slow)


def test_losses_and_utilities_agree_with_the_metrics():
    problem = overlapping(4, 90, matrices=3)
    priors = np.bincount(problem.y) / 90
    counts = confusion_counts(problem, np.zeros(4))
    raw = problem.prices * problem.class_sizes()[:, None] / priors[:, None]
    found = default(problem).losses
    assert found == pytest.approx([float(expected_loss(counts, costs)) for costs in raw])
    utilities = mean_subjective_utilities(problem, found)
    assert utilities == pytest.approx([float(mean_subjective_utility(counts, s)) for s in raw])
    assert mean_subjective_utilities(problem, np.zeros(3)) == pytest.approx(np.ones(3))


def test_utilities_with_profits_run_from_chance_to_no_error():
    problem = cost_problem(Y, SCORES, COSTS)
    signed = COSTS * (1 - 2 * np.eye(3))
    priors = np.bincount(Y) / 6
    chance = np.einsum("i,mij->m", priors, signed) / 3
    perfect = np.einsum("i,mii->m", priors, signed)
    assert mean_subjective_utilities(problem, chance) == pytest.approx(np.zeros(2), abs=1e-12)
    assert mean_subjective_utilities(problem, perfect) == pytest.approx(np.ones(2))


def test_no_utilities_without_costs():
    free = cost_problem(Y, SCORES, np.zeros((3, 3)))
    assert np.isnan(mean_subjective_utilities(free, [0.0]))


def test_profits_make_losses_negative():
    problem = cost_problem(Y, np.eye(3)[Y] + 0.1, np.diag([1.0, 2.0, 3.0]))
    assert default(problem).losses == pytest.approx([-(2 * 1 + 1 * 2 + 3 * 3) / 6])


def test_logarithms_reach_where_probabilities_underflow():
    log_scores = np.array([[-1000.0, -2000.0], [-3000.0, -2990.0]])
    problem = cost_problem([0, 0], log_scores, [[0, 1], [1, 0]], log=True)
    assert losses(problem, [0.0, 0.0]) == pytest.approx([0.5])
    assert losses(problem, [11.0, 0.0]) == pytest.approx([0.0])


def test_a_class_without_objects_adds_nothing():
    problem = cost_problem([0, 0, 2], SCORES[:3], np.ones((3, 3)) - np.eye(3))
    assert problem.prices[0, 1].tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match=r"no object of class \[1\]"):
        cost_problem([0, 0, 2], SCORES[:3], np.ones((3, 3)), priors=[0.4, 0.2, 0.4])


def test_an_object_without_scores_stays_with_the_first_class():
    problem = cost_problem([1], [[0.0, 0.0]], [[0, 1], [1, 0]])
    assert losses(problem, [-5.0, 5.0]).tolist() == [1.0]


def test_one_class_has_one_weight():
    problem = cost_problem([0, 0], [[0.3], [0.4]], [[2.0]])
    assert default(problem).weights.tolist() == [[1.0]]
    assert default(problem).losses.tolist() == [-2.0]


def test_weights_are_scaled_to_the_largest():
    huge = Weighting(np.array([[2000.0, 2000.0 + np.log(4), -np.inf]]), np.zeros(1))
    assert huge.weights == pytest.approx(np.array([[0.25, 1.0, 0.0]]))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"costs": [[0, np.inf], [1, 0]]}, "costs must be finite"),
        ({"costs": np.zeros((3, 3))}, "of shape"),
        ({"priors": [0.5, -0.5]}, "not negative"),
        ({"priors": [0.5, np.inf]}, "finite prior"),
        ({"priors": [1.0]}, "each of the 2 classes"),
        ({"scores": [[0.1, -0.2], [0.5, 0.5]]}, "not negative"),
        ({"scores": [[0.1, np.nan], [0.5, 0.5]]}, "finite"),
        ({"scores": [[0.1, np.inf], [0.5, 0.5]], "log": True}, "below infinity"),
        ({"scores": [0.1, 0.2]}, "shape"),
        ({"scores": np.zeros((0, 2)), "y": []}, "with objects"),
        ({"y": [0]}, "as many labels"),
        ({"y": [0, 2]}, "from 0 to 1"),
        ({"y": [0.5, 1]}, "class numbers"),
    ],
)
def test_bad_input_is_one_clear_error(changed, message):
    given = {"y": [0, 1], "scores": [[0.6, 0.4], [0.3, 0.7]], "costs": [[0, 1], [1, 0]]} | changed
    with pytest.raises(ValueError, match=message):
        cost_problem(**given)


@pytest.mark.parametrize("priors", [None, [1.0, 1.0, 1.0]])
def test_costs_whose_sums_overflow_are_refused_and_large_ones_are_not(priors):
    with pytest.raises(ValueError, match=r"are 1e\+300 in size at most: sums of larger ones"):
        cost_problem(Y, SCORES, 1e308 * COSTS / COSTS.max(), priors)
    with pytest.raises(ValueError, match="at most"):
        cost_problem(Y, SCORES, COSTS, [1e308, 1e308, 0.0])
    large = 1e299 * COSTS
    with np.errstate(all="raise"):
        for method in ("naive", "lachiche-flach", "pairs-greedy"):
            rng = np.random.default_rng(0)
            found = cost_weights(Y, SCORES, large, priors, method=method, rng=rng)
            rng = np.random.default_rng(0)
            usual = cost_weights(Y, SCORES, COSTS, priors, method=method, rng=rng)
            assert found.losses == pytest.approx(1e299 * usual.losses)
