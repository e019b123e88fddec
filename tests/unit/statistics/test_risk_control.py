"""Limits hold with the stated confidence, for the scorer that is said to keep them."""

import numpy as np
import pytest
from scipy.stats import binom, norm
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import check_estimator
from threadpoolctl import threadpool_limits

import opchar
from opchar.statistics.proportions import guaranteed_threshold
from opchar.statistics.risk_control import allowed_beyond, controlled_threshold, find_control

PRIOR, MEAN = 0.3, 2.0


def drawn(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    y = (rng.random(n) < PRIOR).astype(int)
    return y, rng.normal(size=n) + MEAN * y


def kept(t: float, limits: dict[str, float]) -> bool:
    """Return whether the population's rates at a threshold are within limits."""
    fpr, tpr = norm.sf(t), norm.sf(t - MEAN)
    alerts = PRIOR * tpr + (1 - PRIOR) * fpr
    precision = PRIOR * tpr / alerts if alerts else 1.0
    return bool(
        fpr <= limits.get("max_fpr", 1)
        and 1 - tpr <= limits.get("max_fnr", 1)
        and alerts <= limits.get("max_alert_rate", 1)
        and precision >= limits.get("min_precision", 0)
    )


@pytest.mark.parametrize(
    "limits",
    [
        {"max_fpr": 0.1},
        {"max_fnr": 0.2},
        {"max_alert_rate": 0.2},
        {"min_precision": 0.7},
        {"max_fpr": 0.1, "max_alert_rate": 0.3},
        {"max_fpr": 0.3, "max_fnr": 0.25},
        {"max_fnr": 0.5, "min_precision": 0.6},
    ],
    ids=lambda limits: " and ".join(limits),
)
def test_limits_are_broken_in_at_most_five_percent(limits: dict[str, float]) -> None:
    rng, samples, broken, found = np.random.default_rng(5), 400, 0, 0
    for _ in range(samples):
        y, score = drawn(rng, 300)
        try:
            control = controlled_threshold(y, score, **limits)
        except ValueError as said:
            assert "relax a limit" in str(said)
            continue
        assert control.lowest <= control.threshold <= control.highest
        found += np.isfinite(control.threshold)
        broken += not kept(control.threshold, limits)
    assert broken <= binom.ppf(0.999, samples, 0.05)
    assert found > samples / 4


def test_one_limit_is_the_umbrella_threshold() -> None:
    rng = np.random.default_rng(0)
    y, score = drawn(rng, 500)
    at = guaranteed_threshold(score[y == 0], 0.1)
    accepted = score >= controlled_threshold(y, score, max_fpr=0.1).threshold
    np.testing.assert_array_equal(accepted, score > at)
    mirrored = controlled_threshold(1 - y, -score, max_fnr=0.1)
    np.testing.assert_array_equal(-score < mirrored.threshold, score > at)
    all_of_them = guaranteed_threshold(score, 0.1)
    accepted = score >= controlled_threshold(y, score, max_alert_rate=0.1).threshold
    np.testing.assert_array_equal(accepted, score > all_of_them)
    assert (
        allowed_beyond(100, 0.1) == (np.arange(100) > guaranteed_threshold(range(100), 0.1)).sum()
    )


def test_ties_keep_a_limit_together() -> None:
    y, score = np.repeat([0, 1], 200), np.tile(np.repeat([0.0, 1.0], 100), 2)
    control = controlled_threshold(y, score, max_fpr=0.1)
    assert (score >= control.threshold).sum() == 0
    assert controlled_threshold(y, y, min_precision=0.9).threshold > 0


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({}, "give a limit"),
        ({"max_fpr": 0.0}, "limit"),
        ({"max_fnr": 1.0}, "limit"),
        ({"min_precision": 1.0}, "min_precision"),
        ({"max_alert_rate": np.nan}, "limit"),
    ],
)
def test_limits_out_of_range_are_refused(limits: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        controlled_threshold([0, 1], [0.1, 0.2], **limits)
    with pytest.raises(ValueError, match="NaN"):
        controlled_threshold([0, 1], [0.1, np.nan], max_fpr=0.1)
    with pytest.raises(ValueError, match="shapes"):
        controlled_threshold([0, 1], [0.1], max_fpr=0.1)


def data(rng: np.random.Generator, n: int = 240, d: int = 60) -> tuple[np.ndarray, np.ndarray]:
    y = (np.arange(n) % 2).astype(int)
    return rng.normal(size=(n, d)) + 0.5 * y[:, None] * (np.arange(d) < 10), y


@pytest.mark.parametrize("limit", ["max_fpr", "max_fnr", "max_alert_rate"])
def test_the_cross_rule_is_that_of_counting(limit: str) -> None:
    """An object is accepted when few objects of the limited class reach it in their own fold."""
    X, y = data(np.random.default_rng(0))
    new = data(np.random.default_rng(1))[0]
    model = opchar.RiskControlledClassifier(
        LogisticRegression(), method="cross", cv=5, random_state=3, **{limit: 0.2}
    ).fit(X, y)
    limited = {"max_fpr": y == 0, "max_fnr": y == 1, "max_alert_rate": y >= 0}[limit]
    beyond = np.zeros(len(new))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=3).split(X, y):
        fold = clone(LogisticRegression()).fit(X[train], y[train])
        for own in fold.decision_function(X[test[limited[test]]]):
            scores = fold.decision_function(new)
            beyond += scores >= own if limit == "max_fnr" else own >= scores
    few = beyond <= allowed_beyond(int(limited.sum()), 0.2)
    assert 0 < few.sum() < len(new)
    np.testing.assert_array_equal(model.predict(new) == 1, ~few if limit == "max_fnr" else few)


