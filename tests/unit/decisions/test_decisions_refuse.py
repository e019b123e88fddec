"""Every refusal of the decisions, and what their rarest branches return."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from opchar.decisions import at_threshold, priors, smooth_curves, threshold_rules, threshold_spread
from opchar.decisions.estimator import PriorThresholdClassifier
from opchar.decisions.smooth_curves import Labelled
from opchar.spaces.points import operating_points

Y, SCORE = [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]
NEW = [0.2, 0.8]
ONE = np.ones(3)


def estimated(**options: Any) -> Any:
    return priors.estimate_prior(Y, SCORE, options.pop("unlabelled", NEW), **options)


def one_class_weighs() -> Labelled:
    positive = np.array([True, True, False])
    return Labelled(positive, np.array([0.1, 0.2, 0.3]), np.array([1.0, 1.0, 1e-300]))


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: at_threshold.at_threshold(Y, SCORE, math.nan), "a number, .* not nan"),
    (lambda: at_threshold.at_threshold(Y, SCORE, 0.5, prior=1.0), r"in \(0, 1\), got 1"),
    (lambda: at_threshold.at_threshold(Y, SCORE, 0.5, cost_fn=-1.0), "finite, not negative"),
    (lambda: at_threshold.at_threshold(Y, SCORE, 0.5, confidence=1.0), "confidence must lie"),
    (lambda: at_threshold.effective_number(ONE, None, np.zeros(3, bool)), "a class has no objects"),
    (lambda: estimated(method="mean"), "method is one of em, confusion"),
    (lambda: estimated(calibrate="platt"), "calibrate is one of "),
    (lambda: estimated(drift=-0.1), "drift is a number from 0 upwards"),
    (lambda: estimated(confidence=1.0), "confidence lies"),
    (lambda: estimated(resamples=1), "resamples are 2 or more"),
    (lambda: estimated(unlabelled=[]), "finite scores, at least one"),
    (lambda: priors.estimate_prior([1, 0], [0.5, 0.5], NEW), "tells nothing of the prior"),
    (lambda: priors.likeliest_prior([]), "one object or more"),
    (lambda: priors.likeliest_prior([math.nan]), "numbers, not NaN"),
    (lambda: priors.prior_by_confusion(operating_points(Y, SCORE), []), "one object or more"),
    (lambda: priors.prior_by_confusion(operating_points(Y, SCORE), [math.nan]), "not NaN"),
    (lambda: smooth_curves.check_labelled(Y, SCORE[:3]), "differ in shape"),
    (lambda: smooth_curves.check_labelled(Y, [*SCORE[:3], math.inf]), "finite numbers"),
    (lambda: smooth_curves.check_labelled(Y, [*SCORE[:3], 1e160]), "have no squares"),
    (lambda: smooth_curves.check_labelled([1, 1], [0.1, 0.2]), "positive class and others"),
    (lambda: smooth_curves.smooth_points(one_class_weighs()), "of weights that count"),
    (lambda: threshold_rules.cost_on(operating_points(Y, SCORE), math.nan, 0.5), "not be NaN"),
    (
        lambda: threshold_rules.choose_threshold(Y, [math.inf] * 4, cost_fp=9, rule="search"),
        "nothing lies above infinite scores",
    ),
    (lambda: threshold_spread.threshold_spread(Y, SCORE, resamples=1), "resamples are 2 or more"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_has_no_answer_is_refused_in_one_line(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_of_objects_of_one_class_only_its_rates_are_known() -> None:
    found = at_threshold.of_decisions(
        np.array([True, True]),
        np.array([True, False]),
        np.ones(2),
        None,
        threshold=0.5,
        prior=None,
        cost_fn=1.0,
        cost_fp=1.0,
        confidence=0.95,
    )
    assert found.tpr.value == found.fnr.value == 0.5
    unknown = (found.fpr, found.tnr, found.precision, found.npv, found.alerts, found.cost)
    assert all(math.isnan(each.value) for each in unknown)


def test_nothing_accepted_has_no_precision() -> None:
    for prior in (None, 0.3):
        none = at_threshold.at_threshold(Y, SCORE, 2.0, prior=prior)
        assert math.isnan(none.precision.value)
        assert none.npv.value == pytest.approx(0.5 if prior is None else 0.7)
        every = at_threshold.at_threshold(Y, SCORE, 0.0, prior=prior)
        assert math.isnan(every.npv.value)
        assert every.precision.value == pytest.approx(0.5 if prior is None else 0.3)


def test_folds_that_lack_a_class_are_refused() -> None:
    X, y = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    model = PriorThresholdClassifier(LogisticRegression(), cv=KFold(2))
    with pytest.raises(ValueError, match="a fold lacks a class"):
        model.fit(X, y)


@pytest.mark.parametrize("gap", [7, 503, 996])
def test_no_group_of_scores_hides_a_gap_between_the_classes(gap: int) -> None:
    data = Labelled(np.arange(1000) >= gap, np.arange(1000.0), np.ones(1000))
    joined = smooth_curves.join_neighbours(data, 10)
    assert joined.scores[joined.positive].min() > joined.scores[~joined.positive].max()
    assert len(np.unique(joined.scores)) < 20
