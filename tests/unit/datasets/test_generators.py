"""Moments and geometry of the synthetic sets, against their definitions."""

from typing import Any

import numpy as np
import pytest

from opchar.datasets.generators import (
    GENERATORS,
    banana,
    banana_three,
    cluster_means,
    clusters,
    concentric,
    gaussian_classes,
    generate,
    hexagon,
    highleyman,
    imbalanced_pair,
    lithuanian,
    prior_case_study,
    prtools8,
    prtools16,
    sizes,
)
from opchar.datasets.surrounding import banana_in_outliers, surrounded
from opchar.errors import ConfigError

MANY = 40_000


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def parts(made: tuple[np.ndarray, np.ndarray]) -> list[np.ndarray]:
    X, y = made
    return [X[y == label] for label in range(y.max() + 1)]


def covariance(points: np.ndarray) -> np.ndarray:
    return np.cov(points, rowvar=False)


def test_sizes() -> None:
    assert sizes(11, 4) == [3, 3, 3, 2] and sizes([5, 0], 2) == [5, 0]
    with pytest.raises(ValueError, match="2 classes"):
        sizes([1, 2, 3], 2)


OPTIONS = {"gaussian_classes": {"means": [0.0, 3.0]}}


@pytest.mark.parametrize("function", GENERATORS)
def test_pure_functions_of_size_and_generator(function: str) -> None:
    made, name = GENERATORS[function], function.split(":")[1]
    options = OPTIONS.get(name, {})
    X, y = made(50, rng(), **options)
    again, labels = made(50, rng(), **options)
    assert X.tobytes() == again.tobytes() and y.tobytes() == labels.tobytes()
    assert len(X) == len(y) == 50 and (np.diff(y) >= 0).all() and np.isfinite(X).all()
    assert np.ptp(np.bincount(y)) <= 1
    assert made(50, rng(2), **options)[0].tobytes() != X.tobytes()


def test_generate_shuffles_and_keeps_the_counts() -> None:
    X, y = generate("opchar.datasets.generators:highleyman", [30, 10], rng(), {})
    assert np.bincount(y).tolist() == [30, 10] and (np.diff(y) < 0).any()
    ordered = highleyman([30, 10], rng())[0]
    assert np.array_equal(np.sort(X, axis=0), np.sort(ordered, axis=0))


def test_gaussian_classes() -> None:
    first, second = parts(gaussian_classes(MANY, rng(), means=[[0, 1], [5, -2]], std=[1, 3]))
    assert first.mean(axis=0) == pytest.approx([0, 1], abs=0.05)
    assert covariance(first) == pytest.approx(np.eye(2), abs=0.05)
    assert second.mean(axis=0) == pytest.approx([5, -2], abs=0.1)
    assert covariance(second) == pytest.approx(9 * np.eye(2), abs=0.4)
    assert gaussian_classes(6, rng(), means=[-8, -5, 5])[0].shape == (6, 1)


def test_gaussian_classes_with_covariances() -> None:
    given = [[[1.5, -0.4], [-0.4, 0.6]], [[0.7, 0.2], [0.2, 1.2]]]
    options = {"means": [[0, 1], [5, -2]], "covariances": given}
    for std in (1.0, 2.0):
        found = parts(gaussian_classes(MANY, rng(), std=std, **options))
        for part, mean, matrix in zip(found, options["means"], given, strict=True):
            assert part.mean(axis=0) == pytest.approx(mean, abs=0.06 * std)
            assert covariance(part) == pytest.approx(std**2 * np.array(matrix), abs=0.06 * std**2)
    plain, unit = (
        gaussian_classes(20, rng(), means=options["means"], covariances=matrices)[0]
        for matrices in (None, [np.eye(2).tolist()] * 2)
    )
    assert unit.tobytes() == plain.tobytes()
    with pytest.raises(ValueError, match="do not fit means of shape"):
        gaussian_classes(20, rng(), means=[[0, 1], [5, -2]], covariances=given[:1])


def test_banana_lies_on_its_arcs() -> None:
    a, b = parts(banana(MANY, rng(), noise=0.0))
    assert np.hypot(*a.T) == pytest.approx(np.full(len(a), 5.0))
    assert np.hypot(*(b + 3.75).T) == pytest.approx(np.full(len(b), 5.0))
    angle = np.arctan2(a[:, 0], a[:, 1]) % (2 * np.pi)
    assert angle.min() == pytest.approx(np.pi / 8, abs=0.01)
    assert angle.max() == pytest.approx(11 * np.pi / 8, abs=0.01)
    angle = np.arctan2(*(b + 3.75).T)
    assert angle.min() == pytest.approx(-7 * np.pi / 8, abs=0.01)
    assert angle.max() == pytest.approx(3 * np.pi / 8, abs=0.01)