@pytest.mark.parametrize("method", ["split", "cross"])
def test_a_classifier_trained_on_few_objects_of_many_features_keeps_its_limit(method: str) -> None:
    """A threshold on ten-fold scores, used by a model refitted on all, breaks more often here."""
    rng, samples, broken = np.random.default_rng(2), 40, 0
    new = data(np.random.default_rng(99), 4000)[0][::2]
    for sample in range(samples):
        X, y = data(rng)
        with threadpool_limits(1):
            model = opchar.RiskControlledClassifier(
                LogisticRegression(C=100), max_fpr=0.1, method=method, cv=5, random_state=sample
            ).fit(X, y)
        broken += model.predict(new).mean() > 0.1
    assert broken <= binom.ppf(0.999, samples, 0.05)


def test_a_fitted_estimator_is_not_trained_again_and_labels_stay() -> None:
    rng = np.random.default_rng(0)
    (X, y), (held, truth) = data(rng), data(rng)
    names = np.array(["well", "ill"])
    fitted = LogisticRegression().fit(X, names[y])
    model = opchar.RiskControlledClassifier(
        fitted, max_fpr=0.2, max_fnr=0.6, method="prefit", pos_label="ill"
    ).fit(held, names[truth])
    assert model.estimators_ == [fitted]
    score = fitted.decision_function(held) * (1 if fitted.classes_[1] == "ill" else -1)
    expected = controlled_threshold(truth, score, max_fpr=0.2, max_fnr=0.6)
    assert model.control_ == expected
    np.testing.assert_array_equal(model.predict(held) == "ill", score >= expected.threshold)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"method": "refit", "max_fpr": 0.1}, "'split', 'cross' or 'prefit'"),
        ({"method": "cross", "min_precision": 0.8}, "takes one limit"),
        ({"method": "cross", "max_fpr": 0.1, "max_fnr": 0.1}, "takes one limit"),
        ({"method": "cross"}, "takes one limit"),
        ({}, "give a limit"),
        ({"max_fpr": 0.1, "pos_label": 7}, "none of"),
    ],
)
def test_what_a_classifier_cannot_keep_is_said(given, said: str) -> None:
    X, y = data(np.random.default_rng(0))
    with pytest.raises(ValueError, match=said):
        opchar.RiskControlledClassifier(LogisticRegression(), **given).fit(X, y)
    with pytest.raises(ValueError, match="Only binary"):
        opchar.RiskControlledClassifier(LogisticRegression(), max_fpr=0.1).fit(X, np.arange(len(y)))


UNEQUAL = "limits count each object once, whatever its weight"
CHECKS = [
    (
        opchar.RiskControlledClassifier(GaussianNB(), max_fpr=0.3, random_state=0),
        {"check_classifiers_train": "the limit predicts, not the most probable class"},
    ),
    (
        opchar.RiskControlledClassifier(RidgeClassifier(), max_alert_rate=0.5, random_state=0),
        {},
    ),
    (
        opchar.RiskControlledClassifier(RidgeClassifier(), max_fpr=0.3, method="cross", cv=3),
        {"check_methods_subset_invariance": "scores of training objects tie up to rounding"},
    ),
]


@pytest.mark.parametrize(("model", "fails"), CHECKS, ids=repr)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_accepts_the_classifier(model, fails) -> None:
    unequal = ("dense", "sparse")
    fails |= {f"check_sample_weight_equivalence_on_{kind}_data": UNEQUAL for kind in unequal}
    check_estimator(model, expected_failed_checks=fails, on_skip=None)


