"""Costs of each object beside counting them one by one."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

import opchar
from opchar.spaces.object_costs import object_cost_threshold


def sample(seed: int = 0):
    rng = np.random.default_rng(seed)
    n = 50
    y = (rng.random(n) < 0.4).astype(int)
    costs = {
        "cost_fn": rng.integers(5, 30, n),
        "cost_fp": rng.integers(3, 9, n),
        "cost_tp": rng.random(n),
        "cost_tn": 0.5,
    }
    return y, np.round(rng.random(n), 1), costs, rng.integers(0, 3, n)


def counted(y, accepted, costs, weight) -> float:
    """Return the mean cost, object by object."""
    total = 0.0
    for i, (label, taken) in enumerate(zip(y, accepted, strict=True)):
        name = ("cost_tp" if taken else "cost_fn") if label else ("cost_fp" if taken else "cost_tn")
        total += weight[i] * np.broadcast_to(costs[name], len(y))[i]
    return total / weight.sum()


@pytest.mark.parametrize("seed", range(6))
def test_costs_and_the_best_threshold_are_those_of_counting(seed: int) -> None:
    y, score, costs, weight = sample(seed)
    at = opchar.bayes_threshold(**costs)
    found = opchar.object_cost(y, score, sample_weight=weight, **costs)
    assert found.cost == pytest.approx(counted(y, score >= at, costs, weight))
    assert found.accept_all == pytest.approx(counted(y, score >= -1, costs, weight))
    assert found.accept_none == pytest.approx(counted(y, score >= 2, costs, weight))
    assert found.low < found.cost < found.high
    best = object_cost_threshold(y, score, sample_weight=weight, **costs)
    everywhere = {cut: counted(y, score >= cut, costs, weight) for cut in [np.inf, *score]}
    assert best.cost == pytest.approx(min(everywhere.values()))
    assert everywhere[best.threshold] == pytest.approx(best.cost)
    again = opchar.object_cost(y, score, sample_weight=weight, threshold=best.threshold, **costs)
    assert again.cost == pytest.approx(best.cost)


def test_the_threshold_of_an_object_is_where_both_decisions_cost_the_same() -> None:
    _, _, costs, _ = sample()
    p = opchar.bayes_threshold(**costs)
    accepting = p * costs["cost_tp"] + (1 - p) * costs["cost_fp"]
    rejecting = p * costs["cost_fn"] + (1 - p) * costs["cost_tn"]
    np.testing.assert_allclose(accepting, rejecting)
    assert opchar.bayes_threshold(cost_fn=3.0, cost_fp=1.0) == 0.25
    named = opchar.bayes_threshold(cost_fn=pd.Series([3.0, 1.0], index=["a", "b"]), cost_fp=1.0)
    assert named["b"] == 0.5


def test_equal_costs_are_the_expected_cost() -> None:
    y, score, _, _ = sample()
    found = object_cost_threshold(y, score, cost_fn=3.0, cost_fp=2.0)
    least = opchar.least_cost(y, score, cost_fn=3.0, cost_fp=2.0)
    scale = y.mean() * 3 + (1 - y.mean()) * 2
    assert found.cost == pytest.approx(least * scale)
    perfect = opchar.object_cost(y, y, cost_fn=3.0, cost_fp=2.0)
    assert (perfect.cost, perfect.savings) == (0, 1)


def test_the_interval_covers() -> None:
    rng, held = np.random.default_rng(1), 0
    for _ in range(300):
        y, amount = (rng.random(80) < 0.5).astype(int), rng.exponential(10, 80)
        found = opchar.object_cost(y, np.zeros(80), cost_fn=amount, cost_fp=1.0, threshold=0.5)
        held += found.low <= 5 <= found.high
    assert 270 <= held <= 297


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"cost_fn": -1.0, "cost_fp": 1.0}, "wrong decision"),
        ({"cost_fn": 0.0, "cost_fp": 0.0}, "wrong decision"),
        ({"cost_fn": np.nan, "cost_fp": 1.0}, "wrong decision"),
        ({"cost_fn": 1.0, "cost_fp": np.inf}, "wrong decision"),
        ({"cost_fn": 1.0, "cost_fp": 1.0, "confidence": 1.0}, "confidence"),
    ],
)
def test_what_cannot_be_asked_is_said(given, said: str) -> None:
    y, score, _, _ = sample()
    with pytest.raises(ValueError, match=said):
        opchar.object_cost(y, score, **given)
    with pytest.raises(ValueError, match="probabilities"):
        opchar.object_cost(y, score + 1, cost_fn=1.0, cost_fp=1.0)


@pytest.mark.parametrize(("fn", "fp", "threshold"), [(0.5, 0.0, 0.0), (0.0, 0.5, 1.0)])
def test_one_of_both_wrong_decisions_may_cost_nothing(fn, fp, threshold) -> None:
    assert opchar.bayes_threshold(cost_fn=fn, cost_fp=fp) == threshold


@pytest.mark.parametrize("costs", [(0, 0), (-0.5, 3), (3, -0.5), (np.nan, 1)])
def test_costs_that_reward_a_wrong_decision_are_refused(costs) -> None:
    with pytest.raises(ValueError, match=r"a wrong decision must cost|costs"):
        opchar.bayes_threshold(cost_fn=costs[0], cost_fp=costs[1])


def test_the_interval_is_students_for_the_mean_cost_of_an_object() -> None:
    y, score, costs, _ = sample(3)
    found = opchar.object_cost(y, score, threshold=0.5, confidence=0.9, **costs)
    names = [["tn", "fp"], ["fn", "tp"]]
    own = np.array(
        [
            np.broadcast_to(costs[f"cost_{names[label][int(at >= 0.5)]}"], len(y))[i]
            for i, (label, at) in enumerate(zip(y, score, strict=True))
        ]
    )
    spread = own.std(ddof=1) / np.sqrt(len(own))
    expected = t.interval(0.9, len(own) - 1, own.mean(), spread)
    assert (found.low, found.high) == pytest.approx(expected)
    # Of two objects of unequal weight less than one degree of freedom is left.
    two = {"cost_fn": 4.0, "cost_fp": 1.0, "threshold": 0.5, "sample_weight": [3.0, 1.0]}
    found = opchar.object_cost([1, 0], [0.1, 0.1], **two)
    freedom = 1 / (0.75**2 + 0.25**2) - 1
    spread = np.sqrt((0.75 * (4 - 3) ** 2 + 0.25 * (0 - 3) ** 2) / freedom)
    assert found.high - found.cost == pytest.approx(t.ppf(0.975, freedom) * spread)


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e308])
def test_a_threshold_depends_on_the_ratio_of_costs_alone(size: float) -> None:
    for shape in (float, np.atleast_1d):
        assert opchar.bayes_threshold(cost_fn=shape(size), cost_fp=shape(size)) == 0.5
