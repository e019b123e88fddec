from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid

from checkout import configured
from opchar.errors import DataError
from opchar.models.classifiers.mixture import mogc
from opchar.models.classifiers.stages import TwoStage
from opchar.models.names import parse
from opchar.models.splits.protocols import Split, splits
from opchar.models.training import class_scores, seed_estimator, train
from opchar.scores import read_scores, write_scores
from opchar.seeds import spawner

VOCABULARY = configured("models")
THREE = {
    "function": "opchar.models.splits.protocols:holdout",
    "parameters": {"repeats": 3, "test": 0.3},
}
SPAWN = spawner(1, "blobs", "three")


def table(y=None, classes=("a", "b", "c")):
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(3), 30) if y is None else y
    X = rng.normal(size=(len(y), 3)) + y[:, None]
    return SimpleNamespace(X=X, y=y, classes=classes, provenance={"data": "blobs"})


@pytest.mark.parametrize("model", ["ldc", "pca2 mogc2", "dis9 mindist", "sc svc r 2", "knnc1"])
def test_scores_are_those_of_the_model_on_each_test_set(model):
    features = table()
    scored = train(features, model, VOCABULARY, THREE, SPAWN)
    assert np.unique(scored.fold).tolist() == [0, 1, 2]
    assert scored.scores.min() >= 0
    assert scored.scores.max() <= 1
    assert np.array_equal(scored.y, features.y[scored.index])
    for (_, part), (fold, training, testing, *_) in zip(
        scored.folds(), splits(THREE, features.y, SPAWN), strict=True
    ):
        estimator = seed_estimator(parse(model, VOCABULARY), SPAWN("model", model, fold))
        estimator.fit(features.X[training], features.y[training])
        assert np.array_equal(part.index, testing)
        assert np.array_equal(part.scores, estimator.predict_proba(features.X[testing]))


def test_all_models_meet_the_same_splits_and_the_same_bytes_again():
    features = table()
    one = train(features, "ldc", VOCABULARY, THREE, SPAWN)
    two = train(features, "dis9 mindist", VOCABULARY, THREE, SPAWN)
    again = train(features, "dis9 mindist", VOCABULARY, THREE, SPAWN)
    other = train(features, "dis9 mindist", VOCABULARY, THREE, spawner(2, "blobs", "three"))
    assert np.array_equal(one.index, two.index)
    assert np.array_equal(two.scores, again.scores)
    assert not np.array_equal(two.scores, other.scores)


def test_the_table_says_where_it_comes_from_and_can_be_written(tmp_path):
    scored = train(table(), "ldc", VOCABULARY, THREE, SPAWN, {"seed": 1, "set": "blobs"})
    assert scored.data == "blobs"
    assert scored.provenance["model"] == "ldc"
    assert scored.provenance["seed"] == 1
    assert set(scored.provenance["versions"]) == {"numpy", "scikit-learn"}
    write_scores(scored, tmp_path / "s.parquet")
    assert np.array_equal(read_scores(tmp_path / "s.parquet").scores, scored.scores)


def test_a_model_that_cannot_be_trained_names_data_model_and_fold():
    features = table()
    features.X[:, 1] = 4.0
    with pytest.raises(DataError, match=r"blobs, model 'qdc', fold 0: .*singular") as error:
        train(features, "qdc", VOCABULARY, THREE, SPAWN)
    assert "\n" not in str(error.value)


def test_decision_values_become_scores():
    features = table()
    for y in (features.y, (features.y > 0).astype(int)):
        model = Perceptron(random_state=0).fit(features.X, y)
        scores = class_scores(model, features.X, len(np.unique(y)))
        assert scores.sum(axis=1) == pytest.approx(np.ones(90))
        assert np.array_equal(scores.argmax(axis=1), model.predict(features.X))
    with pytest.raises(ValueError, match="neither"):
        class_scores(SimpleNamespace(classes_=[0, 1]), features.X, 2)


def test_importable_classes_are_trained_like_words():
    features = table()
    scored = train(features, "sklearn.naive_bayes:GaussianNB", VOCABULARY, THREE, SPAWN)
    _, training, testing, *_ = next(splits(THREE, features.y, SPAWN))
    model = GaussianNB().fit(features.X[training], features.y[training])
    assert np.array_equal(scored.scores[scored.fold == 0], model.predict_proba(features.X[testing]))
    assert class_scores(NearestCentroid().fit(features.X, features.y), features.X, 3).shape == (
        90,
        3,
    )


