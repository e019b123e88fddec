"""Artificial objects of the class that is not seen in training."""

import numpy as np
import pytest
from scipy.stats import kstest

from opchar.reject.outliers import gaussian_outliers, sphere_outliers


def targets(seed=0, number=300):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(number, 3)) @ np.array([[3, 1, 0], [0, 1, 0.5], [0, 0, 0.4]]) + 7


def scaled(objects, x):
    root = np.linalg.cholesky(np.linalg.inv(np.cov(x, rowvar=False)))
    return np.linalg.norm((objects - x.mean(axis=0)) @ root, axis=1)


@pytest.mark.parametrize("reach", ["farthest", "deviation"])
def test_the_sphere_is_filled_evenly(reach):
    x = targets()
    drawn = sphere_outliers(x, 5000, np.random.default_rng(1), variance=1, reach=reach)
    radius = 1.1 * (scaled(x, x).max() if reach == "farthest" else 1)
    shares = (scaled(drawn, x) / radius) ** 3
    assert shares.max() <= 1 + 1e-9
    assert kstest(shares, "uniform").pvalue > 1e-3
    inside = scaled(x, x) <= radius
    assert inside.all() if reach == "farthest" else not inside.all()


def test_the_radius_multiplies():
    x = targets()
    one, two = (sphere_outliers(x, 9, np.random.default_rng(1), radius=r) for r in (1, 2))
    assert two - x.mean(axis=0) == pytest.approx(2 * (one - x.mean(axis=0)))


def test_the_subspace_has_the_share_of_the_variance():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(500, 2)) @ np.diag([10, 0.1])
    flat = sphere_outliers(x, 50, rng)
    values, vectors = np.linalg.eigh(np.cov(x, rowvar=False))
    assert values[1] / values.sum() > 0.999
    assert (flat - x.mean(axis=0)) @ vectors[:, 0] == pytest.approx(0, abs=1e-12)
    full = sphere_outliers(x, 50, rng, variance=1)
    assert np.abs((full - x.mean(axis=0)) @ vectors[:, 0]).max() > 0.1


def test_constant_features_and_more_features_than_objects_are_no_trouble():
    rng = np.random.default_rng(3)
    constant = np.column_stack([targets(), np.full(300, 5.0)])
    assert sphere_outliers(constant, 20, rng, variance=1)[:, 3] == pytest.approx(5)
    wide = rng.normal(size=(8, 40))
    for draw in (sphere_outliers, gaussian_outliers):
        drawn = draw(wide, 30, rng)
        assert np.linalg.matrix_rank(drawn - wide.mean(axis=0)) == 7


def test_the_enlarged_gaussian_has_the_moments():
    x = targets()
    drawn = gaussian_outliers(x, 200_000, np.random.default_rng(4))
    np.testing.assert_allclose(drawn.mean(axis=0), x.mean(axis=0), atol=0.05)
    np.testing.assert_allclose(
        np.cov(drawn, rowvar=False), 1.5 * np.cov(x, rowvar=False), atol=0.15
    )


def test_the_generator_alone_decides():
    for draw in (sphere_outliers, gaussian_outliers):
        one, two = (draw(targets(), 5, np.random.default_rng(6)) for _ in range(2))
        assert one.tobytes() == two.tobytes()
        assert draw(targets(), 0, np.random.default_rng(6)).shape == (0, 3)


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([[1.0, 2.0]], {}, "two or more"),
        ([[1.0, np.nan], [1.0, 2.0]], {}, "finite"),
        ([[1.0, 2.0]] * 5, {}, "all equal"),
        (targets(), {"variance": 0}, "variance must be"),
        (targets(), {"radius": 0}, "radius positive"),
        (targets(), {"reach": "far"}, "unknown reach"),
        (targets(), {"kept": "middle"}, "unknown components"),
    ],
)
def test_nonsense_is_refused(given, options, message):
    with pytest.raises(ValueError, match=message):
        sphere_outliers(given, 5, np.random.default_rng(0), **options)


def test_nonsense_of_the_gaussian_is_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="enlargement"):
        gaussian_outliers(targets(), 5, rng, enlargement=0)
    with pytest.raises(ValueError, match="must not be negative"):
        gaussian_outliers(targets(), -1, rng)


def test_the_smallest_components_leave_out_the_largest():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(400, 3)) * [5.0, 2.0, 1.0]
    values, vectors = np.linalg.eigh(np.cov(x, rowvar=False))
    drawn = sphere_outliers(x, 3000, rng, kept="smallest") - x.mean(axis=0)
    assert drawn @ vectors[:, 2] == pytest.approx(0, abs=1e-12)
    inner = (x - x.mean(axis=0)) @ vectors[:, :2] / np.sqrt(values[:2])
    radius = 1.1 * np.linalg.norm(inner, axis=1).max()
    shares = (np.linalg.norm(drawn @ vectors[:, :2] / np.sqrt(values[:2]), axis=1) / radius) ** 2
    assert shares.max() <= 1 + 1e-9
    assert kstest(shares, "uniform").pvalue > 1e-3
    alone = sphere_outliers(x[:, :1], 50, rng, kept="smallest")
    assert np.ptp(alone) > 1
    whole = sphere_outliers(x, 50, rng, variance=1, kept="smallest")
    assert np.ptp(whole @ vectors[:, 2]) > 5
