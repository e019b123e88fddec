"""The indices that scikit-learn has, on 750 random matrices."""

import numpy as np
import pytest
from sklearn import metrics as sk

from opchar.metrics import confusion_matrix, evaluate, f_beta, mcc, one_vs_rest


def samples(matrix):
    rows, columns = np.indices(matrix.shape)
    return {"y_true": rows.ravel(), "y_pred": columns.ravel(), "sample_weight": matrix.ravel()}


@pytest.fixture(scope="module", params=[2, 3, 5])
def stack(request):
    return np.random.default_rng(request.param).integers(1, 60, (250, request.param, request.param))


def test_per_class(stack):
    ours, f2 = evaluate(stack), f_beta(*one_vs_rest(stack), beta=2.0)
    for place, matrix in enumerate(stack):
        precision, recall, theirs, _ = sk.precision_recall_fscore_support(
            **samples(matrix), beta=2.0
        )
        np.testing.assert_allclose(ours["precision"][place], precision, rtol=1e-12)
        np.testing.assert_allclose(ours["tpr"][place], recall, rtol=1e-12)
        np.testing.assert_allclose(f2[place], theirs, rtol=1e-12)
        theirs = sk.jaccard_score(**samples(matrix), average=None)
        np.testing.assert_allclose(ours["jaccard"][place], theirs, rtol=1e-12)


def test_whole_matrix(stack):
    ours = evaluate(stack)
    for place, matrix in enumerate(stack):
        assert ours["overall_accuracy"][place] == pytest.approx(
            sk.accuracy_score(**samples(matrix)), rel=1e-12
        )
        assert ours["acsa"][place] == pytest.approx(
            sk.balanced_accuracy_score(**samples(matrix)), rel=1e-12
        )
        if matrix.shape == (2, 2) and place < 60:
            [[tp, fn], [fp, tn]] = matrix
            assert mcc(tp, fn, fp, tn) == pytest.approx(sk.matthews_corrcoef(**samples(matrix)))
            plus, minus = sk.class_likelihood_ratios(**samples(matrix), labels=[1, 0])
            assert ours["positive_likelihood"][place, 0] == pytest.approx(plus, rel=1e-12)
            assert ours["negative_likelihood"][place, 0] == pytest.approx(minus, rel=1e-12)


def test_confusion_matrix():
    rng = np.random.default_rng(1)
    y, predicted = rng.integers(0, 4, (2, 500))
    np.testing.assert_array_equal(
        confusion_matrix(y, predicted, 4), sk.confusion_matrix(y, predicted, labels=range(4))
    )
