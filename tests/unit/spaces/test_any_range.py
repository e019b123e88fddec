"""Hulls and least costs for weights over any range, and what counts are made of."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opchar
from opchar import metrics
from opchar.spaces.object_costs import object_cost_threshold
from samples import exact_points

OBJECTS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 6), st.floats(-40, 40)), min_size=2, max_size=12
).filter(lambda rows: len({row[0] for row in rows}) == 2)


@settings(max_examples=150, deadline=None)
@given(OBJECTS, st.sampled_from([0.5, 1e-9, 0.01, 0.999]))
def test_least_cost_and_best_f_are_those_of_all_thresholds(rows, prior) -> None:
    y, score, powers = zip(*((int(p), s, 10.0**e) for p, s, e in rows), strict=True)
    at = Fraction(prior)
    points = exact_points(y, score, [Fraction(weight) for weight in powers])
    cost = min((1 - tpr) * at + fpr * (1 - at) for fpr, tpr in points)
    f = max(2 * at * tpr / (at * tpr + (1 - at) * fpr + at) for fpr, tpr in points)
    given_ = {"sample_weight": list(powers), "prior": prior}
    assert opchar.least_cost(y, score, **given_) == pytest.approx(float(cost), rel=1e-9, abs=1e-12)
    assert opchar.best_f(y, score, **given_) == pytest.approx(float(f), rel=1e-9)


def test_points_that_rounding_joins_are_removed_one_by_one() -> None:
    given_ = {"y_true": [1, 0, 1], "y_score": [0.4, 0.2, 0.5], "sample_weight": [1e-4, 1e-3, 1e12]}
    assert opchar.least_cost(**given_) == 0
    assert opchar.best_f(**given_, prior=1e-9) == 1


@settings(max_examples=150, deadline=None)
@given(OBJECTS, st.sampled_from([0, 1, 2]))
def test_the_threshold_of_costs_of_each_object_is_that_of_all(rows, free) -> None:
    y, score, powers = zip(*((int(p), s, 10.0 ** (e / 4)) for p, s, e in rows), strict=True)
    miss, alarm = (0 if free == 1 else 1), (0 if free == 2 else 1)
    fn = np.array(powers) * miss
    fp = np.array(powers[::-1]) * alarm + (0 if miss or alarm else 1)
    if not (fn + fp > 0).all():
        return
    found = object_cost_threshold(y, score, cost_fn=fn, cost_fp=fp)
    costs = {
        t: sum(
            Fraction(float(fp[i])) if s >= t and not c else Fraction(float(fn[i]))
            if s < t and c else Fraction(0)
            for i, (c, s) in enumerate(zip(y, score, strict=True))
        ) / len(y)
        for t in [np.inf, *score]
    }  # fmt: skip
    least = float(min(costs.values()))
    assert found.cost == pytest.approx(least, rel=1e-9, abs=0)
    assert float(costs[found.threshold]) == pytest.approx(least, rel=1e-9, abs=0)


MATRICES = st.lists(
    st.lists(st.floats(0, 1e18, allow_subnormal=False), min_size=4, max_size=4),
    min_size=4,
    max_size=4,
)


@settings(max_examples=100, deadline=None)
@given(MATRICES)
def test_counts_of_a_class_against_the_rest_are_sums_of_cells(matrix) -> None:
    counts = metrics.one_vs_rest(matrix)
    for k in range(4):
        rest = [i for i in range(4) if i != k]
        exact = (
            Fraction(matrix[k][k]),
            sum(Fraction(matrix[k][j]) for j in rest),
            sum(Fraction(matrix[i][k]) for i in rest),
            sum(Fraction(matrix[i][j]) for i in rest for j in rest),
        )
        for part, wanted in zip(counts, exact, strict=True):
            assert part[k] == pytest.approx(float(wanted), rel=1e-14, abs=0)


def test_large_and_fractional_counts_keep_their_digits() -> None:
    found = metrics.evaluate([[1e18, 1e18], [1e18, 2]])
    assert found["tnr"][0] == 2e-18
    assert found["negative_likelihood"][0] == pytest.approx(2.5e17)
    assert found["discriminant_power"][0] == pytest.approx(-22.4685, rel=1e-5)
    assert metrics.evaluate([[0.1, 0.7], [0.2, 0]])["negative_likelihood"][0] == np.inf
    weight = [0.6, 0.3, 0.2, 0.2, 0.2, 0.1]
    y_true, y_pred = [0, 0, 0, 1, 1, 1], [0, 1, 1, 0, 0, 0]
    found = opchar.index_score(y_true, y_pred, "mcc", pos_label=0, sample_weight=weight)
    assert found == pytest.approx(-0.4545454545)


def test_kappa_is_cohens() -> None:
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 4, (2, 100))
    weight = rng.random(100)
    found = opchar.index_score(y_true, y_pred, "kappa", sample_weight=weight)
    wanted = cohen_kappa_score(y_true, y_pred, sample_weight=weight)
    assert found == pytest.approx(wanted, abs=1e-12)
    assert metrics.evaluate([[1e200, 0], [0, 1e200]], ["kappa"])["kappa"] == 1


def test_labels_of_another_type_are_refused() -> None:
    y, proba = [0, 1, 1], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]
    for function in (opchar.aurc, opchar.augrc, opchar.reject_curve):
        with pytest.raises(ValueError, match="label 0 is none of"):
            function(y, proba, labels=["0", "1"])
        with pytest.raises(ValueError, match="twice"):
            function(y, proba, labels=[1, 1])
    with pytest.raises(ValueError, match="twice"):
        opchar.confusion(y, y, labels=[0, 1, 1])
    with pytest.raises(ValueError, match="twice"):
        opchar.oscr_auc([0, 1, 2], proba, labels=[1, 1])
    with pytest.raises(ValueError, match="none of"):
        opchar.roc_volume([0, 1, 2], np.eye(3), labels=["0", "1", "2"])
    assert opchar.aurc(y, proba, labels=[0, 1]) == pytest.approx(1 / 9)
