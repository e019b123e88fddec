"""The rules that choose a threshold, against brute force, closed forms and scikit-learn."""

import os
import runpy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn.datasets import load_iris
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import opchar
from checkout import ROOT
from opchar.decisions.smooth_curves import (
    CELLS,
    CLOSE,
    NEAR,
    check_labelled,
    join_neighbours,
    smooth_points,
)
from opchar.decisions.threshold_rules import RULES, bayes_ranges, thresholds_by
from opchar.spaces.cost import lower_envelope
from opchar.spaces.preferences import costs_from_pc, costs_from_skew
from opchar.statistics.calibration import calibration

RNG = np.random.default_rng(5)
Y = (RNG.random(400) < 0.3).astype(int)
SCORES = RNG.normal(size=400) + 1.5 * Y
PC = np.array([0.05, 0.3, 0.5, 0.8, 0.97])


def cost(threshold: float, pc: float) -> float:
    said = threshold < SCORES
    return pc * np.mean(~said[Y == 1]) + (1 - pc) * np.mean(said[Y == 0])


def test_search_costs_as_little_as_any_threshold():
    values = np.r_[-np.inf, np.sort(SCORES), np.inf]
    found = thresholds_by(check_labelled(Y, SCORES), PC, "search")
    for threshold, pc in zip(found, PC, strict=True):
        assert cost(threshold, pc) == pytest.approx(min(cost(t, pc) for t in values), abs=1e-12)


def test_theory_with_the_isotonic_map_is_search():
    data = check_labelled(Y, SCORES)
    by_map = thresholds_by(data, PC, "theory", "isotonic")
    np.testing.assert_allclose(by_map, thresholds_by(data, PC, "search"))


