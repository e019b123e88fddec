"""The indices that scikit-learn has, on 750 random matrices."""

import numpy as np
import pytest
from sklearn import metrics as sk

from opchar.metrics import evaluate, f_beta, one_vs_rest


def samples(matrix):
    rows, columns = np.indices(matrix.shape)
    return {"y_true": rows.ravel(), "y_pred": columns.ravel(), "sample_weight": matrix.ravel()}


@pytest.fixture(scope="module", params=[2, 3, 5])
def stack(request):
    return np.random.default_rng(request.param).integers(1, 60, (250, request.param, request.param))


def test_per_class(stack):
    """The other indices of a class are held against pycm."""
    f2 = f_beta(*one_vs_rest(stack), beta=2.0)
    for place, matrix in enumerate(stack):
        theirs = sk.fbeta_score(**samples(matrix), beta=2.0, average=None)
        np.testing.assert_allclose(f2[place], theirs, rtol=1e-12)


def test_whole_matrix(stack):
    ours = evaluate(stack, ["overall_accuracy", "acsa"])
    for place, matrix in enumerate(stack):
        given = samples(matrix)
        accuracy, mean = sk.accuracy_score(**given), sk.balanced_accuracy_score(**given)
        assert ours["overall_accuracy"][place] == pytest.approx(accuracy, rel=1e-12)
        assert ours["acsa"][place] == pytest.approx(mean, rel=1e-12)