def test_folds_of_patients_can_be_given() -> None:
    """Training objects of a patient do not set the limit for another object of the patient."""
    X, y = data(np.random.default_rng(0))
    folds = list(GroupKFold(4).split(X, y, np.arange(len(y)) // 3))
    limits = {"max_fpr": 0.3, "method": "cross"}
    for cv in (folds, [(train, np.isin(np.arange(len(y)), test)) for train, test in folds]):
        model = opchar.RiskControlledClassifier(LogisticRegression(), cv=cv, **limits).fit(X, y)
        assert len(model.estimators_) == 4
        for (train, _), fitted in zip(folds, model.estimators_, strict=True):
            alone = LogisticRegression().fit(X[train], y[train])
            np.testing.assert_allclose(fitted.coef_, alone.coef_)
    with pytest.raises(ValueError, match="exactly one test part"):
        opchar.RiskControlledClassifier(LogisticRegression(), cv=folds[1:], **limits).fit(X, y)


def test_precision_is_tested_where_the_alert_limit_ends() -> None:
    """Eight places whatever the sample found 0.30; the limit alone has 0.41."""
    found, broken = [], 0
    for sample in range(60):
        rng = np.random.default_rng(sample)
        y = rng.random(2000) < 0.2
        score = rng.normal(size=2000) + 2 * y
        t = controlled_threshold(y, score, max_alert_rate=0.1, min_precision=0.7).threshold
        tpr, fpr = norm.sf(t - 2), norm.sf(t)
        found.append(tpr)
        broken += 0.2 * tpr < 0.7 * (0.2 * tpr + 0.8 * fpr) or 0.2 * tpr + 0.8 * fpr > 0.1
    assert np.mean(found) > 0.36
    assert broken <= binom.ppf(0.999, 60, 0.05)


@pytest.mark.parametrize("speed", [6, 40, 300])
def test_precision_that_rises_and_falls_keeps_its_limit(speed: float) -> None:
    """Shares of positives that swing around the limit as scores fall."""

    def share(place: np.ndarray) -> np.ndarray:
        return 0.705 - 0.01 * place + 0.25 * np.sin(speed * place)

    grid = np.linspace(0, 1, 100_001)
    precision = np.cumsum(share(grid)) / np.arange(1, len(grid) + 1)
    broken, samples = 0, 300
    for sample in range(samples):
        rng = np.random.default_rng(sample)
        place = rng.random(1000)
        y = rng.random(1000) < share(place)
        t = find_control(y, -place, {"min_precision": 0.7}).threshold
        broken += t < 0 and precision[int(min(-t, 1) * 100_000)] < 0.7
    assert broken <= binom.ppf(0.999, samples, 0.05)


def test_precision_takes_no_threshold_below_that_of_another_limit() -> None:
    """Precision alone is kept further down; the limit on false alarms is not."""
    y, score = np.tile([0, 1], 200), np.arange(400.0) % 7 + 3 * np.tile([0, 1], 200)
    score += np.arange(400) / 1e4
    alarms, precise, both = (
        controlled_threshold(y, score, **limits).threshold
        for limits in (
            {"max_fpr": 0.1},
            {"min_precision": 0.6},
            {"max_fpr": 0.1, "min_precision": 0.6},
        )
    )
    assert precise < alarms <= both < np.inf


def test_a_fold_without_the_limited_class_limits_nothing() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [60, 3])
    X = (rng.normal(size=63) + 2 * y)[:, None]
    model = opchar.RiskControlledClassifier(
        LogisticRegression(), max_fnr=0.9, method="cross", cv=5, random_state=0
    )
    with pytest.warns(UserWarning, match="least populated class"):
        model.fit(X, y)
    assert sorted(map(len, model._references)) == [0, 0, 1, 1, 1]
    assert model.predict(X)[y == 1].mean() > 0


def test_one_decision_left_is_a_warning_and_none_an_error() -> None:
    y, score = [0] * 20 + [1] * 20, np.arange(40.0)
    with pytest.warns(UserWarning, match="only accepting none"):
        assert controlled_threshold(y, score, max_fpr=0.05).threshold == np.inf
    with pytest.warns(UserWarning, match="only accepting all"):
        assert controlled_threshold(y, score, max_fnr=0.05).threshold == -np.inf
    with pytest.warns(UserWarning, match="only accepting none"):
        both = controlled_threshold(y, score, max_fpr=0.05, max_alert_rate=0.05)
    assert both.threshold == np.inf
    assert controlled_threshold(y, score, min_precision=0.99).threshold == np.inf
    said = "kept only by accepting none, another only by accepting all; relax a limit"
    with pytest.raises(ValueError, match=said):
        controlled_threshold(y, score, max_fpr=0.05, max_fnr=0.05)
    score[0] = np.inf
    for limit in ("max_fpr", "max_alert_rate"):
        with pytest.raises(ValueError, match="no threshold lies above an infinite score"):
            controlled_threshold(y, score, **{limit: 0.05})


def test_a_classifier_tells_margins_and_probabilities() -> None:
    rng = np.random.default_rng(0)
    y, x = drawn(rng, 600)
    X, names = x[:, None], np.array(["well", "ill"])[y]
    for method in ("split", "cross"):
        model = opchar.RiskControlledClassifier(
            LogisticRegression(), max_fpr=0.2, method=method, pos_label="ill", random_state=0
        )
        with pytest.raises(NotFittedError):
            model.predict(X)
        weighted = model.fit(X, names, sample_weight=np.ones(600)).predict(X)
        assert (weighted == model.fit(X, names).predict(X)).all()
        # "ill" is the first of the sorted classes.
        assert ((model.decision_function(X) < 0) == (weighted == "ill")).mean() > 0.99
        every = [one.predict_proba(X) for one in model.estimators_]
        np.testing.assert_allclose(model.predict_proba(X), sum(every) / len(every))
    with pytest.raises(ValueError, match="continuous"):
        model.fit(X, x)
