"""Numbers from the definitions of PRTools and dd_tools of 2004 (docs/toolbox.md), by hand."""

from math import exp, sqrt

import numpy as np
import pytest

from opchar.models.classifiers.gaussian import nmc
from opchar.models.classifiers.mixture import mogc, softmogc
from opchar.models.classifiers.one_class import gauss
from opchar.models.classifiers.stages import TwoStage
from opchar.models.classifiers.support import svc
from opchar.models.mappings import pca, sc
from opchar.reject.outliers import sphere_outliers


def sigmoid(value):
    return 1 / (1 + exp(-value))


def test_svc_is_the_plain_sigmoid_of_its_decision():
    # Two objects at -1 and 1: the multipliers are 1/2, so that f(x) = x.
    found = svc("p", 1).fit([[-1.0], [1.0]], [0, 1]).predict_proba([[0.5]])
    assert found[0, 1] == pytest.approx(sigmoid(0.5), abs=1e-3)
    kernel = exp(-4 / 2**2)
    multiplier = min(1, 1 / (1 - kernel))
    expected = multiplier * (exp(-0.25 / 4) - exp(-2.25 / 4))
    found = svc("r", 2).fit([[-1.0], [1.0]], [0, 1]).predict_proba([[0.5]])
    assert found[0, 1] == pytest.approx(sigmoid(expected), abs=1e-3)


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


def test_a_mapping_before_a_description_sees_the_outliers():
    # Targets vary along the first axis, outliers lie far along the second.
    from sklearn.pipeline import make_pipeline

    X = np.array([[0.0, 0], [1, 0], [2, 0.1], [3, 0], [1, 50], [1, -50]])
    y = np.array([0, 0, 1, 1, 2, 2])
    detector = TwoStage(make_pipeline(pca(1), gauss()), nmc()).fit(X, y).detector_
    assert np.abs(detector[0].components_[0]) == pytest.approx([0, 1], abs=0.01)


def test_gendatouts_leaves_out_the_largest_component_and_the_text_does_not():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3)) * [4.0, 1.0, 0.5]
    values, vectors = np.linalg.eigh(np.cov(X, rowvar=False))
    upwards = np.cumsum(values) / values.sum()
    kept = vectors[:, upwards <= 0.999]
    assert kept.shape[1] == 2
    drawn = sphere_outliers(X, 4000, rng, kept="smallest") - X.mean(axis=0)
    assert drawn @ vectors[:, 2] == pytest.approx(0, abs=1e-12)
    unit = (X - X.mean(axis=0)) @ kept / np.sqrt(values[:2])
    radius = np.linalg.norm(drawn @ kept / np.sqrt(values[:2]), axis=1).max()
    assert radius == pytest.approx(1.1 * np.linalg.norm(unit, axis=1).max(), rel=0.01)
    as_said = sphere_outliers(X, 4000, rng) - X.mean(axis=0)
    assert np.ptp(as_said @ vectors[:, 2]) > 8