def test_theory_is_the_closed_form_for_two_gaussians():
    """Densities N(0, 1) and N(1, 1): their log ratio is s - 1/2."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [60_000, 40_000])
    scores = rng.normal(size=len(y)) + y
    for prior, miss in ((0.1, 5.0), (0.5, 1.0), (0.02, 20.0)):
        found = opchar.choose_threshold(y, scores, prior=prior, cost_fn=miss, rule="theory")
        assert found.threshold == pytest.approx(0.5 - logit(prior) - np.log(miss), abs=0.05)
        smooth = opchar.choose_threshold(y, scores, prior=prior, cost_fn=miss)
        pc = float(lower_envelope(opchar.points_of(y, scores)).points.n_positive > 0) and (
            prior * miss / (prior * miss + 1 - prior)
        )
        best = 0.5 - logit(pc)
        true = [pc * norm.cdf(t - 1) + (1 - pc) * norm.sf(t) for t in (smooth.threshold, best)]
        assert true[0] < true[1] * 1.002


def test_auto_does_not_depend_on_the_order_of_rows_and_whole_weights_repeat():
    data = check_labelled(Y, SCORES)
    shuffled = np.random.default_rng(1).permutation(len(Y))
    np.testing.assert_allclose(
        thresholds_by(data, PC, "auto"),
        thresholds_by(check_labelled(Y[shuffled], SCORES[shuffled]), PC, "auto"),
    )
    twice = check_labelled(np.repeat(Y, 2), np.repeat(SCORES, 2))
    weighted = check_labelled(Y, SCORES, sample_weight=np.full(len(Y), 2))
    for rule in ("search", "theory"):
        np.testing.assert_allclose(
            thresholds_by(weighted, PC, rule), thresholds_by(twice, PC, rule), rtol=1e-4
        )


@pytest.mark.parametrize("rule", ["auto", "search", "theory"])
@pytest.mark.parametrize("scores", [np.zeros(6), np.array([0, 0, 0, 1, 1, 1.0]), np.arange(6.0)])
def test_odd_samples_have_a_threshold(rule, scores):
    y = np.array([0, 0, 0, 0, 0, 1])
    for prior in (0.0, 0.3, 1.0):
        found = opchar.choose_threshold(y, scores, prior=prior, rule=rule)
        assert not np.isnan(found.threshold)
        assert found.to_frame()["chosen"].sum() == 1


def test_the_isotonic_map_is_scikit_learns():
    found = calibration(Y, SCORES, "isotonic").probabilities(SCORES)
    np.testing.assert_allclose(found, IsotonicRegression().fit_transform(SCORES, Y), atol=1e-12)


def test_the_spread_compares_the_middles_between_scores_with_the_chosen_threshold():
    y, scores = [0, 0, 1, 0, 1, 1], [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    spread = opchar.threshold_spread(y, scores, rule="search", resamples=5)
    found = spread.to_frame()
    assert (spread.lowest, spread.highest) == (-np.inf, np.inf)  # none costs more for sure
    assert found["threshold"].tolist() == [-np.inf, 1.5, 3.0, 6.0, 12.0, 24.0, np.inf]
    chosen = found[found["difference"] == 0].iloc[0]
    assert chosen["low"] == chosen["high"] == 0.0
    others = found[found["threshold"] != chosen["threshold"]]
    assert (others["low"] < others["difference"]).all()
    assert (others["difference"] < others["high"]).all()


def test_the_spread_names_the_thresholds_that_cost_no_more():
    found = opchar.threshold_spread(Y, SCORES, prior=0.1, cost_fn=5, rule="search", resamples=60)
    frame = found.to_frame()
    pc = 0.5 / 1.4
    units = 0.1 * 5 + 0.9
    for threshold, said in zip(found.thresholds, found.costs, strict=True):
        assert said == pytest.approx(cost(threshold, pc) * units)
    assert (found.differences >= -1e-12).all()
    assert found.lowest <= found.threshold <= found.highest
    alike = frame.loc[~frame["distinguishably more"], "threshold"]
    assert (alike.min(), alike.max()) == (found.lowest, found.highest)
    assert frame["distinguishably more"].any()


def test_differences_are_in_the_unit_of_the_costs():
    one, ten = (
        opchar.threshold_spread(
            Y, SCORES, prior=0.1, cost_fn=5 * unit, cost_fp=unit, rule="search", resamples=9
        ).to_frame()
        for unit in (1, 10)
    )
    names = ["cost", "difference", "low", "high"]
    np.testing.assert_allclose(ten[names], 10 * one[names], atol=1e-12)


def test_the_spread_is_that_of_a_hundred_resamples_at_95_percent():
    """Scores that tell little of the class: resamples choose thresholds far from each other."""
    rng = np.random.default_rng(2)
    score = rng.normal(size=400)
    y = rng.random(400) < 0.3 + 0.1 * np.tanh(score)

    def found(**given):
        spread = opchar.threshold_spread(y, score, prior=0.5, rule="search", **given)
        return spread.low, spread.high, spread.confidence

    assert found() == found(resamples=100, confidence=0.95, random_state=0)
    assert found(confidence=0.4) == found(confidence=0.4, resamples=100, random_state=0)
    assert found(confidence=0.4) != found(confidence=0.4, resamples=101)
    assert found(confidence=0.4) != found(confidence=0.4, random_state=1)


@pytest.mark.parametrize(("rule", "cost_fn"), [("auto", 1), ("auto", 8), ("theory", 4)])
def test_the_interval_is_as_fine_where_scores_are_rare_as_where_they_crowd(
    rule, cost_fn, monkeypatch
):
    """Most scores lie near 0 and 1, the thresholds between: there none may be joined by much."""
    rng = np.random.default_rng(3)
    y = rng.random(6000) < 0.3
    score = expit(2.5 * (rng.normal(size=len(y)) + 3 * y - 1.5))
    given = {"rule": rule, "cost_fn": cost_fn, "prior": 0.2}
    found = opchar.threshold_spread(y, score, **given)
    for name in ("DRAWN", "BESIDE"):
        monkeypatch.setattr(f"opchar.decisions.threshold_spread.{name}", len(y))
    exact = opchar.threshold_spread(y, score, **given)
    width = exact.high - exact.low
    assert abs(found.low - exact.low) + abs(found.high - exact.high) < width / 3
    assert found.low < found.threshold < found.high


def test_an_object_of_hardly_any_weight_changes_no_rate():
    weight = np.append(np.ones(400), 1e-30)
    for far in (-50.0, 50.0):
        found = smooth_points(check_labelled(Y, SCORES))
        more = check_labelled(np.append(Y, 1), np.append(SCORES, far), sample_weight=weight)
        beside = smooth_points(more)
        assert np.isfinite([beside.fpr, beside.tpr]).all()
        for threshold in np.quantile(SCORES, [0.1, 0.5, 0.9]):
            one, two = (np.searchsorted(-c.thresholds, -threshold) for c in (found, beside))
            assert beside.tpr[two] == pytest.approx(found.tpr[one], abs=0.02)
            assert beside.fpr[two] == pytest.approx(found.fpr[one], abs=0.02)


def test_weights_are_worth_as_many_objects_as_have_the_same_variance():
    weight = np.array([0.5, 2.0, 1.0, 0.25])
    found = check_labelled([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], sample_weight=weight).size
    assert found == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
    assert check_labelled([0, 1], [1.0, 2.0], sample_weight=[3, 2]).size == 5


def test_conversions_say_the_same():
    for prior, alarm, miss in ((0.02, 1, 5), (0.5, 3, 1), (0.3, 2, 2)):
        found = opchar.preference(prior, cost_fn=miss, cost_fp=alarm)
        assert found.pc == pytest.approx(prior * miss / (prior * miss + (1 - prior) * alarm))
        assert found.skew == pytest.approx((1 - prior) * alarm / (prior * miss))
        assert (
            found.m == found.alpha == found.bayes_threshold == pytest.approx(alarm / (alarm + miss))
        )
        for costs in (costs_from_pc(found.pc, prior), costs_from_skew(found.skew, prior)):
            assert costs == pytest.approx((alarm / (alarm + miss), miss / (alarm + miss)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "best"}, "rule is one of"),
        ({"calibrate": "best"}, "calibrate is one of"),
        ({"prior": 2.0}, "between 0 and 1"),
        ({"cost_fn": -1.0}, "costs must not be negative"),
        ({"rule": "theory", "calibrate": "none"}, "must be probabilities"),
    ],
)
def test_what_does_not_fit_is_one_clear_error(options, message):
    with pytest.raises(ValueError, match=message):
        opchar.choose_threshold(Y, SCORES, **options)


def test_a_cost_that_is_not_given_is_one():
    for one, other in (("cost_fn", "cost_fp"), ("cost_fp", "cost_fn")):
        given = opchar.choose_threshold(Y, SCORES, **{one: 3.0})
        assert given == opchar.choose_threshold(Y, SCORES, **{one: 3.0, other: 1.0})


@pytest.mark.check
def test_auto_beats_scikit_learn_on_public_sets(tmp_path: Path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    decisions = runpy.run_path(str(ROOT / "benchmarks/decisions.py"))
    sets = ("breast_cancer", "digits, odd", "digits, 8")
    for title in set(decisions["SETS"]) - set(sets):
        del decisions["SETS"][title]
    for title in ("forest", "support vectors"):
        del decisions["MODELS"][title]
    decisions["compute_scores"](Path(os.devnull), tmp_path, 2)
    table = decisions["measured"](tmp_path)
    mean = (table["cost"] - table["best"]).groupby(table["rule"]).mean()
    assert mean["auto"] < mean["scikit-learn"]


def test_the_chosen_threshold_and_its_costs_take_whole_weights_as_repeated_rows():
    weight = np.arange(len(Y)) % 3 + 1
    rows = np.repeat(np.arange(len(Y)), weight)
    given = {"rule": "search", "cost_fn": 3.0}
    once = opchar.choose_threshold(Y, SCORES, sample_weight=weight, **given)
    again = opchar.choose_threshold(Y[rows], SCORES[rows], **given)
    assert once.threshold == again.threshold
    spread = opchar.threshold_spread(Y, SCORES, sample_weight=weight, resamples=3, **given)
    assert spread.threshold == once.threshold
    assert spread.lowest <= spread.threshold <= spread.highest


def counted_with_tail(own, t):
    """Return the share above a threshold, with an exponential tail beyond the lowest."""
    own, n = np.sort(own), len(own)
    if not np.isfinite(t):
        return float(t < 0)
    if t > own[0]:
        return (np.sum(own > t) + 0.5) / (n + 1)
    k = np.searchsorted(own, own[int(np.ceil(np.sqrt(n))) - 1], side="right")
    whole = np.sum(own[k] - own[:k])
    at_lowest, at_threshold = 1 + (own[k] - own[0]) / whole, 1 + (own[k] - t) / whole
    return 1 - (at_threshold / at_lowest) ** -k / (n + 1)


@pytest.mark.parametrize("scales", [[np.asarray], [np.asarray, logit]])
@pytest.mark.parametrize("tied", [0, 0.3])
def test_where_a_threshold_separates_the_sample_labels_and_tails_count(tied, scales):
    """Each threshold by itself, also in the gap, on the scales of scores and of probabilities."""
    ends = np.quantile(SCORES[Y == 0], 1 - tied), np.quantile(SCORES[Y == 1], tied)
    scores = np.where(Y == 1, np.maximum(SCORES, ends[1]), np.minimum(SCORES, ends[0])) + 40 * Y
    if logit in scales:
        scores = expit((scores - 20) / 4)
    points = smooth_points(check_labelled(Y, scores))
    gap = scores[Y == 0].max(), scores[Y == 1].min()
    inner = points.thresholds[1:-1]
    assert np.sum((inner > gap[0]) & (inner <= gap[1])) > 20
    tpr, fpr = [], []
    for values, at in ((scale(scores), scale(inner)) for scale in scales):
        tpr.append([counted_with_tail(values[Y == 1], t) for t in at])
        fpr.append([1 - counted_with_tail(-values[Y == 0], -t) for t in at])
    np.testing.assert_allclose(points.tpr, [0, *np.mean(tpr, axis=0), 1], atol=1e-9)
    np.testing.assert_allclose(points.fpr, [0, *np.mean(fpr, axis=0), 1], atol=1e-9)


@pytest.mark.parametrize(
    ("of_others", "of_positives"),
    [([0.2, CLOSE], [1.0, 1.0]), ([CLOSE], [1.0]), ([0.0], [NEAR]), ([0.0, NEAR], [2 * NEAR, 0.5])],
)
def test_auto_separates_probabilities_that_no_logit_tells_apart(of_others, of_positives):
    y = np.repeat([0, 1], [len(of_others), len(of_positives)])
    scores = np.array([*of_others, *of_positives])
    points = smooth_points(check_labelled(y, scores))
    for rates in (points.fpr, points.tpr):
        assert (np.diff(rates) >= 0).all()
    assert not np.isnan(opchar.choose_threshold(y, scores, prior=0.5).threshold)


def test_auto_costs_at_most_a_point_more_than_the_better_rule_on_setosa():
    """Probabilities out of fold choose, the rest of the flowers judges, as a user measured it."""
    flowers = load_iris()
    X, y, excess = flowers.data, flowers.target == 0, {10.0: [], 50.0: []}
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    for sample in range(30):
        mine, rest = train_test_split(np.arange(150), stratify=y, test_size=75, random_state=sample)
        folds = {"cv": StratifiedKFold(5), "method": "predict_proba"}
        scores = cross_val_predict(model, X[mine], y[mine], **folds)[:, 1]
        found = model.fit(X[mine], y[mine]).predict_proba(X[rest])[:, 1]
        for cost, values in excess.items():
            pc = cost / (cost + 2)  # two thirds of the flowers are others
            chosen = [thresholds_by(check_labelled(y[mine], scores), [pc], rule) for rule in RULES]
            judged = check_labelled(y[rest], found).costs(np.ravel(chosen), pc)
            values.append(100 * judged / (1 - pc))
    for values in excess.values():
        auto, *others = np.mean(values, axis=0)
        assert auto <= min(others) + 1


def test_auto_is_the_least_cost_on_the_mean_of_three_curves():
    """The three curves, each threshold by itself, object by object."""
    data = check_labelled(Y, SCORES)
    order = np.argsort(np.argsort(SCORES))
    place = norm.ppf((order + 0.5) / len(Y))
    by_beta = expit(
        sum(calibration(Y, each, "beta").log_odds(each) for each in (SCORES, place)) / 2
    )
    probability = (by_beta + calibration(Y, SCORES).probabilities(SCORES)) / 2
    values = np.sort(SCORES)
    ends = norm.ppf((np.arange(len(Y)) + 0.5) / len(Y))
    thresholds = np.r_[-np.inf, (values[:-1] + values[1:]) / 2, np.inf]
    places = np.r_[-np.inf, (ends[:-1] + ends[1:]) / 2, np.inf]

    def smoothed(own, at):
        middle = (np.arange(len(own)) + 0.5) / len(own)
        quartiles = np.interp((0.25, 0.75), middle, np.sort(own))
        spread = min(own.std(), (quartiles[1] - quartiles[0]) / 1.34)
        return norm.sf((at - own) / (0.5 * 1.06 * spread * len(own) ** -0.2)).mean()

    rates = []
    for mine, share in ((Y == 1, probability), (Y == 0, 1 - probability)):
        own = place[mine]
        above = (np.sum(SCORES[mine] > thresholds[:, None], axis=1) + 0.5) / (mine.sum() + 1)
        above[[0, -1]] = 1.0, 0.0
        labels = dict(zip(thresholds, above, strict=True))
        rates.append(
            [
                np.mean(
                    [
                        labels[t],
                        share[t < SCORES].sum() / share.sum(),
                        (smoothed(own, at) + smoothed(SCORES[mine], t)) / 2,
                    ]
                )
                for t, at in zip(thresholds, places, strict=True)
            ]
        )
    points = smooth_points(data)
    np.testing.assert_allclose(points.thresholds[::-1], thresholds)
    np.testing.assert_allclose(points.tpr[::-1], rates[0], atol=1e-9)
    np.testing.assert_allclose(points.fpr[::-1], rates[1], atol=1e-9)
    costs = PC[:, None] * (1 - np.array(rates[0])) + (1 - PC[:, None]) * np.array(rates[1])
    np.testing.assert_allclose(
        thresholds_by(data, PC, "auto"), thresholds[costs.argmin(axis=1)], rtol=1e-9
    )


def test_thresholds_of_all_rules_never_rise_with_pc():
    grid = np.linspace(0.001, 0.999, 301)
    for scores in (SCORES, SCORES.round(0), expit(SCORES)):
        for rule in ("auto", "search", "theory"):
            found = thresholds_by(check_labelled(Y, scores), grid, rule)
            assert (found[1:] <= found[:-1]).all()


@pytest.mark.parametrize("size", [12, 60, len(Y)])
def test_ranges_of_bayes_thresholds_accept_what_the_thresholds_do(size):
    y, scores = np.append([0, 1], Y[: size - 2]), SCORES[:size].round(1)
    data = check_labelled(y, scores)
    ends, least = bayes_ranges(data)
    assert (ends[0], ends[-1], (np.diff(ends) > 0).all()) == (0, 1, True)
    middles = (ends[1:] + ends[:-1]) / 2
    for one, other in zip(least, thresholds_by(data, middles, "theory"), strict=True):
        np.testing.assert_array_equal(scores >= one, scores >= other)


def test_joined_scores_keep_weights_ends_and_costs():
    rng = np.random.default_rng(2)
    y = rng.random(20_000) < 0.1
    scores = rng.normal(size=len(y)) + 2 * y
    data = check_labelled(y, scores)
    few = join_neighbours(data, CELLS)
    assert len(np.unique(few.scores)) <= CELLS + 1
    assert few.weight[few.positive].sum() == y.sum()
    assert few.weight[~few.positive].sum() == (~y).sum()
    assert few.scores.max() == scores.max() and few.scores.min() == scores.min()
    found = thresholds_by(data, PC, "auto")
    best = lower_envelope(data.points)(PC)
    assert (data.costs(found, PC) <= best * 1.02).all()


def test_the_smooth_curve_of_one_score_is_the_diagonal():
    found = smooth_points(check_labelled([0, 1, 1], [2.0, 2.0, 2.0]))
    assert (found.fpr.tolist(), found.tpr.tolist()) == ([0.0, 1.0], [0.0, 1.0])


def test_what_each_rule_costs_is_the_mean_cost_of_an_object():
    prior, cost_fp, cost_fn = 0.1, 2.0, 7.0
    found = opchar.choose_threshold(Y, SCORES, prior=prior, cost_fp=cost_fp, cost_fn=cost_fn)
    for rule, threshold in found.thresholds.items():
        accepted = threshold <= SCORES
        misses, alarms = (~accepted)[Y == 1].mean(), accepted[Y == 0].mean()
        expected = prior * cost_fn * misses + (1 - prior) * cost_fp * alarms
        assert found.costs[rule] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([-np.inf, 2.0, np.inf, np.inf], [1, 1, 1, 1]),
        ([1.0, 3.0, 2.0, np.inf], [1, 1, 1, 1]),
        ([-np.inf, -np.inf, 2.0, 3.0], [1, 2, 3, 4]),
        ([-1e308, -1.7e308, 1.7e308, 1e308], [1, 1, 1, 1]),
        ([1.0, 3.0, 2.0, 4.0], [1, 1, 1e-18, 2e-18]),
        ([1.0, 3.0, 2.0, 4.0], [1, 1, 1e300, 1e-300]),
    ],
)
def test_a_search_takes_what_can_be_ranked_and_summed(scores, weights):
    y, s = np.array([0, 0, 1, 1]), np.array(scores)
    parts = [
        [Fraction(w) if t == label else 0 for w, t in zip(weights, y, strict=True)]
        for label in (0, 1)
    ]

    def cost(threshold):
        alarm, miss = (
            sum(part[k] for k in range(4) if (s[k] >= threshold) != wrong) / sum(part)
            for part, wrong in zip(parts, (False, True), strict=True)
        )
        return Fraction(1, 5) * miss * 3 + Fraction(4, 5) * alarm

    found = opchar.choose_threshold(
        y, s, sample_weight=weights, prior=0.2, cost_fn=3, rule="search"
    )
    least = min(cost(each) for each in [*s, np.nan, -np.inf])
    assert float(cost(found.threshold)) == pytest.approx(float(least), rel=1e-12)
    assert found.costs["search"] == pytest.approx(float(least), rel=1e-12)
    assert opchar.choose_threshold(y, s, sample_weight=weights, alpha=0.5).rule == "search"
    with pytest.raises(ValueError, match=r"finite numbers|divide them|weights that count"):
        opchar.choose_threshold(y, s, sample_weight=weights)


@pytest.mark.parametrize("cost_fn", [1e-12, 1e-300, 1.0, 3e12, 1e300])
@pytest.mark.parametrize("prior", [0.0, 0.02, 0.3, 1 - 2**-40])
def test_preferences_keep_their_digits_at_any_cost(cost_fn, prior):
    p, miss = Fraction(prior), Fraction(cost_fn)
    found = opchar.preference(prior, cost_fn=cost_fn)
    assert found.pc == pytest.approx(float(p * miss / (p * miss + 1 - p)), rel=1e-14)
    assert found.beta == pytest.approx(cost_fn**0.5, rel=1e-14)
    if prior:
        assert found.skew == pytest.approx(float((1 - p) / (p * miss)), rel=1e-14)
        # Odds of the threshold: those of the prior before, over those in use, over the cost.
        odds = Fraction(1, 4) * (1 - p) / p / miss
        for costs in (cost_fn, [cost_fn]):
            at = opchar.bayes_threshold(prior, cost_fn=costs, training_prior=0.2)
            assert float(np.ravel(at)[0]) == pytest.approx(float(odds / (1 + odds)), rel=1e-12)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_auto_does_not_hang_on_the_unit_of_weights(unit: float) -> None:
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], 40)
    given = {"y_true": y, "y_score": rng.normal(size=80) + y, "prior": 0.3, "cost_fn": 3}
    weights = rng.uniform(0.5, 2, 80)
    one, other = (
        opchar.choose_threshold(**given, sample_weight=weights * each) for each in (1.0, unit)
    )
    assert one.threshold == pytest.approx(other.threshold, rel=1e-9)


@pytest.mark.parametrize("heavy", [0, 1])
def test_a_class_of_hardly_any_weight_has_no_threshold(heavy: int) -> None:
    y = np.repeat([0, 1], 20)
    weights = np.where(y == heavy, 1e8, 1e-9)
    with pytest.raises(ValueError, match="objects of both classes, of weights that count"):
        opchar.choose_threshold(y, np.arange(40.0), prior=0.3, cost_fn=2, sample_weight=weights)
