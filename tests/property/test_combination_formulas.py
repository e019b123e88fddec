import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from opchar.combination.formulas import independent, prior_crossing
from opchar.spaces.cost import crossing_pc, expected_cost, probability_cost
from opchar.spaces.f_measure import crossing_prior, f_measure

RATES = st.floats(0.01, 0.99)
SETTINGS = st.tuples(RATES, RATES, RATES, RATES)
WEIGHTS = st.floats(0.05, 0.95)
SIDE = 1e-3


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
