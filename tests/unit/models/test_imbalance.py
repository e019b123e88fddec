import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

from opchar.models.classifiers.imbalance import (
    BalancedBagging,
    NearBayesianSupportVectors,
    bagsvm,
    bayes,
    mlp,
    nbsvm,
    rbfsvm,
    without_shift,
)
from opchar.models.training import decision_values
from opchar_reproduction.project.environment import job_environment
from opchar_reproduction.project.kernels import pinned_kernels

RNG = np.random.default_rng(1)
Y = np.repeat([0, 1], [20, 6])
X = RNG.normal(size=(26, 2)) + 1.2 * Y[:, None]


def test_nbsvm_is_the_direct_dual_program():
    """max sum_i P(y_i) a_i - a'Qa/2, 0 <= a_i <= C/P(y_i), a'y = 0."""
    width, C = 1.3, 0.7
    sign = np.where(Y == 1, 1.0, -1.0)
    K = np.exp(-cdist(X, X, "sqeuclidean") / (2 * width**2))
    Q = K * np.outer(sign, sign)
    prior = np.bincount(Y)[Y] / len(Y)
    found = minimize(
        lambda a: a @ Q @ a / 2 - prior @ a,
        np.zeros(len(Y)),
        jac=lambda a: Q @ a - prior,
        bounds=[(0, C / p) for p in prior],
        constraints={"type": "eq", "fun": lambda a: a @ sign, "jac": lambda a: sign},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 2000},
    )
    a = found.x
    inside = (a > 1e-4) & (a < C / prior - 1e-4)
    w = K @ (a * sign)
    b = np.mean(sign[inside] * prior[inside] - w[inside])
    model = NearBayesianSupportVectors(width, C).fit(X, Y)
    machine = model.machines_[0].set_params(tol=1e-12).fit(X, Y == 1)
    doubled = machine.decision_function(X) - model.thresholds_
    assert doubled == pytest.approx(2 * (w + b), abs=1e-6)
    assert model.thresholds_[0] == pytest.approx((20 - 6) / 26)


def test_nbsvm_with_costs_moves_the_threshold():
    dear = NearBayesianSupportVectors(costs={1: 20 / 6}).fit(X, Y)
    assert dear.thresholds_ == pytest.approx([0.0])
    assert (dear.predict(X) == 1).sum() >= (nbsvm().fit(X, Y).predict(X) == 1).sum()
    with pytest.raises(ValueError, match="costs must be positive"):
        NearBayesianSupportVectors(costs={1: 0}).fit(X, Y)
    with pytest.raises(ValueError, match="width"):
        NearBayesianSupportVectors(width=-1).fit(X, Y)


def test_nbsvm_of_three_classes_is_one_against_the_rest():
    y = np.where(np.arange(26) % 5 == 0, 2, Y)
    model = nbsvm().fit(X, y)
    doubled = []
    for c in range(3):
        share = (y == c).mean()
        machine = SVC(gamma=0.5, C=4, class_weight="balanced").fit(X, y == c)
        doubled.append(machine.decision_function(X) - (1 - 2 * share))
    scores = 1 / (1 + np.exp(-np.column_stack(doubled)))
    assert model.predict_proba(X) == pytest.approx(scores / scores.sum(axis=1, keepdims=True))


def test_bags_are_balanced_and_scores_averaged():
    model = BalancedBagging(7, random_state=0).fit(X, Y)
    for bag in model.bags_:
        assert np.bincount(Y[bag]).tolist() == [6, 6]
        assert len(set(bag)) == 12
    assert len({tuple(bag) for bag in model.bags_}) == 7
    single = [SVC(gamma=0.5).fit(X[bag], Y[bag]).decision_function(X) for bag in model.bags_]
    assert model.member_decisions(X) == pytest.approx(np.column_stack(single))
    expected = 1 / (1 + np.exp(-np.mean(single, axis=0)))
    assert model.predict_proba(X)[:, 1] == pytest.approx(expected)
    with pytest.raises(ValueError, match="want two classes"):
        bagsvm(3).fit(X, np.arange(26) % 3)
    with pytest.raises(ValueError, match="one member or more"):
        bagsvm(0).fit(X, Y)


def test_plain_machines_have_the_settings_of_their_names():
    machine = rbfsvm().fit(X, Y).machines_[0]
    assert (machine.C, machine.gamma, machine.kernel) == (1.0, 0.5, "rbf")
    assert mlp(8).set_params(random_state=0).fit(X, Y).coefs_[0].shape == (2, 8)
    assert bayes().fit(X, Y).predict_proba(X).shape == (26, 2)


def test_naive_bayes_gives_log_odds_where_posteriors_round():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 5)) + 60 * y[:, None]
    model = bayes().fit(X, y)
    log_posteriors = model.predict_log_proba(X)
    assert np.array_equal(model.decision_function(X), log_posteriors[:, 1] - log_posteriors[:, 0])
    assert len(np.unique(model.predict_proba(X)[:, 1])) < len(np.unique(model.decision_function(X)))
    three = bayes().fit(X, np.arange(60) % 3)
    assert np.array_equal(three.decision_function(X), three.predict_log_proba(X))


def test_nbsvm_without_its_threshold_is_a_balanced_machine():
    X = np.random.default_rng(3).standard_normal((60, 2))
    y = np.repeat([0, 1], [54, 6])
    plain = nbsvm("unshifted").fit(X, y)
    machine = SVC(gamma=0.5, C=4, class_weight="balanced").fit(X, y)
    assert plain.thresholds_ == pytest.approx([0.0])
    for labels in (y, np.repeat([0, 1, 2], [30, 24, 6])):
        priors = np.tile(np.bincount(labels) / 60, (60, 1))
        number = priors.shape[1]
        shifted = decision_values(nbsvm().fit(X, labels), X, number)
        wanted = decision_values(nbsvm("unshifted").fit(X, labels), X, number)
        assert without_shift(shifted, priors) == pytest.approx(wanted)
    assert plain.predict(X).tolist() == machine.predict(X).tolist()
    assert (nbsvm().fit(X, y).predict(X) == 1).sum() < (plain.predict(X) == 1).sum()


SHARING = """
import numpy as np
from opchar.models.classifiers import imbalance

rng = np.random.default_rng(0)
for classes, features in [(3, 4), (4, 600)]:
    labels = rng.integers(0, classes, 300)
    X = rng.normal(size=(300, features)) + rng.normal(size=(classes, features))[labels]
    new = rng.normal(size=(50, features))
    imbalance.SHARED = 300
    shared = imbalance.nbsvm().fit(X, labels)
    imbalance.SHARED = 0
    own = imbalance.nbsvm().fit(X, labels)
    assert [machine.kernel for machine in own.machines_] == ["rbf"] * classes
    assert [machine.kernel for machine in shared.machines_] == ["precomputed"] * classes
    compare(shared.decision_function(new), own.decision_function(new))
"""


def test_a_shared_kernel_changes_no_bit_of_a_job():
    """NumPy and SciPy may choose different kernels of linear algebra where these are not pinned."""
    compare = "assert_array_equal" if pinned_kernels() else "assert_allclose"
    code = SHARING.replace("compare", f"np.testing.{compare}")
    subprocess.run([sys.executable, "-c", code], env=job_environment(os.environ), check=True)
