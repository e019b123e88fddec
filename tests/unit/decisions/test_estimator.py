"""The classifier with the threshold for a prior, among scikit-learn's."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from opchar import PriorThresholdClassifier
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import operating_points

X, Y = make_classification(300, weights=[0.8], flip_y=0.15, random_state=3)


def _expected_failures(estimator):
    """Return the checks that cannot hold, with why; without probabilities all hold."""
    if not hasattr(estimator, "cost_fn") or not hasattr(estimator, "predict_proba"):
        return {}
    if (getattr(estimator, "criterion", "f"), getattr(estimator, "rule", "")) == ("cost", "theory"):
        return {}
    why = "the most probable class is not the one that the threshold predicts: it is for that"
    return {"check_classifiers_train": why}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [
        PriorThresholdClassifier(RidgeClassifier()),
        PriorThresholdClassifier(LogisticRegression()),
        PriorThresholdClassifier(GaussianNB(), criterion="cost", rule="search", cv=3),
        PriorThresholdClassifier(GaussianNB(), criterion="cost", cv=3),
        PriorThresholdClassifier(RidgeClassifier(), criterion="cost", rule="theory"),
    ],
    expected_failed_checks=_expected_failures,
)
def test_scikit_learn_accepts_the_estimators(estimator, check):
    check(estimator)


@pytest.mark.parametrize("prior", [None, 0.02, 0.5, 0.9])
@pytest.mark.parametrize("criterion", ["f", "cost"])
def test_the_threshold_is_that_of_the_envelope_of_scores_out_of_fold(prior, criterion):
    cv = StratifiedKFold(4)
    options = {"prior": prior, "criterion": criterion, "cv": cv, "rule": "search"}
    options |= {"alpha": 0.3} if criterion == "f" else {"cost_fn": 4.0}
    model = PriorThresholdClassifier(LogisticRegression(), **options).fit(X, Y)
    scores = cross_val_predict(LogisticRegression(), X, Y, cv=cv, method="decision_function")
    points = operating_points(Y, scores)
    at = Y.mean() if prior is None else prior
    if criterion == "f":
        best = upper_envelope(points, 0.3).threshold(at)
    else:
        best = lower_envelope(points).threshold(4 * at / (4 * at + 1 - at))
    assert ((scores >= model.threshold_) == (scores >= best)).all()
    final = LogisticRegression().fit(X, Y).decision_function(X)
    np.testing.assert_array_equal(model.predict(X), (final >= model.threshold_).astype(int))


@pytest.mark.parametrize("inner", [LogisticRegression(), RandomForestClassifier(random_state=0)])
def test_the_other_class_may_be_the_positive_one(inner):
    names = np.array(["sick", "well"])[Y]
    one = PriorThresholdClassifier(inner, prior=0.01, pos_label="sick").fit(X, names)
    two = PriorThresholdClassifier(inner, prior=0.99, pos_label="sick").fit(X, names)
    assert (one.predict(X) == "sick").sum() < (two.predict(X) == "sick").sum()
    decided = one.decision_function(X)
    np.testing.assert_array_equal(one.predict(X), np.where(decided > 0, "well", "sick"))


def test_weights_count_for_the_threshold_of_an_estimator_that_takes_none():
    weight = np.where(Y == 1, 20.0, 1.0)
    plain = PriorThresholdClassifier(KNeighborsClassifier(15), criterion="cost").fit(X, Y)
    weighted = PriorThresholdClassifier(KNeighborsClassifier(15), criterion="cost").fit(
        X, Y, sample_weight=weight
    )
    assert weighted.threshold_ < plain.threshold_
    assert weighted.points_.n_positive == 20 * Y.sum()


def test_metadata_is_routed():
    weight = np.where(Y == 1, 20.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        asks = LogisticRegression().set_fit_request(sample_weight=True)
        refuses = LogisticRegression().set_fit_request(sample_weight=False)
        given = PriorThresholdClassifier(asks).set_fit_request(sample_weight=True)
        kept = PriorThresholdClassifier(refuses).set_fit_request(sample_weight=True)
        given.fit(X, Y, sample_weight=weight)
        kept.fit(X, Y, sample_weight=weight)
        scored = clone(given).set_score_request(sample_weight=True)
        search = GridSearchCV(scored, {"prior": [0.1, 0.5]}, cv=3)
        search.fit(X, Y, sample_weight=weight)
    weighted, plain = (LogisticRegression().fit(X, Y, w) for w in (weight, None))
    np.testing.assert_allclose(given.estimator_.coef_, weighted.coef_)
    np.testing.assert_allclose(kept.estimator_.coef_, plain.coef_)
    assert kept.points_.n_positive == 20 * Y.sum()
    assert search.best_estimator_.points_.n_positive == 20 * Y.sum()


def test_parameters_can_be_searched_and_frames_keep_their_names():
    data = load_breast_cancer(as_frame=True)
    search = GridSearchCV(
        PriorThresholdClassifier(GaussianNB()),
        {"alpha": [0.1, 0.9], "estimator__var_smoothing": [1e-9, 1e-3]},
        cv=3,
    ).fit(data.data, data.target)
    assert list(search.best_estimator_.feature_names_in_) == list(data.data.columns)
    model = PriorThresholdClassifier(GaussianNB()).set_params(prior=0.2, estimator__priors=None)
    assert model.prior == 0.2


def test_a_threshold_may_accept_none_or_all():
    y = np.tile([0, 1], 10)
    noise = np.zeros((20, 1))
    rare = PriorThresholdClassifier(DummyClassifier(), prior=0.01, criterion="cost").fit(noise, y)
    common = PriorThresholdClassifier(DummyClassifier(), prior=0.99, criterion="cost").fit(noise, y)
    assert (rare.threshold_, common.threshold_) == (np.inf, -np.inf)
    assert rare.predict(noise).sum() == 0
    assert common.predict(noise).sum() == 20


@pytest.mark.parametrize(
    ("options", "y", "message"),
    [
        ({"rule": "best"}, Y, "rule is one of auto, search, theory"),
        ({"rule": "theory"}, Y, "needs criterion 'cost'"),
        ({"criterion": "best"}, Y, "criterion is 'f' or 'cost'"),
        ({"prior": 2.0}, Y, r"\[0, 1\]"),
        ({"alpha": -1}, Y, "alpha"),
        ({"criterion": "cost", "cost_fn": -1}, Y, "costs must not be negative"),
        ({"pos_label": 7}, Y, "none of the classes"),
        ({}, np.arange(300) % 3, "binary"),
        ({"cv": [(np.arange(150), np.arange(150, 300))]}, Y, "tested once"),
    ],
)
def test_what_does_not_fit_is_one_clear_error(options, y, message):
    with pytest.raises(ValueError, match=message):
        PriorThresholdClassifier(LogisticRegression(), **options).fit(pd.DataFrame(X), y)
