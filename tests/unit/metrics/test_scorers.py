"""Scorers in scikit-learn's cross-validation and searches."""

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import opchar
from opchar.metrics import make_scorers
from opchar.metrics.registry import INDICES
from opchar.metrics.scorers import ERRORS, NEITHER, OF_SCORES

X, Y = make_classification(300, weights=[0.7], flip_y=0.1, random_state=1)
NAMES = np.array(["no", "yes"])[Y]


def test_all_of_two_classes_at_once():
    scorers = make_scorers()
    found = cross_validate(LogisticRegression(), X, Y, cv=3, scoring=scorers, error_score="raise")
    assert {f"test_{name}" for name in scorers} < set(found)
    assert all(np.isfinite(found[f"test_{name}"]).all() for name in ("mcc", "pr_auc", "best_f"))


def test_all_of_more_classes_at_once():
    X, y = load_iris(return_X_y=True)
    scorers = make_scorers(average="macro")
    found = cross_validate(GaussianNB(), X, y, cv=3, scoring=scorers, error_score="raise")
    assert "test_roc_volume" in found
    assert (found["test_acsa"] > 0.9).all()


@pytest.mark.parametrize("name", [name for name in make_scorers() if "odds" not in name])
def test_more_is_better_for_each(name):
    """A model that knows the answers scores higher than one that guesses."""
    y = np.tile([0, 1], 50)
    known = np.column_stack([y, np.random.default_rng(0).normal(size=100)])
    good = DecisionTreeClassifier(max_depth=1).fit(known, y)
    bad = DummyClassifier(strategy="uniform", random_state=0).fit(known, y)
    scorer = make_scorers([name])[name]
    with np.errstate(all="ignore"):
        assert scorer(good, known, y) > scorer(bad, known, y)


def test_every_index_has_a_scorer_or_none_for_a_reason():
    made = {name.removeprefix("neg_") for name in make_scorers()}
    of_labels = {entry.name for entry in INDICES if entry.of != "conditions"}
    assert of_labels - made == NEITHER
    assert of_labels | set(OF_SCORES) >= ERRORS


def test_options_reach_the_functions():
    model = LogisticRegression().fit(X, NAMES)
    scorers = make_scorers(
        ["pr_auc", "best_f", "neg_least_cost", "brier_score", "tpr"],
        pos_label="no",
        prior=0.05,
        alpha=0.2,
        cost_fn=3.0,
    )
    score, options = -model.decision_function(X), {"pos_label": "no", "prior": 0.05}
    expected = {
        "pr_auc": opchar.pr_auc(NAMES, score, **options),
        "best_f": opchar.best_f(NAMES, score, alpha=0.2, **options),
        "neg_least_cost": -opchar.least_cost(NAMES, score, cost_fn=3.0, **options),
        "neg_brier_score": -opchar.brier_score(NAMES, model.predict_proba(X)[:, 0], **options),
        "tpr": (model.predict(X) == NAMES)[NAMES == "no"].mean(),
    }
    assert {name: scorer(model, X, NAMES) for name, scorer in scorers.items()} == pytest.approx(
        expected
    )


def test_they_choose_in_a_search_and_take_weights():
    scorers = make_scorers(["mcc", "least_cost"])
    search = GridSearchCV(
        LogisticRegression(), {"C": [1e-4, 1.0]}, scoring=scorers, refit="mcc", cv=3
    ).fit(X, Y)
    assert search.best_params_ == {"C": 1.0}
    weight = np.where(Y == 1, 5.0, 1.0)
    model = LogisticRegression().fit(X, Y)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = scorers["mcc"].set_score_request(sample_weight=True)
        found = scorer(model, X, Y, sample_weight=weight)
    guess = model.predict(X)
    assert found == opchar.index_score(Y, guess, "mcc", sample_weight=weight)


def test_names_that_are_none():
    with pytest.raises(ValueError, match="did you mean 'g_mean'"):
        make_scorers(["gmean"])
    with pytest.raises(ValueError, match="no scorer is called 'posfrac'"):
        make_scorers(["posfrac"])
