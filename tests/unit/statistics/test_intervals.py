"""Areas, intervals, bands and cross-fitting against definitions, oracles and simulation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import binom, norm, t
from sklearn.metrics import roc_auc_score
from statsmodels.stats.proportion import proportion_confint

from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.det import equal_error_rate
from opchar.spaces.p_roc import exact_auprec
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc
from opchar.statistics.acceptance_rates import symmetric_root
from opchar.statistics.areas import areas, newcombe_interval
from opchar.statistics.cross_fitting import cross_fitted, drawn_folds
from opchar.statistics.fold_widening import widening_factor
from opchar.statistics.proportions import guaranteed_threshold, objects_needed, of_two_rates, wilson
from opchar.statistics.ranking import rank_scores
from opchar.statistics.rate_curves import Bands, near_thresholds, rate_curves
from opchar.statistics.resampling import Resampled, resample_objects

PC = np.linspace(0.1, 0.9, 9)


def sample(seed: int, positives: int = 30, negatives: int = 120, models: int = 2):
    rng = np.random.default_rng(seed)
    is_positive = np.arange(positives + negatives) < positives
    scores = rng.normal(size=(models, len(is_positive))) + 1.2 * is_positive
    return rng, is_positive, scores


def cost(tpr, fpr):
    return expected_cost(tpr, fpr, PC)


def chosen(points):
    return lower_envelope(points).threshold(PC)


@given(seed=st.integers(0, 10**6), digits=st.integers(0, 2))
def test_areas_and_their_covariance_are_those_of_the_definition(seed: int, digits: int) -> None:
    _, is_positive, scores = sample(seed, 6, 9)
    scores = np.round(scores, digits)
    found = areas(is_positive, scores)
    better = scores[:, is_positive, None] - scores[:, None, ~is_positive]
    wins = (better > 0) + (better == 0) / 2
    np.testing.assert_allclose(found.areas, wins.mean(axis=(1, 2)))
    by_positive, by_negative = wins.mean(axis=2), wins.mean(axis=1)
    expected = np.cov(by_positive) / 6 + np.cov(by_negative) / 9
    np.testing.assert_allclose(found.covariance, expected, atol=1e-15)


def test_weighted_areas_are_those_of_scikit_learn() -> None:
    rng, is_positive, scores = sample(1)
    weight = rng.random(len(is_positive))
    found = areas(is_positive, scores[0], weight).areas[0]
    assert found == pytest.approx(roc_auc_score(is_positive, scores[0], sample_weight=weight))
    kept = np.arange(len(weight)) % 3 > 0
    some = areas(is_positive[kept], scores[:, kept], weight[kept])
    np.testing.assert_allclose(areas(is_positive, scores, weight * kept).areas, some.areas)


@given(seed=st.integers(0, 10**6))
def test_weights_equal_rows_that_are_repeats_of_one_object(seed: int) -> None:
    rng, is_positive, scores = sample(seed, 5, 8)
    times = rng.integers(1, 4, len(is_positive))
    weighted = areas(is_positive, scores, times)
    row = np.repeat(np.arange(len(times)), times)
    repeated = areas(is_positive[row], scores[:, row], cluster=row)
    np.testing.assert_allclose(weighted.areas, repeated.areas)
    np.testing.assert_allclose(weighted.covariance, repeated.covariance, atol=1e-15)
    assert (repeated.n_positive, repeated.n_negative) == (5, 8)


def test_equal_models_do_not_differ_and_perfect_areas_have_a_width() -> None:
    _, is_positive, scores = sample(2)
    same = areas(is_positive, np.stack([scores[0], scores[0]]))
    assert same.difference(0, 1) == (0.0, 0.0, 0.0, 1.0)
    perfect = areas(is_positive, is_positive.astype(float))
    low, high = perfect.interval()
    assert perfect.areas[0] == high[0] == 1.0
    assert 0.9 < low[0] < 1.0
    low_of_worst, _ = newcombe_interval(0.0, 30, 120)
    assert low_of_worst == 0.0


def test_wilson_is_that_of_statsmodels() -> None:
    for count in (0, 1, 7, 20):
        expected = proportion_confint(count, 20, method="wilson")
        np.testing.assert_allclose(wilson(count / 20, 20), expected, atol=1e-12)
    np.testing.assert_array_equal(wilson([1 + 1e-12, -1e-12], 20), wilson([1, 0], 20))


def test_what_follows_from_one_rate_has_the_interval_of_that_rate() -> None:
    low, high = of_two_rates(lambda t, f: 1 - t, 0.9, 0.2, 30, 300)
    expected = wilson(0.1, 30)
    np.testing.assert_allclose([low, high], expected)


@pytest.mark.parametrize(("n", "limit", "confidence"), [(100, 0.05, 0.95), (400, 0.01, 0.9)])
def test_a_guaranteed_threshold_keeps_its_limit(n: int, limit: float, confidence: float) -> None:
    threshold = guaranteed_threshold(np.arange(n), limit, confidence)
    place = int(threshold)
    assert binom.sf(place, n, 1 - limit) <= 1 - confidence < binom.sf(place - 1, n, 1 - limit)
    needed = objects_needed(limit, confidence)
    assert np.isfinite(guaranteed_threshold(np.arange(needed), limit, confidence))
    assert guaranteed_threshold(np.arange(needed - 1), limit, confidence) == np.inf


@given(seed=st.integers(0, 10**6), digits=st.integers(0, 3))
def test_ranked_points_are_the_operating_points(seed: int, digits: int) -> None:
    _, is_positive, scores = sample(seed, 7, 9)
    score = np.round(scores[0], digits)
    data = rank_scores(is_positive, score)
    points, expected = data.points(), operating_points(is_positive, score)
    np.testing.assert_array_equal(points.tpr, expected.tpr)
    np.testing.assert_array_equal(points.fpr, expected.fpr)
    counts = data.accepted_weights(points.thresholds, data.counts)
    naive = [(score[is_positive] >= t).sum() for t in points.thresholds]
    np.testing.assert_array_equal(counts[0], naive)
    np.testing.assert_array_equal(counts[0] / 7, points.tpr)


def test_weighted_points_are_those_of_repeated_rows() -> None:
    rng, is_positive, scores = sample(3)
    times = rng.integers(0, 3, len(is_positive))
    weighted = rank_scores(is_positive, scores[0], times).points()
    row = np.repeat(np.arange(len(times)), times)
    repeated = rank_scores(is_positive[row], scores[0][row]).points()
    np.testing.assert_allclose(weighted.tpr, repeated.tpr)
    np.testing.assert_allclose(weighted.thresholds, repeated.thresholds)


def test_joined_scores_keep_order_and_objects() -> None:
    _, is_positive, scores = sample(4, 500, 700)
    joined = rank_scores(is_positive, scores[0]).join_groups(50)
    assert len(joined.distinct) == 50
    assert (np.diff(joined.distinct) > 0).all()
    assert joined.distinct[joined.rank].sum() == pytest.approx(scores[0].sum())
    assert auc(joined.points()) == pytest.approx(roc_auc_score(is_positive, scores[0]), abs=2e-3)


@pytest.mark.parametrize("by_unit", [False, True])
def test_the_bootstrap_has_the_error_of_an_area(by_unit: bool) -> None:
    rng, is_positive, scores = sample(5)
    unit = np.arange(len(is_positive)) if by_unit else None
    data = rank_scores(is_positive, scores[0])
    found = resample_objects(data, lambda p: [auc(p)], rng, repeats=800, unit=unit)
    expected = areas(is_positive, scores[0]).errors[0]
    assert found.errors[0] == pytest.approx(expected, rel=0.12)
    low, high = found.percentile_interval(0)
    assert low < found.estimates[0] < high


def test_folds_as_units_are_of_no_stratum() -> None:
    rng, is_positive, scores = sample(6)
    fold = np.arange(len(is_positive)) % 10
    data = rank_scores(is_positive, scores[0])
    with pytest.raises(ValueError, match="both classes"):
        resample_objects(data, lambda p: [auc(p)], rng, unit=fold)
    assert resample_objects(data, lambda p: [auc(p)], rng, unit=fold, strata=False).errors[0] > 0


def test_cross_fitting_is_choosing_without_a_fold() -> None:
    rng, is_positive, scores = sample(7)
    fold = drawn_folds(is_positive, rng, 5)
    assert np.ptp(np.bincount(fold[is_positive])) <= 1
    found = cross_fitted(rank_scores(is_positive, scores[0]), fold, chosen)
    accepted = np.zeros((len(fold), len(PC)), dtype=bool)
    for number in range(5):
        others, mine = fold != number, fold == number
        thresholds = chosen(rank_scores(is_positive[others], scores[0][others]).points())
        np.testing.assert_array_equal(found.thresholds[number], thresholds)
        accepted[mine] = scores[0][mine, None] >= thresholds
    np.testing.assert_allclose(found.tpr, accepted[is_positive].mean(axis=0))
    np.testing.assert_allclose(found.fpr, accepted[~is_positive].mean(axis=0))


def test_rows_of_one_object_stay_in_one_fold() -> None:
    unit = np.repeat(np.arange(40), 3)
    fold = drawn_folds(unit % 2 == 0, np.random.default_rng(0), 4, unit)
    assert all(len(set(fold[unit == each])) == 1 for each in range(40))


def curves_of(rng, is_positive, scores, unit=None, weight=None):
    models = [rank_scores(is_positive, row, weight) for row in scores]
    fold = drawn_folds(is_positive, rng, 5, unit)
    judged = [cross_fitted(model, fold, chosen) for model in models]
    near = [near_thresholds(model.points(), cost) for model in models]
    return judged, fold, rate_curves(models, judged, near, fold, unit)


def test_covariances_of_rates_are_those_of_the_decisions() -> None:
    rng, is_positive, scores = sample(8)
    judged, fold, curves = curves_of(rng, is_positive, scores)
    accepted = np.hstack(
        [row[:, None] >= c.thresholds[fold] for row, c in zip(scores, judged, strict=True)]
    )
    np.testing.assert_allclose(curves.tpr.ravel(), accepted[is_positive].mean(axis=0))
    expected = np.cov(accepted[is_positive].T.astype(float)) / 30
    np.testing.assert_allclose(curves.tpr_covariance, expected, atol=1e-15)
    expected = np.cov(accepted[~is_positive].T.astype(float)) / 120
    np.testing.assert_allclose(curves.fpr_covariance, expected, atol=1e-15)
    assert curves.n_positive == pytest.approx(30)
    one = curves.at(4)
    np.testing.assert_array_equal(one.tpr, curves.tpr[:, 4:5])
    np.testing.assert_array_equal(one.tpr_covariance, curves.tpr_covariance[4::9, 4::9])


def test_repeated_rows_add_no_certainty() -> None:
    _, is_positive, scores = sample(9)
    row = np.repeat(np.arange(len(is_positive)), 4)
    _, _, once = curves_of(np.random.default_rng(1), is_positive, scores, np.arange(len(row) // 4))
    _, _, often = curves_of(np.random.default_rng(1), is_positive[row], scores[:, row], row)
    assert often.n_positive == pytest.approx(30)
    np.testing.assert_allclose(often.tpr_covariance, once.tpr_covariance, atol=1e-15)


def test_bands_hold_intervals_and_equal_models_do_not_differ() -> None:
    rng, is_positive, scores = sample(10)
    _, _, curves = curves_of(rng, is_positive, np.stack([scores[0], scores[0], scores[1]]))
    bands = curves.band(cost, rng)
    assert (bands.band_low <= bands.low).all()
    assert (bands.low <= bands.estimates).all()
    assert (bands.estimates <= bands.high).all()
    assert (bands.high <= bands.band_high).all()
    apart = curves.differences(cost, [(0, 1), (0, 2)], rng)
    np.testing.assert_array_equal(apart.estimates[0], 0.0)
    assert (apart.band_low < 0).all(axis=1)[0]


def test_near_thresholds_are_as_good_as_the_best_within_their_error() -> None:
    _, is_positive, scores = sample(11)
    points = rank_scores(is_positive, scores[0]).points()
    only = near_thresholds(points, cost, reach=0.0)
    values = cost(points.tpr[:, None], points.fpr[:, None])
    best = values[np.argmax(points.thresholds[:, None] == only[0], axis=0), np.arange(len(PC))]
    np.testing.assert_allclose(best, values.min(axis=0))
    wide = near_thresholds(points, cost, reach=2.0)
    assert (wide[1] >= wide[-1]).all()
    assert (wide[1] > wide[-1]).any()
    # The farthest threshold whose cost is more by at most the error of the objects between.
    values, best = cost(points.tpr[:, None], points.fpr[:, None]), values.argmin(axis=0)
    unit = np.array([PC / 30, (1 - PC) / 120]) * [PC, 1 - PC]
    moved = [np.abs(rate[:, None] - rate[best]) for rate in (points.tpr, points.fpr)]
    reach = 2 * np.sqrt(moved[0] * unit[0] + moved[1] * unit[1])
    within = values - values.min(axis=0) <= reach + 1e-9
    np.testing.assert_array_equal(wide[-1], [points.thresholds[w][-1] for w in within.T])


def test_thresholds_that_rise_are_refused() -> None:
    rng, is_positive, scores = sample(12)
    judged, fold, _ = curves_of(rng, is_positive, scores[:1])
    near = near_thresholds(rank_scores(is_positive, scores[0]).points(), cost)
    wrong = replace(judged[0], thresholds=judged[0].thresholds[:, ::-1])
    with pytest.raises(ValueError, match="must not rise"):
        rate_curves([rank_scores(is_positive, scores[0])], [wrong], [near], fold)


def test_thresholds_at_infinity_are_compared_without_a_warning() -> None:
    """Where all or none are accepted at neighbouring conditions, thresholds are infinite."""
    _, is_positive, scores = sample(13, models=1)
    data = rank_scores(is_positive, scores[0])
    fold = np.arange(len(is_positive)) % 5
    ends = np.full((5, len(PC)), np.inf)
    ends[:, len(PC) // 2 :] = -np.inf
    judged = cross_fitted(data, fold, lambda points: ends[0])
    with np.errstate(invalid="raise"):
        curves = rate_curves([data], [judged], [ends[:1]], fold)
    np.testing.assert_allclose(curves.tpr.ravel(), ends[0] < 0)


def test_costs_of_cross_fitted_thresholds_are_covered_and_optimistic_ones_flatter() -> None:
    covered, judged_off, own_off = [], [], []
    for seed in range(120):
        rng, is_positive, scores = sample(seed, 30, 300, 1)
        judged, fold, curves = curves_of(rng, is_positive, scores)
        (judged,) = judged
        shares = np.bincount(fold[is_positive]) / 30, np.bincount(fold[~is_positive]) / 300
        true = cost(shares[0] @ ndtr(1.2 - judged.thresholds), shares[1] @ ndtr(-judged.thresholds))
        bands = curves.band(cost, rng)
        covered.append([((bands.low <= true) & (true <= bands.high)).mean(),
                        ((bands.band_low <= true) & (true <= bands.band_high)).all()])  # fmt: skip
        own_true = cost(ndtr(1.2 - judged.own_thresholds), ndtr(-judged.own_thresholds))
        judged_off.append(bands.estimates[0] - true)
        own_off.append(cost(judged.own_tpr, judged.own_fpr) - own_true)
    intervals, band = np.mean(covered, axis=0)
    assert 0.93 <= intervals <= 0.995
    assert 0.89 <= band <= 0.995
    judged_error = np.std(np.mean(judged_off, axis=1)) / np.sqrt(120)
    assert abs(np.mean(judged_off)) < 4 * judged_error
    assert np.mean(own_off) < -8 * judged_error / 2


def test_intervals_near_the_edge_are_neither_empty_nor_everything() -> None:
    """Resamples without an error have infinite logits; the interval must not follow them."""
    shift, covered, widths = 4.2, [], []
    truth = ndtr(-shift / 2)
    for seed in range(80):
        rng = np.random.default_rng([7, seed])
        is_positive = np.arange(180) < 60
        score = rng.normal(size=180) + shift * is_positive
        drawn = resample_objects(
            rank_scores(is_positive, score),
            lambda points: [equal_error_rate(points).rate, exact_auprec(points, 0.3)],
            rng,
            repeats=40,
        )
        if not 0 < drawn.estimates[0] < 1:
            continue
        low, high = drawn.share_interval(0, 0.95, 59)
        covered.append(low <= truth <= high)
        widths.append([high - low, *np.diff(drawn.share_interval(1, 0.95, 59))])
    assert len(covered) > 50
    assert np.mean(covered) > 0.9
    assert np.max(widths) < 0.5


def test_roots_factors_and_percentiles_are_those_of_their_formulas() -> None:
    root = np.random.default_rng(0).normal(size=(3, 3))
    found = symmetric_root(root @ root.T)
    np.testing.assert_allclose(found @ found, root @ root.T, atol=1e-9)
    # Rows that do not vary: each of three folds of four counts as one object.
    assert widening_factor(np.zeros(12), np.arange(12) % 3) == 2.0
    # Equal rows of a fold: the sum over each of five folds of four is four times a row.
    rows, scale = np.tile([1.0, -2.0, 0.5, 3.0, 1.5], 4), t.ppf(0.975, 4) / norm.ppf(0.975)
    expected = scale * (4 * 5 / 4) ** 0.5
    assert widening_factor(rows, np.arange(20) % 5) == pytest.approx(expected)
    ends = (np.array([each]) for each in (0.5, 0.4, 0.9, 0.3, 0.95))
    wider = Bands(*ends).widened_by(np.array([2.0]))
    found = [wider.low, wider.high, wider.band_low, wider.band_high]
    np.testing.assert_allclose(np.ravel(found), [0.3, 1, 0.1, 1])
    drawn = Resampled(np.array([50.0]), np.arange(101.0)[:, None])
    assert drawn.percentile_interval(0, 0.9) == pytest.approx((5, 95))
