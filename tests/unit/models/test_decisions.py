"""Raw decision values beside the scaled scores."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from checkout import configured
from opchar.errors import ScoresError
from opchar.models.names import parse
from opchar.models.splits.protocols import splits
from opchar.models.training import decision_values, train
from opchar.scores import read_scores, write_scores
from opchar.seeds import spawner

VOCABULARY = configured("models")
HALF = {
    "function": "opchar.models.splits.protocols:holdout",
    "parameters": {"repeats": 2, "test": 0.5},
}
SPAWN = spawner(1, "raw")


def table(classes=2, spread=1.0):
    rng = np.random.default_rng(0)
    y = np.arange(90) % classes
    X = rng.normal(size=(90, 2)) + spread * y[:, None]
    names = ("a", "b", "c")[:classes]
    return SimpleNamespace(X=X, y=y, classes=names, provenance={"data": "blobs"})


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", ["sc svc r 2", "svc p 1", "nbsvm", "rbfsvm"])
def test_machines_keep_their_decision_values(model, classes, tmp_path):
    features = table(classes)
    scored = train(features, model, VOCABULARY, HALF, SPAWN)
    _, training, testing, *_ = next(splits(HALF, features.y, SPAWN))
    fitted = parse(model, VOCABULARY).fit(features.X[training], features.y[training])
    raw = fitted.decision_function(features.X[testing])
    if classes == 2:
        raw = np.column_stack([-raw, raw])
    first = scored.fold == 0
    assert scored.decisions is not None
    assert np.array_equal(scored.decisions[first], raw)
    sigmoid = 1 / (1 + np.exp(-raw))
    expected = sigmoid / sigmoid.sum(axis=1, keepdims=True)
    assert scored.scores[first] == pytest.approx(expected)
    write_scores(scored, tmp_path / "s.parquet")
    read = read_scores(tmp_path / "s.parquet")
    assert read.classes == features.classes
    assert np.array_equal(read.decisions, scored.decisions)
    assert np.array_equal(read.scores, scored.scores)
    parts = [part.decision("b")[1] for _, part in read.folds()]
    assert np.array_equal(np.concatenate(parts), read.decision("b")[1])
    assert np.array_equal(read.decision("b")[1], scored.decisions[:, 1])


def test_decision_values_tell_apart_what_the_scaling_makes_equal():
    features = table(spread=60.0)
    scored = train(features, "svc p 3", VOCABULARY, HALF, SPAWN)
    _, scaled = scored.binary("b")
    is_positive, raw = scored.decision("b")
    assert np.array_equal(is_positive, scored.y == 1)
    assert len(np.unique(raw)) >= len(np.unique(scaled))
    order = np.argsort(raw)
    assert (np.diff(scaled[order]) >= 0).all()


def test_models_of_posteriors_have_none_and_say_so(tmp_path):
    scored = train(table(), "ldc", VOCABULARY, HALF, SPAWN)
    assert scored.decisions is None
    with pytest.raises(ScoresError, match="blobs: no raw decision values"):
        scored.decision("a")
    write_scores(scored, tmp_path / "s.parquet")
    assert read_scores(tmp_path / "s.parquet").decisions is None
    columns = list(pd.read_parquet(tmp_path / "s.parquet").columns)
    assert columns == ["fold", "index", "y", "a", "b"]


def test_a_class_that_was_not_trained_on_is_infinitely_far(tmp_path):
    features = table(3)
    fitted = SVC().fit(features.X[features.y != 1], features.y[features.y != 1])
    values = decision_values(fitted, features.X, 3)
    assert (values[:, 1] == -np.inf).all()
    assert np.array_equal(values[:, 2], -values[:, 0])
    assert decision_values(GaussianNB().fit(features.X, features.y), features.X, 3) is None
    pairs = SVC(decision_function_shape="ovo").fit(np.tile(features.X, 2), np.arange(90) % 4)
    assert decision_values(pairs, np.tile(features.X, 2), 4) is None
    scored = train(features, "svc r 1", VOCABULARY, HALF, SPAWN)
    lacking = replace(scored, decisions=np.where([True, False, True], scored.decisions, -np.inf))
    write_scores(lacking, tmp_path / "s.parquet")
    assert np.array_equal(read_scores(tmp_path / "s.parquet").decisions, lacking.decisions)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"a (raw)": [1.0, 2.0]}, "raw decision values of 1 of 2 classes"),
        ({"b (raw)": [1.0, 2.0], "a (raw)": [1.0, 2.0]}, "in the order of the classes"),
        ({"a (raw)": [np.nan, 2.0], "b (raw)": [1.0, 2.0]}, r"row 1, column 'a \(raw\)': nan"),
        ({"a (raw)": [1.0, np.inf], "b (raw)": [1.0, 2.0]}, r"row 2, column 'a \(raw\)': inf"),
    ],
)
def test_wrong_raw_columns_are_one_line(tmp_path, changes, message):
    frame = pd.DataFrame({"y": ["a", "b"], "a": [0.9, 0.1], "b": [0.1, 0.9]}).assign(**changes)
    frame.to_csv(tmp_path / "s.csv", index=False)
    with pytest.raises(ScoresError, match=message) as error:
        read_scores(tmp_path / "s.csv")
    assert "\n" not in str(error.value)


def test_a_class_may_be_called_raw(tmp_path):
    frame = pd.DataFrame({"y": ["x (raw)", "b"], "x (raw)": [0.9, 0.1], "b": [0.1, 0.9]})
    frame.to_csv(tmp_path / "s.csv", index=False)
    read = read_scores(tmp_path / "s.csv")
    assert read.classes == ("x (raw)", "b")
    assert read.decisions is None
