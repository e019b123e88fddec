import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.neighbors import KNeighborsClassifier

from opchar.datasets.registry import load
from opchar.datasets.standins import Mixtures, bayes_error, gaussian_mixtures, make, with_error
from opchar.errors import ConfigError


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_same_generator_same_bytes() -> None:
    first = gaussian_mixtures((90, 5), {"a": 60, "b": 30}, rng(1), error=0.1)
    again = gaussian_mixtures((90, 5), {"a": 60, "b": 30}, rng(1), error=0.1)
    other = gaussian_mixtures((90, 5), {"a": 60, "b": 30}, rng(2), error=0.1)
    assert first[0].tobytes() == again[0].tobytes() and first[1].tobytes() == again[1].tobytes()
    assert first[0].tobytes() != other[0].tobytes()


def test_shape_counts_and_rank() -> None:
    X, y = gaussian_mixtures((500, 40), {"a": 300, "b": 150, "c": 50}, rng(), error=0.1)
    assert X.shape == (500, 40) and np.bincount(y).tolist() == [300, 150, 50]
    assert np.linalg.matrix_rank(X) == 40
    assert (y[:250] != np.sort(y)[:250]).any()


def test_bayes_error_of_two_gaussians_is_the_normal_tail() -> None:
    mixtures = Mixtures(np.array([[[-1.0]], [[1.0]]]), np.array([0.5, 0.5]))
    classes = np.repeat([0, 1], 100_000)
    points = mixtures.sample(classes, rng())
    assert bayes_error(mixtures, points, classes) == pytest.approx(0.158655, abs=0.003)


def test_joint_is_prior_times_mixture_density_up_to_a_factor() -> None:
    mixtures = Mixtures(3 * rng().standard_normal((3, 2, 4)), np.array([0.5, 0.3, 0.2]))
    points = 5 * rng(1).standard_normal((20, 4))
    joint = mixtures.joint(points)
    expected = [
        prior * np.mean([multivariate_normal(mean).pdf(points) for mean in means], axis=0)
        for means, prior in zip(mixtures.means, mixtures.priors, strict=True)
    ]
    posterior = np.array(expected).T / np.sum(expected, axis=0)[:, None]
    assert joint / joint.sum(axis=1, keepdims=True) == pytest.approx(posterior, abs=1e-12)


@pytest.mark.parametrize("error", [0.04, 0.13, 0.25])
@pytest.mark.parametrize(("n_classes", "components"), [(2, 1), (2, 4), (10, 2)])
def test_the_bayes_error_is_near_the_target(error: float, n_classes: int, components: int) -> None:
    priors = np.full(n_classes, 1 / n_classes)
    directions = rng(3).standard_normal((n_classes, components, 8))
    mixtures = with_error(directions, priors, error, rng(4))
    classes = rng(5).integers(n_classes, size=10_000)
    points = mixtures.sample(classes, rng(6))
    assert bayes_error(mixtures, points, classes) == pytest.approx(error, abs=0.02)


def test_a_trained_classifier_meets_the_difficulty() -> None:
    X, y = gaussian_mixtures(
        (3000, 20), {"a": 2000, "b": 1000}, rng(7), error=0.12, components=3, intrinsic=5
    )
    near = KNeighborsClassifier(9).fit(X[:2000], y[:2000])
    wrong = 1 - near.score(X[2000:], y[2000:])
    assert 0.09 < wrong < 0.2


def test_wrong_generator_or_option() -> None:
    entry = {
        "title": "Toy",
        "licence": "none",
        "citation": "nobody",
        "shape": [4, 2],
        "classes": {"a": 2, "b": 2},
        "stand_in": {"generator": "opchar.datasets.standins:gaussian_mixture"},
    }
    with pytest.raises(ConfigError, match="did you mean"):
        make(load("toy", entry), rng())
    for options, said in [
        ({"errors": 0.1}, ".*errors"),
        (
            {"error": 0.6},
            r"error 0\.6 is not below 0\.5, that of always choosing the largest class",
        ),
    ]:
        entry["stand_in"] = {
            "generator": "opchar.datasets.standins:gaussian_mixtures",
            "options": options,
        }
        with pytest.raises(ConfigError, match=rf"stand-in of 'toy': {said}"):
            make(load("toy", entry), rng())
