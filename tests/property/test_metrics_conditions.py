"""Conditions and distortion for any rates, sizes and metrics."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar import metrics
from opchar.metrics.conditions import bounds, invariant_to_test_set, of_two_classes
from opchar.metrics.conditions.closed_forms import lowest_auroc_ova
from opchar.metrics.conditions.invariance import same_value, smallest_of_the_same_rates
from opchar.metrics.conditions.search import matrices_up_to
from opchar.metrics.distortion import sampling_of, spread_over_test_sets

sizes = st.lists(st.integers(1, 5), min_size=2, max_size=3).map(tuple)
weight = st.floats(-2, 2, allow_nan=False)
COUNTED = [entry for entry in metrics.INDICES if entry.of == "counts"]


@given(entry=st.sampled_from(COUNTED))
@settings(max_examples=len(COUNTED), deadline=None)
def test_the_search_agrees_with_the_table_of_indices(entry):
    found = invariant_to_test_set(of_two_classes(entry.function), 2, objects=14)
    assert found.holds == (not entry.depends_on_prior)


@given(entry=st.sampled_from([entry for entry in metrics.INDICES if entry.of == "matrix"]))
@settings(max_examples=20, deadline=None)
def test_the_search_agrees_with_the_table_of_multi_class_indices(entry):
    found = invariant_to_test_set(entry.function, 3, objects=8)
    assert found.holds == (not entry.depends_on_prior)


@given(weights=st.lists(weight, min_size=4, max_size=4))
@settings(max_examples=25, deadline=None)
def test_any_function_of_the_rates_is_invariant(weights):
    def linear(matrices):
        rates = matrices / matrices.sum(axis=-1, keepdims=True)
        return np.tensordot(rates.reshape(*rates.shape[:-2], 4), weights, axes=1)

    assert invariant_to_test_set(linear, 2, objects=9, rng=np.random.default_rng(0)).holds
    found = bounds(linear, 2, objects=6)
    a, b, c, d = weights
    assert np.isclose(found.low.value, min(a, b) + min(c, d), atol=1e-9)
    assert np.isclose(found.high.value, max(a, b) + max(c, d), atol=1e-9)


@given(sizes=sizes)
@settings(max_examples=25, deadline=None)
def test_lemma_3_for_any_sizes(sizes):
    found = bounds(metrics.auroc_ova, len(sizes), sizes=sizes)
    assert np.isclose(found.low.value, float(lowest_auroc_ova(sizes)))
    assert found.high.value == 1


@given(
    cells=st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(
        lambda c: c[0] + c[1] > 0 and c[2] + c[3] > 0
    ),
    test_sets=st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=3),
)
@settings(max_examples=40, deadline=None)
def test_free_indices_have_no_distortion_and_linear_ones_no_bias(cells, test_sets):
    index = of_two_classes(metrics.balanced_accuracy)
    matrix = np.reshape(cells, (2, 2))
    found = spread_over_test_sets(index, matrix, test_sets)
    assert found.distortion < 1e-12
    for part in found.each:
        assert np.isclose(part.mean, part.at_expected)
    g_mean = sampling_of(of_two_classes(metrics.g_mean), matrix, test_sets[0])
    assert g_mean.mean <= g_mean.at_expected + 1e-12, "the square root is concave in each rate"


def test_representatives_have_the_same_rates_and_are_smallest():
    matrices = matrices_up_to(7, 3)
    partner = matrices[smallest_of_the_same_rates(matrices)]
    rates = [m / m.sum(axis=-1, keepdims=True) for m in (matrices, partner)]
    assert same_value(rates[0], rates[1]).all()
    assert (partner.sum(axis=(1, 2)) <= matrices.sum(axis=(1, 2))).all()
    keys = {r.round(9).tobytes() for r in rates[0]}
    assert len(keys) == len(np.unique(partner, axis=0))


@given(cells=st.lists(st.integers(0, 9), min_size=9, max_size=9))
@settings(max_examples=60, deadline=None)
def test_indices_do_not_care_how_classes_are_numbered(cells):
    matrix = np.reshape(cells, (3, 3))
    order = [2, 0, 1]
    values, permuted = metrics.evaluate(matrix), metrics.evaluate(matrix[np.ix_(order, order)])
    for entry in (e for e in metrics.INDICES if e.of != "conditions"):
        expected = values[entry.name][order] if entry.of == "counts" else values[entry.name]
        np.testing.assert_allclose(permuted[entry.name], expected, rtol=1e-9, atol=1e-12)
