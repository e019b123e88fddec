"""A user's own words: marked in a file, listed in the configuration, trained like any other."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from checkout import ROOT
from opchar.cli import main as command_line
from opchar.datasets.features import FeatureTable, read_features, write_features
from opchar.errors import ConfigError
from opchar.models.splits.protocols import splits
from opchar.scores import read_scores
from opchar.seeds import spawner
from opchar_reproduction.jobs.making.train import run as train_model
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.words import word, words_of

MINE = '''"""My models."""

from opchar_reproduction.words import word

SMALLEST = 3


@word("bush", summary="a small tree, with its depth", arguments=r" ?(\\d+)", aliases=["shrub"],
      example="bush2")
def bush(depth):
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=depth, min_samples_leaf=SMALLEST)


def not_a_word():
    return None
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "Snakefile").write_text("")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/models.py").write_text(MINE)
    change(tmp_path, "config.yaml", "extensions: []", "extensions: [mine/models.py]")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / "config" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def asked_for(folder: Path, model: str) -> None:
    asked = {"data": "satellite-4", "protocol": "shuffled-4435-2000", "models": [model]}
    entry = {"kind": "metric", "basis": "data", "scores": [asked]}
    entry |= {"function": "opchar_reproduction.user_data:every_analysis"}
    entry |= {"parameters": {"prior_range": [0.1, 0.9]}}
    own = {"experiments": {"own/asked": entry}}
    (folder / "config/own.yaml").write_text(yaml.safe_dump(own))


def test_a_marked_function_is_trained_scored_and_listed(folder, capsys):
    from sklearn.tree import DecisionTreeClassifier

    asked_for(folder, "sc bush 2")
    change(folder, "protocols.yaml", "test: 2000", "test: 60")
    rng = np.random.default_rng(0)
    y = np.arange(300) % 4
    X = np.round(rng.normal(size=(300, 3)) + y[:, None], 3)
    table = FeatureTable(X, y, ("a", "b", "c", "d"), ("p", "q", "r"), {"data": "mine"})
    features = folder / "data/features/satellite-4.parquet"
    features.parent.mkdir(parents=True, exist_ok=True)
    write_features(table, features)
    path = "data/scores/tiny/satellite-4/shuffled-4435-2000.own.parquet"
    task = Tasks(Plan(load(folder, {"seed": 1}))).train(
        "tiny", "satellite-4", "shuffled-4435-2000.own"
    )
    train_model(**task.given, features=features, table=Path(path))
    scores = read_scores(path, "sc bush 2")
    entry = load(folder).protocol("shuffled-4435-2000", "tiny")
    spawn = spawner(1, "satellite-4", "shuffled-4435-2000")
    _, train, test, *_ = next(splits(entry, y, spawn))
    X = read_features(features).X
    tree = DecisionTreeClassifier(max_depth=2, min_samples_leaf=3).fit(X[train], y[train])
    assert np.array_equal(scores.scores[scores.fold == 0], tree.predict_proba(X[test]))
    assert command_line(["models"]) == 0
    assert "bush         a small tree, with its depth" in capsys.readouterr().out.splitlines()


def test_what_was_trained_with_a_file_depends_on_it(folder):
    asked_for(folder, "bush 2")

    def hashes() -> list[str]:
        plan = Plan(load(folder))
        tables = ("shuffled-4435-2000.own", "shuffled-4435-2000")
        return [str(Tasks(plan).train("tiny", "satellite-4", name)) for name in tables]

    before = hashes()
    (folder / "mine/models.py").write_text(MINE.replace("SMALLEST = 3", "SMALLEST = 4"))
    after = hashes()
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_parameters_of_a_word_count_as_its_configuration(folder):
    asked_for(folder, "rusboost10")
    address = ("tiny", "satellite-4", "shuffled-4435-2000.own")
    before = str(Tasks(Plan(load(folder))).train(*address))
    change(folder, "models.yaml", "parameters: {depth: 5}", "parameters: {depth: 6}")
    assert str(Tasks(Plan(load(folder))).train(*address)) != before


def test_a_misspelt_word_of_ones_own_gets_the_nearest(folder):
    asked_for(folder, "bsuh 2")
    with pytest.raises(ConfigError, match=r"unknown word 'bsuh' \(did you mean 'bush'\?\)"):
        load(folder)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"bush", ', '"ldc", ', "mine/models.py: the word 'ldc' is taken"),
        ('["shrub"]', '["parzen"]', "mine/models.py: the word 'parzen' is taken"),
        ('"bush", ', '"Bush", ', "extensions: mine/models.py: 'Bush' does not match"),
        ("summary=", "sumary=", r"no argument 'sumary' \(did you mean 'summary'\?\)"),
        ('"bush", ', "NAME, ", "line 8: write the arguments of @word out as literals"),
        ('"bush", ', "", "line 8: write @word"),
        ("def bush(depth):", "class bush:", "line 8: only functions can be words"),
        ("@word(", "@other(", "no function is marked with @opchar_reproduction.words.word"),
        ('"""My models."""', "def", "mine/models.py: line 1: not Python"),
        ('example="bush2"', "kind=1", "line 8: @word: 'kind' must be a text, not 1"),
        (
            "def not_a_word():",
            '@word("bush", summary="again")\ndef more():',
            "the word 'bush' is marked twice",
        ),
    ],
)
def test_a_wrong_mark_is_one_line_with_the_place(folder, old, new, message):
    assert old in MINE
    (folder / "mine/models.py").write_text(MINE.replace(old, new, 1))
    with pytest.raises(ConfigError, match=message) as error:
        load(folder)
    assert "\n" not in str(error.value)


def test_a_missing_file_and_wrong_arguments_are_one_line(folder):
    change(folder, "config.yaml", "[mine/models.py]", "[mine/model.py]")
    with pytest.raises(ConfigError, match=r"extensions: mine/model\.py: no such file"):
        load(folder)
    change(folder, "config.yaml", "[mine/model.py]", "[/mine/models]")
    with pytest.raises(ConfigError, match=r"config/config\.yaml: extensions"):
        load(folder)


def test_a_function_that_does_not_take_the_arguments_is_one_line(folder):
    from opchar.models.names import parse

    (folder / "mine/models.py").write_text(MINE.replace("def bush(depth)", "def bush()"))
    with pytest.raises(ConfigError, match=r"of 'bush': too many positional arguments"):
        parse("bush 2", load(folder).models)


@pytest.mark.parametrize(
    ("imports", "mark"),
    [
        ("from opchar_reproduction.words import word as w", "w"),
        ("from opchar_reproduction import words", "words.word"),
        ("import opchar_reproduction.words", "opchar_reproduction.words.word"),
        ("import opchar_reproduction.words as e", "e.word"),
    ],
)
def test_the_decorator_may_be_imported_in_any_way(tmp_path, imports, mark):
    text = MINE.replace("from opchar_reproduction.words import word", imports)
    (tmp_path / "m.py").write_text(text.replace("@word", f"@{mark}"))
    assert words_of(tmp_path, "m.py")["bush"]["function"] == "m.py:bush"


def test_the_decorator_leaves_the_function_as_it_is():
    def function():
        return 3

    assert word("three", summary="a number")(function) is function


def test_the_example_of_the_how_to_is_such_a_file(folder):
    from opchar.models.names import parse

    guide = (ROOT / "docs/how-to.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```py\n(.*?)```", guide, flags=re.DOTALL)
    (folder / "mine/models.py").write_text(example)
    assert parse("sc stumps50", load(folder).models)[-1].n_estimators == 50
