"""Distortion, sampling spread, rank stability and power, against closed forms and brute force."""

from itertools import combinations, product
from math import comb, factorial, prod

import numpy as np
import pytest

from opchar import metrics
from opchar.metrics.class_sizes import even_classifier, ratio_of_representatives, with_class_sizes
from opchar.metrics.conditions import of_two_classes
from opchar.metrics.distortion import (
    at_test_ratio,
    power,
    rank_stability,
    sampling_of,
    spread_over_test_sets,
)

MATRIX = np.array([[8, 2], [20, 80]])
PRECISION = of_two_classes(metrics.precision)
BALANCED = of_two_classes(metrics.balanced_accuracy)


def test_rescaled_rows_keep_the_rates():
    stack = np.array([MATRIX, MATRIX[::-1]])
    wider = with_class_sizes(stack, [[5, 50], [1, 7]])
    np.testing.assert_allclose(wider.sum(axis=-1), [[5, 50], [1, 7]])
    np.testing.assert_allclose(
        wider / wider.sum(axis=-1, keepdims=True), stack / stack.sum(axis=-1, keepdims=True)
    )


@pytest.mark.parametrize("minority", [0, 1])
def test_a_test_ratio(minority):
    for ratio in (0.5, 1, 10):
        sizes = at_test_ratio(MATRIX, ratio, minority).sum(axis=1)
        assert sizes[minority] == MATRIX.sum(axis=1)[minority]
        assert ratio_of_representatives(sizes, 1 - minority) == pytest.approx(ratio)
    assert at_test_ratio(MATRIX, [1, 2, 3]).shape == (3, 2, 2)


def test_precision_falls_with_the_ratio_as_in_closed_form():
    values = PRECISION(at_test_ratio(MATRIX, [1, 2, 5, 10]))
    np.testing.assert_allclose(values, [0.8 / (0.8 + 0.2 * r) for r in (1, 2, 5, 10)])


def test_the_two_forms_of_the_ratio_of_representatives():
    assert ratio_of_representatives([50, 100], majority=0) == 0.5
    assert ratio_of_representatives([50, 100]) == 2
    assert ratio_of_representatives([3, 30, 6]) == 10


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_the_even_classifier(classes):
    rates = even_classifier([0, 0.6, 1], classes)
    np.testing.assert_allclose(rates.sum(axis=-1), 1)
    np.testing.assert_allclose(metrics.acsa(rates), [0, 0.6, 1])
    expected = [(1 + a - (1 - a) / (classes - 1)) / 2 for a in (0, 0.6, 1)]
    np.testing.assert_allclose(metrics.auroc_ova(rates), expected)


@pytest.mark.parametrize("replace", [True, False])
def test_the_spread_of_a_mean_of_rates_in_closed_form(replace):
    found = sampling_of(BALANCED, MATRIX, (6, 40), replace=replace)
    left = [1, 1] if replace else [(10 - 6) / 9, (100 - 40) / 99]
    variance = (0.16 / 6 * left[0] + 0.16 / 40 * left[1]) / 4
    assert found.mean == pytest.approx(0.8)
    assert found.at_expected == pytest.approx(0.8)
    assert found.std == pytest.approx(np.sqrt(variance))
    assert found.draws == found.undefined == 0


def multinomial_by_hand(cells, rates):
    ways = factorial(sum(cells)) / prod(factorial(c) for c in cells)
    return ways * prod(r**c for r, c in zip(rates, cells, strict=True))


def test_a_sampling_distribution_by_hand():
    mean = second = defined = 0.0
    for tp, fp in product(range(4), range(6)):
        chance = multinomial_by_hand((tp, 3 - tp), (0.8, 0.2))
        chance *= multinomial_by_hand((fp, 5 - fp), (0.2, 0.8))
        if tp + fp:
            value = tp / (tp + fp)
            mean, second, defined = (
                mean + chance * value,
                second + chance * value**2,
                defined + chance,
            )
    found = sampling_of(PRECISION, MATRIX, (3, 5))
    assert found.undefined == pytest.approx(1 - defined)
    assert found.mean == pytest.approx(mean / defined)
    assert found.std == pytest.approx(np.sqrt(second / defined - (mean / defined) ** 2))


def test_objects_taken_out_by_hand():
    matrix = np.array([[3, 1, 0], [1, 2, 1], [0, 0, 3]])
    found = sampling_of(metrics.m_aurpc_ova, matrix, (2, 1, 3), replace=False)
    rows = [np.repeat(np.eye(3, dtype=int), row, axis=0) for row in matrix]
    values = []
    for taken in product(*(combinations(row, n) for row, n in zip(rows, (2, 1, 3), strict=True))):
        values.append(float(metrics.m_aurpc_ova([np.sum(part, axis=0) for part in taken])))
    assert len(values) == comb(4, 2) * 4
    assert found.undefined == pytest.approx(np.isnan(values).mean())
    assert found.mean == pytest.approx(np.nanmean(values))
    assert found.std == pytest.approx(np.nanstd(values))


@pytest.mark.parametrize("replace", [True, False])
def test_drawn_test_sets_agree_with_the_sum(replace, monkeypatch):
    exact = sampling_of(PRECISION, MATRIX, (4, 30), replace=replace)
    monkeypatch.setattr("opchar.metrics.distortion.EXACT", 0)
    rng = np.random.default_rng(5)
    drawn = sampling_of(PRECISION, MATRIX, (4, 30), replace=replace, rng=rng, draws=40_000)
    assert drawn.draws == 40_000
    assert drawn.mean == pytest.approx(exact.mean, abs=5 * exact.std / 200)
    assert drawn.std == pytest.approx(exact.std, rel=0.03)
    with pytest.raises(ValueError, match="give an rng"):
        sampling_of(PRECISION, MATRIX, (4, 30), replace=replace)