def test_banana_moments() -> None:
    low, high = np.pi / 8, 11 * np.pi / 8
    mean = 5 * np.array([np.cos(low) - np.cos(high), np.sin(high) - np.sin(low)]) / (high - low)
    a, b = parts(banana(MANY, rng()))
    assert a.mean(axis=0) == pytest.approx(mean, abs=0.08)
    assert b.mean(axis=0) == pytest.approx(-mean - 3.75, abs=0.08)
    assert (a**2).sum(axis=1).mean() == pytest.approx(27, abs=0.3)


def test_highleyman_moments() -> None:
    a, b = parts(highleyman(MANY, rng()))
    assert a.mean(axis=0) == pytest.approx([1, 1], abs=0.03)
    assert covariance(a) == pytest.approx(np.diag([1, 0.25]), abs=0.04)
    assert b.mean(axis=0) == pytest.approx([2, 0], abs=0.06)
    assert covariance(b) == pytest.approx(np.diag([0.01, 4]), abs=0.15)


def test_concentric_moments() -> None:
    a, b = parts(concentric(MANY, rng()))
    assert covariance(a) == pytest.approx(np.eye(2), abs=0.05)
    assert covariance(b) == pytest.approx(9 * np.eye(2), abs=0.4)


def test_lithuanian_lies_on_its_arcs() -> None:
    for points, radius in zip(parts(lithuanian(MANY, rng(), noise=0.0)), (10, 6.2), strict=True):
        assert np.hypot(*points.T) == pytest.approx(np.full(len(points), radius))
        assert np.abs(np.arctan2(points[:, 1], points[:, 0])).max() == pytest.approx(
            np.pi / 3, abs=0.01
        )
        assert points[:, 1].mean() == pytest.approx(0, abs=0.2)


def test_prtools8_is_four_pairs_moved_and_shrunk() -> None:
    classes = parts(prtools8(MANY, rng()))
    assert len(classes) == 8
    middle = [points.mean(axis=0) for points in classes]
    assert middle[0] == pytest.approx([1, 1], abs=0.06)
    assert middle[1] == pytest.approx([2, 0], abs=0.12)
    assert middle[2] == pytest.approx([5, 5], abs=0.02)
    assert covariance(classes[3]) == pytest.approx(9 / 25 * np.eye(2), abs=0.03)
    bananas = parts(banana(MANY, rng(2)))
    assert middle[4] == pytest.approx(bananas[0].mean(axis=0) / 5 + [5, 0], abs=0.05)
    assert middle[5] == pytest.approx(bananas[1].mean(axis=0) / 5 + [5, 0], abs=0.05)
    arc = 3 * np.sqrt(3) / (2 * np.pi)
    assert middle[6] == pytest.approx([2 * arc, 5], abs=0.06)
    assert middle[7] == pytest.approx([1.24 * arc, 5], abs=0.06)


def test_prtools16_repeats_prtools8() -> None:
    classes = parts(prtools16(MANY, rng()))
    for near, far in zip(classes[:8], classes[8:], strict=True):
        assert far.mean(axis=0) - 10 == pytest.approx(near.mean(axis=0), abs=0.2)


@pytest.mark.parametrize("repeats", [1, 2, 5])
def test_cluster_means_are_as_far_apart_as_the_thesis_says(repeats: int) -> None:
    means = cluster_means(repeats)
    assert means.shape == (8 * repeats, 2)
    far = np.hypot(*(means[:, None] - means).transpose(2, 0, 1))
    for start in range(0, len(means), 8):
        assert far[start, start + 1] == pytest.approx(3)
        for first in (start + 2, start + 5):
            assert far[first, first + 1] == pytest.approx(np.sqrt(29 / 4))
            assert far[first, first + 2] == pytest.approx(np.sqrt(8))
            assert far[first + 1, first + 2] == pytest.approx(np.sqrt(37 / 4))
    cluster = np.tile([0, 0, 1, 1, 1, 2, 2, 2], repeats) + np.repeat(np.arange(repeats), 8) * 3
    assert far[cluster[:, None] != cluster].min() > 8


def test_clusters_have_unit_variance() -> None:
    classes = parts(clusters(MANY, rng()))
    for points, mean in zip(classes, cluster_means(1), strict=True):
        assert points.mean(axis=0) == pytest.approx(mean, abs=0.07)
        assert covariance(points) == pytest.approx(np.eye(2), abs=0.1)


@pytest.mark.parametrize("banana_class", ["A", "B"])
def test_prior_case_study(banana_class: str) -> None:
    first, second = parts(prior_case_study(MANY, rng(), banana_class=banana_class))
    small = np.hypot(*(first - [-2, 5]).T) < np.hypot(*(first - [3, 2]).T)
    assert small.mean() == pytest.approx(1 / 33, abs=0.006)
    assert first[~small].mean(axis=0) == pytest.approx([3, 2], abs=0.05)
    assert first[small].mean(axis=0) == pytest.approx([-2, 5], abs=0.2)
    assert covariance(first[~small]) == pytest.approx(np.eye(2), abs=0.06)
    expected = parts(banana(MANY, rng(2)))["AB".index(banana_class)]
    assert second.mean(axis=0) == pytest.approx(expected.mean(axis=0), abs=0.12)


