import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from opchar.combination.formulas import dependent, independent, prior_crossing
from opchar.combination.functions import NAMES, decide
from opchar.spaces.cost import crossing_pc, expected_cost, probability_cost
from opchar.spaces.f_measure import crossing_prior, f_measure

RATES = st.floats(0.01, 0.99)
SETTINGS = st.tuples(RATES, RATES, RATES, RATES)
WEIGHTS = st.floats(0.05, 0.95)
SIDE = 1e-3


@given(RATES, RATES, st.sampled_from(NAMES))
def test_independent_rates_are_expectations_over_the_four_outcomes(a, b, function):
    first, second = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    probability = np.where(first, a, 1 - a) * np.where(second, b, 1 - b)
    expected = probability[decide(function, first, second)].sum()
    assert abs(independent(function, a, b) - expected) < 1e-12


@given(st.integers(0, 2**12 - 1), st.integers(0, 2**12 - 1), st.sampled_from(NAMES))
def test_every_joint_distribution_lies_in_the_range(first, second, function):
    bits = np.arange(12)
    a, b = ((first >> bits) & 1).astype(bool), ((second >> bits) & 1).astype(bool)
    rate = decide(function, a, b).mean()
    low, high = dependent(function, a.mean(), b.mean(), dependence="any")
    assert low - 1e-12 <= rate <= high + 1e-12
    if (a & b).mean() >= a.mean() * b.mean():
        low, high = dependent(function, a.mean(), b.mean())
        assert low - 1e-12 <= rate <= high + 1e-12


@given(SETTINGS)
def test_and_is_cheaper_below_the_crossing_and_or_above(rates):
    tpr_i, fpr_i, tpr_j, fpr_j = rates
    for function, sign in (("AND", 1), ("OR", -1)):
        tpr, fpr = independent(function, tpr_i, tpr_j), independent(function, fpr_i, fpr_j)
        crossing = float(crossing_pc(tpr, fpr, tpr_i, fpr_i))
        assert 0 <= crossing <= 1
        for pc in (crossing * (1 - SIDE), crossing + (1 - crossing) * SIDE):
            gain = expected_cost(tpr_i, fpr_i, pc) - expected_cost(tpr, fpr, pc)
            assert gain * sign * (crossing - pc) >= -1e-15


@given(SETTINGS, WEIGHTS)
def test_cost_crossings_over_prior_and_probability_cost_are_the_same(rates, m):
    tpr_i, fpr_i, tpr_j, fpr_j = rates
    tpr, fpr = independent("AND", tpr_i, tpr_j), independent("AND", fpr_i, fpr_j)
    prior = prior_crossing(tpr, fpr, tpr_i, fpr_i, m)
    assert np.isclose(probability_cost(prior, m), crossing_pc(tpr, fpr, tpr_i, fpr_i))


@given(SETTINGS, WEIGHTS)
def test_f_of_and_is_higher_below_the_crossing_and_of_or_above(rates, alpha):
    tpr_i, fpr_i, tpr_j, fpr_j = rates
    for function, sign in (("AND", 1), ("OR", -1)):
        tpr, fpr = independent(function, tpr_i, tpr_j), independent(function, fpr_i, fpr_j)
        crossing = float(crossing_prior(tpr, fpr, tpr_i, fpr_i, alpha))
        if not 0 < crossing < 1:
            continue
        for prior in (crossing * (1 - SIDE), crossing + (1 - crossing) * SIDE):
            gain = f_measure(tpr, fpr, prior, alpha) - f_measure(tpr_i, fpr_i, prior, alpha)
            assert gain * sign * (crossing - prior) >= -1e-15
