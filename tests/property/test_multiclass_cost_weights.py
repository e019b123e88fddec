"""Properties of the search for class weights."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from opchar.multiclass.cost_weights import cost_weights, line_search
from opchar.multiclass.cost_weights.algorithms import greedy, lachiche_flach, pairwise
from opchar.multiclass.cost_weights.certificate import certify
from opchar.multiclass.cost_weights.line_search import LineSearch
from opchar.multiclass.cost_weights.problem import cost_problem, losses
from opchar.multiclass.perturbation import groups, groups_up_to

METHODS = ("default", "simple", "naive", "greedy", "lachiche-flach", "pairs", "pairs-greedy")


@st.composite
def problems(draw, costs_from=-1.0):
    """Objects with coarse scores, so that there are ties and zeros, under one cost matrix."""
    classes = draw(st.integers(2, 4))
    objects = draw(st.integers(1, 12))
    y = draw(arrays(np.intp, objects, elements=st.integers(0, classes - 1)))
    scores = draw(arrays(float, (objects, classes), elements=st.sampled_from([0, 1, 2, 3, 5, 8])))
    costs = draw(arrays(float, (classes, classes), elements=st.floats(costs_from, 1, width=16)))
    return y, scores, costs


@given(problems(), st.data())
@settings(max_examples=60, deadline=None)
def test_the_bound_is_never_above_any_loss(case, data):
    problem = cost_problem(*case)
    c = problem.n_classes
    nodes = data.draw(st.sampled_from([1, 5, 200_000]))
    (found,) = certify(problem, np.random.default_rng(0), max_nodes=nodes)
    assert found.lower_bound <= found.loss
    weights = data.draw(arrays(float, (20, c), elements=st.floats(-4, 4)))
    tried = [losses(problem, row)[0] for row in weights]
    for method in METHODS:
        by_method = cost_weights(*case, method=method, rng=np.random.default_rng(1))
        if np.isfinite(by_method.log_weights).all():
            tried.append(by_method.losses[0])
    assert found.lower_bound <= min(tried) + 1e-12
    if found.stopped == "optimal":
        assert found.loss <= min(tried) + 1e-12


@given(problems(), st.data())
@settings(max_examples=60, deadline=None)
def test_a_search_is_at_least_as_good_as_any_factor(case, data):
    problem = cost_problem(*case)
    start = data.draw(arrays(float, problem.n_classes, elements=st.floats(-2, 2)))
    moving = data.draw(st.integers(0, problem.n_classes - 1))
    factor = data.draw(st.floats(-6, 6))
    before = losses(problem, start)[0]
    line = LineSearch(problem, start)
    found = line.move([moving])
    moved = start.copy()
    moved[moving] += factor
    assert abs(found - losses(problem, line.log_weights)[0]) < 1e-12
    assert found <= min(before, losses(problem, moved)[0]) + 1e-12


@given(problems(), st.floats(0.1, 100))
@settings(max_examples=30, deadline=None)
def test_costs_in_other_units_give_the_same_weights(case, unit):
    y, scores, costs = case
    first = greedy(cost_problem(y, scores, costs), np.random.default_rng(2))
    other = greedy(cost_problem(y, scores, 4 * costs), np.random.default_rng(2))
    assert np.array_equal(first.log_weights, other.log_weights)
    scaled = greedy(cost_problem(y, unit * scores, costs), np.random.default_rng(2))
    assert np.allclose(scaled.losses, first.losses)


@given(arrays(float, (5, 5), elements=st.floats(0, 1, width=16)), st.integers(1, 5))
def test_groups_up_to_a_size_neglect_as_little_as_possible(largest, size):
    found, threshold = groups_up_to(largest, size)
    assert max(map(len, found)) <= size and found == groups(largest, threshold)
    below = largest[largest < threshold]
    if threshold > 0:
        less = float(below.max()) if below.size else 0.0
        assert max(map(len, groups(largest, less))) > size


@st.composite
def many_searches(draw):
    """Objects with ties or without, zeros, under several cost matrices with profits and equals."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    classes, objects = draw(st.integers(2, 6)), draw(st.sampled_from([1, 2, 9, 40, 130, 300]))
    y = rng.integers(classes, size=objects)
    scores = np.exp(1.5 * rng.normal(size=(objects, classes)) + np.eye(classes)[y])
    if draw(st.booleans()):
        scores = np.round(scores)
    costs = rng.uniform(-0.2, 1, size=(3, classes, classes))
    if draw(st.booleans()):
        costs = np.round(2 * costs)
    return cost_problem(y, scores, costs, np.bincount(y, minlength=classes) / objects)


@given(many_searches(), st.sampled_from(get_args(line_search.Search)), st.data())
@settings(max_examples=60, deadline=None)
def test_compiled_searches_give_the_same_bits(problem, search, data):
    pytest.importorskip("numba", reason="compiled searches: pip install opchar[fast]")
    classes = list(range(problem.n_classes))
    cut = data.draw(st.integers(1, problem.n_classes - 1))
    units = data.draw(st.sampled_from([None, [classes[:cut], classes[cut:]]]))
    start = data.draw(arrays(float, (3, len(classes)), elements=st.floats(-2, 2)))

    def found(worth):
        rng = np.random.default_rng(1)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(line_search.COMPILED, "worth", worth)
            every = [
                greedy(problem, rng, search=search, start=start, units=units, sweeps=2),
                pairwise(problem, rng, search=search, cap=5),
                lachiche_flach(problem, search=search),
            ]
        return [(one.log_weights.tobytes(), one.losses.tobytes()) for one in every]

    assert found(-1) == found(np.inf)


@given(arrays(float, st.integers(0, 700), elements=st.floats(-1, 1)))
@settings(deadline=None)
def test_compiled_sums_are_those_of_numpy(values):
    pytest.importorskip("numba", reason="compiled searches: pip install opchar[fast]")
    from opchar.multiclass.cost_weights.compiled_cuts import pairwise_sum

    assert pairwise_sum(values) == values.sum()
