"""The kernel of the multi-class ROC against brute force."""

import numpy as np
import pytest

from opchar.multiclass.roc.hypersurface import confusion_lattice, lowest_losses, vus
from opchar.multiclass.roc.volume import dominated_volume
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.multiclass.weight_grids import weight_grid


def brute(data):
    """Return the confusion matrices by one argmax per weight vector."""
    c, r = data.n_classes, len(data.steps)
    grid = weight_grid(c, r, data.steps[0], data.steps[-1], data.fixed)
    matrices = np.zeros((len(grid), c, c), dtype=int)
    for place, weights in enumerate(grid):
        np.add.at(matrices[place], (data.y, np.argmax(weights * data.scores, axis=1)), 1)
    return matrices.reshape((r,) * (c - 1) + (c, c))


def problem(c, n, seed, kind="smooth"):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(c), rng.integers(0, c, n - c)])
    if kind == "smooth":
        scores = rng.dirichlet(np.ones(c), n)
    elif kind == "ties":
        scores = 10.0 ** rng.integers(-2, 3, (n, c))
    else:
        scores = rng.integers(0, 3, (n, c)).astype(float)
    return y, scores


@pytest.mark.parametrize("kind", ["smooth", "ties", "zeros"])
@pytest.mark.parametrize(("c", "r"), [(2, 30), (6, 3)])
def test_kernel_equals_brute_force(c, r, kind):
    for seed, fixed in ((0, -1), (1, 0), (2, c // 2)):
        data = weighted_scores(*problem(c, 40, seed, kind), r, low=1e-2, high=1e2, fixed=fixed)
        assert np.array_equal(confusion_lattice(data), brute(data))


@pytest.mark.parametrize("c", [2, 3, 4])
def test_counts_beyond_sixteen_bits(c):
    rng = np.random.default_rng(12)
    y = np.concatenate([np.arange(c), np.full(2**16 + 40, c - 1)])
    scores = rng.dirichlet(np.ones(c), len(y)) + np.eye(c)[c - 1]
    data = weighted_scores(y, scores, 3)
    lattice = confusion_lattice(data)
    assert lattice[..., c - 1, :].max() >= 2**16
    assert np.array_equal(lattice, brute(data))


def test_the_lattice_is_an_array_of_its_own_in_the_order_of_the_grid():
    lattice = confusion_lattice(weighted_scores(*problem(4, 30, 3), 6))
    assert lattice.flags.c_contiguous and lattice.flags.owndata and lattice.dtype == np.int32


def test_full_storage_is_refused_with_its_size():
    data = weighted_scores(*problem(5, 30, 4), 80)
    with pytest.raises(ValueError, match=r"80\^4 confusion matrices take 3\.8 GiB"):
        confusion_lattice(data)


@pytest.mark.parametrize("c", [2, 3, 4])
def test_lowest_losses_equal_a_search_of_the_whole_lattice(c):
    data = weighted_scores(*problem(c, 60, 5), 9)
    rng = np.random.default_rng(6)
    costs = rng.uniform(-0.2, 1, (7, c, c))
    priors = rng.dirichlet(np.ones(c))
    losses, weights = lowest_losses(data, costs, priors)
    rates = brute(data).reshape(-1, c, c) / data.class_sizes()[:, None]
    table = np.einsum("nij,mij,i->nm", rates, costs, priors)
    assert losses == pytest.approx(table.min(axis=0))
    for m, phi in enumerate(weights):
        assigned = np.argmax(phi * data.scores, axis=1)
        loss = sum(
            priors[i] / data.class_sizes()[i] * costs[m, i, j]
            for i, j in zip(data.y, assigned, strict=True)
        )
        assert loss == pytest.approx(losses[m])


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_of_equal_losses_the_first_counts(scale):
    y, scores = problem(4, 40, 13, "ties")
    data = weighted_scores(y, scores, 7, low=1e-2, high=1e2)
    costs = np.random.default_rng(14).integers(0, 4, (20, 4, 4))
    sums = np.einsum("...ij,mij->m...", brute(data), costs).reshape(20, -1)
    assert np.median((sums == sums.min(axis=1, keepdims=True)).sum(axis=1)) > 1
    losses, weights = lowest_losses(data, costs * scale)
    grid = weight_grid(4, 7, 1e-2, 1e2)
    assert np.array_equal(weights, grid[sums.argmin(axis=1)])
    assert losses == pytest.approx(sums.min(axis=1) * scale / 40)


@pytest.mark.parametrize(
    ("costs", "priors", "message"),
    [
        (np.ones((3, 3)), None, "costs must be finite, of shape"),
        (np.ones((2, 4, 4)), None, "costs must be finite, of shape"),
        (np.full((1, 3, 3), np.nan), None, "costs must be finite, of shape"),
        (np.ones((1, 3, 3)), [0.5, 0.5], "each of the 3 classes"),
        (np.ones((1, 3, 3)), [0.5, 0.7, -0.2], "each of the 3 classes"),
    ],
)
def test_losses_refuse_nonsense(costs, priors, message):
    with pytest.raises(ValueError, match=message):
        lowest_losses(weighted_scores(*problem(3, 20, 5), 4), costs, priors)


def test_vus_lies_above_the_dominated_volume_and_does_not_depend_on_the_fixed_class():
    y, scores = problem(3, 200, 7)
    scores[np.arange(200), y] += 0.3
    volumes = [vus(weighted_scores(y, scores, 60, fixed=k)) for k in range(3)]
    assert max(volumes) - min(volumes) < 0.02
    data = weighted_scores(y, scores, 60)
    rates = np.diagonal(confusion_lattice(data), axis1=-2, axis2=-1) / data.class_sizes()
    assert volumes[2] > dominated_volume(rates.reshape(-1, 3)) - 0.02
    assert 1 / 6 < volumes[2] < 1


def test_vus_of_two_classes_is_near_the_auc():
    y, scores = problem(2, 300, 8)
    scores[np.arange(300), y] += 0.2
    ratio = scores[:, 1] / scores[:, 0]
    pairs = ratio[y == 1][:, None] - ratio[y == 0]
    expected = (pairs > 0).mean() + (pairs == 0).mean() / 2
    assert vus(weighted_scores(y, scores, 200)) == pytest.approx(expected, abs=0.02)


def test_perfect_scores_have_volume_one_and_random_ones_the_bound():
    y = np.arange(300) % 3
    assert vus(weighted_scores(y, np.eye(3)[y] + 1e-6, 20)) == pytest.approx(1)
    random = np.random.default_rng(9).dirichlet(np.ones(3), 3000)
    assert vus(weighted_scores(np.arange(3000) % 3, random, 40)) == pytest.approx(1 / 6, abs=0.02)


@pytest.mark.parametrize(
    ("y", "scores", "r", "message"),
    [
        ([0, 1], [[0.5, np.inf], [0.5, 0.5]], 5, "finite and not negative"),
        ([0, 1], [[0.5, -0.1], [0.5, 0.5]], 5, "finite and not negative"),
        ([0, 0], [[0.5, 0.5], [0.5, 0.5]], 5, r"no object of class \[1\]"),
        ([0, 2], [[0.5, 0.5], [0.5, 0.5]], 5, "labels must be"),
        ([0, 1], [[0.5, 0.5], [0.5, 0.5]], 1, "r >= 2"),
        ([0, 0], [[0.5], [0.5]], 5, "two or more classes"),
        ([0, 1, 1], [[0.5, 0.5], [0.5, 0.5]], 5, "need scores of shape"),
    ],
)
def test_bad_input_is_named(y, scores, r, message):
    with pytest.raises(ValueError, match=message):
        weighted_scores(y, scores, r)
