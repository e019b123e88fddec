"""Conditions 1 to 3 against brute force, closed forms and the theorems of mullick2020."""

from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product

import numpy as np
import pytest

from opchar import metrics
from opchar.metrics.conditions import (
    MetricError,
    bounds,
    conditions_of,
    invariant_to_test_set,
    limit_of_a_failing_class,
    of_two_classes,
)
from opchar.metrics.conditions.closed_forms import (
    failing_acsa,
    failing_m_aurpc_ova,
    failing_m_aurpc_ova_by_equation_28,
    infimum_auroc_ova,
    lowest_auroc_ova,
    lowest_auroc_ovo,
    lowest_normalised_auroc_ova,
)
from opchar.metrics.conditions.failing_class import extrapolate
from opchar.metrics.conditions.search import (
    compositions,
    matrices_up_to,
    matrices_with_sizes,
    most_objects,
    number_up_to,
    random_matrices,
)
from opchar.metrics.conditions.verdicts import with_zero_division

TWO = {
    name: of_two_classes(getattr(metrics, name))
    for name in ("g_mean", "balanced_accuracy", "precision", "aurpc", "m_precision", "m_aurpc")
}
MANY = {
    name: getattr(metrics, name)
    for name in (
        "g_mean_multiclass",
        "acsa",
        "auroc_ovo",
        "auroc_ova",
        "normalised_auroc_ova",
        "aurpc_ova",
        "m_aurpc_ova",
    )
}


def all_by_hand(objects, classes):
    cells = product(range(objects + 1), repeat=classes * classes)
    found = (np.reshape(c, (classes, classes)) for c in cells if sum(c) <= objects)
    return [m for m in found if m.sum(axis=1).all()]


@cache
def report(name):
    classes = (2,) if name in TWO else (2, 3)
    return conditions_of({**TWO, **MANY}[name], classes=classes, rng=np.random.default_rng(7))


@pytest.mark.parametrize(("objects", "classes"), [(2, 2), (5, 2), (4, 3)])
def test_all_small_matrices(objects, classes):
    matrices = matrices_up_to(objects, classes)
    by_hand = {m.tobytes() for m in all_by_hand(objects, classes)}
    assert {m.astype(int).tobytes() for m in matrices} == by_hand
    assert len(matrices) == len(by_hand) == number_up_to(objects, classes)
    assert (np.diff(matrices.sum(axis=(1, 2))) >= 0).all()


def test_all_matrices_of_given_sizes():
    matrices = matrices_with_sizes((1, 3))
    assert sorted(m.ravel().tolist() for m in matrices) == sorted(
        [a, 1 - a, b, 3 - b] for a in range(2) for b in range(4)
    )
    assert compositions(0, 3).tolist() == [[0, 0, 0]]


def test_the_budget_leaves_room_for_two_ratios():
    assert number_up_to(most_objects(3), 3) <= 100_000 < number_up_to(most_objects(3) + 1, 3)
    assert most_objects(6, budget=10) == 7


def test_random_matrices_are_large_and_various():
    matrices = random_matrices(3, 500, np.random.default_rng(0))
    assert (matrices.sum(axis=2) >= 1).all()
    assert matrices.sum(axis=(1, 2)).max() > 5_000
    assert (matrices == 0).any()
    assert (matrices > 0).all(axis=(1, 2)).any()


def test_the_normalisation_restores_condition_2_by_one_interpretation_only():
    found = report("normalised_auroc_ova")
    assert found.condition_1 is False
    assert found.condition_2 is True
    assert found.condition_2_of_equal is False


def test_a_failing_class_takes_accuracy_to_its_bound_through_class_sizes_only():
    found = conditions_of(metrics.overall_accuracy, classes=(2, 3))
    assert found.condition_3 is False
    assert found.condition_3_of_equal is True
    assert found.collapse is None


def test_the_smallest_collapse_of_the_geometric_mean():
    shown = report("g_mean_multiclass").collapse
    rates = np.diag(shown.first) / shown.first.sum(axis=1)
    assert sorted(rates) == [0, 1, 1]
    assert np.diag(shown.second).sum() == 0
    assert shown.values == (0, 0)
    assert shown.first.sum() == 3


