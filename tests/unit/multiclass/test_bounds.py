"""The lower bound 1/C! three ways, and the trapezoid over the random surface."""

from fractions import Fraction
from itertools import product
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.multiclass.roc.bounds import (
    joggle_bound,
    lower_bound,
    lower_bound_hull,
    lower_bound_recursion,
    pair_areas,
    random_volume,
)
from opchar.multiclass.roc.volume import trapezoid_volume


@pytest.mark.parametrize("n_classes", range(2, 13))
def test_three_ways_agree(n_classes):
    assert lower_bound_recursion(n_classes) == Fraction(1, factorial(n_classes))
    assert lower_bound(n_classes) == pytest.approx(1 / factorial(n_classes), rel=1e-15)
    assert lower_bound_hull(n_classes) == pytest.approx(1 / factorial(n_classes), rel=1e-12)


@pytest.mark.parametrize(("n_classes", "r"), [(2, 5), (3, 7), (4, 6), (5, 4)])
def test_convolution_equals_the_iterated_trapezoid(n_classes, r):
    surface = np.zeros((r,) * (n_classes - 1))
    for node in product(range(r), repeat=n_classes - 1):
        surface[node] = max(0.0, 1 - sum(node) / (r - 1))
    assert random_volume(n_classes, r) == pytest.approx(trapezoid_volume(surface), rel=1e-12)


def test_the_least_grid_has_two_classes_and_two_points():
    assert random_volume(2, 2) == 0.5
    for less in ((1, 2), (2, 1)):
        with pytest.raises(ValueError, match="C >= 2 and r >= 2"):
            random_volume(*less)


@pytest.mark.parametrize("n_classes", range(2, 10))
def test_joggled_hulls_stay_within_their_bound_and_use_it(n_classes):
    runs = [lower_bound_hull(n_classes, f"QJ QR{seed}") for seed in range(1, 31)]
    off = max(abs(volume - lower_bound(n_classes)) for volume in runs)
    assert joggle_bound(n_classes) / 10 < off <= joggle_bound(n_classes)


def test_pair_areas_know_a_perfect_pair_and_pairs_without_scores():
    scores = [[3, 1, 0], [2, 1, 0], [1, 2, 0], [0, 3, 0], [0, 0, 1], [1, 0, 0.0]]
    areas = {(i, j): area for area, i, j in pair_areas([0, 0, 1, 1, 2, 2], scores)}
    assert areas[0, 1] == 1.0
    assert areas[0, 2] == pytest.approx(0.75)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
def test_pair_areas_count_ordered_pairs(seed, classes):
    rng = np.random.default_rng(seed)
    y = np.arange(12) % classes
    scores = rng.integers(1, 4, (12, classes)).astype(float)
    for area, i, j in pair_areas(y, scores):
        share = scores[:, i] / scores[:, j]
        pairs = share[y == i][:, None] - share[y == j]
        near = np.abs(pairs) < 1e-12
        assert area == pytest.approx(np.where(near, 0.5, pairs > 0).mean())


@pytest.mark.parametrize("scores", [[[1.0, 2.0]], [[1.0, -1.0], [0.0, 1.0]], [[1.0], [np.nan]]])
def test_pair_areas_refuse_other_scores(scores):
    with pytest.raises(ValueError, match="scores"):
        list(pair_areas([0, 1], scores))
