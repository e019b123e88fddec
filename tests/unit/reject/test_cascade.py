"""Cascades from scores beside all pairs of thresholds, counted one by one."""

import numpy as np
import pytest

import opchar
from opchar.statistics.cross_fitting import drawn_folds

COSTS = {"first_cost": 0.1, "second_cost": 1.0, "cost_fn": 20.0, "cost_fp": 4.0}


def sample(seed: int, n: int = 40, ties: bool = True):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    y[:4] = [0, 1, 0, 1]
    first, second = rng.normal(size=n) + y, rng.normal(size=n) + 2.5 * y
    digits = 0 if ties else 6
    return y, first.round(digits), second.round(digits)


def counted(y, first, second, cuts, share, costs) -> float:
    """Return the cost of a cascade, object by object."""
    total = 0.0
    for label, one, two, w in zip(y, first, second, share, strict=True):
        cost, accepted = costs["first_cost"], False
        if one >= cuts[0]:
            cost += costs["second_cost"]
            accepted = two >= cuts[1]
        cost += costs["cost_fn"] * (label and not accepted)
        cost += costs["cost_fp"] * (not label and accepted)
        total += w * cost
    return total


def shares(y, weight, prior) -> np.ndarray:
    of_class = np.where(y == 1, weight[y == 1].sum(), weight[y == 0].sum())
    return np.where(y == 1, prior, 1 - prior) * weight / of_class


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("prior", [None, 0.1])
def test_no_pair_of_thresholds_costs_less(seed: int, prior: float | None) -> None:
    y, first, second = sample(seed)
    weight = np.random.default_rng(seed).integers(1, 4, len(y))
    design = opchar.design_cascade(
        y, first, second, sample_weight=weight, prior=prior, fold=np.arange(len(y)) % 4, **COSTS
    )
    share = shares(y, weight, weight[y == 1].sum() / weight.sum() if prior is None else prior)
    pairs = [(a, b) for a in [np.inf, *np.unique(first)] for b in [np.inf, *np.unique(second)]]
    least = min(counted(y, first, second, pair, share, COSTS) for pair in pairs)
    assert design.own_cost == pytest.approx(least)
    own = (design.first_threshold, design.second_threshold)
    assert counted(y, first, second, own, share, COSTS) == pytest.approx(least)
    assert design.lower_bound <= design.own_cost + 1e-12
    oracle = min(counted(y, first, y, (a, 0.5), share, COSTS) for a, _ in pairs)
    assert design.lower_bound == pytest.approx(oracle)
    assert design.low <= design.cost <= design.high


def test_the_cross_fitted_cost_is_that_of_designs_on_other_folds() -> None:
    y, first, second = sample(1, 80, ties=False)
    fold = drawn_folds(y, np.random.default_rng(0), 4)
    design = opchar.design_cascade(y, first, second, fold=fold, **COSTS)
    total, alone, only = 0.0, 0.0, 0.0
    for number in range(4):
        mine = fold == number
        others = y[~mine], first[~mine], second[~mine]
        share = np.full(len(y), 1 / len(y))
        prior = {"prior": y.mean()}  # the folds are drawn within classes, up to one object
        found = opchar.design_cascade(*others, **COSTS)
        cuts = (found.first_threshold, found.second_threshold)
        total += counted(y[mine], first[mine], second[mine], cuts, share[mine], COSTS)
        costs = COSTS | {"second_cost": 0.0}
        by_cost = {"cost_fn": 20.0, "cost_fp": 4.0}
        t = [opchar.best_threshold(y[~mine], s[~mine], criterion="cost", **by_cost, **prior)
             for s in (first, second)]  # fmt: skip
        alone += counted(y[mine], first[mine], first[mine], (t[0], t[0]), share[mine], costs)
        only += counted(y[mine], second[mine], second[mine], (t[1], t[1]), share[mine], costs)
    assert design.cost == pytest.approx(total, rel=0.05)
    assert design.alternatives["first stage alone"] == pytest.approx(alone, rel=0.1)
    assert design.alternatives["second stage for all"] == pytest.approx(only + 0.9, rel=0.1)
    assert design.alternatives["accept all"] == pytest.approx(4.0 * (1 - y.mean()))
    assert design.alternatives["accept none"] == pytest.approx(20.0 * y.mean())