def test_an_index_undefined_throughout():
    found = sampling_of(PRECISION, [[0, 3], [0, 3]], (2, 2))
    assert np.isnan([found.mean, found.std]).all()
    assert found.undefined == 1


TEST_SETS = [(10, 10), (10, 100), (5, 100)]


def test_an_invariant_index_varies_by_sampling_only():
    found = spread_over_test_sets(BALANCED, MATRIX, TEST_SETS)
    assert found.distortion == pytest.approx(0, abs=1e-15)
    assert found.expected == pytest.approx(found.sampling * np.sqrt(2 / 3))
    assert found.sampling > 0.05


def test_precision_varies_by_distortion_above_all():
    found = spread_over_test_sets(PRECISION, MATRIX, TEST_SETS)
    assert found.distortion == pytest.approx(np.std([0.8, 8 / 28, 4 / 24]))
    assert found.distortion > 3 * found.sampling


def test_the_expected_spread_is_that_of_repeated_experiments():
    rng = np.random.default_rng(4)
    found = spread_over_test_sets(PRECISION, MATRIX, TEST_SETS)
    tp = np.array([rng.binomial(a, 0.8, 20_000) for a, _ in TEST_SETS])
    fp = np.array([rng.binomial(b, 0.2, 20_000) for _, b in TEST_SETS])
    variances = (tp / (tp + fp)).var(axis=0)
    assert found.expected == pytest.approx(np.sqrt(variances.mean()), rel=0.01)


def test_the_whole_fold_has_no_sampling_spread():
    found = sampling_of(PRECISION, MATRIX, (10, 100), replace=False)
    assert found.std == pytest.approx(0, abs=1e-12)
    assert found.mean == pytest.approx(found.at_expected)


def tau_by_hand(a, b):
    concordant = discordant = ties_a = ties_b = 0
    for i, j in combinations(range(len(a)), 2):
        signs = np.sign(a[i] - a[j]), np.sign(b[i] - b[j])
        concordant += signs[0] * signs[1] > 0
        discordant += signs[0] * signs[1] < 0
        ties_a += signs[0] == 0
        ties_b += signs[1] == 0
    pairs = comb(len(a), 2)
    return (concordant - discordant) / np.sqrt((pairs - ties_a) * (pairs - ties_b))


def test_rank_stability():
    values = np.random.default_rng(0).integers(0, 5, (4, 7)).astype(float)
    found = rank_stability(values)
    for i, j in product(range(4), repeat=2):
        assert found[i, j] == pytest.approx(tau_by_hand(values[i], values[j]))
    values[1, 2] = np.nan
    kept = np.delete(values, 2, axis=1)
    assert rank_stability(values)[0, 1] == pytest.approx(tau_by_hand(kept[0], kept[1]))
    assert np.isnan(rank_stability([[1, 1], [1, 2]])[0]).all()


def test_power_grows_with_the_test_set_and_is_the_level_without_a_difference():
    better, worse = [[9, 1], [10, 90]], [[7, 3], [30, 70]]
    rng = np.random.default_rng(1)
    small = power(BALANCED, better, worse, (10, 10), rng=rng)
    large = power(BALANCED, better, worse, (100, 100), rng=rng)
    none = power(BALANCED, better, better, (100, 100), rng=rng)
    assert small.gap == pytest.approx(0.2)
    assert small.power < large.power > 0.95
    assert 0.8 < small.order < large.order
    assert none.power < 0.08
    assert none.order == 0.5
    swapped = power(BALANCED, worse, better, (100, 100), rng=rng)
    assert swapped.gap == pytest.approx(-0.2)
    assert swapped.order > 0.95


def test_power_against_the_exact_share():
    """One object each class: the order of two mean rates, summed by hand."""
    better, worse = [[3, 1], [1, 3]], [[1, 1], [1, 1]]
    shares = np.zeros(3)
    for a, b, c, d in product((0, 1), repeat=4):
        chance = (0.75 if a else 0.25) * (0.75 if b else 0.25) * 0.25
        shares[np.sign(a + b - c - d) + 1] += chance
    found = power(BALANCED, better, worse, (1, 1), rng=np.random.default_rng(2), draws=40_000)
    assert found.order == pytest.approx(shares[2] + shares[1] / 2, abs=0.01)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: with_class_sizes(MATRIX, [0, 3]), "positive numbers"),
        (lambda: with_class_sizes(MATRIX, [1, 2, 3]), "2 positive numbers"),
        (lambda: with_class_sizes([[0, 0], [1, 1]], [1, 2]), "needs an object"),
        (lambda: at_test_ratio(np.eye(3), 2), "minority 0 or 1"),
        (lambda: at_test_ratio(MATRIX, -1), "positive"),
        (lambda: ratio_of_representatives([1, 2, 3], majority=0), "of two classes"),
        (lambda: ratio_of_representatives([1, 0]), "positive"),
        (lambda: even_classifier(1.2, 3), "lie in"),
        (lambda: sampling_of(PRECISION, MATRIX, (3,)), "whole class sizes"),
        (lambda: sampling_of(PRECISION, MATRIX, (11, 5), replace=False), "of at least"),
        (lambda: sampling_of(PRECISION, MATRIX / 3, (1, 5), replace=False), "whole counts"),
        (lambda: spread_over_test_sets(PRECISION, MATRIX, []), "no test set"),
        (lambda: rank_stability([1, 2]), "test sets, classifiers"),
        (
            lambda: power(PRECISION, MATRIX, MATRIX, (3, 3), rng=np.random.default_rng(), level=2),
            "level",
        ),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
