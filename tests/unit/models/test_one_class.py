import numpy as np
import pytest

from opchar.models.classifiers.one_class import gauss, mog

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3)) @ RNG.normal(size=(3, 3)) + [5, 0, -2]


def test_gauss_is_minus_the_squared_mahalanobis_distance():
    model = gauss().fit(X)
    S = np.cov(X.T)
    shrunk = 0.999 * S + 0.001 * np.trace(S) / 3 * np.eye(3)
    expected = [-(x - X.mean(axis=0)) @ np.linalg.inv(shrunk) @ (x - X.mean(axis=0)) for x in X]
    assert model.score_samples(X) == pytest.approx(np.array(expected), abs=1e-12, rel=1e-10)


def test_mog_adds_a_share_of_the_mean_variance():
    model = mog(1).fit(X)
    expected = np.cov(X.T, ddof=0) + 0.01 * X.var(axis=0, ddof=1).mean() * np.eye(3)
    assert model.mixture_.covariances_[0] == pytest.approx(expected)


@pytest.mark.parametrize("make", [gauss, lambda: mog(2).set_params(random_state=0)])
@pytest.mark.parametrize("reject", [0.0, 0.05, 0.1, 0.5])
def test_the_threshold_rejects_the_share_of_the_targets(make, reject):
    model = make().set_params(reject=reject).fit(X)
    assert (model.predict(X) == -1).sum() == int(reject * 200)
    assert np.array_equal(model.predict(X) == 1, model.score_samples(X) >= model.threshold_)


@pytest.mark.parametrize("make", [gauss, lambda: mog(1)])
def test_bad_targets_are_errors_and_singular_ones_are_not(make):
    with pytest.raises(ValueError, match="objects that vary"):
        make().fit(np.ones((20, 3)))
    with pytest.raises(ValueError, match="share of targets"):
        make().set_params(reject=1.0).fit(X)
    flat = X.copy()
    flat[:, 1] = 3.0
    model = make().fit(flat)
    assert np.isfinite(model.score_samples(X)).all()
    assert model.predict([[5.0, 50.0, -2.0]]).tolist() == [-1]
