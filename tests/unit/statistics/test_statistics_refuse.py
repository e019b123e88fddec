"""Every refusal of the statistics, and what their rarest branches return."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import logit

from opchar.seeds import generator
from opchar.statistics import (
    acceptance_rates,
    areas,
    binary_classifiers,
    calibration,
    chance_variants,
    cross_fitting,
    decision_curves,
    joint_likelihood,
    proportions,
    ranking,
    resampling,
    risk_control,
    risk_estimator,
    signed_rank,
    variants,
)

Y, SCORE = [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]
CELLS = variants.Variants(np.ones(2), np.ones(2), np.ones((1, 2)), np.ones((1, 2)))
FOLDS = np.array([0, 1, 0, 1])


def area(labels: Any = Y, scores: Any = SCORE, **options: Any) -> Any:
    return areas.areas(labels, [scores], **options)


def chosen(counts: Any) -> Any:
    return np.array([0.5])


def uncontrolled(method: Any, **limits: Any) -> Any:
    from sklearn.linear_model import LogisticRegression

    model = risk_estimator.RiskControlledClassifier(LogisticRegression(), method=method, **limits)
    return model.fit(np.arange(8.0)[:, None], np.tile([0, 1], 4))


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: area(scores=SCORE[:3]), "must be equally long"),
    (lambda: area(weight=[1.0, -1.0, 1.0, 1.0]), "finite and not negative"),
    (lambda: area([1, 0, 0, 0]), "two objects of each class"),
    (lambda: areas.unseen_share(0), "number must be positive, got 0"),
    (lambda: decision_curves.decision_curve([1, 0, 0], [0.9, 0.2, 0.1]), "two objects of each"),
    (lambda: areas.newcombe_interval(1.5, 3, 3), r"an area lies in \[0, 1\]"),
    (lambda: calibration.calibration(Y, [0.1, 0.2, 0.3, 1e200]), "have no squares"),
    (lambda: calibration.calibration([1, 1], [0.1, 0.2]), "objects of both classes"),
    (lambda: calibration.calibration(Y, [1.0, 2.0, 3.0, 4.0], "none"), "must be probabilities"),
    (lambda: calibration.calibration(Y, SCORE, "platt"), "method is one of "),  # type: ignore[arg-type]
    (lambda: chance_variants.least_factor([]), "draws must be numbers, at least one"),
    (lambda: chance_variants.least_factor([math.nan]), "draws must be numbers"),
    (lambda: chance_variants.least_factor([1.0], 1.0), "a rate between 0 and 1"),
    (lambda: cross_fitting.drawn_folds(np.array([1, 0, 0]), generator(0), 2), "one object only"),
    (lambda: decision_curves.decision_curve(Y, SCORE, threshold=[0.5, 0.2]), "and ascend"),
    (lambda: decision_curves.decision_curve(Y, SCORE, threshold=[1.0]), r"lie in \(0, 1\)"),
    (lambda: decision_curves.decision_curve(Y, SCORE, threshold=[]), r"lie in \(0, 1\)"),
    (lambda: joint_likelihood.cell_log_likelihood([1.0], [0.0], [1.0], [1.0]), "units positive"),
    (lambda: proportions.wilson(1.5, 3), "rests on objects"),
    (lambda: proportions.wilson(0.5, 0), "rests on objects"),
    (lambda: proportions.guaranteed_threshold([math.nan], 0.05), "a score is NaN"),
    (lambda: proportions.objects_needed(5e-324), "no number of objects"),
    (lambda: ranking.rank_scores(Y, SCORE[:3]), "labels and scores differ"),
    (lambda: ranking.rank_scores(Y, [*SCORE[:3], math.inf]), "scores must be finite"),
    (lambda: ranking.rank_scores(Y, SCORE, [1, 1, 1, -1]), "one weight that is not negative"),
    (lambda: ranking.rank_scores(Y, SCORE, [1.7e308] * 4), "too large for a sum"),
    (lambda: risk_control.find_control(np.array([True]), np.ones(1), {}), "give a limit"),
    (
        lambda: risk_control.find_control(np.array([True]), np.ones(1), {"max_fpr": 0.1}, 1.0),
        r"in \(0, 1\)",
    ),
    (lambda: uncontrolled("cross", max_fpr=0.1, max_fnr=0.1), "takes one limit"),
    (lambda: uncontrolled("cross", min_precision=0.1), "takes one limit"),
    (lambda: signed_rank.signed_rank_p(np.array([math.nan, 1.0])), "a difference is NaN"),
    (lambda: replace(CELLS, spread=np.ones((2, 2))), "must have one shape"),
    (lambda: replace(CELLS, unit=np.ones(3)), "2 published cells, but values"),
    (lambda: replace(CELLS, unit=np.zeros(2)), "units must be positive"),
    (lambda: replace(CELLS, correlation=np.eye(3)), "the correlation of 2 cells"),
    (lambda: replace(CELLS, block=np.zeros(3, np.intp)), "each of 2 cells has a block"),
    (lambda: variants.weights([math.inf]), "a likelihood is infinite"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_has_no_answer_is_refused_in_one_line(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_choosing_and_judging_takes_two_folds_with_both_classes() -> None:
    data = ranking.rank_scores(Y, SCORE)
    with pytest.raises(ValueError, match="takes two or more"):
        cross_fitting.cross_fitted_by_counts(data, np.zeros(4, np.intp), chosen)
    with pytest.raises(ValueError, match="a class are in one fold, number 0"):
        cross_fitting.cross_fitted_by_counts(data, FOLDS, chosen)
    found = cross_fitting.cross_fitted_by_counts(data, np.array([0, 0, 1, 1]), chosen)
    assert found.part(slice(0, 1)).thresholds.tolist() == [[0.5], [0.5]]


def test_units_of_both_classes_belong_to_no_stratum() -> None:
    data, unit = ranking.rank_scores(Y, SCORE), np.array([0, 0, 1, 1])
    with pytest.raises(ValueError, match="belongs to no stratum"):
        resampling.resample_objects(data, lambda _: 0.5, generator(1), unit=unit)
    with pytest.raises(ValueError, match="two or more resamples, got 1"):
        resampling.resample_objects(data, lambda _: 0.5, generator(1), repeats=1)


CALIBRATED = [*np.repeat([0.2, 0.4, 0.6, 0.8], 25)]
LABELS = [n % 5 < place for place in (1, 2, 3, 4) for n in range(25)]


@pytest.mark.parametrize("method", ["none", "isotonic", "sigmoid", "beta"])
def test_the_threshold_of_a_calibration_is_where_its_log_odds_are_reached(method: Any) -> None:
    found = calibration.calibration(LABELS, CALIBRATED, method)
    assert found.prior == 0.5
    wanted = np.array([-1.0, 0.0, 0.7])
    at = found.threshold(wanted)
    assert (np.diff(at) > 0).all()
    assert (found.log_odds(at) >= wanted - 1e-9).all()
    assert (found.log_odds(np.nextafter(at - 1e-9, -1)) < wanted).all()
    assert found.probabilities([0.3], prior=0.5) == pytest.approx(found.probabilities([0.3]))
    assert found.probabilities([0.3], prior=0.9) > found.probabilities([0.3])
    ends = found.threshold(np.array([-1e9, 1e9]))
    assert ends[0] <= min(CALIBRATED)
    assert ends[1] >= max(CALIBRATED)


def test_isotonic_steps_begin_between_the_scores() -> None:
    found = calibration.calibration(LABELS, CALIBRATED, "isotonic")
    assert found.steps == pytest.approx([0.2, 0.3, 0.5, 0.7])
    assert found.step_log_odds == pytest.approx(logit([0.2, 0.4, 0.6, 0.8]))


@pytest.mark.parametrize("method", ["sigmoid", "beta"])
def test_scores_that_tell_nothing_have_the_prior_for_their_map(method: Any) -> None:
    found = calibration.calibration([1, 0, 0, 1], [0.4, 0.6, 0.4, 0.6], method)
    backwards = calibration.calibration([1, 1, 0, 0], [0.1, 0.2, 0.8, 0.9], method)
    for each in (found, backwards):
        assert each.probabilities([0.1, 0.9]) == pytest.approx([0.5, 0.5], abs=1e-6)
    assert backwards.threshold([-1.0, 1.0]).tolist() == [-math.inf, math.inf]


def test_scores_of_any_scale_are_mapped_back() -> None:
    scores = [30.0 * each - 7.0 for each in CALIBRATED]
    for method in ("sigmoid", "beta"):
        found = calibration.calibration(LABELS, scores, method)
        at = found.threshold([0.0])
        assert found.log_odds(at) == pytest.approx([0.0], abs=1e-6)
        assert scores[0] < at[0] < scores[-1]


TWO_OF_FIVE = np.array([True, True, False, False, False])
OUTSIDE = resampling.Resampled(np.array([0.0, 0.5]), np.array([[0.0, 0.5], [0.1, 0.5], [0.2, 0.5]]))


def rates_at(thresholds: list[float]) -> Any:
    data, at = ranking.rank_scores(Y, SCORE), [np.array([thresholds])]
    found = acceptance_rates.class_rates([data], at, np.zeros(4, np.intp), None)
    return [(rates.tolist(), covariance.tolist(), number) for rates, covariance, number in found]


def with_probabilities_alone() -> Any:
    from sklearn.naive_bayes import GaussianNB

    model = GaussianNB().fit([[0.0], [0.1], [1.0], [1.1]], [0, 0, 1, 1])
    return binary_classifiers.positive_scores(model, [[0.0], [1.0]], 0).round(3).tolist()


RARE: list[tuple[Callable[[], Any], Any]] = [
    (lambda: areas.student_quantile(0.95, math.inf), pytest.approx(1.959964, abs=1e-6)),
    (lambda: OUTSIDE.share_interval(0), OUTSIDE.percentile_interval(0)),
    (lambda: acceptance_rates.few_rows(TWO_OF_FIVE, None).tolist(), [0, 1, 2, 3, 4]),
    # One of two objects is accepted by .5: r (1 - r) / (n - 1); by 0 both are.
    (lambda: rates_at([0.5, 0.0]), [([[0.5, 1.0]], [[0.25, 0.0], [0.0, 0.0]], 2.0)] * 2),
    (lambda: ranking.rank_scores([1, 1, 0], [2.0, 1.0, 0.0]).points().n_negative, 1),
    (
        lambda: acceptance_rates.few_rows(TWO_OF_FIVE, None, np.array([2, 0, 1, 1, 3])).tolist(),
        [0, 0, 2, 3, 4, 4, 4],
    ),
    (
        lambda: proportions.guaranteed_threshold([3, 1, 2], 0.5, times=np.array([5.0, 9, 7])),
        proportions.guaranteed_threshold(np.repeat([3, 1, 2], [5, 9, 7]), 0.5),
    ),
    (with_probabilities_alone, [1.0, 0.0]),
]


@pytest.mark.parametrize(("call", "value"), RARE)
def test_rare_branches_return_what_is_right(call: Callable[[], Any], value: Any) -> None:
    assert call() == value


def test_a_fitted_controller_knows_its_features() -> None:
    from sklearn.linear_model import LogisticRegression

    model = risk_estimator.RiskControlledClassifier(
        LogisticRegression(), method="cross", max_fpr=0.4, confidence=0.5, cv=2
    )
    assert model.fit(np.arange(24.0).reshape(12, 2), np.tile([0, 1], 6)).n_features_in_ == 2


def test_a_fit_that_is_stopped_is_better_than_where_it_began(monkeypatch: Any) -> None:
    rng = generator(1)
    positive = rng.random(200) < 0.3
    score = rng.normal(size=200) + positive
    whole = calibration.calibration(positive, score)
    monkeypatch.setattr(calibration, "STEPS", 1)
    once = calibration.calibration(positive, score)
    assert once.coefficients[0] != pytest.approx(whole.coefficients[0], abs=1e-9)
    assert once.coefficients[0] == pytest.approx(whole.coefficients[0], rel=0.2)


def test_a_draw_without_a_class_is_drawn_again() -> None:
    """Of two units, one of each class, half of the draws have one class only."""
    data, unit = ranking.rank_scores(Y, SCORE), np.array([0, 1, 0, 1])
    found = resampling.resample_objects(
        data, lambda points: points.tpr[-1], generator(1), unit=unit, strata=False
    )
    assert np.unique(found.draws).tolist() == [1.0]


def test_a_block_in_which_no_variant_differs_moves_nothing() -> None:
    published, values = np.array([0.5, 0.7]), np.array([[0.5, 0.7], [0.5, 0.6], [0.5, 0.8]])
    given = variants.Variants(published, np.full(2, 0.01), values, np.full((3, 2), 0.02))
    given = replace(given, block=np.array([0, 1]))
    draws = chance_variants.chance_factors(given, generator(1), 50)
    only = replace(
        variants.Variants(published[1:], np.full(1, 0.01), values[:, 1:], np.full((3, 1), 0.02)),
        block=np.array([0]),
    )
    alone = chance_variants.chance_factors(only, generator(1), 50)
    assert np.isfinite(draws).mean() == pytest.approx(np.isfinite(alone).mean(), abs=0.2)
