"""Hypersurfaces, cost weights, combinations and rejection against rational arithmetic."""

from fractions import Fraction
from itertools import pairwise as neighbours
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.combination.formulas import dependent, independent, prior_crossing
from opchar.combination.functions import NAMES, decide
from opchar.multiclass.roc.volume import dominated_volume, trapezoid_volume
from opchar.reject.characteristic import RejectCharacteristic

SETTINGS = settings(max_examples=40, deadline=None)
COSTS = st.fractions(0, 4, max_denominator=8)
rates = st.fractions(0, 1, max_denominator=12)


@SETTINGS
@given(st.lists(st.lists(rates, min_size=3, max_size=3), min_size=1, max_size=6))
def test_dominated_volumes_are_rational_unions_of_boxes(points):
    edges = [sorted({Fraction(0), *(point[axis] for point in points)}) for axis in range(3)]
    volume = Fraction(0)
    for low in product(*(range(len(e) - 1) for e in edges)):
        high = [edges[axis][k + 1] for axis, k in enumerate(low)]
        if any(all(p >= h for p, h in zip(point, high, strict=True)) for point in points):
            sides = [edges[axis][k + 1] - edges[axis][k] for axis, k in enumerate(low)]
            volume += sides[0] * sides[1] * sides[2]
    found = dominated_volume([[float(value) for value in point] for point in points])
    assert found == pytest.approx(float(volume), abs=1e-12)


@SETTINGS
@given(st.lists(st.lists(rates, min_size=4, max_size=4), min_size=3, max_size=3))
def test_trapezoids_of_surfaces_are_rational(surface):
    def ends(line):
        return sum((a + b) / 2 for a, b in neighbours(line)) / (len(line) - 1)

    found = trapezoid_volume([[float(value) for value in line] for line in surface])
    assert found == pytest.approx(float(ends([ends(line) for line in surface])), abs=1e-14)


@SETTINGS
@given(rates, rates, st.sampled_from(NAMES))
def test_combined_rates_are_the_rational_expectations(a, b, function):
    def expected(both):
        """Sum over the four outcomes of two decisions of which `both` fire together."""
        shares = {(1, 1): both, (1, 0): a - both, (0, 1): b - both, (0, 0): 1 - a - b + both}
        chosen = [pair for pair in shares if decide(function, *map(np.array, ([x] for x in pair)))]
        return sum(shares[pair] for pair in chosen)

    found = float(independent(function, float(a), float(b)))
    assert found == pytest.approx(float(expected(a * b)), abs=1e-15)
    for dependence, least in (("positive", a * b), ("any", max(a + b - 1, Fraction(0)))):
        ends = sorted([expected(least), expected(min(a, b))])
        low, high = dependent(function, float(a), float(b), dependence=dependence)
        assert float(low) == pytest.approx(float(ends[0]), abs=1e-15)
        assert float(high) == pytest.approx(float(ends[1]), abs=1e-15)


@SETTINGS
@given(st.tuples(rates, rates, rates, rates), st.fractions(Fraction(1, 9), 1, max_denominator=9))
def test_crossings_of_combined_costs_are_rational(four, m):
    tpr_c, fpr_c, tpr_i, fpr_i = four
    rest = (1 - m) * (tpr_i - tpr_c)
    part = m * (fpr_i - fpr_c)
    found = float(prior_crossing(*map(float, four), float(m)))
    if part * rest > 0:
        assert found == pytest.approx(float(part / (part + rest)), rel=1e-9)
    elif not part and not rest:
        assert np.isnan(found)


SHARES = st.fractions(0, Fraction(7, 8), max_denominator=8)
PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6)


@SETTINGS
@given(PAIRS, PAIRS, PAIRS, st.tuples(COSTS, COSTS, COSTS), SHARES)
def test_the_least_loss_with_rejection_is_the_rational_one(target, outlier, unseen, costs, share):
    sample = RejectCharacteristic(target, outlier, unseen)
    prior = Fraction(1, 3)
    found = sample.optimum([float(c) for c in costs], (1 / 3, 2 / 3), float(share))
    exact = []
    for theta, t_d in product([*range(5), 9], repeat=2):
        called = [
            Fraction(sum(a >= theta and b >= t_d for a, b in kind), len(kind))
            for kind in (target, outlier, unseen)
        ]
        missed, alarms, let_in = 1 - called[0], called[1], called[2]
        known = costs[0] * prior * missed + costs[1] * (1 - prior) * alarms
        exact.append((1 - share) * known + share * costs[2] * let_in)
    assert found.loss == pytest.approx(float(min(exact)), abs=1e-12)