def test_a_second_stage_for_nothing_is_asked_of_all_and_a_dear_one_of_none() -> None:
    y, first, second = sample(2, 200, ties=False)
    free = opchar.design_cascade(y, first, 10.0 * y, **COSTS | {"second_cost": 0.0})
    assert free.own_cost == pytest.approx(0.1)
    assert free.lower_bound == pytest.approx(0.1)
    dear = opchar.design_cascade(y, first, second, **COSTS | {"second_cost": 1e6})
    assert (dear.sent_on, dear.first_threshold) == (0, np.inf)
    assert not dear.accepts(first, np.full(len(y), np.nan)).any()


def test_the_cross_fitted_cost_is_unbiased_and_its_interval_covers() -> None:
    big = sample(1000, 20000, ties=False)
    held, apart = 0, []
    for seed in range(40):
        design = opchar.design_cascade(*sample(seed, 200, ties=False), **COSTS, prior=0.3)
        share = shares(big[0], np.ones(20000), 0.3)
        accepted = design.accepts(*big[1:])
        costs = 0.1 + (big[1] >= design.first_threshold)
        costs = costs + 20 * ((big[0] == 1) & ~accepted) + 4 * ((big[0] == 0) & accepted)
        truth = float(share @ costs)
        apart.append(design.cost - truth)
        held += design.low <= truth <= design.high
    assert abs(np.mean(apart)) < 3 * np.std(apart) / np.sqrt(40) + 0.02
    assert held >= 33


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"first_cost": -1.0}, "costs"),
        ({"cost_fn": 0.0, "cost_fp": 0.0}, "costs"),
        ({"second_cost": np.nan}, "costs"),
        ({"prior": 1.0}, "strictly"),
        ({"fold": [0] * 40}, "two folds"),
        ({"confidence": 1.0}, "level"),
    ],
)
def test_what_cannot_be_asked_is_said(given, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        opchar.design_cascade(*sample(0), **(COSTS | given))
    y, first, second = sample(0)
    with pytest.raises(ValueError, match="one fold"):
        opchar.design_cascade(y, first, second, fold=y, **COSTS)


@pytest.mark.parametrize("seed", range(12))
def test_no_band_costs_less(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y, first, second = sample(seed, 30)
    first = first + (rng.integers(0, 2, 30) / 2)
    prices = {"second_cost": (0.0, 0.3, 1.0)[seed % 3], "cost_fn": (1.0, 3.0)[seed % 2]}
    costs = {"first_cost": 0.05, "cost_fp": 1.0} | prices
    design = opchar.design_cascade(y, first, second, band=True, fold=np.arange(30) % 3, **costs)

    def cost(low: float, high: float, place: float) -> float:
        asked = (first >= low) & (first < high)
        accepted = (first >= high) | (asked & (second >= place))
        wrong = costs["cost_fn"] * (y * ~accepted) + ((1 - y) * accepted)
        return float(np.mean(0.05 + costs["second_cost"] * asked + wrong))

    cuts = [*np.unique(first), np.inf]
    bands = [(low, high) for low in cuts for high in cuts if low <= high]
    least = min(cost(*band, place) for band in bands for place in [*np.unique(second), np.inf])
    assert design.own_cost == pytest.approx(least)
    own = design.first_threshold, design.accept_threshold, design.second_threshold
    assert cost(*own) == pytest.approx(least)
    narrow = opchar.design_cascade(y, first, second, fold=np.arange(30) % 3, **costs)
    assert design.lower_bound <= design.own_cost <= narrow.own_cost + 1e-12


def test_the_old_name_of_the_confidence_warns() -> None:
    with pytest.warns(DeprecationWarning, match="confidence"):
        old = opchar.design_cascade(*sample(0), level=0.8, **COSTS)
    assert old == opchar.design_cascade(*sample(0), confidence=0.8, **COSTS)
