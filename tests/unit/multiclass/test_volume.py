"""Volumes under the simplified ROC hypersurface."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from opchar.multiclass.gaussians import class_rates
from opchar.multiclass.roc.volume import (
    dominated_volume,
    linear_surface,
    ordered_gaussian_volume,
    resampled_volume,
    staircase_surface,
    trapezoid_volume,
)
from opchar.multiclass.weight_grids import weight_grid


def lattice(means, r, low=1e-3, high=1e3):
    rates = class_rates(means, 1.0, weight_grid(len(means), r, low, high))
    return rates.reshape((r,) * (len(means) - 1) + (len(means),))


@pytest.mark.parametrize("distance", [0.0, 0.3, 1.0, 4.0])
def test_two_classes_give_the_auc(distance):
    volume, error = ordered_gaussian_volume([0.0, distance])
    assert volume == pytest.approx(ndtr(distance / np.sqrt(2)), abs=1e-9)
    assert error < 1e-10


@pytest.mark.parametrize("means", [[-1.0, 0.0, 1.0], [-0.05, 0.0, 0.05], [0.0, 0.5, 4.0]])
def test_three_classes_give_a_bivariate_orthant(means):
    steps = multivariate_normal(np.diff(means), [[2, -1], [-1, 2]])
    orthant = steps.cdf([np.inf, np.inf], lower_limit=[0, 0])
    assert ordered_gaussian_volume(means)[0] == pytest.approx(orthant, abs=1e-8)


def test_equal_means_give_the_random_bound():
    assert ordered_gaussian_volume([0.0] * 5)[0] == pytest.approx(1 / 120, abs=1e-9)


def test_exact_volume_lies_within_monte_carlo():
    means = np.array([-0.75, -0.25, 0.25, 0.75])
    draws = np.random.default_rng(1).normal(means, size=(400_000, 4))
    share = np.all(np.diff(draws, axis=1) > 0, axis=1).mean()
    volume = ordered_gaussian_volume(means)[0]
    assert abs(share - volume) < 4 * np.sqrt(volume * (1 - volume) / len(draws))


def test_deviation_scales_the_means():
    assert ordered_gaussian_volume([-2.0, 0.0, 2.0], 2.0)[0] == pytest.approx(
        ordered_gaussian_volume([-1.0, 0.0, 1.0])[0]
    )


def test_classes_far_apart_are_seen():
    assert ordered_gaussian_volume([0.0, 1e5])[0] == 1.0
    apart = ordered_gaussian_volume([-3e4, 0.0, 2.0])[0]
    assert apart == pytest.approx(ndtr(2 / np.sqrt(2)), abs=1e-9)


def test_dominated_volume_approaches_the_exact_one_from_below():
    means = [-1.0, 0.0, 1.0]
    exact = ordered_gaussian_volume(means)[0]
    volumes = [dominated_volume(class_rates(means, 1.0, weight_grid(3, r))) for r in (10, 40, 160)]
    assert volumes[0] < volumes[1] < volumes[2] < exact
    assert volumes[2] == pytest.approx(exact, rel=0.05)


def test_staircase_takes_the_best_dominating_point_at_each_node():
    points = np.random.default_rng(3).uniform(size=(40, 3))
    surface = staircase_surface(points, 11)
    for i, j in product(range(11), repeat=2):
        reach = points[(points[:, 0] >= i / 10) & (points[:, 1] >= j / 10)]
        assert surface[i, j] == (reach[:, 2].max() if len(reach) else 0)


def test_linear_surface_is_exact_on_a_plane():
    share = np.linspace(0, 1, 9)
    x, y = np.meshgrid(share, share, indexing="ij")
    bent = np.stack([x**2, y * (1 - x**2)], axis=-1)
    surface = linear_surface(
        np.concatenate([bent, 1 - bent.sum(axis=-1, keepdims=True)], axis=-1), 8
    )
    nodes = np.linspace(0, 1, 8)
    plane = np.clip(1 - nodes[:, None] - nodes[None, :], 0, 1)
    assert surface == pytest.approx(plane, abs=1e-9)


@pytest.mark.parametrize("lines", [7, 500_000])
@pytest.mark.parametrize(
    ("means", "r", "nodes"), [([-1.0, 0.0, 1.5], 14, 21), ([-1.0, 0.0, 0.7, 1.5], 5, 6)]
)
def test_linear_surface_agrees_with_a_loop_over_simplices(lines, means, r, nodes, monkeypatch):
    monkeypatch.setattr("opchar.multiclass.roc.simplices.LINES", lines)
    points, d = lattice(means, r), len(means) - 1
    surface = staircase_surface(points, nodes)
    every = np.array(list(product(range(nodes), repeat=d)))
    for cell in product(range(r - 1), repeat=d):
        for path in permutations(np.eye(d, dtype=int)):
            places = np.array(cell) + np.vstack([np.zeros(d, int), np.cumsum(path, axis=0)])
            corners = points[tuple(places.T)]
            system = np.vstack([corners[:, :d].T, np.ones(d + 1)])
            if abs(np.linalg.det(system)) < 1e-15:
                continue
            share = np.linalg.solve(system, np.vstack([every.T / (nodes - 1), np.ones(len(every))]))
            inside = share.min(axis=0) >= -1e-9
            np.maximum.at(surface, tuple(every[inside].T), corners[:, d] @ share[:, inside])
    for node in every[::-1]:
        surface[tuple(node)] = surface[tuple(slice(k, None) for k in node)].max()
    assert linear_surface(points, nodes) == pytest.approx(surface, abs=1e-7)


@pytest.mark.parametrize(
    "shape", [(9, 2), (2, 2), (7, 8, 3), (5, 4, 6, 4), (2, 2, 2, 4), (3,) * 4 + (5,)]
)
@pytest.mark.parametrize("nodes", [2, 7, 10])
def test_compiled_surface_has_the_same_bits(shape, nodes, monkeypatch):
    """Points in and out of order, coarse ones with flat simplices among them."""
    pytest.importorskip("numba", reason="compiled surfaces: pip install opchar[fast]")
    rng = np.random.default_rng(7)
    free = rng.uniform(size=shape)
    ordered = np.sort(free, axis=0)
    for points in (free, ordered, np.round(free, 1), np.round(ordered, 1)):
        found = []
        for worth in (-1, np.inf):
            monkeypatch.setattr("opchar.multiclass.roc.simplices.COMPILED.worth", worth)
            found.append(linear_surface(points, nodes).tobytes())
        assert found[0] == found[1]


@pytest.mark.parametrize("means", [[-0.5, 0.0, 0.5], [-1.5, 0.0, 1.5], [-1.5, -0.5, 0.5, 1.5]])
def test_rule_stays_close_to_the_exact_volume(means):
    exact = ordered_gaussian_volume(means)[0]
    assert resampled_volume(lattice(means, 40), 40) == pytest.approx(exact, rel=0.03)


def test_rule_reaches_a_perfect_classifier():
    assert resampled_volume(np.ones((3, 3, 3)), 5) == 1.0


def test_rates_beyond_one_by_rounding_are_one():
    near = np.full((1, 3), 1 + 1e-10)
    assert staircase_surface(near, 3).max() == 1


def test_the_coarsest_grids_are_taken():
    assert trapezoid_volume([[1, 1], [1, 1]]) == 1
    points = lattice([0.0, 1.0, 2.0], 5)
    assert linear_surface(points, 2).shape == (2, 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ordered_gaussian_volume([0.0], 1.0), "exact volume needs"),
        (lambda: ordered_gaussian_volume([0.0, 1.0], 0.0), "exact volume needs"),
        (lambda: ordered_gaussian_volume([0.0, np.nan], 1.0), "exact volume needs"),
        (lambda: dominated_volume([[0.5, 1.2]]), r"rates must lie in \[0, 1\]"),
        (lambda: dominated_volume([[-0.1, 0.5]]), r"rates must lie in \[0, 1\]"),
        (lambda: linear_surface(np.zeros((4, 3)), 5), "C - 1 axes"),
        (lambda: linear_surface(np.ones((3, 3, 3)), 1), "two points per axis or more, got r=1"),
    ],
)
def test_nonsense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
