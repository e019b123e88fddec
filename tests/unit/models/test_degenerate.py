import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from opchar.models.classifiers import support
from opchar.models.classifiers.dissimilarity import dis, mindist
from opchar.models.classifiers.gaussian import ldc, nmc, qdc
from opchar.models.classifiers.imbalance import bayes
from opchar.models.classifiers.mixture import mogc
from opchar.models.classifiers.neighbours import knnc, parzenc
from opchar.models.classifiers.one_class import gauss, mog
from opchar.models.classifiers.support import svc
from opchar.models.mappings import fisher, sc
from opchar.models.posterior import from_one_against_rest

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 4)) + np.repeat([[0.0], [1.5]], 20, axis=0)
Y = np.repeat([0, 1], 20)

CONSTANT = X.copy()
CONSTANT[:, 2] = 7.0


def test_wrong_components_are_an_error():
    for components in ((1, 2, 3), (0,)):
        with pytest.raises(ValueError, match="give one positive number, or one for each of the 2"):
            mogc(*components).fit(X, Y)


def test_covariances_are_judged_whatever_the_units():
    scaled = X * [1e-8, 1, 1e8, 1e-3]
    expected = qdc().fit(X, Y).predict_proba(X)
    assert qdc().fit(scaled, Y).predict_proba(scaled) == pytest.approx(expected, abs=1e-6)
    assert mogc(1).fit(scaled, Y).predict_proba(scaled) == pytest.approx(expected, abs=1e-6)


def test_ldc_with_a_singular_covariance_ignores_what_does_not_vary():
    expected = ldc().fit(np.delete(CONSTANT, 2, axis=1), Y).predict_proba(np.delete(X, 2, axis=1))
    assert ldc().fit(CONSTANT, Y).predict_proba(X) == pytest.approx(expected, abs=1e-8)


EXTREMES = {
    "ldc": ldc(),
    "qdc": qdc(),
    "nmc": nmc(),
    "mogc2": mogc(2).set_params(random_state=0),
    "knnc3": knnc(3),
    "parzenc": parzenc(),
    "svc r 1": svc("r", 1),
    "fisher qdc": make_pipeline(fisher(), qdc()),
    "dis5 mindist": make_pipeline(dis(5).set_params(random_state=0), mindist()),
    "gauss": gauss(),
    "mog": mog(2).set_params(random_state=0),
}


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e154, 1e300])
@pytest.mark.parametrize("name", EXTREMES)
def test_features_whose_squares_overflow_or_underflow_are_refused(name, size):
    """They gave NaN, decisions by chance, or a message of LAPACK's about eigenvalues."""
    model = EXTREMES[name]
    with pytest.raises(ValueError, match=r"its square overflows or underflows"):
        model.fit(X * size, Y)
    model.fit(X, Y)
    if size > 1:
        with pytest.raises(ValueError, match=r"its square overflows or underflows"):
            model.predict(X * size)


@pytest.mark.parametrize("size", [1e154, 1e300])
def test_naive_bayes_refuses_features_whose_squares_overflow(size):
    with pytest.raises(ValueError, match=r"its square overflows or underflows"):
        bayes().fit(X * size, Y)
    with pytest.raises(ValueError, match=r"its square overflows or underflows"):
        bayes().fit(X, Y).predict_proba(X * size)


def test_polynomial_support_vectors_on_large_features_end(monkeypatch):
    """The search of LibSVM would go on for ever."""
    monkeypatch.setattr(support, "STEPS", 1000)
    unscaled = RNG.normal(size=(60, 3)) * [1, 100, 1e4]
    labels = RNG.random(60) < 0.5
    with pytest.raises(ValueError, match=r"svc p 2 has not converged in 1000 steps; scale the"):
        svc("p", 2).fit(unscaled, labels)
    monkeypatch.setattr(support, "STEPS", 10**8)
    assert svc("p", 2).fit(sc().fit_transform(unscaled), labels).machines_[0].fit_status_ == 0


def test_scores_stay_finite_where_every_machine_says_no():
    decisions = np.array([[-900.0, -901.0, -950.0], [-3.0, 0.5, -1.0]])
    scores = from_one_against_rest(decisions)
    assert scores.sum(axis=1) == pytest.approx([1, 1])
    assert scores[0, 0] / scores[0, 1] == pytest.approx(np.e)
    plain = 1 / (1 + np.exp(-decisions[1]))
    assert scores[1] == pytest.approx(plain / plain.sum())
