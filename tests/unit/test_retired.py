"""Old names work for one version, and say what to use."""

import sys
from pathlib import Path

import mypy.api
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

import opchar
from opchar.multiclass.roc.bootstrap import vus_interval
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.retired import FUNCTIONS, accept_old_arguments

Y, SCORE = [0, 1, 0, 1, 1, 0], [0.1, 0.4, 0.5, 0.7, 0.9, 0.2]
DATA = weighted_scores(np.array(Y), np.column_stack([1 - np.array(SCORE), SCORE]), 5)


def test_old_functions_warn_and_work() -> None:
    for name in FUNCTIONS:
        assert name not in opchar.__all__
        with pytest.warns(DeprecationWarning, match=f"opchar.{name} is retired"):
            assert callable(getattr(opchar, name))
    with pytest.warns(DeprecationWarning):
        assert opchar.object_thresholds(100.0, 5.0) == pytest.approx(5 / 105)
    with pytest.warns(DeprecationWarning, match="controlled_threshold"):
        assert opchar.neyman_pearson(Y, SCORE, 0.5).fpr <= 0.5


def test_old_arguments_warn_and_work() -> None:
    with pytest.warns(DeprecationWarning, match="confidence="):
        old = opchar.object_cost(Y, SCORE, cost_fn=2, cost_fp=1, level=0.9)
    assert old == opchar.object_cost(Y, SCORE, cost_fn=2, cost_fp=1, confidence=0.9)
    with pytest.warns(DeprecationWarning, match="by position"):
        assert opchar.bayes_threshold(0.02, 1, 5) == pytest.approx(1 / 6)
    with pytest.warns(DeprecationWarning, match="by position"):
        assert opchar.preference(0.02, 1, 5) == opchar.preference(0.02, cost_fn=5, cost_fp=1)
    with pytest.warns(DeprecationWarning, match="alpha="):
        found = opchar.analyse(Y, SCORE, alphas=(0.5, 0.2), resamples=50)  # type: ignore[call-arg]
    assert found.asked.alphas == (0.5, 0.2)
    with pytest.warns(DeprecationWarning), pytest.raises(TypeError, match="both"):
        opchar.object_cost(Y, SCORE, cost_fn=2, cost_fp=1, level=0.9, confidence=0.9)


def test_old_names_of_the_check_of_printed_tables_warn_and_work() -> None:
    sys.modules.pop("opchar.published", None)
    with pytest.warns(
        DeprecationWarning, match="opchar.published is retired.*; use opchar.printed"
    ):
        from opchar.published import check
    assert check is opchar.check
    vars(opchar).pop("published")
    with pytest.warns(DeprecationWarning, match="opchar.published is retired"):
        assert opchar.published is opchar.printed  # type: ignore[attr-defined]


def test_a_classifier_is_called_an_estimator_and_the_old_name_warns() -> None:
    X, y = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]], ["a"] * 3 + ["b"] * 3
    with pytest.warns(
        DeprecationWarning, match=r"classifier=\.\.\.\) is retired.*; use estimator="
    ):
        old = opchar.RejectClassifier(classifier=GaussianNB(), distance=0.01)  # type: ignore[call-arg]
    new = opchar.RejectClassifier(GaussianNB(), distance=0.01)
    assert repr(clone(old)) == repr(new)
    assert "estimator" in new.get_params(deep=False)
    with pytest.warns(DeprecationWarning, match="RejectClassifier.classifier_ is retired"):
        assert old.fit(X, y).classifier_ is old.estimator_
    assert old.decide(X).tolist() == new.fit(X, y).decide(X).tolist()
    with pytest.warns(DeprecationWarning, match="use estimator__var_smoothing="):
        search = GridSearchCV(new, {"classifier__var_smoothing": [1e-9, 1e-3]}, cv=2).fit(X, y)
    assert search.best_estimator_.estimator.var_smoothing in (1e-9, 1e-3)
    with pytest.warns(DeprecationWarning, match="use estimator="):
        assert new.set_params(classifier=None).estimator is None
    with pytest.raises(TypeError, match="both classifier and estimator"), pytest.warns():
        new.set_params(classifier=None, estimator=None)
    with pytest.raises(ValueError, match="Invalid parameter 'nope' for estimator GaussianNB"):
        old.set_params(estimator__nope=1)


def test_resamples_have_one_name_and_the_old_one_warns() -> None:
    calls = (
        lambda **given: opchar.estimate_prior(Y, SCORE, SCORE, **given),
        lambda **given: opchar.threshold_spread(Y, SCORE, **given),
        lambda **given: vus_interval(DATA, np.random.default_rng(0), **given),
        lambda **given: opchar.pr_auc_interval(Y, SCORE, **given),
        lambda **given: opchar.pr_auc_difference(Y, SCORE, SCORE[::-1], **given),
    )
    for ask in calls:
        with pytest.warns(
            DeprecationWarning, match=r"repeats=\.\.\.\) is retired.*; use resamples="
        ):
            old = ask(repeats=3)
        assert repr(old) == repr(ask(resamples=3))


