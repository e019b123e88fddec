"""Lower bounds of the loss in nodes of the search tree, against sums over all objects."""

import numpy as np
import pytest

from opchar.multiclass.cost_weights.nodes import _PairSteps
from opchar.multiclass.cost_weights.problem import never_empty


@pytest.mark.parametrize("seed", range(6))
def test_the_least_cost_of_a_pair_is_that_of_trying_all_differences(seed):
    """An object costs its gain on the dear side of its turn, beside class i or beside class j."""
    draw = np.random.default_rng(seed)
    n_classes, n = 2 + seed % 4, 60
    node = draw.integers(0, 3, n)
    i, j = np.sort([draw.choice(n_classes, 2, replace=False) for _ in range(n)]).T
    turn, gain = draw.integers(-3, 4, n).astype(float), draw.uniform(size=n)
    cheap_above = draw.random(n) < 0.5
    centre = draw.normal(scale=2, size=(3, n_classes))
    steps = _PairSteps(node, i, j, n_classes, turn, gain, cheap_above)
    found = zip(steps.keys, steps.mass, *steps.least(centre), strict=True)

    pairs = sorted(set(zip(node, i, j, strict=True)))
    for (z, a, b), (key, mass, least, excess) in zip(pairs, found, strict=True):
        mine = (node == z) & (i == a) & (j == b)
        at, worth, above = turn[mine], gain[mine], cheap_above[mine]

        def cost(difference, at=at, worth=worth, above=above):
            return worth[(at <= difference) != above].sum()

        lowest = min(cost(difference) for difference in [-np.inf, *at])
        assert key == (z * n_classes + a) * n_classes + b
        assert mass == pytest.approx(worth.sum())
        assert least == pytest.approx(lowest)
        assert excess == pytest.approx(cost(centre[z, a] - centre[z, b]) - lowest)


def test_an_object_without_any_score_is_surely_of_the_first_class():
    with np.errstate(divide="ignore"):
        found = never_empty(np.log([[0, 0, 0], [0, 0.25, 0.75]]))
    np.testing.assert_allclose(np.exp(found), [[1, 0, 0], [0, 0.25, 0.75]])
