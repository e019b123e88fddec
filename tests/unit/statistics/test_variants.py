"""Weighing variants: likelihoods, weights, and how often chance explains a table."""

import runpy
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, multivariate_normal, norm
from statsmodels.stats.multitest import multipletests

from checkout import ROOT
from opchar.statistics.chance_variants import _stronger, chance_factors, least_factor
from opchar.statistics.joint_likelihood import (
    MISPRINT,
    cell_log_likelihood,
    common_error,
    correlation_of_repeats,
    joint_log_likelihood,
)
from opchar.statistics.variants import (
    LEAST_FACTOR,
    Variants,
    allowed_misprints,
    cells_within,
    certain,
    deviations,
    explaining_variant,
    factors,
    fits,
    log_likelihoods,
    weights,
)


def table(rng: np.random.Generator, cells: int = 20, true: int = 1, others: int = 4) -> Variants:
    values = rng.uniform(0.2, 0.9, size=(1 + others, cells))
    spread = np.full(values.shape, 0.02)
    published = np.round(values[true] + rng.normal(0, 0.02, size=cells), 3)
    return Variants(published, np.full(cells, 0.001), values, spread)


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
@pytest.mark.check
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 30), st.sampled_from([0.3, 1.0, 2.5]))
def test_cells_certain_to_differ_are_those_that_holms_procedure_rejects(seed, cells, factor):
    rng = np.random.default_rng(seed)
    variants = table(rng, cells)
    variants = replace(variants, spread=variants.spread * rng.choice([factor, 1], size=cells))
    tails = 2 * norm.sf(np.abs(deviations(variants)))
    expected = [multipletests(row, 0.05, "holm")[0].sum() for row in tails]
    assert certain(variants).tolist() == expected


def test_the_variant_that_made_the_table_is_found():
    variants = table(np.random.default_rng(1))
    assert explaining_variant(variants) == 1
    assert fits(variants).fits.tolist() == [False, True, False, False, False]
    assert weights(log_likelihoods(variants))[1] > 0.999
    assert cells_within(variants)[1] >= 18
    assert certain(variants)[1] == 0


def test_the_primary_variant_needs_no_other():
    assert explaining_variant(table(np.random.default_rng(2), true=0)) is None


def test_no_variant_is_chosen_when_none_fits():
    rng = np.random.default_rng(3)
    variants = table(rng)
    moved = Variants(variants.published + 0.2, variants.unit, variants.values, variants.spread)
    assert explaining_variant(moved) is None


def test_a_better_variant_that_is_not_much_better_is_not_taken():
    variants = table(np.random.default_rng(4))
    near = Variants(
        variants.published,
        variants.unit,
        np.array([variants.values[1] + 0.005, variants.values[1]]),
        variants.spread[:2],
    )
    assert explaining_variant(near) is None


@given(st.permutations(range(5)), st.integers(0, 2**32 - 1))
def test_weights_depend_on_no_order(order, seed):
    variants = table(np.random.default_rng(seed), cells=5)
    found = weights(log_likelihoods(variants))
    moved = Variants(
        variants.published, variants.unit, variants.values[order], variants.spread[order]
    )
    np.testing.assert_allclose(weights(log_likelihoods(moved)), found[order], rtol=1e-9)
    assert found.sum() == pytest.approx(1)


def test_few_cells_can_be_explained_by_chance_and_then_no_factor_suffices():
    rng = np.random.default_rng(5)
    values = np.array([[0.5], [0.6], [0.4], [0.55], [0.45]])
    spread = np.full(values.shape, 0.03)
    variants = Variants(np.array([0.62]), np.array([0.01]), values, spread)
    factors = chance_factors(variants, rng, 400)
    assert np.isfinite(factors).mean() > 0.5
    assert explaining_variant(variants, least_factor(factors)) is None


def test_a_large_table_is_not_explained_by_chance():
    rng = np.random.default_rng(1)
    variants = table(rng)
    factors = chance_factors(variants, rng, 400)
    assert np.isfinite(factors).mean() < 0.01
    assert least_factor(factors) == pytest.approx(LEAST_FACTOR)
    assert explaining_variant(variants, least_factor(factors)) == 1


