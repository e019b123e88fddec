"""Searches over sums, distances and counts choose alike whatever was rounded on the way."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from opchar.models.classifiers.boosting import DualLexiBoost
from opchar.models.classifiers.dissimilarity import MinimumDistance
from opchar.models.classifiers.mixture import MixtureBayes, k_centres
from opchar.models.classifiers.neighbours import NearestNeighbour, Parzen, nearest_rows
from opchar.multiclass.cost_weights.algorithms import greedy, naive, pairwise
from opchar.multiclass.cost_weights.pairs import kept_pairs, pair_auc
from opchar.multiclass.cost_weights.problem import cost_problem
from opchar.multiclass.neyman_pearson import neyman_pearson
from opchar.multiclass.perturbation import groups, groups_up_to
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.outliers import gaussian_outliers
from opchar.reject.sweep import least_over_pairs
from opchar.reject.two_stage.design import TwoStageScores
from opchar.ties import first_least, without_last_bits

SETTINGS = settings(max_examples=25, deadline=None)
SCALES = st.sampled_from([1 / 7, 0.1, 1 / 3, 0.7, 1e-3])
SEEDS = st.integers(0, 10_000)


def rounded(rng: np.random.Generator, values: Any) -> np.ndarray:
    """Return numbers of which rounding has changed last bits."""
    values = np.asarray(values, dtype=float)
    return values * (1 + rng.integers(-2, 3, values.shape) * 2.0**-52)


@SETTINGS
@given(SEEDS)
def test_without_last_bits_what_is_equal_is_equal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(1, 50, 30) / rng.choice([1, 3, 7, 10])
    kept = without_last_bits(values)
    both = without_last_bits(np.stack([values, rounded(rng, values)]))
    np.testing.assert_array_equal(*both)
    np.testing.assert_allclose(kept, values, rtol=1e-10)
    np.testing.assert_array_equal(without_last_bits(values * 2.0**-900), kept * 2.0**-900)
    assert without_last_bits(np.zeros(3)).tolist() == [0, 0, 0]


def test_sums_that_cancel_tie_on_the_scale_of_what_was_summed() -> None:
    assert first_least([0.0, -1e-17]) == 1
    assert first_least([0.0, -1e-17], scale=1.0) == 0


@SETTINGS
@given(SEEDS, SCALES)
def test_pairs_of_thresholds_of_rounded_sums(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    outer, inner = rng.integers(0, 6, (2, 25)).astype(float)
    joint, alone = rng.integers(-3, 4, (2, 25)).astype(float)
    whole = least_over_pairs(outer, inner, joint, alone)
    other = least_over_pairs(outer, inner, joint * scale, alone * scale)
    np.testing.assert_array_equal(whole.inner, other.inner)
    assert whole.best == other.best == int(np.argmin(whole.least))
    np.testing.assert_allclose(whole.least * scale, other.least, atol=1e-12)


@SETTINGS
@given(SEEDS, SCALES)
def test_operating_points_of_rounded_costs(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    kinds = [rng.integers(0, 6, (size, 2)).astype(float) for size in (7, 6, 3)]
    sample = RejectCharacteristic(*kinds)
    costs = rng.integers(1, 4, 3).astype(float)
    for choose in (sample.optimum, sample.classification_first):
        one, two = (choose(given, (0.5, 0.5), 0.25) for given in (costs, costs * scale))
        assert (one.theta, one.t_d) == (two.theta, two.t_d)
    thrice = RejectCharacteristic(*(np.repeat(kind, 3, axis=0) for kind in kinds))
    assert sample.equal_error_theta() == thrice.equal_error_theta()
    most = Fraction(2, 3)
    limits = [float(most), 1 - float(1 - most)]
    points = [sample.within_limits(max_outlier=limit) for limit in limits]
    assert points[0] == points[1]


@SETTINGS
@given(SEEDS, SCALES, st.sampled_from([2, 3]))
def test_two_stages_of_rounded_costs(seed: int, scale: float, classes: int) -> None:
    rng = np.random.default_rng(seed)
    label = np.append(np.arange(20) % classes, np.full(6, -1))
    detector = rng.integers(0, 6, 26).astype(float)
    outputs = rng.integers(1, 6, (26, classes)).astype(float)
    sample = TwoStageScores(label, detector, outputs if classes > 2 else outputs[:, 0])
    costs = rng.integers(1, 4, classes + 1).astype(float)
    one, two = (sample.holistic(given, steps=4) for given in (costs, costs * scale))
    assert one.theta_d == two.theta_d
    np.testing.assert_allclose(one.theta_c, two.theta_c, rtol=1e-9)
    alone = [sample.independent(given, steps=4) for given in (costs, costs * scale)]
    assert alone[0].theta_d == alone[1].theta_d


def scored(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    y = np.arange(18) % 3
    return y, rng.integers(1, 6, (18, 3)) + 2.0 * np.eye(3)[y]


@SETTINGS
@given(SEEDS, SCALES)
def test_weights_of_rounded_costs(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    y, scores = scored(rng)
    costs = rng.integers(1, 4, (4, 3, 3)) * (1 - np.eye(3))
    whole, other = (cost_problem(y, scores, given) for given in (costs, costs * scale))
    for method in (
        naive,
        lambda problem: greedy(problem, np.random.default_rng(1), restarts=4, sweeps=3),
        lambda problem: pairwise(problem, np.random.default_rng(1)),
    ):
        one, two = method(whole), method(other)
        np.testing.assert_allclose(one.log_weights, two.log_weights, rtol=1e-9)
        np.testing.assert_allclose(one.losses * scale, two.losses, rtol=1e-9)


@SETTINGS
@given(SEEDS)
def test_objects_three_times_over_change_no_choice(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y, scores = scored(rng)
    thrice = np.repeat(y, 3), np.repeat(scores, 3, axis=0)
    once, often = (cost_problem(*each, 1 - np.eye(3)) for each in ((y, scores), thrice))
    for pair in ((0, 1), (0, 2), (1, 2)):
        assert pair_auc(once, pair) == pair_auc(often, pair)
    for area in {pair_auc(once, pair) for pair in ((0, 1), (0, 2), (1, 2))}:
        assert kept_pairs(once, threshold=area) == kept_pairs(often, threshold=area)
    assert kept_pairs(once, number=2) == kept_pairs(often, number=2)
    limits = np.full((3, 3), np.nan)
    limits[0, 1] = 1 / 3
    found = [neyman_pearson(weighted_scores(*each, 7), limits) for each in ((y, scores), thrice)]
    np.testing.assert_array_equal(found[0].weights, found[1].weights)
    np.testing.assert_allclose(found[0].rates, found[1].rates, atol=1e-12)


@SETTINGS
@given(SEEDS)
def test_groups_of_rounded_changes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    largest = rng.integers(0, 8, (5, 5)) / 7
    for size in (1, 2, 3, 4):
        one, two = (groups_up_to(each, size) for each in (largest, rounded(rng, largest)))
        assert one[0] == two[0]
        assert one[1] == pytest.approx(two[1], abs=1e-12)
    assert groups(largest, 3 / 7) == groups(rounded(rng, largest), 1 - 4 / 7)


@SETTINGS
@given(SEEDS)
def test_centres_and_neighbours_of_rounded_distances(seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole = rng.integers(0, 4, (30, 3))
    distances = cdist(whole, whole)
    kept = [
        k_centres(each, 4, 5, np.random.RandomState(seed))
        for each in (distances, rounded(rng, distances))
    ]
    np.testing.assert_array_equal(*kept)
    squared = ((whole[:, None] - whole) ** 2).sum(axis=2)
    nearest = np.argsort(squared, axis=1, kind="stable")[:, :5]
    for scale in (1.0, 0.1, 1 / 3):
        np.testing.assert_array_equal(nearest_rows(whole * scale, whole * scale, 5), nearest)


@SETTINGS
@given(SEEDS, st.integers(1, 40), st.sampled_from([1, 2, 5, 40, 300]), st.integers(0, 4))
def test_neighbours_are_those_of_all_distances(
    seed: int, number: int, features: int, kind: int
) -> None:
    rng = np.random.default_rng(seed)
    among = rng.normal(size=(number, features))
    if kind == 1:  # many are equal
        among = np.round(among)
    if kind == 2:  # twins
        among = among[rng.integers(0, 1 + number // 3, number)]
    if kind == 3:  # far from the origin, where squares leave few digits
        among += 1e7
    if kind == 4:  # nothing parts them
        among[:] = among[0]
    wanted = int(rng.integers(1, number + 1))
    for X in (among, among[rng.permutation(number)] * rng.choice([1.0, 1.5])):
        distances = without_last_bits(cdist(X, among), axis=1)
        nearest = np.argsort(distances, axis=1, kind="stable")[:, :wanted]
        np.testing.assert_array_equal(nearest_rows(among, X, wanted), nearest)


# Features in another order are the same objects; their squares are added in another order.
MODELS = {
    "knnc": lambda: NearestNeighbour(3),
    "lexiboost": lambda: DualLexiBoost(3, rounds=3),
    "mogc": lambda: MixtureBayes(2, random_state=0),
    "parzenc": Parzen,
}


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_the_order_of_features_changes_no_decision(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 2
    X = (rng.integers(0, 4, (40, 4)) + y[:, None]) / 10
    order = [2, 0, 3, 1]
    found = [
        MODELS[name]().fit(each, y).predict_proba(each)
        for each in (X, np.ascontiguousarray(X[:, order]))
    ]
    np.testing.assert_allclose(*found, rtol=1e-6, atol=1e-9)


def test_a_prototype_is_the_first_of_equal_objects() -> None:
    """Whichever of two objects rounding puts nearer to itself."""
    for nearer in (0.0, 1e-17):
        X = np.array([[nearer, 0.3], [1e-17 - nearer, 0.3], [0.3, 0.0]])
        fitted = MinimumDistance().fit(X, ["a", "b", "b"])
        assert fitted.predict([[0.1, 0.2], [0.2, 0.1]]).tolist() == ["a", "b"]


@SETTINGS
@given(SEEDS)
def test_all_components_that_vary_are_drawn(seed: int) -> None:
    """Shares of the variance may add up to one before the last component, or never."""
    rng = np.random.default_rng(seed)
    targets = rng.normal(size=(20, 3)) * [1.0, 1.0, 1e-9]
    drawn = gaussian_outliers(targets, 200, np.random.default_rng(1))
    assert drawn[:, 2].std() > 1e-10
