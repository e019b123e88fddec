import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.pipeline import make_pipeline

from opchar.models.gaussian import ldc, nmc, qdc
from opchar.models.mappings import pca, sc
from opchar.models.mixture import mogc
from opchar.models.neighbours import knnc, parzenc
from opchar.models.one_class import gauss
from opchar.models.stages import (
    AmbiguityReject,
    DistanceReject,
    SequentialCombination,
    TwoStage,
    log_densities,
)

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
    densities = np.exp(log_densities(fitted, grid))
    assert densities.sum(axis=0) * (side[1] - side[0]) ** 2 == pytest.approx([1, 1, 1], abs=1e-3)
    expected = densities / densities.sum(axis=1, keepdims=True)
    seen = densities.sum(axis=1) > 1e-200
    assert fitted.predict_proba(grid)[seen] == pytest.approx(expected[seen], abs=1e-9)


def test_densities_go_through_the_mappings_before():
    piped = make_pipeline(sc(), pca(1), qdc()).fit(X, THREE)
    Z = piped[:-1].transform(X)
    expected = multivariate_normal(Z[:80].mean(), np.var(Z[:80], ddof=1)).logpdf(Z[:, 0])
    assert log_densities(piped, X)[:, 0] == pytest.approx(expected)
    with pytest.raises(ValueError, match="has no densities"):
        log_densities(knnc(1).fit(X, THREE), X)
    with pytest.raises(ValueError, match="covariance is singular"):
        log_densities(ldc().fit(np.c_[X, X], THREE), np.c_[X, X])


def test_distance_reject_closes_the_target_class():
    system = DistanceReject(qdc(), outlier="other", reject=0.05).fit(X, TWO)
    plain = qdc().fit(X, TWO)
    density = multivariate_normal(X[:80].mean(axis=0), np.cov(X[:80].T))
    scores = np.sort(density.logpdf(X[:80]))
    assert system.log_threshold_ == pytest.approx(scores[3:5].mean())
    accepted = density.logpdf(X) >= system.log_threshold_
    expected = np.where(accepted, plain.predict(X), "other")
    assert np.array_equal(system.predict(X), expected)
    assert (~accepted[:80]).sum() == 4
    assert system.predict(FAR).tolist() == ["other", "other"]
    scores = system.predict_proba(X)
    assert scores[~accepted].tolist() == [[1.0, 0.0]] * (~accepted).sum()
    assert np.array_equal(scores[accepted], plain.predict_proba(X)[accepted])


def test_distance_reject_takes_a_density_as_threshold():
    density = multivariate_normal(X[:80].mean(axis=0), np.cov(X[:80].T)).pdf(X)
    for t in (0.0, 0.01, 0.05):
        system = DistanceReject(qdc(), outlier="other", threshold=t).fit(X, TWO)
        assert np.array_equal(system.accepts(X), density >= t)
    for wrong in ({"reject": 1.0}, {"threshold": -0.1}):
        with pytest.raises(ValueError, match="must"):
            DistanceReject(qdc(), outlier="other", **wrong).fit(X, TWO)
    with pytest.raises(ValueError, match="a target and an outlier class, not 3"):
        DistanceReject(qdc(), outlier="out").fit(X, THREE)
    with pytest.raises(ValueError, match="none of the classes"):
        DistanceReject(qdc(), outlier="x").fit(X, TWO)


def test_chows_rule_rejects_the_doubtful():
    system = AmbiguityReject(ldc(), threshold=0.9).fit(X, THREE)
    posterior = ldc().fit(X, THREE).predict_proba(X)
    doubtful = posterior.max(axis=1) < 0.9
    assert 0 < doubtful.sum() < 100
    assert np.array_equal(system.decide(X) == "reject", doubtful)
    assert np.array_equal(system.decide(X)[~doubtful], system.predict(X)[~doubtful])
    with pytest.raises(ValueError, match=r"in \[0, 1\]"):
        AmbiguityReject(ldc(), threshold=1.5).fit(X, THREE)


def test_socmc_trains_its_second_stage_on_what_the_first_accepts():
    system = SequentialCombination(gauss(), ldc(), outlier="other").fit(X, TWO)
    detector = gauss().fit(X[TWO == "target"])
    kept = detector.predict(X) == 1
    assert 80 < kept.sum() < 150
    second = ldc().fit(X[kept], TWO[kept])
    expected = np.where(kept, second.predict(X), "other")
    assert np.array_equal(system.predict(X), expected)
    everything = SequentialCombination(gauss(), ldc(), "other", retrain=False).fit(X, TWO)
    whole = ldc().fit(X, TWO).predict_proba(X)
    assert np.array_equal(everything.predict_proba(X)[kept], whole[kept])
    assert system.predict(FAR).tolist() == ["other", "other"]


def test_socmc_without_anything_to_discriminate_says_so():
    apart = X + np.where(TWO == "other", 100.0, 0.0)[:, None]
    with pytest.raises(ValueError, match="accepts no training object of class other"):
        SequentialCombination(gauss(), ldc(), "other").fit(apart, TWO)


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