@given(st.integers(0, 2**32 - 1), st.sampled_from([2.0, 100.0]))
@settings(max_examples=8, deadline=None)
def test_the_ratios_that_are_large_enough_are_those_of_all(seed, least):
    """Variants are looked at only where they can matter: against all of them everywhere."""
    variants = table(np.random.default_rng(seed), cells=6)
    every, asked = (
        chance_factors(variants, np.random.default_rng(seed), 100, bound) for bound in (1.0, least)
    )
    np.testing.assert_allclose(asked, np.where(every >= np.log(least), every, -np.inf))
    rng = np.random.default_rng(seed)
    made = rng.normal(variants.values[rng.integers(5, size=50)], 0.03)
    likely = np.stack([log_likelihoods(replace(variants, published=one)) for one in made])
    fit = np.stack([fits(replace(variants, published=one)).fits for one in made])
    best = likely.argmax(axis=1)
    explained = (best > 0) & fit[np.arange(50), best]
    ahead = likely.max(axis=1) - likely[:, 0]
    expected = np.where(explained & (ahead >= np.log(least)), ahead, -np.inf)
    np.testing.assert_allclose(factors(made, variants, least), expected)
    assert np.isfinite(expected).any()


def test_errors_in_common_within_blocks_ask_for_a_larger_factor():
    """Where the cells of a model are taken for independent, chance moves whole models."""
    rng = np.random.default_rng(3)
    block = np.repeat(np.arange(5), 4)
    primary = rng.uniform(0.5, 0.9, 20)
    values = np.vstack([primary, primary + 0.02 * rng.normal(size=(15, 5))[:, block]])
    published = np.round(primary + 0.02 * rng.normal(size=5)[block], 3)
    spread = np.full(values.shape, 0.02)
    unit = np.full(20, 0.001)
    dealt, said, in_blocks, *_ = chance_factors(
        Variants(published, unit, values, spread, np.eye(20), block), rng, 1000
    )
    assert least_factor(in_blocks) > 1000 * max(least_factor(dealt), least_factor(said))


def test_tables_by_chance_deal_deviations_anew_and_have_no_direction(monkeypatch):
    """Of deviations of 1 those dealt are 1 or -1, and moves beside errors of 1 are none."""
    rng, made = np.random.default_rng(2), []
    given = replace(table(rng, cells=6), unit=np.full(6, 1e-9))
    centre = given.values.mean(axis=0)
    given = replace(given, published=centre + 0.02 * (-1.0) ** np.arange(6))
    monkeypatch.setattr(
        "opchar.statistics.chance_variants.factors",
        lambda tables, *_: made.append(tables) or np.zeros(len(tables)),
    )
    chance_factors(given, rng, 4000)
    dealt, moved, *_ = (made[0].reshape(-1, 4000, 6) - centre) / 0.02
    np.testing.assert_allclose(np.abs(dealt), 1, rtol=1e-6)
    np.testing.assert_allclose(moved.std(axis=0), 1, atol=0.06)


@pytest.mark.check
@pytest.mark.parametrize("kept", [10, 0])
def test_tables_of_blocks_that_go_together_are_hardly_ever_attributed(kept):
    """A row of the table in docs/variants.md at which the rule once failed."""
    grid = runpy.run_path(str(ROOT / "benchmarks/variants.py"))
    rng = np.random.default_rng(11)
    false = 0
    for number in range(200):
        models, *rest = grid["SIZES"][number % 6]
        made, source = grid["variants"](models, *rest, "models", kept, "0.9", rng)
        printed = grid["printed"](source, models, "0.9", rng)
        false += grid["attributed"](replace(made, published=printed), rng) is not None
    assert false <= 2


