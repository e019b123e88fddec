"""Weighing readings: likelihoods, weights, and how often chance explains a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from statsmodels.stats.multitest import multipletests

from opchar.statistics.readings import (
    LEAST_FACTOR,
    MISPRINT,
    Readings,
    cell_log_likelihood,
    certain,
    chance_factors,
    deviations,
    explaining,
    fits,
    least_factor,
    log_likelihoods,
    weights,
    within,
)


def table(rng: np.random.Generator, cells: int = 20, true: int = 1, others: int = 4) -> Readings:
    values = rng.uniform(0.2, 0.9, size=(1 + others, cells))
    spread = np.full(values.shape, 0.02)
    published = np.round(values[true] + rng.normal(0, 0.02, size=cells), 3)
    return Readings(published, np.full(cells, 0.001), values, spread)


def test_a_random_cell_has_the_mass_of_its_rounding_interval():
    found = cell_log_likelihood([0.94], [0.01], [[0.95]], [[0.02]])[0, 0]
    mass = norm.cdf(0.945, 0.95, 0.02) - norm.cdf(0.935, 0.95, 0.02)
    expected = np.log((1 - MISPRINT) * mass + MISPRINT * 0.01 / (2 * 0.94))
    assert found == pytest.approx(expected, rel=1e-5)


def test_the_masses_of_all_roundings_sum_to_one():
    grid = np.arange(0, 200) / 100
    found = cell_log_likelihood(grid, np.full(200, 0.01), np.full(200, 1.0), np.full(200, 0.1))
    misprints = MISPRINT * 0.01 / (2 * np.maximum(grid, 0.01))
    assert (np.exp(found) - misprints).sum() == pytest.approx(1 - MISPRINT, rel=1e-4)


def test_a_deterministic_cell_agrees_or_is_a_misprint():
    right, wrong, none = cell_log_likelihood(
        [0.5] * 3, [0.1] * 3, [0.549, 0.551, np.nan], [0.0] * 3
    )
    assert right == pytest.approx(np.log(1 - MISPRINT + MISPRINT * 0.1))
    assert wrong == none == pytest.approx(np.log(MISPRINT * 0.1))


# Few, because statsmodels collects garbage at each call.
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 30), st.sampled_from([0.3, 1.0, 2.5]))
def test_cells_certain_to_differ_are_those_that_holms_procedure_rejects(seed, cells, factor):
    rng = np.random.default_rng(seed)
    readings = table(rng, cells)
    readings = replace(readings, spread=readings.spread * rng.choice([factor, 1], size=cells))
    tails = 2 * norm.sf(np.abs(deviations(readings)))
    expected = [multipletests(row, 0.05, "holm")[0].sum() for row in tails]
    assert certain(readings).tolist() == expected


def test_the_reading_that_made_the_table_is_found():
    readings = table(np.random.default_rng(1))
    assert explaining(readings) == 1
    assert fits(readings).tolist() == [False, True, False, False, False]
    assert weights(log_likelihoods(readings))[1] > 0.999
    assert within(readings)[1] >= 18
    assert certain(readings)[1] == 0
    assert ((certain(readings) > 0) | (within(readings) < 18)).tolist() == (
        ~fits(readings)
    ).tolist()


def test_the_primary_reading_needs_no_other():
    assert explaining(table(np.random.default_rng(2), true=0)) is None


def test_no_reading_is_chosen_when_none_fits():
    rng = np.random.default_rng(3)
    readings = table(rng)
    moved = Readings(readings.published + 0.2, readings.unit, readings.values, readings.spread)
    assert explaining(moved) is None


def test_a_better_reading_that_is_not_much_better_is_not_taken():
    readings = table(np.random.default_rng(4))
    near = Readings(
        readings.published,
        readings.unit,
        np.array([readings.values[1] + 0.005, readings.values[1]]),
        readings.spread[:2],
    )
    assert explaining(near) is None


@given(st.permutations(range(5)), st.integers(0, 2**32 - 1))
def test_weights_depend_on_no_order(order, seed):
    readings = table(np.random.default_rng(seed), cells=5)
    found = weights(log_likelihoods(readings))
    moved = Readings(
        readings.published, readings.unit, readings.values[order], readings.spread[order]
    )
    np.testing.assert_allclose(weights(log_likelihoods(moved)), found[order], rtol=1e-9)
    assert found.sum() == pytest.approx(1)


def test_few_cells_can_be_explained_by_chance_and_then_no_factor_suffices():
    rng = np.random.default_rng(5)
    values = np.array([[0.5], [0.6], [0.4], [0.55], [0.45]])
    spread = np.full(values.shape, 0.03)
    readings = Readings(np.array([0.62]), np.array([0.01]), values, spread)
    factors = chance_factors(readings, rng, 400)
    assert np.isfinite(factors).mean() > 0.5
    assert explaining(readings, least_factor(factors)) is None


def test_a_large_table_is_not_explained_by_chance():
    rng = np.random.default_rng(1)
    readings = table(rng)
    factors = chance_factors(readings, rng, 400)
    assert np.isfinite(factors).mean() < 0.01
    assert least_factor(factors) == pytest.approx(LEAST_FACTOR)
    assert explaining(readings, least_factor(factors)) == 1


def test_the_rate_of_false_explanations_is_below_a_hundredth():
    """Tables that none of the readings made are hardly ever explained."""
    rng = np.random.default_rng(7)
    tables, false = 2000, 0
    for _ in range(tables):
        cells = int(rng.integers(2, 12))
        values = rng.normal(0.5, 0.05, size=(6, cells))
        spread = np.full(values.shape, 0.03)
        published = np.round(rng.normal(0.5, 0.05, size=cells), 3)
        readings = Readings(published, np.full(cells, 0.001), values, spread)
        if explaining(readings) is not None:
            least = least_factor(chance_factors(readings, rng))
            false += explaining(readings, least) is not None
    assert false / tables < 0.01


def test_deviations_count_rounding():
    readings = Readings(
        np.array([0.5, 0.5]), np.array([0.1, 0.1]), np.array([[0.54, 0.7]]), np.array([[0, 0]])
    )
    z = deviations(readings)[0]
    assert z[0] == 0
    assert z[1] == pytest.approx(0.2 / np.sqrt(0.01 / 12))


@pytest.mark.parametrize(("shape", "unit"), [((2, 3), 0.1), ((0, 2), 0.1), ((2, 2), 0.0)])
def test_what_does_not_fit_together_is_refused(shape, unit):
    with pytest.raises(ValueError, match=r"cells|units"):
        Readings(np.ones(2), np.full(2, unit), np.ones(shape), np.ones(shape))
