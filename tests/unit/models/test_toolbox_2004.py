"""Numbers from the definitions of PRTools and dd_tools of 2004 (docs/toolbox.md), by hand."""

from math import sqrt

import numpy as np
import pytest

from opchar.models.classifiers.mixture import mogc, softmogc
from opchar.models.mappings import sc


def test_mogc_refits_to_its_own_crisp_labels():
    parts = [np.array([0.0, 1.0, 2.0]), np.array([10.0, 12.0, 14.0])]
    X = np.concatenate([*parts, [100.0, 101.0, 103.0]])[:, None]
    model = mogc(2, 1).fit(X, [0] * 6 + [1] * 3)
    found = sorted(
        (weight, float(mean[0]), float(c[0, 0])) for weight, mean, c in model.mixtures_[0]
    )
    assert found == [(0.5, 1.0, pytest.approx(1.0)), (0.5, 12.0, pytest.approx(4.0))]
    soft = softmogc(2, 1).fit(X, [0] * 6 + [1] * 3).mixtures_[0]
    assert sorted(float(c[0, 0]) for *_, c in soft) == pytest.approx([2 / 3, 8 / 3], rel=0.01)
    drawn = softmogc(2, "random")
    assert (drawn.start, drawn.components) == ("random", 2)
    found = drawn.set_params(random_state=3).fit(X, [0] * 6 + [1] * 3).mixtures_[0]
    assert sum(weight * mean[0] for weight, mean, _ in found) == pytest.approx(X[:6].mean())
    rng = np.random.default_rng(0)
    Z, y = rng.normal(size=(200, 3)), np.repeat([0, 1], 100)
    first, second = (
        softmogc(3, "random").set_params(random_state=seed).fit(Z, y).mixtures_[0]
        for seed in (0, 1)
    )
    assert len(first) == len(second) == 3
    assert [weight for weight, *_ in first] != [weight for weight, *_ in second]


def test_sc_is_total_variance():
    X = np.array([[0.0], [2.0], [10.0], [12.0]])
    assert sc().fit(X, [0, 0, 1, 1]).transform([[6.0], [6 + sqrt(26)]])[:, 0] == pytest.approx(
        [0, 1]
    )
