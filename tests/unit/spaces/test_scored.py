"""Labels and scores in every space, against scikit-learn and the spaces themselves."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import opchar
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import operating_points
from opchar.spaces.roc import neyman_pearson


@pytest.fixture(params=[None, "weights"])
def sample(request):
    rng = np.random.default_rng(5)
    y = rng.random(200) < 0.3
    score = np.round(1 / (1 + np.exp(-rng.normal(2.0 * y - 1))), 2)
    weight = rng.integers(1, 4, 200) if request.param else None
    return y.astype(int), score, weight


def test_areas_are_those_of_scikit_learn(sample):
    y, score, weight = sample
    options = {"sample_weight": weight}
    assert opchar.roc_auc(y, score, **options) == pytest.approx(
        metrics.roc_auc_score(y, score, **options)
    )
    assert opchar.roc_auc(y, score, high=0.2, standardised=True, **options) == pytest.approx(
        metrics.roc_auc_score(y, score, max_fpr=0.2, **options)
    )
    assert opchar.pr_auc(y, score, method="steps", **options) == pytest.approx(
        metrics.average_precision_score(y, score, **options)
    )
    assert opchar.brier_score(y, score, **options) == pytest.approx(
        metrics.brier_score_loss(y, score, **options)
    )


def test_curves_are_those_of_scikit_learn(sample):
    y, score, weight = sample
    fpr, tpr, threshold = metrics.roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
    ours = opchar.roc_curve(y, score, sample_weight=weight)
    np.testing.assert_allclose(ours.fpr, fpr)
    np.testing.assert_allclose(ours.tpr, tpr)
    np.testing.assert_array_equal(ours.threshold, threshold)
    det = opchar.det_curve(y, score, sample_weight=weight)
    np.testing.assert_allclose(det.fnr, 1 - tpr)
    precision, recall, _ = metrics.precision_recall_curve(y, score, sample_weight=weight)
    curve = opchar.precision_recall_curve(y, score, sample_weight=weight, first="one")
    np.testing.assert_allclose(curve.precision, precision[::-1])
    np.testing.assert_allclose(curve.recall, recall[::-1])


def test_predictions_are_those_of_scikit_learn(sample):
    y, score, weight = sample
    guess = (score > 0.5).astype(int)
    options = {"sample_weight": weight}
    np.testing.assert_allclose(
        opchar.confusion(y, guess, **options), metrics.confusion_matrix(y, guess, **options)
    )
    for ours, theirs in {
        "f1": metrics.f1_score,
        "mcc": metrics.matthews_corrcoef,
        "balanced_accuracy": metrics.balanced_accuracy_score,
        "precision": metrics.precision_score,
        "tpr": metrics.recall_score,
        "jaccard": metrics.jaccard_score,
    }.items():
        expected = theirs(y, guess, **options)
        assert opchar.index_score(y, guess, ours, **options) == pytest.approx(expected), ours
    three = np.array(["a", "b", "c"])[(3 * score).astype(int).clip(0, 2)]
    truth = np.where(y == 1, "c", "a")
    with np.errstate(invalid="ignore"):
        ours = opchar.index_score(truth, three, "f1", average="macro", **options)
    expected = metrics.f1_score(truth, three, average="macro", **options)
    assert ours == pytest.approx(expected)


def test_envelopes_and_thresholds_are_those_of_the_points(sample):
    y, score, weight = sample
    points = operating_points(y, score, weight)
    prior = np.array([0.05, 0.4])
    f, cost = upper_envelope(points, 0.3), lower_envelope(points)
    options = {"sample_weight": weight, "prior": prior}
    np.testing.assert_array_equal(opchar.best_f(y, score, alpha=0.3, **options), f(prior))
    found = opchar.best_threshold(y, score, alpha=0.3, **options)
    np.testing.assert_array_equal(found, f.threshold(prior))
    pc = 4 * prior / (4 * prior + 1 - prior)
    found = opchar.least_cost(y, score, cost_fn=4.0, **options)
    np.testing.assert_allclose(found, cost(pc))
    found = opchar.best_threshold(y, score, criterion="cost", cost_fn=4.0, **options)
    np.testing.assert_array_equal(found, cost.threshold(pc))
    chosen = opchar.neyman_pearson(y, score, 0.1, sample_weight=weight)
    assert chosen.threshold == points.thresholds[neyman_pearson(points, 0.1)]
    assert opchar.best_f(y, score, sample_weight=weight) == pytest.approx(
        upper_envelope(points, 0.5)(points.prior)
    )


def test_labels_of_any_kind():
    score = [0.1, 0.4, 0.35, 0.8]
    expected = opchar.roc_auc([0, 0, 1, 1], score)
    assert opchar.roc_auc([False, False, True, True], score) == expected
    assert opchar.roc_auc([-1, -1, 1, 1], score) == expected
    assert opchar.roc_auc(["n", "n", "y", "y"], score, pos_label="y") == expected
    assert opchar.roc_auc(pd.Categorical(["n", "n", "y", "y"]), score, pos_label="y") == expected
    assert opchar.roc_auc(["n", "n", "y", "y"], score) == expected
    with pytest.raises(ValueError, match="pos_label is one of m, w"):
        opchar.roc_auc(["m", "m", "w", "w"], score)
    with pytest.raises(ValueError, match="pos_label is one of 1, 2"):
        opchar.roc_auc([1, 1, 2, 2], score)
    with pytest.raises(ValueError, match="class 'z' and others"):
        opchar.roc_auc(["n", "n", "y", "y"], score, pos_label="z")


def test_pandas_in_pandas_out():
    index = list("wxyz")
    y, score = pd.Series([0, 0, 1, 1], index), pd.Series([0.1, 0.4, 0.35, 0.8], index)
    arrays = (y.to_numpy(), score.to_numpy())
    for name in ("roc_curve", "precision_recall_curve", "f_curve", "cost_curve", "det_curve"):
        frame, curve = getattr(opchar, name)(y, score), getattr(opchar, name)(*arrays)
        assert list(frame.columns) == list(curve._fields)
        np.testing.assert_array_equal(frame.to_numpy().T, np.array(curve))
    prior = pd.Series([0.1, 0.5], ["rare", "even"])
    found = opchar.best_threshold(y, score, prior=prior)
    assert list(found.index) == ["rare", "even"]
    assert isinstance(opchar.best_f(y, score), float)
    matrix = opchar.confusion(y, score.round().astype(int))
    assert matrix.loc[1, 0] == 1
    posteriors = pd.DataFrame({"a": 1 - score, "b": score})
    frame = opchar.reject_curve(y, posteriors)
    assert list(frame.columns) == ["threshold", "rejected", "error", "error_of_accepted"]
    with pytest.raises(ValueError, match="different indices"):
        opchar.roc_auc(y, score[::-1])
    assert opchar.roc_auc(y, arrays[1]) == opchar.roc_auc(*arrays)


Y, SCORE, SHARES = [0, 1, 1], [0.1, 0.5, 0.3], [[0.2, 0.3, 0.5]] * 2
MISTAKES = [
    (lambda: opchar.reject_curve([0, 1], SHARES), "name all classes"),
    (lambda: opchar.roc_volume([0, 7], [[0.5, 0.5]] * 2, labels=[0, 1]), "none of the classes"),
    (lambda: opchar.pr_auc(Y, SCORE, method="spline"), "method is one of"),
    (lambda: opchar.least_cost(Y, SCORE, cost_fn=0, cost_fp=0), "costs must not be"),
    (lambda: opchar.brier_score(Y, SCORE, prior=1.5), "prior must be between"),
    (lambda: opchar.index_score(Y, Y, "f7"), "no index is called"),
    (lambda: opchar.index_score(Y, Y, "f1", average="micro"), "average is"),
    (lambda: opchar.index_score(Y, Y, "f1", pos_label=3), r"is none of \[0, 1\]"),
    (lambda: opchar.confusion(Y, Y, labels=[0, 2]), "label 1 is none"),
]


@pytest.mark.parametrize(("call", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_mistakes_are_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_posteriors_of_more_classes_than_there_are_labels():
    assert opchar.reject_curve([0, 1], SHARES, labels=[0, 1, 2]).error[0] == 1.0
