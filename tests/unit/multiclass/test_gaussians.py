"""Known Gaussian classes: weight grids, decision regions and confusion rates."""

import numpy as np
import pytest
from scipy.special import ndtr

from opchar.multiclass.gaussians import (
    class_rates,
    confusion_rates,
    decision_regions,
    densities,
    diagonal_lattice,
    drawn_posteriors,
    three_class_surface,
    threshold_rates,
)
from opchar.multiclass.weight_grids import even_weight_grid, weight_grid


def test_weight_grid_has_all_combinations_and_one_fixed_class():
    grid = weight_grid(3, 4, 1e-2, 1e2, fixed=1)
    assert grid.shape == (16, 3)
    assert np.all(grid[:, 1] == 1)
    assert len(np.unique(grid, axis=0)) == 16
    assert grid.min() == pytest.approx(1e-2) and grid.max() == pytest.approx(1e2)
    assert np.allclose(np.diff(np.log10(np.unique(grid[:, 0]))), 4 / 3)


def test_weights_reach_from_a_thousandth_to_a_thousand():
    np.testing.assert_allclose(weight_grid(2, 7)[:, 0], 10.0 ** np.arange(-3, 4))


def test_even_weights_run_from_zero_to_one_and_tie_or_hold_the_last():
    tied, held = even_weight_grid(3, 5), even_weight_grid(3, 5, complement=False)
    assert tied.shape == held.shape == (25, 3)
    assert (tied > 0).all()
    assert np.allclose(np.unique(tied[:, 0]), [0, 0.25, 0.5, 0.75, 1])
    assert np.allclose(tied[:, 2], 1 - tied[:, 0])
    assert (held[:, 2] == 1).all()
    rates = class_rates([0.0, 1.0], 1.0, even_weight_grid(2, 3))
    assert rates == pytest.approx(np.array([[0, 1], [ndtr(0.5), ndtr(0.5)], [1, 0]]))


def test_two_classes_are_cut_where_the_weighted_densities_cross():
    edges, winners = decision_regions([0.0, 2.0], 1.0, [[1.0, 3.0]])
    cut = 1 - np.log(3) / 2
    assert edges[0].tolist() == pytest.approx([-np.inf, cut, np.inf])
    assert winners[0].tolist() == [0, 1]


def test_a_narrow_class_wins_in_an_inner_interval_only():
    rates = confusion_rates([0.0, 0.0], [1.0, 0.01], [[1.0, 1.0]])[0]
    cut = np.sqrt(2 * np.log(10) / (1 / 0.01 - 1))
    assert rates[0, 1] == pytest.approx(2 * ndtr(cut) - 1)
    assert rates[1, 1] == pytest.approx(2 * ndtr(10 * cut) - 1)


def test_equal_classes_go_to_the_heavier_weight():
    rates = confusion_rates([1.0, 1.0], 2.0, [[1.0, 2.0], [2.0, 1.0]])
    assert rates[0].tolist() == [[0, 1], [0, 1]]
    assert rates[1].tolist() == [[1, 0], [1, 0]]


def test_priors_act_as_weights():
    means, variances = [0.0, 1.0, 3.0], [1.0, 2.0, 0.5]
    priors = np.array([0.2, 0.5, 0.3])
    by_prior = confusion_rates(means, variances, [[1.0, 2.0, 1.0]], priors)
    by_weight = confusion_rates(means, variances, [priors * [1.0, 2.0, 1.0]])
    assert by_prior == pytest.approx(by_weight)


def test_rates_of_thresholds_are_those_of_the_weights_that_cut_there():
    means = np.array([-1.0, 0.5, 2.0])
    cuts = np.array([-0.2, 1.4])
    log_weights = np.concatenate(
        [[0], np.cumsum(-np.diff(means) * (cuts - (means[1:] + means[:-1]) / 2))]
    )
    assert threshold_rates(means, [cuts])[0] == pytest.approx(
        class_rates(means, 1.0, [np.exp(log_weights)])[0]
    )


def test_densities_integrate_to_one():
    x = np.linspace(-30, 30, 6001)
    assert np.trapezoid(densities([0.0, 3.0], [1.0, 4.0], x), x) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("fixed", [0, -1])
def test_the_lattice_has_the_rates_of_the_grid_in_its_places(fixed):
    means = [-1.0, 0.0, 1.5]
    lattice = diagonal_lattice(means, 1.0, 4, 1e-2, 1e2, fixed)
    grid = weight_grid(3, 4, 1e-2, 1e2, fixed)
    assert lattice.shape == (4, 4, 3)
    assert lattice[2, 1] == pytest.approx(class_rates(means, 1.0, grid[4 * 2 + 1][None])[0])


def test_the_surface_has_its_ranks_as_axes():
    rates = three_class_surface([-1.0, 0.0, 1.0], 5, 7).reshape(5, 7, 3)
    assert rates[:, 3, 0] == pytest.approx(np.linspace(0, 1, 5))
    left = rates[2, -1, 1]
    assert rates[2, :, 1] == pytest.approx(left * np.linspace(0, 1, 7))
    assert three_class_surface([0.0, 0.0, 0.0], 5, 7).sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("unit", [1e-6, 1e-3, 1e3, 1e6])
def test_rates_do_not_depend_on_the_unit_of_measurement(unit):
    means, variances = np.array([0.0, 0.5, 2.0]), np.array([1.0, 4.0, 0.3])
    weights = weight_grid(3, 5)
    expected = class_rates(means, variances, weights)
    found = class_rates(means * unit, variances * unit**2, weights)
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_drawn_posteriors_are_those_of_classes_of_unit_variance():
    means = np.array([0.0, 1.0, 3.0])
    y, posteriors = drawn_posteriors(means, 5, np.random.default_rng(3))
    x = np.random.default_rng(3).normal(means[y])
    height = np.exp(-((x[:, None] - means) ** 2) / 2)
    np.testing.assert_allclose(posteriors, height / height.sum(axis=1, keepdims=True))


TWO = [0.0, 1.0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: weight_grid(1, 5), "a weight grid needs"),
        (lambda: weight_grid(3, 1), "a weight grid needs"),
        (lambda: weight_grid(3, 5, 1.0, 1.0), "a weight grid needs"),
        (lambda: weight_grid(3, 5, 0.0, 1.0), "a weight grid needs"),
        (lambda: weight_grid(3, 4, 1e-3, 1e-4), "0 < low < high"),
        (lambda: weight_grid(3, 4, 1e-3, np.inf), "0 < low < high"),
        (lambda: even_weight_grid(1, 5), "a weight grid needs"),
        (lambda: class_rates([0.0, np.nan], 1.0, [[1.0, 1.0]]), "means must be finite"),
        (lambda: decision_regions(TWO, 0.0, [[1.0, 1.0]], None), "must"),
        (lambda: decision_regions(TWO, 1.0, [[1.0, 0.0]], None), "must"),
        (lambda: decision_regions(TWO, 1.0, [[1.0, 1.0]], [1.0, 0.0]), "must"),
        (lambda: decision_regions(TWO, 1.0, [[1.0, 1.0, 1.0]], None), "must"),
        (lambda: decision_regions(TWO, 1.0, [1.0, 1.0], None), "must"),
    ],
)
def test_impossible_classes_and_weights_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