def smallest_pair_by_hand(index, classes, objects):
    least = None
    for one, other in combinations(all_by_hand(objects, classes), 2):
        same = np.allclose(
            one / one.sum(axis=1, keepdims=True), other / other.sum(axis=1, keepdims=True)
        )
        if same:
            a, b = index(np.stack([one, other]).astype(float))
            if abs(a - b) > 1e-9 and (least is None or one.sum() + other.sum() < least):
                least = one.sum() + other.sum()
    return least


@pytest.mark.parametrize("name", ["precision", "aurpc"])
def test_counter_examples_are_the_smallest(name):
    shown = report(name).invariance[0].counter_example
    assert shown.smallest
    assert sum(shown.objects) == smallest_pair_by_hand(TWO[name], 2, 4)
    rates = [m / m.sum(axis=1, keepdims=True) for m in (shown.first, shown.second)]
    np.testing.assert_allclose(rates[0], rates[1])
    values = TWO[name](np.stack([shown.first, shown.second]))
    assert tuple(values) == shown.values
    assert values[0] != values[1]


@pytest.mark.parametrize("name", ["auroc_ova", "aurpc_ova"])
def test_counter_examples_of_three_classes(name):
    shown = report(name).invariance[1].counter_example
    rates = [m / m.sum(axis=1, keepdims=True) for m in (shown.first, shown.second)]
    np.testing.assert_allclose(rates[0], rates[1])
    values = MANY[name](np.stack([shown.first, shown.second]))
    assert abs(values[0] - values[1]) > 1e-3
    assert sum(shown.objects) == (7 if name == "auroc_ova" else 9)


def test_a_difference_that_only_large_test_sets_show_is_found_and_reduced():
    def accuracy_of_many(matrices):
        large = matrices.sum(axis=(-2, -1)) > 1000
        return np.where(large, metrics.overall_accuracy(matrices), metrics.acsa(matrices))

    assert invariant_to_test_set(accuracy_of_many, 2).holds
    found = invariant_to_test_set(accuracy_of_many, 2, rng=np.random.default_rng(0))
    shown = found.counter_example
    assert not found.holds
    assert not shown.smallest
    assert 1000 < shown.objects[1] < 1100
    values = accuracy_of_many(np.stack([shown.first, shown.second]))
    assert tuple(values) == shown.values
    assert values[0] != pytest.approx(values[1], rel=1e-9)


def test_a_value_on_one_side_only_is_a_difference():
    def of_equal_classes(matrices):
        sizes = matrices.sum(axis=-1)
        return np.where(np.ptp(sizes, axis=-1) == 0, metrics.acsa(matrices), np.nan)

    found = invariant_to_test_set(of_equal_classes, 2, objects=6)
    assert not found.holds
    assert np.isnan(found.counter_example.values).sum() == 1


