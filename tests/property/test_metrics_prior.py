"""An index is free of the prior exactly when the registry says so."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar import metrics

count = st.integers(1, 500)
factor = st.integers(2, 50)
BINARY = [e for e in metrics.INDICES if e.of == "counts"]
MULTI = [e for e in metrics.INDICES if e.of == "matrix"]


@pytest.mark.parametrize(
    "entry", [e for e in BINARY if not e.depends_on_prior], ids=lambda e: e.name
)
@given(counts=st.tuples(count, count, count, count), alpha=factor)
@settings(max_examples=50, deadline=None)
def test_free_indices_never_change(entry, counts, alpha):
    tp, fn, fp, tn = counts
    before = entry.function(tp, fn, fp, tn)
    np.testing.assert_allclose(
        entry.function(tp, fn, alpha * fp, alpha * tn), before, rtol=1e-12, atol=1e-12
    )
    np.testing.assert_allclose(
        entry.function(alpha * tp, alpha * fn, fp, tn), before, rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("entry", [e for e in BINARY if e.depends_on_prior], ids=lambda e: e.name)
@given(alpha=factor)
@settings(max_examples=20, deadline=None)
def test_other_indices_change(entry, alpha):
    before, after = entry.function(70, 30, 20, 80), entry.function(70, 30, 20 * alpha, 80 * alpha)
    assert abs(before - after) > 1e-6


@pytest.mark.parametrize("entry", MULTI, ids=lambda e: e.name)
@given(
    cells=st.lists(count, min_size=9, max_size=9),
    factors=st.tuples(factor, factor, factor),
)
@settings(max_examples=50, deadline=None)
def test_multiclass_indices(entry, cells, factors):
    matrix = np.reshape(cells, (3, 3))
    scaled = matrix * np.array(factors)[:, None]
    if not entry.depends_on_prior:
        np.testing.assert_allclose(entry.function(scaled), entry.function(matrix), rtol=1e-12)
    example = np.array([[80, 15, 5], [15, 70, 15], [0, 10, 90]])
    changed = entry.function(example * [[1], [1], [7]]) != pytest.approx(entry.function(example))
    assert changed == entry.depends_on_prior


@given(cells=st.lists(st.integers(0, 9), min_size=9, max_size=9))
@settings(max_examples=60, deadline=None)
def test_indices_do_not_care_how_classes_are_numbered(cells):
    matrix = np.reshape(cells, (3, 3))
    order = [2, 0, 1]
    values, permuted = metrics.evaluate(matrix), metrics.evaluate(matrix[np.ix_(order, order)])
    for entry in (e for e in metrics.INDICES if e.of != "conditions"):
        expected = values[entry.name][order] if entry.of == "counts" else values[entry.name]
        np.testing.assert_allclose(permuted[entry.name], expected, rtol=1e-9, atol=1e-12)
