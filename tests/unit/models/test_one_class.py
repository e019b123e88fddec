import numpy as np
import pytest
from scipy.stats import chi2

from opchar.models.one_class import gauss, gaussian_outliers, mog, sphere_outliers

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


def test_sphere_outliers_fill_a_sphere_about_the_targets():
    drawn = sphere_outliers(X, 4000, np.random.default_rng(1), variance=1.0)
    values, vectors = np.linalg.eigh(np.cov(X.T))
    lengths, targets = (
        np.linalg.norm((Z - X.mean(axis=0)) @ vectors / np.sqrt(values), axis=1) for Z in (drawn, X)
    )
    assert lengths.max() <= 1.1 * targets.max() * (1 + 1e-9)
    share = (lengths / (1.1 * targets.max())) ** 3
    assert np.quantile(share, [0.25, 0.5, 0.75]) == pytest.approx([0.25, 0.5, 0.75], abs=0.03)


def test_sphere_outliers_stay_in_the_subspace_of_the_variance():
    wide = np.column_stack([X[:, 0] * 100, X[:, 1] * 100, X[:, 2] * 1e-3])
    drawn = sphere_outliers(wide, 50, np.random.default_rng(1))
    rank = np.linalg.matrix_rank(drawn - drawn.mean(axis=0), tol=1e-6)
    assert rank == 2
    constant = np.column_stack([X, np.zeros(200)])
    assert (
        sphere_outliers(constant, 5, np.random.default_rng(1), variance=1.0)[:, 3].tolist()
        == [0] * 5
    )


def test_gaussian_outliers_have_the_enlarged_covariance():
    drawn = gaussian_outliers(X, 100_000, np.random.default_rng(2))
    assert drawn.mean(axis=0) == pytest.approx(X.mean(axis=0), abs=0.05)
    assert np.cov(drawn.T) == pytest.approx(1.5 * np.cov(X.T), rel=0.05, abs=0.05)
    model = gauss().set_params(shrink=0.0, reject=0.1).fit(X)
    rejected = (model.predict(drawn) == -1).mean()
    assert rejected == pytest.approx(chi2.sf(-model.threshold_ / 1.5, 3), abs=0.01)
