"""Every word of the vocabulary on bad data: the stated error, or finite scores."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from checkout import configured
from opchar.errors import DataError
from opchar.models.names import parse
from opchar.models.training import class_scores, seed_estimator, train
from opchar.seeds import spawner

VOCABULARY = configured("models")
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4)) + np.repeat([[0.0], [1.5]], 30, axis=0)
Y = np.repeat([0, 1], 30)
CONSTANT, DEPENDENT = X.copy(), X.copy()
CONSTANT[:, 2] = 7.0
DEPENDENT[:, 3] = X[:, 0] + X[:, 1]
FOUR = [0, 1, 58, 59]

KINDS = {
    "constant feature": (CONSTANT, Y),
    "singular covariance": (DEPENDENT, Y),
    "duplicated objects": (np.repeat(X[::4], 4, axis=0), Y),
    "one object in a class": (X, np.array([0] * 59 + [1])),
    "one object in each class": (X[[0, -1]], np.array([0, 1])),
    "fewer objects than k": (X[FOUR], Y[FOUR]),
    "all objects equal": (np.zeros((60, 4)), Y),
    "one class": (X, np.zeros(60, int)),
}

# How each word is tried, where its example does not fit four features or two classes.
TRIED = {
    "sc": "sc ldc",
    "pca": "pca3 ldc",
    "fisher": "fisher ldc",
    "nlfisher": "nlfisher ldc",
    "dis": "dis15 ldc",
    "smote": "smote ldc",
    "mogc": "mogc2",
    "softmogc": "softmogc2",
    "knnc": "knnc5",
    "lexiboost": "lexiboost5",
}

SINGULAR = r"in \d+ dimensions is singular"
COVARIANCE = dict.fromkeys(
    [
        "constant feature",
        "singular covariance",
        "one object in a class",
        "one object in each class",
        "fewer objects than k",
        "all objects equal",
    ],
    SINGULAR,
)
MORE_OBJECTS = {"one object in each class": "more objects than classes"}
SPREAD = dict.fromkeys(["one object in each class", "all objects equal"], "wants some spread")
PROTOTYPES = dict.fromkeys(
    ["one object in each class", "fewer objects than k"], "prototypes must number between"
)
NEIGHBOURS = dict.fromkeys(
    ["one object in each class", "fewer objects than k"], r"k (must be )?between 1 and the"
)
LONELY = dict.fromkeys(
    ["one object in a class", "one object in each class"], "two samples or more of each class"
)
THREE_CLASSES = "an outlier class and two or more target classes"
EQUAL = {"all objects equal": "objects that vary"}

# The words of the errors; nothing stated means finite scores. One class is always an error.
STATED = {
    "varying": {"all objects equal": "No feature in X meets the variance threshold"},
    "sc": MORE_OBJECTS,
    "pca": MORE_OBJECTS | {"one object in each class": "n_components=3 must be between"},
    "fisher": SPREAD,
    "nlfisher": SPREAD,
    "dis": PROTOTYPES,
    "smote": LONELY,
    "ldc": MORE_OBJECTS,
    "qdc": COVARIANCE,
    "mogc": COVARIANCE,
    "softmogc": COVARIANCE | {"duplicated objects": SINGULAR},
    "parzenc": SPREAD | {"one object in each class": "a class of two or more samples"},
    "knnc": NEIGHBOURS,
    "mindist": PROTOTYPES | {"all objects equal": "has no prototype"},
    "lexiboost": NEIGHBOURS,
    "bayes": {"all objects equal": "wants some spread"},
    "reject": SPREAD | {"one object in a class": SINGULAR},
    "socmc": dict.fromkeys(["one object in each class", "all objects equal"], "objects that vary")
    | {"one object in a class": SINGULAR},
    "two_stage": dict.fromkeys(set(KINDS) - {"one class"}, THREE_CLASSES),
    "gauss": EQUAL,
    "mog_dd": EQUAL
    | dict.fromkeys(
        ["one object in each class", "fewer objects than k"], "n_samples >= n_components"
    ),
}
DETECTORS = [word for word, entry in VOCABULARY.items() if entry["kind"] == "detector"]
ONE_CLASS = "1 class|more than 1 class|for 1 class"


def model(word):
    kind = "detector" if word in DETECTORS else "classifier"
    name = TRIED.get(word, VOCABULARY[word].get("example", word))
    return seed_estimator(parse(name, VOCABULARY, kind), np.random.default_rng(0))


def scored(word, features, labels, tested=None):
    fitted = model(word)
    tested = np.vstack([X, features, 1e6 * X]) if tested is None else tested
    if word in DETECTORS:
        return fitted.fit(features).score_samples(tested)
    scores = class_scores(fitted.fit(features, labels), tested, 2)
    assert scores.min() >= 0
    assert scores.max() <= 1 + 1e-12
    return scores


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", VOCABULARY)
@pytest.mark.filterwarnings("error")
def test_bad_data_give_finite_scores_or_the_stated_error(word, kind):
    reason = STATED.get(word, {}).get(kind)
    if kind == "one class" and word not in DETECTORS and word != "bayes":
        reason = ONE_CLASS
    if reason is None:
        assert np.isfinite(scored(word, *KINDS[kind])).all()
        return
    with pytest.raises(ValueError, match=reason) as error:
        scored(word, *KINDS[kind])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("size", [1e-300, 1e-150, 1e50, 1e149, 1e300])
@pytest.mark.parametrize("word", VOCABULARY)
@pytest.mark.filterwarnings("error", "ignore:lbfgs failed to converge")
def test_features_of_any_size_give_finite_scores_or_one_line(word, size):
    """Scaling and components warned of overflows and handed NaN to the classifier behind them."""
    try:
        found = scored(word, X * size, Y, X * size)
    except ValueError as error:
        assert "\n" not in str(error)
        assert "NaN" not in str(error)
    else:
        assert np.isfinite(found).all()


@pytest.mark.parametrize("word", [word for word in VOCABULARY if word not in DETECTORS])
@pytest.mark.filterwarnings("error")
def test_a_frame_gives_the_scores_of_its_numbers(word):
    """Some checked their objects twice, and warned of names that the second array had lost."""
    y = {"two_stage": np.arange(60) % 3, "reject": Y}.get(word, np.where(Y, "b", "a"))
    frame = pd.DataFrame(X, columns=list("pqrs"))
    named, plain = model(word).fit(frame, y), model(word).fit(X, y)
    method = "predict_proba" if hasattr(plain, "predict_proba") else "decision_function"
    found, expected = getattr(named, method)(frame), getattr(plain, method)(X)
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    np.testing.assert_array_equal(named.predict(frame), plain.predict(X))


@pytest.mark.parametrize("word", VOCABULARY)
@pytest.mark.filterwarnings("error")
def test_new_objects_too_large_for_a_model_are_one_line_or_get_finite_scores(word):
    y = np.arange(60) % 3 if word == "two_stage" else Y
    fitted = model(word).fit(X) if word in DETECTORS else model(word).fit(X, y)
    names = ("score_samples", "predict_proba", "decision_function", "predict")
    for name in [name for name in names if hasattr(fitted, name)]:
        try:
            found = getattr(fitted, name)(1e300 * X)
        except ValueError as error:
            assert "\n" not in str(error)
        else:
            assert np.isfinite(found).all()


# A class of one object is missing in the training set of the fold that tests it.
MISSING = {"bagsvm": "want two classes", "smote": "two samples or more"} | dict.fromkeys(
    ["qdc", "mogc", "softmogc", "reject", "socmc"], SINGULAR
)
MISSING["two_stage"] = THREE_CLASSES


@pytest.mark.parametrize("word", [word for word in VOCABULARY if word not in DETECTORS])
def test_a_class_missing_in_a_fold_scores_zero_or_is_the_stated_error(word):
    y = np.append(Y[:-1], 2)
    table = SimpleNamespace(X=X, y=y, classes=("a", "b", "c"), provenance={"data": "mine"})
    folds = {"function": "opchar.models.splits.protocols:k_fold", "parameters": {"folds": 3}}
    name = TRIED.get(word, VOCABULARY[word].get("example", word))
    spawn = spawner(1, "missing")
    if word in MISSING:
        with pytest.raises(DataError, match=rf"'{re.escape(name)}', fold \d: .*{MISSING[word]}"):
            train(table, name, VOCABULARY, folds, spawn)
        return
    scores = train(table, name, VOCABULARY, folds, spawn)
    without = scores.scores[scores.fold == scores.fold[scores.y == 2]]
    assert (without[:, 2] == 0).all()
    assert without.sum(axis=1) == pytest.approx(np.ones(len(without)))
    if scores.decisions is not None:
        assert (scores.decisions[scores.fold == scores.fold[scores.y == 2], 2] == -np.inf).all()


def test_every_statement_is_about_a_word():
    assert set(STATED) | set(TRIED) | set(MISSING) <= set(VOCABULARY)
    assert all(set(stated) <= set(KINDS) for stated in STATED.values())
