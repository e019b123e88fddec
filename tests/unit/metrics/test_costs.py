"""Costs, prior sensitivity and verification errors, against the works' own small examples."""

import numpy as np
import pytest

from opchar import metrics


@pytest.mark.parametrize(
    ("skew", "rates", "cost"),
    [
        (3, (0.88, 0.04), 0.06),
        (3, (0.88, 0.06), 0.075),
        (4, (0.88, 0.04), 0.056),
        (4, (0.88, 0.06), 0.072),
    ],
)
def test_expected_cost_of_soleymani2020_section_2(skew, rates, cost):
    tpr, fpr = rates
    counts = tpr, 1 - tpr, skew * fpr, skew * (1 - fpr)
    assert metrics.expected_cost(*counts) == pytest.approx(cost)
    by_prior = metrics.expected_cost(tpr, 1 - tpr, fpr, 1 - fpr, prior=1 / (1 + skew))
    assert by_prior == pytest.approx(cost)


def test_f_alpha_is_f_beta():
    for beta in (0.5, 1, 2):
        expected = (1 + beta**2) * 7 / ((1 + beta**2) * 7 + beta**2 * 3 + 20)
        assert metrics.f_beta(7, 3, 20, 80, beta=beta) == pytest.approx(expected)
        assert metrics.f_alpha(7, 3, 20, 80, alpha=1 / (1 + beta**2)) == pytest.approx(expected)
    assert metrics.f_alpha(7, 3, 20, 80, alpha=0) == metrics.tpr(7, 3, 20, 80)
    assert metrics.f_alpha(7, 3, 20, 80, alpha=1) == metrics.precision(7, 3, 20, 80)


def test_loss_and_utility():
    costs = np.array([[0, 1, 2], [3, 0, 1], [1, 5, 0]])
    priors = [0.5, 0.3, 0.2]
    matrix = np.array([[8, 1, 1], [2, 16, 2], [0, 5, 15]])
    rates = matrix / matrix.sum(axis=1, keepdims=True)
    by_hand = sum(
        priors[i] * rates[i, j] * costs[i, j] for i in range(3) for j in range(3) if i != j
    )
    assert metrics.expected_loss(matrix, costs, priors) == pytest.approx(by_hand)
    assert metrics.mean_subjective_utility(np.eye(3), costs, priors) == 1
    chance = np.full((3, 3), 4)
    assert metrics.mean_subjective_utility(chance, costs, priors) == pytest.approx(0)
    profits = costs + np.diag([1, 1, 1])
    assert metrics.expected_loss(np.eye(3), profits, priors) == pytest.approx(-1)
    with pytest.raises(ValueError, match="zero diagonal"):
        metrics.mean_subjective_utility(matrix, profits)
    with pytest.raises(ValueError, match="sum to 1"):
        metrics.expected_loss(matrix, costs, [1, 1, 1])
    with pytest.raises(ValueError, match="3 x 3"):
        metrics.expected_loss(matrix, [[0, 1], [1, 0]])


def test_acc_sens_of_landgrebe2007_table_2_1():
    np.testing.assert_allclose(
        metrics.acc_sens([0.942, 0.945], [0.340, 0.131]), [0.244, 0.100], atol=5e-4
    )
    assert metrics.acc_sens(0, 1) == 1
    assert metrics.prior_sensitivity(0, 1, 1, 0) == pytest.approx(1)
    assert metrics.prior_sensitivity(0.2, 0.1, 0.2, 0.1) == 0


def test_far_and_frr_count_scores():
    rng = np.random.default_rng(0)
    clients, impostors = rng.normal(1, 1, 50).round(1), rng.normal(0, 1, 70).round(1)
    thresholds = np.linspace(-2, 3, 26).round(1)
    far = metrics.false_acceptance(impostors, thresholds)
    frr = metrics.false_rejection(clients, thresholds)
    np.testing.assert_allclose(far, [(impostors >= t).mean() for t in thresholds])
    np.testing.assert_allclose(frr, [(clients < t).mean() for t in thresholds])
    with pytest.raises(ValueError, match="vector"):
        metrics.false_rejection([], thresholds)


@pytest.mark.parametrize(
    ("far", "frr", "expected"),
    [
        ([1, 0.4, 0.1, 0], [0, 0.2, 0.3, 1], 0.25),
        ([0, 0.1, 0.4, 1], [1, 0.3, 0.2, 0], 0.25),
        ([1, 0.2, 0.2, 0], [0, 0.2, 0.2, 1], 0.2),
        ([1, 0.0, 0.0], [0, 0.0, 1.0], 0.0),
        ([1, 0], [0, 1], 0.5),
    ],
)
def test_equal_error_rate(far, frr, expected):
    assert metrics.equal_error_rate(far, frr) == pytest.approx(expected)


def test_equal_error_rate_refuses_curves_that_do_not_meet():
    with pytest.raises(ValueError, match="do not meet"):
        metrics.equal_error_rate([1, 0.9], [0, 0.1])
    with pytest.raises(ValueError, match="equally long"):
        metrics.equal_error_rate([1, 0.9], [0])
