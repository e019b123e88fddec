import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from checkout import configured
from opchar.models.classifiers.resampling import rusboost, smote
from opchar.models.names import parse
from opchar.reject.estimator import class_log_densities

VOCABULARY = configured("models")
RNG = np.random.default_rng(4)
SIZES = [60, 12, 4]
Y = np.repeat([0, 1, 2], SIZES)
X = RNG.normal(size=(76, 3)) + 2 * Y[:, None]


@pytest.mark.parametrize(("smallest", "neighbours"), [(2, 1), (4, 3), (6, 5), (20, 5)])
def test_smote_takes_the_neighbours_that_there_are(smallest, neighbours):
    from imblearn.over_sampling import SMOTE

    y = np.repeat([0, 1], [40, smallest])
    Z = X[: len(y)]
    expected = SMOTE(k_neighbors=neighbours, random_state=0).fit_resample(Z, y)
    found = smote().set_params(random_state=0).fit_resample(Z, y)
    assert np.array_equal(found[0], expected[0])
    assert np.array_equal(found[1], expected[1])


def test_smote_of_a_single_object_is_one_clear_error():
    y = np.array([0] * 40 + [1])
    with pytest.raises(ValueError, match="class 1 has 1 sample") as error:
        parse("smote mlp8", VOCABULARY).fit(X[:41], y)
    assert "\n" not in str(error.value)


def test_smote_goes_before_any_classifier_and_only_in_training():
    model = parse("sc smote ldc", VOCABULARY).set_params(neighbouroversampling__random_state=0)
    model.fit(X, Y)
    assert model[-1].analysis_.priors_ == pytest.approx([1 / 3] * 3)
    assert model.predict_proba(X).shape == (76, 3)
    scaled = model[0].transform(X)
    assert np.array_equal(class_log_densities(model, X), model[-1].log_densities(scaled))


def test_rusboost_has_the_depth_of_the_configuration_and_the_rounds_of_its_name():
    model = parse("rusboost7", VOCABULARY)
    assert model.n_estimators == 7
    assert model.estimator.max_depth == VOCABULARY["rusboost"]["parameters"]["depth"]
    assert parse("rusboost", VOCABULARY).n_estimators == 10
    depths = [parse(f"rusboost7 {trees}", VOCABULARY) for trees in ("stumps", "full")]
    assert [(one.n_estimators, one.estimator.max_depth) for one in depths] == [(7, 1), (7, None)]


def test_rusboost_trains_on_balanced_samples_and_is_samme():
    """The score of three classes, and the weights of rounds, computed by hand."""
    model = rusboost(4, depth=2).set_params(random_state=0).fit(X, Y)
    weights = np.full(76, 1 / 76)
    for alpha, tree, sampler in zip(
        model.estimator_weights_, model.estimators_, model.samplers_, strict=True
    ):
        rows = sampler.sample_indices_
        assert np.bincount(Y[rows]).tolist() == [4, 4, 4]
        again = DecisionTreeClassifier(max_depth=2, random_state=tree.random_state)
        again.fit(X[rows], Y[rows], sample_weight=weights[rows])
        assert np.array_equal(again.predict(X), tree.predict(X))
        wrong = tree.predict(X) != Y
        error = weights[wrong].sum() / weights.sum()
        assert alpha == pytest.approx(np.log((1 - error) / error) + np.log(2))
        weights = weights * np.exp(alpha * wrong)
        weights /= weights.sum()
    votes = sum(
        a * np.where(tree.predict(X)[:, None] == np.arange(3), 1, -0.5)
        for a, tree in zip(model.estimator_weights_, model.estimators_, strict=True)
    )
    expected = votes / model.estimator_weights_.sum()
    assert model.decision_function(X) == pytest.approx(expected)


def test_rusboost_worse_than_chance_keeps_one_tree_and_says_so():
    same, y = np.zeros((40, 2)), np.repeat([1, 0], [38, 2])
    model = rusboost(3, depth=2).set_params(random_state=0).fit(same, y)
    assert model.redrawn_ == 100
    assert model.remark_ == "one tree: no better than chance on 101 balanced samples"
    assert len(model.estimators_) == 1
    assert np.array_equal(model.predict(same), model.estimators_[0].predict(same))
    assert model.estimator_errors_[0] == np.mean(model.predict(same) != y) >= 0.5
    assert np.isfinite(model.predict_proba(same)).all()


def test_stumps_on_many_classes_are_trained():
    rng = np.random.default_rng(3)
    y = np.repeat(np.arange(6), [400, 4, 4, 4, 4, 4])
    X = rng.standard_normal((len(y), 3)) + 3 * (y[:, None] > 0)
    model = rusboost(5, "stumps", depth=5).set_params(random_state=1).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert bool(model.remark_) == (len(model.estimators_) == 1 and model.redrawn_ == 100)


def test_a_first_tree_worse_than_chance_is_drawn_again():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 1)), np.repeat([0, 1], [56, 4])
    redrawn = [
        rusboost(3, depth=1).set_params(random_state=seed).fit(X, y).redrawn_ for seed in range(12)
    ]
    assert min(redrawn) == 0 and 0 < max(redrawn) < 100
    one = rusboost(3, depth=1).set_params(random_state=redrawn.index(max(redrawn))).fit(X, y)
    assert np.mean(one.estimators_[0].predict(X) != y) < 0.5
