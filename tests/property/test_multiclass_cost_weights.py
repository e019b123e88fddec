"""Properties of the search for class weights."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from opchar.multiclass.cost_weights import cost_weights
from opchar.multiclass.cost_weights.algorithms import greedy
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
    zones = data.draw(st.sampled_from([1, 5, 200_000]))
    (found,) = certify(problem, np.random.default_rng(0), max_zones=zones)
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