@pytest.mark.parametrize("classes", [2, 3, 4, 5])
def test_bounds_over_any_sizes(classes):
    rng = np.random.default_rng(1)
    found = {name: bounds(index, classes, rng=rng) for name, index in MANY.items()}
    assert all(part.high.value == pytest.approx(1) and part.high.reached for part in found.values())
    low = {name: part.low.value for name, part in found.items()}
    assert low["auroc_ovo"] == pytest.approx(float(lowest_auroc_ovo(classes)))
    assert low["auroc_ova"] == pytest.approx(float(infimum_auroc_ova(classes)), abs=1e-8)
    assert found["auroc_ova"].low.reached == (classes == 2)
    others = ("g_mean_multiclass", "acsa", "aurpc_ova", "m_aurpc_ova", "normalised_auroc_ova")
    assert [low[name] for name in others] == pytest.approx([0] * 5, abs=1e-8)
    for name, part in found.items():
        assert MANY[name](part.low.matrix) == pytest.approx(part.low.value, abs=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_the_normalised_index_over_equal_classes(classes):
    found = bounds(metrics.normalised_auroc_ova, classes, sizes=(1,) * classes)
    expected = lowest_normalised_auroc_ova(classes)
    assert found.low.value == pytest.approx(float(expected))
    assert expected == Fraction(classes - 2, (classes - 1) * (classes + 2))


@pytest.mark.parametrize("classes", [6, 10])
def test_many_classes(classes):
    """More classes than an exhaustive search can take, as the ten of Sec. 5."""
    rng = np.random.default_rng(3)
    sizes = tuple(range(1, classes + 1))
    for index, lowest in [
        (metrics.auroc_ova, lowest_auroc_ova(sizes)),
        (metrics.auroc_ovo, lowest_auroc_ovo(classes)),
    ]:
        found = bounds(index, classes, sizes=sizes, rng=rng)
        assert not found.complete
        assert found.low.value == pytest.approx(float(lowest))
        assert found.high.value == pytest.approx(1)
        assert found.low.matrix.sum(axis=1).tolist() == list(sizes)
    wide = bounds(metrics.auroc_ova, classes, rng=rng)
    assert wide.low.value == pytest.approx(float(infimum_auroc_ova(classes)), abs=1e-6)
    assert invariant_to_test_set(metrics.m_aurpc_ova, classes, rng=rng).holds
    found = invariant_to_test_set(metrics.aurpc_ova, classes)
    shown = found.counter_example
    assert found.objects == 0
    assert not found.holds
    assert not shown.smallest
    rates = [m / m.sum(axis=1, keepdims=True) for m in (shown.first, shown.second)]
    np.testing.assert_allclose(rates[0], rates[1])
    values = metrics.aurpc_ova(np.stack([shown.first, shown.second]))
    assert abs(values[0] - values[1]) > 1e-3


def test_a_bound_inside_is_found_by_stepping():
    def dip(matrices):
        rate = matrices[..., 0, 0] / matrices[..., 0, :].sum(axis=-1)
        return np.abs(rate - 0.3337)

    found = bounds(dip, 2, objects=4, rng=np.random.default_rng(0))
    assert found.low.value < 2e-5
    assert found.low.reached


def test_infinite_bounds():
    found = bounds(of_two_classes(metrics.discriminant_power), 2, objects=6)
    assert (found.low.value, found.high.value) == (-np.inf, np.inf)


@pytest.mark.parametrize("classes", [2, 3, 5, 8])
def test_limits_of_a_failing_class(classes):
    rng = np.random.default_rng(2)
    acsa = limit_of_a_failing_class(metrics.acsa, classes, rng=rng)
    assert acsa.low == pytest.approx(float(failing_acsa(classes)))
    assert acsa.high == pytest.approx(acsa.low)
    gm = limit_of_a_failing_class(metrics.g_mean_multiclass, classes, rng=rng)
    assert (gm.low, gm.high) == pytest.approx((0, 0), abs=1e-5)
    modified = limit_of_a_failing_class(metrics.m_aurpc_ova, classes, rng=rng)
    assert modified.low == pytest.approx(float(failing_m_aurpc_ova(classes)), abs=1e-6)
    assert modified.low > failing_m_aurpc_ova_by_equation_28(classes)


def test_a_limit_that_class_sizes_raise_is_not_extrapolated_upwards():
    def rising(matrices):
        sizes = matrices.sum(axis=-1)
        return metrics.acsa(matrices) - 1 / np.sqrt(sizes.max(axis=-1) / sizes.min(axis=-1))

    found = limit_of_a_failing_class(rising, 3)
    assert found.low == pytest.approx(2 / 3 - 1)


def test_an_index_undefined_for_every_failing_class():
    def of_good_classifiers(matrices):
        rates = np.diagonal(matrices, axis1=-2, axis2=-1) / matrices.sum(axis=-1)
        return np.where((rates >= 0.9).all(axis=-1), metrics.acsa(matrices), np.nan)

    found = conditions_of(of_good_classifiers, classes=(2, 3))
    assert np.isnan(found.failing[0].low)
    assert found.condition_3 is None


def test_the_literal_epsilon():
    for classes in (3, 5):
        found = limit_of_a_failing_class(metrics.g_mean_multiclass, classes, epsilon=1 / classes)
        exact = ((1 / classes) * (1 - 1 / classes) ** (classes - 1)) ** (1 / classes)
        assert found.low == pytest.approx(exact)
        rates = np.diag(found.matrix) / found.matrix.sum(axis=1)
        assert rates[found.failing] == pytest.approx(1 / classes)
        assert np.delete(rates, found.failing) == pytest.approx(1 - 1 / classes)


def test_extrapolation():
    k = np.arange(4)
    steps = np.stack([0.25 + 0.5 * 0.4**k, 0.0 + 0.7**k, 1.0 + 0 * k, np.array([0, 1, 0, 1])], 1)
    np.testing.assert_allclose(extrapolate(steps), [0.25, 0, 1, 1], atol=1e-12)
    saturating = 1e-3 / (1e-3 + 100.0**-k)
    assert extrapolate(saturating[:, None])[0] == saturating[-1]


def test_conventions_for_a_class_never_called():
    matrix = np.array([[[2.0, 0, 0], [1, 0, 0], [0, 0, 3]]])
    assert np.isnan(metrics.aurpc_ova(matrix)).all()
    for value in (0.0, 1.0):
        expected = (2 / 3 + value + 1 + 1 + 0 + 1) / 6
        for index in (metrics.aurpc_ova, with_zero_division(metrics.aurpc_ova, value)):
            keyword = {"zero_division": value} if index is metrics.aurpc_ova else {}
            assert index(matrix, **keyword) == pytest.approx(expected)
    assert metrics.aurpc(0, 3, 0, 2, zero_division=1.0) == 0.5
    assert metrics.m_aurpc(0, 3, 0, 2, zero_division=1.0) == 0.5
    assert metrics.precision(0, 3, 0, 2, zero_division=0.0) == 0.0


def test_a_convention_that_decides_is_named():
    def precision_of_all(matrices):
        called = matrices.sum(axis=-2)
        kept = (called > 0).all(axis=-1) & (matrices.trace(axis1=-2, axis2=-1) > 0)
        return np.where(kept, 0.5 + metrics.acsa(matrices) / 2, np.nan)

    found = conditions_of(precision_of_all, classes=(2, 3))
    assert (
        "Condition 2" not in conditions_of(metrics.m_aurpc_ova, classes=(2, 3)).convention_decides
    )
    assert found.convention_decides == ("Condition 2",)


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        (lambda m: m.sum(), r"returns shape \(\) for matrices of shape .*numpy.vectorize"),
        (lambda m: m[..., 0], "returns shape"),
        (lambda m: np.full(m.shape[:-2], np.nan), "is NaN for each of"),
        (lambda m: 1 / 0, "raises ZeroDivisionError on matrices of shape"),
        (lambda m: None, "returns no real numbers"),
        (lambda m: [["a"]], "returns no real numbers"),
        (lambda m: m[..., 0, 0] + 1j, "returns no real numbers"),
        (partial(np.linalg.norm, axis=5), "norm raises"),
    ],
)
@pytest.mark.parametrize("question", [invariant_to_test_set, bounds, conditions_of])
def test_a_metric_that_is_none_is_one_clear_line(metric, said, question):
    with pytest.raises(MetricError, match=said) as error:
        question(metric)
    assert "\n" not in str(error.value)


def test_a_metric_that_writes_into_its_matrices_spoils_nothing():
    def greedy(matrices):
        value = metrics.acsa(matrices)
        matrices[:] = 1
        return value

    assert bounds(greedy, 3, objects=5).low.value == 0
    assert invariant_to_test_set(greedy, 3, objects=6).holds


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: conditions_of(metrics.acsa, classes=(3, 4)), "without a gap"),
        (lambda: conditions_of(metrics.acsa, classes=()), "without a gap"),
        (lambda: matrices_up_to(1, 2), "two classes and an object of each"),
        (lambda: matrices_up_to(40, 4), "too many"),
        (lambda: matrices_with_sizes((3, 0)), "whole numbers"),
        (lambda: matrices_with_sizes((900, 900, 900)), "too many"),
        (lambda: bounds(metrics.acsa, 3, sizes=(1, 2)), "not of 3 classes"),
        (lambda: limit_of_a_failing_class(metrics.acsa, 1), "another one"),
        (lambda: limit_of_a_failing_class(metrics.acsa, 3, epsilon=0.3), "one over"),
        (lambda: limit_of_a_failing_class(metrics.acsa, 3, sizes=(1, 2)), "3 whole numbers"),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
