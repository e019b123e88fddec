"""Properties of the hypersurface kernel on arbitrary small problems."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.multiclass.roc.hypersurface import confusion_lattice, confusion_planes, lowest_losses
from opchar.multiclass.roc.weighted_scores import WeightedScores, weighted_scores

VALUES = st.one_of(
    st.floats(0, 1),
    st.sampled_from([0.0, 0.1, 0.5, 1.0, 10.0]),
    st.sampled_from([5e-324, 1e-308, 1e-300, 1e300, 1.7e308]),
)
RANGES = st.sampled_from([(0.1, 10.0), (1e-3, 1e3), (1 / 7, 7.0), (1e-150, 1e150)])


@st.composite
def objects(draw, most=5):
    c = draw(st.integers(2, most))
    row = st.lists(VALUES, min_size=c, max_size=c)
    different = draw(st.lists(row, min_size=1, max_size=8))
    picks = draw(st.lists(st.integers(0, len(different) - 1), min_size=c, max_size=12))
    y = list(range(c)) + draw(
        st.lists(st.integers(0, c - 1), min_size=len(picks) - c, max_size=len(picks) - c)
    )
    return y, [different[k] for k in picks]


@st.composite
def problems(draw, most=5):
    y, scores = draw(objects(most))
    low, high = draw(RANGES)
    r = draw(st.integers(2, 6 if len(scores[0]) < 5 else 4))
    fixed = draw(st.integers(0, len(scores[0]) - 1))
    return weighted_scores(y, scores, r, low=low, high=high, fixed=fixed)


@st.composite
def uneven_problems(draw):
    y, scores = draw(objects(4))
    steps = draw(st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=5, unique=True).map(sorted))
    fixed = draw(st.integers(0, len(scores[0]) - 1))
    return WeightedScores(np.array(y), np.array(scores), np.array(steps), fixed)


@settings(max_examples=160, deadline=None)
@given(st.one_of(problems(), uneven_problems()))
def test_every_matrix_is_that_of_the_argmax_whatever_the_steps(data):
    lattice, c = confusion_lattice(data), data.n_classes
    for place in np.ndindex(lattice.shape[:-2]):
        expected = np.zeros((c, c), dtype=int)
        with np.errstate(over="ignore"):
            assigned = np.argmax(data.weights(place) * data.scores, axis=1)
        np.add.at(expected, (data.y, assigned), 1)
        assert np.array_equal(lattice[place], expected)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_planes_are_those_of_the_lattice(data):
    lattice = confusion_lattice(data)
    for place, counts in confusion_planes(data):
        assert np.array_equal(counts.reshape(lattice[place].shape), lattice[place])


@settings(max_examples=60, deadline=None)
@given(problems(4), st.data())
def test_lowest_losses_are_the_first_of_exact_arithmetic(data, more):
    c = data.n_classes
    row = st.lists(st.integers(-3, 3), min_size=c, max_size=c)
    costs = np.array(more.draw(st.lists(row, min_size=c, max_size=c)))
    lattice = confusion_lattice(data)
    sums = np.einsum("...ij,ij->...", lattice.astype(int), costs)
    first = np.unravel_index(sums.argmin(), sums.shape)
    losses, weights = lowest_losses(data, costs[None])
    assert np.isclose(losses[0] * len(data.y), sums.min(), rtol=1e-12, atol=1e-12)
    assert np.array_equal(weights[0], data.weights(first))