@pytest.mark.check
def test_mypy_knows_retired_names_and_finds_misspelt_ones(tmp_path: Path) -> None:
    stub = tmp_path / "asked.py"
    names = [*FUNCTIONS, "best_treshold", "estimate_piror", "RejectClasifier"]
    stub.write_text("import opchar\n" + "".join(f"opchar.{name}\n" for name in names))
    told, _, _ = mypy.api.run([str(stub), "--follow-imports=silent", "--python-version=3.11"])
    lines = {int(line.split(":")[1]) - 2 for line in told.splitlines() if "attr-defined" in line}
    assert lines == {len(FUNCTIONS), len(FUNCTIONS) + 1, len(FUNCTIONS) + 2}, told


def test_old_attributes_warn_and_work() -> None:
    prior = opchar.estimate_prior(Y, SCORE, SCORE, confidence=0.9, resamples=2)
    for found in (prior, opchar.threshold_spread(Y, SCORE, confidence=0.9, resamples=2)):
        with pytest.warns(DeprecationWarning, match="level is retired.*; use confidence"):
            assert found.level == found.confidence == 0.9
    assert "confidence" in prior.to_frame()


def test_arguments_too_many_are_an_error() -> None:
    @accept_old_arguments("b")
    def function(a: int, *, b: int = 0) -> int:
        return a + b

    with pytest.warns(DeprecationWarning), pytest.raises(TypeError):
        function(1, 2, 3)  # type: ignore[misc]


def test_bayes_thresholds_of_each_object() -> None:
    found = opchar.bayes_threshold(cost_fn=[100.0, 10.0], cost_fp=5.0, cost_tp=1.0)
    np.testing.assert_allclose(found, [5 / 104, 5 / 14])
    shifted = opchar.bayes_threshold(0.1, cost_fn=[100.0, 10.0], cost_fp=5.0, training_prior=0.5)
    assert (shifted > opchar.bayes_threshold(cost_fn=[100.0, 10.0], cost_fp=5.0)).all()
    with pytest.raises(ValueError, match="give prior"):
        opchar.bayes_threshold(cost_fn=5, training_prior=0.5)


def test_the_top_has_what_is_looked_for() -> None:
    from opchar.printed import check

    assert opchar.check is check
    assert opchar.printed.__name__ == "opchar.printed"
    assert opchar.analysis.__name__ == "opchar.analysis"
    with pytest.raises(AttributeError, match="best_treshold"):
        opchar.best_treshold  # type: ignore[attr-defined]  # noqa: B018


ON_LABELS = ("at_threshold", "choose_threshold", "pr_auc", "roc_auc", "threshold_spread")


def ask(name: str, y: object, score: object, **options: object) -> object:
    """Call a function of labels and scores; `at_threshold` has a threshold, too."""
    return getattr(opchar, name)(y, score, *[0.5] * (name == "at_threshold"), **options)


@pytest.mark.parametrize("name", [*ON_LABELS, "analyse"])
def test_swapped_arguments_and_columns_are_said(name: str) -> None:
    with pytest.raises(ValueError, match="y_true comes first"):
        ask(name, SCORE, Y)
    if name != "analyse":  # it takes a column for each class
        with pytest.raises(ValueError, match="y_score has 2 columns"):
            ask(name, Y, np.column_stack([SCORE, SCORE]))


@pytest.mark.parametrize("name", [each for each in ON_LABELS if each != "roc_auc"])
def test_a_prior_is_a_number_from_0_to_1_or_left_out(name: str) -> None:
    assert repr(ask(name, Y, SCORE, prior=None)) == repr(ask(name, Y, SCORE))
    for prior in (37, -0.1, np.nan, "much"):
        with pytest.raises(ValueError, match="prior must be"):
            ask(name, Y, SCORE, prior=prior)


NAMED = [
    ("no", "yes"),
    ("FALSE", "TRUE"),
    ("0", "1"),
    ("-1", "+1"),
    ("a", "positive"),
    (0, 1),
    ("nein", "ja"),
    ("N", "Y"),
    ("benign", "malignant"),
]


@pytest.mark.parametrize("labels", NAMED)
def test_a_class_whose_name_says_so_is_the_positive_one(labels: tuple[object, object]) -> None:
    for kind in (None, object):
        y = np.array([labels[each] for each in Y], kind)
        for name in ON_LABELS:
            assert repr(ask(name, y, SCORE)) == repr(ask(name, Y, SCORE))
    found = opchar.analyse(y, SCORE, resamples=50).decision
    assert found is not None
    assert found.positive == str(labels[1]).replace("+1", "1")
    for unclear in ((1, 2), ("1", "2"), ("x", "y"), ("yes", "true", "no")):
        with pytest.raises(ValueError, match=r"say which class is positive|needs objects"):
            opchar.roc_auc(np.resize(np.array(unclear), 6), SCORE)
