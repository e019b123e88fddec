import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.pipeline import make_pipeline

from opchar.models.classifiers.gaussian import NearestMean, ldc, nmc, qdc
from opchar.models.classifiers.mixture import mogc
from opchar.models.classifiers.neighbours import knnc, parzenc
from opchar.models.classifiers.one_class import gauss
from opchar.models.classifiers.stages import TwoStage
from opchar.models.mappings import pca, sc
from opchar.reject.estimator import class_log_densities

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(size=(80, 2)) + m for m in ([0, 0], [2.5, 0], [0, 6])])
TWO = np.repeat(["target", "other", "other"], 80)
THREE = np.repeat(["a", "b", "out"], 80)
FAR = np.array([[-40.0, 0.0], [0.0, -40.0]])


@pytest.mark.parametrize("model", [ldc(), qdc(), nmc(), mogc(1), parzenc()], ids=repr)
def test_log_densities_are_densities_and_agree_with_the_posteriors(model):
    fitted = model.fit(X, THREE)
    side = np.linspace(-12, 15, 181)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    densities = np.exp(class_log_densities(fitted, grid))
    assert densities.sum(axis=0) * (side[1] - side[0]) ** 2 == pytest.approx([1, 1, 1], abs=1e-3)
    if isinstance(fitted, NearestMean):
        return
    expected = densities / densities.sum(axis=1, keepdims=True)
    seen = densities.sum(axis=1) > 1e-200
    assert fitted.predict_proba(grid)[seen] == pytest.approx(expected[seen], abs=1e-9)


def test_densities_go_through_the_mappings_before():
    piped = make_pipeline(sc(), pca(1), qdc()).fit(X, THREE)
    Z = piped[:-1].transform(X)
    expected = multivariate_normal(Z[:80].mean(), np.var(Z[:80], ddof=1)).logpdf(Z[:, 0])
    assert class_log_densities(piped, X)[:, 0] == pytest.approx(expected)
    with pytest.raises(ValueError, match="has no densities"):
        class_log_densities(knnc(1).fit(X, THREE), X)
    with pytest.raises(ValueError, match="covariance is singular"):
        class_log_densities(ldc().fit(np.c_[X, X], THREE), np.c_[X, X])


def test_mappings_of_a_detector_see_all_objects_and_its_description_the_targets():
    y = THREE
    targets = y != "out"
    system = TwoStage(make_pipeline(pca(1), gauss()), ldc(), outlier="out").fit(X, y)
    mapped = pca(1).fit(X).transform(X)
    expected = gauss().fit(mapped[targets]).score_samples(mapped)
    assert system.stage_scores(X)[0] == pytest.approx(expected)
    own = pca(1).fit(X[targets]).transform(X)
    assert not np.allclose(expected, gauss().fit(own[targets]).score_samples(own))


def test_two_stages_detect_then_classify():
    system = TwoStage(gauss(), ldc(), outlier="out").fit(X, THREE)
    targets = THREE != "out"
    detector, classifier = gauss().fit(X[targets]), ldc().fit(X[targets], THREE[targets])
    expected = np.where(detector.predict(X) == 1, classifier.predict(X), "out")
    assert np.array_equal(system.predict(X), expected)
    first, second = system.stage_scores(X)
    assert np.array_equal(first, detector.score_samples(X))
    assert np.array_equal(second, classifier.predict_proba(X))
    assert system.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(240))
    assert set(system.predict(FAR)) == {"out"}
    with pytest.raises(ValueError, match="two or more target classes"):
        TwoStage(gauss(), ldc()).fit(X, TWO)
    middle = TwoStage(gauss(), ldc(), outlier="b").fit(X, THREE)
    assert (middle.predict_proba(X)[middle.predict(X) == "a", 1] == 0).all()