def test_prior_case_study_blurred_covers_the_plane() -> None:
    sharp, blurred = (prior_case_study(MANY, rng(), blur=blur) for blur in (0.0, 3.0))
    assert np.array_equal(sharp[1], blurred[1])
    for one, other in zip(parts(sharp), parts(blurred), strict=True):
        assert covariance(other) == pytest.approx(covariance(one) + 9 * np.eye(2), abs=0.6)


def test_banana_three() -> None:
    bent, inside, outside = parts(banana_three([4000, 4000, 4000], rng()))
    assert np.hypot(*bent.T).mean() == pytest.approx(5.1, abs=0.1)
    assert covariance(inside) == pytest.approx(2.25 * np.eye(2), abs=0.2)
    right = outside[outside[:, 0] > 0.5]
    assert len(right) / len(outside) == pytest.approx(0.5, abs=0.03)
    assert right.mean(axis=0) == pytest.approx([7, 3], abs=0.1)


def test_banana_in_outliers() -> None:
    first, second, outliers = parts(banana_in_outliers([600, 600, 2400], rng()))
    assert [len(first), len(second), len(outliers)] == [600, 600, 2400]
    assert outliers.min() > -12.75 and outliers.max() < 9
    assert outliers.mean(axis=0) == pytest.approx([-1.875, -1.875], abs=0.6)
    assert covariance(outliers) == pytest.approx(21.75**2 / 12 * np.eye(2), abs=3)


def test_surrounded() -> None:
    negatives, positives = parts(surrounded([4000, 4000], rng()))
    far = np.hypot(*(negatives - 0.5).T)
    assert far.min() >= 0.15 and far.min() < 0.16
    assert negatives.min() >= 0 and negatives.max() <= 1
    assert np.quantile(negatives[:, 0], 0.9) == pytest.approx(0.9, abs=0.03)
    assert positives.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.02)
    assert positives.std(axis=0) == pytest.approx([0.33, 0.33], abs=0.01)


@pytest.mark.parametrize(
    "given", [{"delta": 1.0}, {"delta": 0.7071}, {"mean": [9.0, 9.0], "delta": 13.0}]
)
def test_a_square_without_a_point_for_the_negatives_is_refused(given: dict[str, Any]) -> None:
    """They were drawn for ever."""
    with pytest.raises(ValueError, match="hardly any point of the square is"):
        surrounded([10, 10], rng(), **given)
    assert len(surrounded([10, 10], rng(), mean=[9.0, 9.0], delta=12.0)[0]) == 20


def test_imbalanced_pair() -> None:
    left, right = parts(imbalanced_pair(5000, rng(), rrt=10))
    assert len(left) == 5000 and len(right) == 500
    assert left.mean(axis=0)[0] == pytest.approx(2, abs=0.06)
    assert right.mean(axis=0)[0] == pytest.approx(6, abs=0.2)


@pytest.mark.parametrize("n_classes", [3, 6])
def test_hexagon(n_classes: int) -> None:
    classes = parts(hexagon(MANY, rng(), n_classes=n_classes, radius=4, std=0.5))
    middle = np.array([points.mean(axis=0) for points in classes])
    assert len(classes) == n_classes
    assert np.hypot(*middle.T) == pytest.approx(np.full(n_classes, 4), abs=0.05)
    steps = np.hypot(*np.diff(middle, axis=0).T)
    assert steps == pytest.approx(np.full(n_classes - 1, 4), abs=0.05)
    turn = np.diff(np.unwrap(np.arctan2(middle[:, 1], middle[:, 0])))
    assert turn == pytest.approx(np.full(n_classes - 1, np.pi / 3), abs=0.02)


@pytest.mark.parametrize("size", [1e308, -1e308, float("inf"), float("nan")])
@pytest.mark.parametrize(
    ("name", "option", "classes"),
    [
        *[("banana", "radius", 2), ("banana", "noise", 2), ("lithuanian", "noise", 2)],
        *[("hexagon", "radius", 6), ("hexagon", "std", 6), ("bent_target", "std", 3)],
        *[
            ("bent_target", "margin", 3),
            ("clusters_in_unseen", "std", 3),
            ("clusters", "spacing", 8),
        ],
        *[("surrounded", "mean", 2), ("surrounded", "std", 2), ("prior_case_study", "blur", 2)],
    ],
)
@pytest.mark.filterwarnings("error")
def test_features_that_overflow_are_refused(
    name: str, option: str, classes: int, size: float
) -> None:
    """NumPy warned, and infinite features reached the models."""
    made = f"opchar.datasets.generators:{name}"
    try:
        X, _ = generate(made, [30] * classes, rng(), {option: size})
    except (ConfigError, ValueError, OverflowError) as error:
        assert "\n" not in str(error)
    else:
        assert np.isfinite(X).all()
