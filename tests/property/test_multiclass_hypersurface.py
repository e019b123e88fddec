"""Properties of the hypersurface kernel on arbitrary small problems."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.multiclass.hypersurface import confusion_lattice, weighted_scores


@st.composite
def problems(draw):
    c = draw(st.integers(2, 4))
    n = draw(st.integers(c, 12))
    y = list(range(c)) + draw(st.lists(st.integers(0, c - 1), min_size=n - c, max_size=n - c))
    value = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.1, 0.5, 1.0, 10.0]))
    scores = draw(st.lists(st.lists(value, min_size=c, max_size=c), min_size=n, max_size=n))
    r = draw(st.integers(2, 6))
    return weighted_scores(y, scores, r, low=0.1, high=10.0, fixed=draw(st.integers(0, c - 1)))


@settings(max_examples=80, deadline=None)
@given(problems())
def test_every_matrix_is_that_of_the_argmax(data):
    lattice = confusion_lattice(data)
    c = data.n_classes
    for place in np.ndindex(lattice.shape[:-2]):
        expected = np.zeros((c, c), dtype=int)
        assigned = np.argmax(data.weights(place) * data.scores, axis=1)
        np.add.at(expected, (data.y, assigned), 1)
        assert np.array_equal(lattice[place], expected)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_rows_hold_all_objects_and_a_weight_only_gains(data):
    lattice = confusion_lattice(data)
    assert np.all(lattice.sum(axis=-1) == data.class_sizes())
    for axis, own in enumerate(data.free):
        assert np.all(np.diff(lattice[..., own], axis=axis) >= 0)