@pytest.mark.check
@pytest.mark.parametrize("share", [0.0, 0.9])
def test_the_rate_of_false_explanations_is_below_a_hundredth(share):
    """Tables that none of the variants made, with a common error, are hardly ever explained."""
    rng = np.random.default_rng(7)
    tables, false = 1000, 0
    for number in range(tables):
        cells = int(rng.integers(2, 12))
        primary = rng.normal(0.5, 0.05, size=cells)
        others = rng.normal(0.5, 0.05, size=(5, cells))
        values = np.vstack([primary, others])
        spread = np.full(values.shape, 0.03)
        error = np.sqrt(share) * rng.normal() + np.sqrt(1 - share) * rng.normal(size=cells)
        source = primary if number % 2 else rng.normal(0.5, 0.05, size=cells)
        variants = Variants(
            np.round(source + 0.03 * error, 3),
            np.full(cells, 0.001),
            values,
            spread,
            common_error(cells, share),
        )
        if explaining_variant(variants) is not None:
            least = least_factor(chance_factors(variants, rng, 400))
            false += explaining_variant(variants, least) is not None
    assert false / tables < 0.01


def dependent(rng: np.random.Generator, cells: int):
    root = rng.normal(size=(cells, cells))
    covariance = root @ root.T
    scale = np.sqrt(np.diag(covariance))
    return covariance / np.outer(scale, scale)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5), st.booleans())
def test_the_joint_likelihood_is_that_of_the_best_set_of_misprints(seed, cells, missing):
    """Against the normal density of every set of cells that may be right."""
    rng = np.random.default_rng(seed)
    correlation = dependent(rng, cells)
    spread, unit = rng.uniform(0.01, 0.03, cells), np.full(cells, 0.001)
    values = rng.uniform(0.5, 0.9, cells)
    covariance = correlation * np.outer(spread, spread) + np.diag(unit**2 / 12)
    tables = values + rng.multivariate_normal(np.zeros(cells), covariance, 6)
    tables[::2, 0] += 0.4
    if missing:
        values[-1] = np.nan
    found = joint_log_likelihood(tables, unit, values, spread, correlation)
    for table_, one in zip(tables, found, strict=True):
        best = -np.inf
        for chosen in product([False, True], repeat=cells):
            bad = np.array(chosen)
            if missing and not bad[-1]:
                continue
            total = np.log(MISPRINT * unit / (2 * np.abs(table_)))[bad].sum()
            if not bad.all():
                density = multivariate_normal(values[~bad], covariance[np.ix_(~bad, ~bad)])
                total += density.logpdf(table_[~bad]) + np.log((1 - MISPRINT) * unit[~bad]).sum()
            best = max(best, total)
        # One cell at a time: never above the best set, and at most a little below.
        assert one <= best + 1e-5
        assert one >= best - 2.0


def test_independent_cells_have_the_product_of_their_probabilities():
    rng = np.random.default_rng(6)
    variants = table(rng)
    alone = cell_log_likelihood(
        variants.published, variants.unit, variants.values, variants.spread
    ).sum(axis=1)
    np.testing.assert_allclose(log_likelihoods(variants), alone, rtol=1e-12)


def test_one_common_error_counts_once():
    """All cells off by two standard errors: unlikely if independent, likely if they go together."""
    values = np.full((1, 10), 0.5)
    moved = Variants(values[0] + 0.04, np.full(10, 0.001), values, np.full((1, 10), 0.02))
    together = replace(moved, correlation=common_error(10, 0.95))
    assert log_likelihoods(together)[0] > log_likelihoods(moved)[0] + 10


def test_the_correlation_is_that_of_many_repeats_and_shrinks_for_few():
    rng = np.random.default_rng(9)
    true = dependent(rng, 4)
    many = rng.multivariate_normal(np.zeros(4), true, 20_000)
    np.testing.assert_allclose(correlation_of_repeats(many), true, atol=0.03)
    few = correlation_of_repeats(rng.normal(size=(5, 30)))
    assert np.abs(few - np.eye(30)).max() < 0.5
    assert np.linalg.eigvalsh(few).min() > 0
    constant = np.column_stack([many[:10, 0], np.full(10, 0.3)])
    np.testing.assert_array_equal(correlation_of_repeats(constant), np.eye(2))
    with pytest.raises(ValueError, match="at least 4 repeats"):
        correlation_of_repeats(many[:3])
    with pytest.raises(ValueError, match="common share"):
        common_error(3, 1.0)