def test_every_part_gets_a_seed_of_its_own():
    model = seed_estimator(parse("dis9 mogc2", VOCABULARY), SPAWN("x"))
    seeds = {value for key, value in model.get_params().items() if key.endswith("__random_state")}
    assert len(seeds) == 2
    assert None not in seeds
    assert (
        seed_estimator(mogc(2), SPAWN("x")).random_state
        == seed_estimator(mogc(2), SPAWN("x")).random_state
    )


def one_against_others(y, spawn):
    """Target 0, then target 1, against the rest; each tested on two halves."""
    for target in (0, 1):
        half = len(y) // 2
        for name, rows in (("first", np.arange(half)), ("second", np.arange(half, len(y)))):
            about = {"target": target}
            relabelled = (y == target).astype(int)
            yield Split(
                target, np.arange(0, len(y), 2), rows, name, relabelled, ("other", "target"), about
            )


RELABELLED = {"function": f"{__name__}:one_against_others"}


def test_one_training_serves_all_test_sets_and_targets_may_change(tmp_path):
    features = table()
    scored = train(features, "ldc", VOCABULARY, RELABELLED, SPAWN)
    write_scores(scored, tmp_path / "s.parquet")
    read = read_scores(tmp_path / "s.parquet")
    assert read.classes == ("other", "target")
    assert read.provenance["folds"] == {"0": {"target": 0}, "1": {"target": 1}}
    for target, fold in read.folds():
        estimator = seed_estimator(parse("ldc", VOCABULARY), SPAWN("model", "ldc", target))
        estimator.fit(features.X[::2], features.y[::2] == target)
        assert [name for name, _ in fold.test_sets()] == ["first", "second"]
        assert np.array_equal(fold.y, features.y[fold.index] == target)
        assert np.array_equal(fold.scores, estimator.predict_proba(features.X[fold.index]))


def test_members_of_a_pool_are_scored_one_by_one(tmp_path):
    features = table()
    scored = train(features, "sc bagsvm3", VOCABULARY, RELABELLED | {"members": True}, SPAWN)
    write_scores(scored, tmp_path / "s.parquet")
    (_, fold), _ = read_scores(tmp_path / "s.parquet").folds()
    pool = seed_estimator(parse("sc bagsvm3", VOCABULARY), SPAWN("model", "sc bagsvm3", 0))
    pool.fit(features.X[::2], (features.y[::2] == 0).astype(int))
    expected = pool[-1].member_decisions(pool[:-1].transform(features.X))
    members = dict(fold.members())
    assert list(members) == [0, 1, 2]
    for number, member in members.items():
        assert np.array_equal(member.index, np.arange(90))
        is_positive, decision = member.decision("target")
        assert np.array_equal(is_positive, features.y == 0)
        assert np.array_equal(decision, expected[:, number])
    with pytest.raises(DataError, match="take a pool for two classes, as bagsvm20"):
        train(features, "ldc", VOCABULARY, RELABELLED | {"members": True}, SPAWN)


def test_both_stages_of_a_system_are_kept():
    features = table()
    vocabulary = VOCABULARY | {
        "system": {"function": f"{__name__}:two_stages", "kind": "classifier"}
    }
    scored = train(features, "sc system", vocabulary, THREE, SPAWN)
    _, training, testing, *_ = next(splits(THREE, features.y, SPAWN))
    model = seed_estimator(parse("sc system", vocabulary), SPAWN("model", "sc system", 0))
    model.fit(features.X[training], features.y[training])
    detector, posteriors = model[-1].stage_scores(model[:-1].transform(features.X[testing]))
    first = scored.fold == 0
    assert np.array_equal(scored.detector[first], detector)
    assert np.array_equal(scored.scores[first], np.insert(posteriors, 2, 0, axis=1))


def two_stages():
    return TwoStage(parse("gauss", VOCABULARY, "detector"), parse("ldc", VOCABULARY))


def test_what_a_reader_of_the_scores_has_to_know_is_kept_by_fold():
    features = table(np.repeat([1, 0], [80, 6]), classes=("many", "few"))
    features.X[:] = 0
    scored = train(features, "sc rusboost10", VOCABULARY, THREE, SPAWN)
    assert set(scored.provenance["remarks"]) == {"0", "1", "2"}
    assert "no better than chance" in scored.provenance["remarks"]["0"]
    assert "remarks" not in train(table(), "sc rusboost10", VOCABULARY, THREE, SPAWN).provenance
