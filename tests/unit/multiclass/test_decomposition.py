"""Perturbation of weights and the groups that follow."""

import numpy as np
import pytest

from opchar.multiclass.decomposition import (
    groups,
    largest_by_class,
    perturbed_weights,
    sensitivities,
)
from opchar.multiclass.gaussians import confusion_rates


def test_only_one_weight_moves():
    phi = perturbed_weights([1.0, 2.0, 3.0], 1, 5)
    assert phi[:, [0, 2]].tolist() == [[1.0, 3.0]] * 5
    assert phi[:, 1] == pytest.approx(10.0 ** np.linspace(-3, 3, 5))


@pytest.mark.parametrize(
    ("base", "r", "low", "message"),
    [
        ([1.0, 1.0], 1, 1e-3, "r >= 2"),
        ([1.0, 1.0], 5, 1e3, "low < high"),
        ([1.0, 0.0], 5, 1e-3, "positive"),
    ],
)
def test_impossible_perturbations_are_refused(base, r, low, message):
    with pytest.raises(ValueError, match=message):
        perturbed_weights(base, 0, r, low, 1e3)


def test_sensitivities_equal_a_loop():
    def rates(phi):
        return confusion_rates([0.0, 1.0, 5.0], [1.0, 0.5, 2.0], phi)

    found = sensitivities(rates, [1.0, 1.0, 2.0], 9)
    for moving in range(3):
        values = []
        for weight in 10.0 ** np.linspace(-3, 3, 9):
            phi = np.array([[1.0, 1.0, 2.0]])
            phi[0, moving] = weight
            values.append(rates(phi)[0])
        assert found[moving] == pytest.approx(np.max(values, axis=0) - np.min(values, axis=0))
    largest = largest_by_class(found)
    assert largest[0, 1] == found[0, :, 1].max()


def test_groups_join_chains_in_either_direction():
    acts = np.zeros((5, 5))
    acts[0, 3] = acts[3, 4] = 1
    assert sorted(groups(acts, 0.5)) == [[0, 3, 4], [1], [2]]
    assert sorted(groups(acts, 1.5)) == [[0], [1], [2], [3], [4]]