def of_blocks(beyond: list[int], cells: int = 5) -> Variants:
    """Return variants whose other one has these numbers of cells far off in each block."""
    off = np.concatenate([np.arange(cells) < number for number in beyond]) * 0.5
    published = np.full(len(off), 0.5)
    values = np.array([published + 0.3, published + off])
    block = np.repeat(np.arange(len(beyond)), cells)
    unit, spread = np.full(len(off), 0.001), np.full(values.shape, 0.02)
    return Variants(published, unit, values, spread, block=block)


@pytest.mark.parametrize(
    ("beyond", "contradicted", "fit", "left"),
    [
        ([1, 0, 0, 0, 0], (), True, []),  # one of 25 cells can be a misprint
        ([1, 1, 0, 0, 0], (), False, []),
        ([5, 0, 0, 0, 0], (), False, []),  # none of five blocks can be another run's
        ([5, 0, 0, 0, 0], (0,), True, [0]),
        ([5, 0, 0, 0, 0], (1,), False, []),
        ([0, 0, 5, 0, 0, 0], (), True, [2]),  # one of six can
        ([0, 5, 5, 0, 0, 0], (), False, []),
        ([1, 0, 5, 0, 0, 0], (2,), True, [2]),
    ],
)
def test_cells_and_blocks_are_left_out_as_far_as_misprints_go(beyond, contradicted, fit, left):
    found = fits(replace(of_blocks(beyond), contradicted=contradicted))
    assert bool(found.fits[1]) is fit
    assert np.unique(np.flatnonzero(found.left_out[1]) // 5).tolist() == left


@pytest.mark.parametrize("number", [1, 5, 6, 44, 120])
def test_more_misprints_than_allowed_have_a_chance_below_a_twentieth(number):
    assert binom.sf(allowed_misprints(number), number, MISPRINT) <= 0.05
    assert (
        allowed_misprints(number) == 0
        or binom.sf(allowed_misprints(number) - 1, number, MISPRINT) > 0.05
    )


def test_deviations_count_rounding():
    variants = Variants(
        np.array([0.5, 0.5]), np.array([0.1, 0.1]), np.array([[0.54, 0.7]]), np.array([[0, 0]])
    )
    z = deviations(variants)[0]
    assert z[0] == 0
    assert z[1] == pytest.approx(0.2 / np.sqrt(0.01 / 12))
    half = replace(variants, published=np.array([0.15, 0.25]), values=np.array([[0.2, 0.3]]))
    assert np.abs(half.values - half.published).max() > 0.05  # by the last bit of a float
    assert deviations(half).tolist() == [[0, 0]]
    values = 0.5 + np.sqrt(0.01 / 12) * np.array([[1.9, 2.1], [-2.0, 2.9]])
    moved = replace(variants, values=values, spread=np.zeros((2, 2)))
    assert cells_within(moved).tolist() == [1, 1]
    assert np.isfinite(chance_factors(moved, np.random.default_rng(0), 50, 1e-9)).any()


@pytest.mark.parametrize(("shape", "unit"), [((2, 3), 0.1), ((0, 2), 0.1), ((2, 2), 0.0)])
def test_what_does_not_fit_together_is_refused(shape, unit):
    with pytest.raises(ValueError, match=r"cells|units"):
        Variants(np.ones(2), np.full(2, unit), np.ones(shape), np.ones(shape))


def test_common_errors_are_correlations_and_chance_keeps_a_quarter_of_its_rate():
    variants = of_blocks([0, 0])
    for found in (common_error(4, 0.3), *_stronger(variants)):
        assert np.diag(found) == pytest.approx(1.0)
    assert common_error(2, 0.3)[0, 1] == pytest.approx(0.3)
    assert _stronger(variants)[0][[0, 0], [1, 5]] == pytest.approx([0.9, 0.0])
    reached = np.arange(1.0, 4001) * 1000
    assert (reached >= least_factor(np.log(reached))).mean() == pytest.approx(0.0025, abs=3e-4)
