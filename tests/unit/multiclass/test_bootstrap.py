"""Bootstrap intervals and normalised volumes."""

import numpy as np
import pytest

from opchar.multiclass.gaussians import densities
from opchar.multiclass.roc.bootstrap import normalised_vus, vus_interval
from opchar.multiclass.roc.volume import ordered_gaussian_volume
from opchar.multiclass.roc.weighted_scores import weighted_scores


def gaussian_objects(means, n, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(means)), n)
    scores = densities(means, 1.0, rng.normal(np.array(means)[y])).T
    return weighted_scores(y, scores / scores.sum(axis=1, keepdims=True), 40)


@pytest.mark.parametrize("means", [[-0.5, 0.0, 0.5], [-1.0, 0.0, 1.0], [-1.5, 0.0, 1.5]])
def test_interval_covers_the_exact_volume(means):
    exact = ordered_gaussian_volume(means)[0]
    found = vus_interval(gaussian_objects(means, 300, 3), np.random.default_rng(4), resamples=60)
    assert found.low < exact < found.high
    assert found.low < found.volume < found.high
    assert 0 < found.high - found.low < 0.2


def test_interval_is_the_same_for_the_same_generator_and_wider_for_fewer_objects():
    few, many = (gaussian_objects([-1.0, 0.0, 1.0], n, 5) for n in (40, 640))
    again = [vus_interval(few, np.random.default_rng(6), resamples=20) for _ in range(2)]
    assert np.array_equal(again[0].volumes, again[1].volumes)
    narrow = vus_interval(many, np.random.default_rng(6), resamples=20)
    assert narrow.volumes.std() < 0.6 * again[0].volumes.std()


@pytest.mark.parametrize("options", [{"resamples": 1}, {"confidence": 1.0}])
def test_impossible_intervals_are_refused(options):
    with pytest.raises(ValueError, match="an interval needs"):
        vus_interval(gaussian_objects([0.0, 1.0, 2.0], 10, 7), np.random.default_rng(8), **options)


@pytest.mark.parametrize("c", [2, 3, 5])
def test_normalised_volume_runs_from_random_to_perfect(c):
    assert normalised_vus(ordered_gaussian_volume([0.0] * c)[0], c) == pytest.approx(0, abs=1e-8)
    assert normalised_vus(1.0, c) == 1
    assert normalised_vus(0.0, c) < 0
