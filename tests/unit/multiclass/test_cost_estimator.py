"""The cost-weighted classifier among scikit-learn's."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import check_estimator

from opchar.models.classifiers.gaussian import ldc
from opchar.multiclass.cost_weights import cost_weights
from opchar.multiclass.cost_weights.estimator import CostWeightedClassifier

COSTS = np.array([[0, 1, 1], [1, 0, 1], [1, 30, 0]])


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_accepts_the_estimator():
    check_estimator(CostWeightedClassifier(ldc()), on_skip=None)


@pytest.mark.parametrize("method", ["decomp", "decomp-greedy", "certified"])
def test_every_method_is_reached(method):
    X, y = load_iris(return_X_y=True)
    options = {"max_nodes": 2000} if method == "certified" else {"r": 12}
    given = {"method": method, "options": options, "random_state": 0}
    model = CostWeightedClassifier(GaussianNB(), COSTS, **given).fit(X, y)
    logs = cross_val_predict(GaussianNB(), X, y, cv=5, method="predict_log_proba")
    seed = np.random.RandomState(0).randint(2**31 - 1)
    drawn = {"rng": np.random.default_rng(seed), "log": True}
    expected = cost_weights(y, logs, COSTS, method=method, **drawn, **options)
    assert model.log_weights_ == pytest.approx(expected.log_weights[0])
    if method == "certified":
        assert model.lower_bound_ == pytest.approx(expected.lower_bounds[0])
    else:
        assert model.lower_bound_ is None


def test_weights_are_those_of_the_scores_of_cross_validation():
    X, y = load_iris(return_X_y=True)
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    model = CostWeightedClassifier(GaussianNB(), COSTS, method="naive", cv=cv).fit(X, y)
    scores = cross_val_predict(GaussianNB(), X, y, cv=cv, method="predict_proba")
    expected = cost_weights(y, scores, COSTS, method="naive")
    assert model.log_weights_ == pytest.approx(expected.log_weights[0])
    assert model.loss_ == pytest.approx(expected.losses[0])
    posteriors = GaussianNB().fit(X, y).predict_proba(X)
    weighted = posteriors * expected.weights[0]
    assert np.array_equal(model.predict(X), weighted.argmax(axis=1))
    shares = weighted / weighted.sum(axis=1, keepdims=True)
    assert model.predict_proba(X) == pytest.approx(shares)


def test_costly_errors_get_fewer_and_labels_keep_their_names():
    X, number = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])
    y = names[number]
    plain = CostWeightedClassifier(ldc(), method="default").fit(X, y)
    tuned = CostWeightedClassifier(ldc(), COSTS, random_state=0).fit(X, y)
    assert plain.classes_.tolist() == names.tolist()
    assert np.array_equal(plain.predict(X), ldc().fit(X, y).predict(X))

    def taken_for_versicolor(model):
        return np.sum((y == "virginica") & (model.predict(X) == "versicolor"))

    assert taken_for_versicolor(tuned) < taken_for_versicolor(plain)
    again = CostWeightedClassifier(ldc(), COSTS, random_state=0).fit(X, y)
    assert np.array_equal(again.log_weights_, tuned.log_weights_)


def test_logarithms_are_used_where_the_model_has_them():
    """Classes so far apart that all posteriors but one are zero."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 1)) * 0.01 + 10 * y[:, None]
    model = CostWeightedClassifier(GaussianNB(), 1 - np.eye(3)).fit(X, y)
    assert model.loss_ == 0
    assert model._log_posteriors(X).min() > -np.inf


def test_priors_count():
    X, y = load_iris(return_X_y=True)
    rare = CostWeightedClassifier(ldc(), priors=[0.05, 0.05, 0.9], random_state=0).fit(X, y)
    even = CostWeightedClassifier(ldc(), priors=[1 / 3] * 3, random_state=0).fit(X, y)
    assert np.sum(rare.predict(X) == 2) > np.sum(even.predict(X) == 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": np.zeros((2, 2))}, "of shape"),
        ({"costs": np.full((3, 3), np.inf)}, "finite"),
        ({"method": "best"}, "a method is one of"),
        ({"priors": [1, -1, 1]}, "not negative"),
    ],
)
def test_what_does_not_fit_is_one_clear_error(options, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        CostWeightedClassifier(ldc(), **options).fit(X, y)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="at least two classes"):
        CostWeightedClassifier(ldc()).fit(np.zeros((4, 1)), np.zeros(4))
