"""What the multi-class functions say to scores that are not posteriors, and to impossible grids."""

import numpy as np
import pytest

from opchar.multiclass.neyman_pearson import confusion_at, neyman_pearson
from opchar.multiclass.roc.bootstrap import vus_interval
from opchar.multiclass.roc.hypersurface import confusion_lattice, vus
from opchar.multiclass.roc.weighted_scores import weighted_scores


def problem(seed=0, c=3, n=90):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % c
    scores = rng.dirichlet(np.ones(c), n)
    scores[np.arange(n), y] += 0.3
    return y, scores


def limits(c=3, **given):
    found = np.full((c, c), np.nan)
    found[0, 1] = given.get("limit", 0.1)
    return found


def test_rows_may_have_any_sum_and_only_their_ratios_count():
    y, scores = problem()
    factors = np.random.default_rng(1).uniform(0.01, 100, (len(y), 1))
    plain, scaled = weighted_scores(y, scores, 15), weighted_scores(y, factors * scores, 15)
    assert vus(plain) == pytest.approx(vus(scaled), abs=1e-12)
    one, other = (neyman_pearson(data, limits()) for data in (plain, scaled))
    assert one.objective == other.objective
    assert np.array_equal(one.rates, other.rates)


def test_rows_of_zeros_stay_with_the_first_class_at_all_weights():
    y, scores = problem()
    scores[y == 2] = 0.0
    data = weighted_scores(y, scores, 12)
    assert (confusion_lattice(data)[..., 2, 0] == (y == 2).sum()).all()
    assert vus(data) == 0.0
    found = neyman_pearson(data, limits())
    assert found.rates[2].tolist() == [1.0, 0.0, 0.0]
    assert np.array_equal(confusion_at(data, found.weights)[2], [(y == 2).sum(), 0, 0])


def test_a_regular_grid_of_one_node_is_refused_in_intervals_too():
    data = weighted_scores(*problem(), 10)
    with pytest.raises(ValueError, match="two points per axis or more"):
        vus_interval(data, np.random.default_rng(0), resamples=2, nodes=1)


def test_two_classes_are_enough_for_everything():
    y, scores = problem(c=2)
    data = weighted_scores(y, scores, 30)
    found = neyman_pearson(data, limits(2))
    assert found.rates[0, 1] <= 0.1
    interval = vus_interval(data, np.random.default_rng(0), resamples=20)
    assert interval.low <= interval.volume <= interval.high or interval.volumes.std() < 1e-3
