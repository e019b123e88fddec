import numpy as np
import pytest
from scipy.optimize import linprog

from opchar.models.classifiers.boosting import (
    DualLexiBoost,
    class_weights,
    joint_weights,
    least_loss,
    round_weights,
)

RNG = np.random.default_rng(0)
MARGINS = np.where(RNG.random((3, 8)) < 0.65, 1.0, -1.0)
LABELS = np.array([0, 0, 0, 0, 0, 1, 1, 1])
OF_CLASS = [np.arange(5), np.arange(5, 8)]


def blobs(n=90, minority=15, classes=2, d=2, seed=0, apart=1.5):
    rng = np.random.default_rng(seed)
    y = np.zeros(n, int)
    for c in range(1, classes):
        y[(c - 1) * minority : c * minority] = c
    return rng.normal(size=(n, d)) + apart * rng.normal(size=(classes, d))[y], y


def test_published_class_weights_can_only_be_equal():
    """They are the solution of the program, and equal rounds lose what one does, to the bit."""
    bounds = [(0, 1 / 8)] * 8 + [(None, None)]
    rows, one = np.column_stack([MARGINS, -np.ones(3)]), np.array([[1.0] * 8 + [0.0]])
    found = linprog([-1] * 8 + [1], rows, np.zeros(3), one, [1.0], bounds, method="highs")
    assert (class_weights(MARGINS, exact=False) == found.x[:8]).all()
    hinge = np.column_stack([-np.tile(MARGINS[0], (3, 1)).T, -np.eye(8)])
    cost, one = np.repeat([0.0, 1.0], [3, 8]), np.repeat([1.0, 0.0], [3, 8])[None]
    found = linprog(cost, hinge, -np.ones(8), one, [1.0], [(0, None)] * 11, method="highs")
    assert least_loss(np.tile(MARGINS[0], (3, 1))) == found.x[3:].sum()


def test_exact_class_weights_are_dual_to_the_least_loss():
    u = class_weights(MARGINS, exact=True)
    assert u.min() >= 0
    assert u.max() <= 1 / 8 + 1e-12
    value = u.sum() - (MARGINS @ u).max()
    assert value == pytest.approx(least_loss(MARGINS) / 8)


def test_the_least_loss_is_found_by_brute_force():
    weights = np.random.default_rng(1).dirichlet([0.5] * 3, size=20_000)
    weights = np.concatenate([weights, np.eye(3)])
    totals = np.maximum(1 - weights @ MARGINS, 0).sum(axis=1)
    found = least_loss(MARGINS)
    assert found <= totals.min() + 1e-9
    assert found == pytest.approx(totals.min(), abs=0.05)


def excess(weights, losses):
    hinge = np.maximum(1 - weights @ MARGINS, 0)
    sums = np.array([hinge[..., members].sum(axis=-1) for members in OF_CLASS]).T
    return ((sums - losses) / [5, 3]).max(axis=-1)


LOSSES = np.array([least_loss(MARGINS[:, members]) for members in OF_CLASS])


def test_round_weights_minimise_the_largest_excess_by_brute_force():
    best = round_weights(MARGINS, LABELS, LOSSES)
    assert best.sum() == pytest.approx(1)
    assert best.min() >= 0
    others = np.concatenate([np.random.default_rng(2).dirichlet([0.5] * 3, size=20_000), np.eye(3)])
    assert excess(best, LOSSES) <= excess(others, LOSSES).min() + 1e-9
    assert excess(best, LOSSES) == pytest.approx(excess(others, LOSSES).min(), abs=0.01)


def joint_value(u, v):
    return (LOSSES / [5, 3] * v).sum() - u.sum() + (MARGINS @ u).max()


def test_exact_joint_weights_are_dual_to_the_round_weights():
    u = joint_weights(MARGINS, LABELS, LOSSES, exact=True)
    caps = [u[members].max() * len(members) for members in OF_CLASS]
    rest = 1 - sum(caps)  # class weights beyond the caps cost least on the class of least loss
    v = np.array(caps)
    v[np.argmin(LOSSES / [5, 3])] += rest
    assert rest >= -1e-9
    best = excess(round_weights(MARGINS, LABELS, LOSSES), LOSSES)
    assert -joint_value(u, v) == pytest.approx(best, abs=1e-9)


def test_published_joint_weights_are_found_by_brute_force():
    u = joint_weights(MARGINS, LABELS, LOSSES, exact=False)
    assert u.sum() == pytest.approx(1)

    def value(w):
        v = np.array([w[members].max() * len(members) for members in OF_CLASS])
        return joint_value(w, v)

    rng = np.random.default_rng(3)
    others = rng.dirichlet([0.3] * 8, size=5_000)
    near = np.abs(u + 0.02 * rng.normal(size=(2_000, 8)))
    near /= near.sum(axis=1, keepdims=True)
    assert all(value(u) <= value(w) + 1e-9 for w in [*others, *near, np.full(8, 1 / 8)])


def reference_vote(X, y, weights, Z, k, classes):
    votes = []
    for z in Z:
        near = np.argsort(((X - z) ** 2).sum(axis=1), kind="stable")[:k]
        sums = np.array([weights[near][y[near] == c].sum() for c in range(classes)])
        tied = np.flatnonzero(np.isclose(sums, sums.max(), rtol=1e-6, atol=1e-15))
        votes.append(next(y[i] for i in near if y[i] in tied))
    return np.array(votes)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("dual", ["published", "exact"])
def test_scores_are_the_weights_of_the_rounds_that_choose_the_class(classes, dual):
    X, y = blobs(classes=classes)
    Z = blobs(seed=5)[0]
    model = DualLexiBoost(dual=dual).fit(X, y)
    scores = np.zeros((len(Z), classes))
    for a, weights in zip(model.round_weights_, model.object_weights_, strict=True):
        chosen = reference_vote(X, y, weights, Z, 3, classes)
        scores[np.arange(len(Z)), chosen] += a
    assert model.predict_proba(Z) == pytest.approx(scores, abs=1e-12)
    assert model.object_weights_.sum(axis=1) == pytest.approx(np.ones(len(model.round_weights_)))
    first = model.object_weights_[0]
    assert [first[y == c].sum() for c in range(classes)] == pytest.approx([1 / classes] * classes)


def test_wrong_parameters_are_errors():
    X, y = blobs()
    for wrong in ({"k": 0}, {"k": 91}, {"rounds": 0}, {"dual": "other"}):
        with pytest.raises(ValueError, match=r"give|must be"):
            DualLexiBoost(**wrong).fit(X, y)
