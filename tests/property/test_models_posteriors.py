import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.models.classifiers.gaussian import ldc, nmc, qdc
from opchar.models.classifiers.mixture import mogc
from opchar.models.classifiers.neighbours import Parzen, knnc
from opchar.models.classifiers.support import svc
from opchar.models.posterior import from_distances, likelihood_scale

SEEDS = st.integers(0, 2**32 - 1)


def blobs(seed, classes):
    rng = np.random.default_rng(seed)
    y = np.tile(np.arange(classes), 12)
    return rng.normal(size=(len(y), 2)) + rng.normal(size=(classes, 2))[y], y


MODELS = {
    "ldc": ldc,
    "qdc": qdc,
    "nmc": nmc,
    "mogc": lambda: mogc(1),
    "knnc1": lambda: knnc(1),
    "knnc4": lambda: knnc(4),
    "parzen": lambda: Parzen(width=0.7),
    "svc": lambda: svc("r", 2),
}


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, classes=st.integers(2, 4))
@pytest.mark.parametrize("name", MODELS)
def test_posteriors_are_probabilities_and_follow_the_labels(name, seed, classes):
    X, y = blobs(seed, classes)
    scores = MODELS[name]().fit(X, y).predict_proba(X)
    assert scores.shape == (len(X), classes)
    assert (scores >= 0).all()
    assert scores.sum(axis=1) == pytest.approx(np.ones(len(X)))
    relabelled = MODELS[name]().fit(X, classes - 1 - y).predict_proba(X)
    tolerance = 1e-3 if name == "svc" else 1e-9
    assert relabelled[:, ::-1] == pytest.approx(scores, abs=tolerance)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
@pytest.mark.parametrize("make", [ldc, qdc, lambda: mogc(1)])
def test_gaussian_classifiers_do_not_see_the_units(make, seed):
    X, y = blobs(seed, 3)
    transform = np.random.default_rng(seed).normal(size=(2, 2)) + 2 * np.eye(2)
    if abs(np.linalg.det(transform)) < 0.1:
        return
    before = make().fit(X, y).predict_proba(X)
    moved = X @ transform + [100, -3]
    assert make().fit(moved, y).predict_proba(moved) == pytest.approx(before, abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(
    distances=st.lists(
        st.lists(st.floats(0, 1e100), min_size=3, max_size=3), min_size=1, max_size=5
    )
)
def test_nearer_classes_get_larger_posteriors(distances):
    D = np.array(distances)
    posterior = from_distances(D)
    assert posterior.sum(axis=1) == pytest.approx(np.ones(len(D)))
    for row, scores in zip(D, posterior, strict=True):
        order = np.argsort(row)
        assert (np.diff(scores[order]) <= 1e-12).all()


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, factor=st.floats(1e-6, 1e6))
def test_the_likelihood_scale_undoes_any_scale(seed, factor):
    rng = np.random.default_rng(seed)
    positive = rng.random(30) < 0.5
    decision = rng.normal(size=30) + positive
    assert likelihood_scale(decision * factor, positive) * factor == pytest.approx(
        likelihood_scale(decision, positive), rel=1e-6
    )
