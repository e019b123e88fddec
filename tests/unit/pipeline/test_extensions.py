"""Files of a user's own: what they mark is planned with, and goes without a trace."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from checkout import ROOT
from opchar.errors import ConfigError
from opchar.models.names import parse
from opchar.scores import ScoreTable
from opchar_reproduction.jobs.making import experiment, variants
from opchar_reproduction.jobs.showing import figure, table
from opchar_reproduction.own.adding import add_extension
from opchar_reproduction.own.layout import TEMPLATES
from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.results import Results
from opchar_reproduction.user_data import _own

MINE = (TEMPLATES / "mine.txt").read_text(encoding="utf-8")

SCORES = "data/scores/tiny/sonar/holdout-10.own.parquet"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    sources.cache_clear()
    return tmp_path


def test_what_a_file_marks_is_planned_with(folder: Path) -> None:
    own = {
        "experiments": {
            "own/wine": {
                "kind": "metric",
                "function": "opchar_reproduction.user_data:every_analysis",
                "basis": "data",
                "scores": [{"data": "sonar", "protocol": "holdout-10", "models": ["sc ldc"]}],
                "parameters": {"prior_range": [0.1, 0.9], "metrics": ["other.py:one"]},
            }
        }
    }
    Path("config/own.yaml").write_text(yaml.safe_dump(own))
    said = add_extension(folder / "mine.py", [])
    assert (
        "models: mine; metrics: worst_recall; studies: own/first; artefacts: own/first-bars"
        in said[0]
    )
    plan = Plan(load("."))
    task = Tasks(plan).experiment("tiny", "own/first")
    assert SCORES in task.inputs
    assert "mine.py:first" in task.functions
    assert Tasks(plan).artefact("tiny", "own/first-bars").inputs[0] in task.outputs
    metrics = plan.config.experiments["own/wine"]["parameters"]["metrics"]
    assert metrics == ["other.py:one", "mine.py:worst_recall"]
    before = str(task)
    (folder / "mine.py").write_text(MINE.replace("float(value)", "2 * float(value)"))
    sources.cache_clear()
    assert str(Tasks(Plan(load("."))).experiment("tiny", "own/first")) != before
    with pytest.raises(ConfigError, match="listed already"):
        add_extension(folder / "mine.py", ["mine.py"])
    with pytest.raises(ConfigError, match="not in the folder"):
        add_extension(folder.parent / "mine.py", [])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('    "first",\n', "", r"line 18: study: 'name' is missing"),
        ("scores=[", "score=[", r"study takes no 'score' \(did you mean 'scores'"),
        ('"prior": 0.1', '"prio": 0.1', r"mine.py, line 18: own/first: unknown parameter 'prio'"),
        ('"sc ldc"]', '"sc ldq"]', r"mine.py, line 18: own/first: .* unknown word 'ldq'"),
        ('study="first"', 'study="frst"', r"no study 'frst' .*mean 'first'"),
        ('"first-bars"', '"first bars"', r"extensions: mine.py: 'own/first bars' does not match"),
        ("@metric(", "@metric\n(", "line"),
        ('"holdout-10"', "PROTOCOL", "'PROTOCOL' is no literal and no name of the file"),
    ],
)
def test_a_wrong_mark_is_one_line_with_the_place(
    folder: Path, old: str, new: str, message: str
) -> None:
    assert old in MINE
    (folder / "mine.py").write_text(MINE.replace(old, new, 1))
    Path("config/own.yaml").write_text("extensions: [mine.py]\n")
    with pytest.raises(ConfigError, match=message) as error:
        load(".")
    assert "\n" not in str(error.value)


WRONG = '''"""Functions that return something else than they should."""
import numpy as np


def nothing(*given, **parameters):
    pass


def array(*given, **parameters):
    return np.zeros((2, 2))


def a_class():
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression


def twice():
    from opchar_reproduction.results import Results

    results = Results()
    for value in (1, 2):
        results.number("sizes", "a", "objects", value)
    return results


def mixed():
    from opchar_reproduction.results import Results

    results = Results()
    results.add_frame("mixed", {"a": [1, "x", [2]]})
    return results
'''


@pytest.mark.parametrize(
    ("kind", "function", "said"),
    [
        ("study", "nothing", "returns NoneType, not opchar_reproduction.results.Results"),
        ("study", "array", "returns ndarray, not opchar_reproduction.results.Results"),
        ("study", "twice", "result line given twice: {'artefact': 'sizes', 'row': 'a', 'column'"),
        ("study", "mixed", "Could not convert 'x'"),
        ("variants", "nothing", "returns NoneType, not opchar_reproduction.results.Results"),
        ("variants", "twice", "result line given twice"),
        ("figure", "nothing", "returns NoneType, not matplotlib.figure.Figure"),
        ("table", "array", "returns ndarray, not opchar_reproduction.figures.tables.TableBlock"),
        ("metric", "nothing", "returns NoneType, not a number"),
        ("metric", "array", "returns ndarray, not a number"),
        ("word", "nothing", "returns NoneType, not an estimator"),
        ("word", "a_class", "returns a class, not an estimator"),
        ("word", "array", "returns ndarray, not an estimator"),
    ],
)
def test_what_a_function_returns_wrongly_is_one_line(
    folder: Path, kind: str, function: str, said: str
) -> None:
    """Each ended in a traceback of a job, from code that the user does not know."""
    Path("wrong.py").write_text(WRONG)
    address = f"wrong.py:{function}"
    entry = {"function": address, "renderer": address, "parameters": {}, "lines": [], "title": ""}
    out = {"table": Path("out.csv"), "curves": Path("out.parquet")}
    jobs = {
        "study": lambda: experiment.run("own/a", entry, 1, scores=[], features=[], **out),
        "variants": lambda: variants.run(
            "own/a", entry, 1, {"b": {}}, [], scores=[], features=[], **out
        ),
        "figure": lambda: figure.run(
            entry, results=Path("r.csv"), curves=Path("c.parquet"), files=[Path("out.svg")]
        ),
        "table": lambda: table.run(
            "own/a", entry, [], results=Path("r.csv"), published=[], files=[Path("out.csv")] * 3
        ),
        "metric": lambda: _own(address, PERFECT),
        "word": lambda: parse("odd", {"odd": {"kind": "classifier", "function": address}}),
    }
    Results().write("r.csv", "c.parquet")
    with pytest.raises(ConfigError, match=re.escape(said)) as error:
        jobs[kind]()
    assert "wrong.py" in str(error.value)
    assert "\n" not in str(error.value)
    assert not [*Path().glob("out.*")]


PERFECT = ScoreTable(
    np.zeros(4, int), np.arange(4), np.array([0, 0, 1, 1]), np.eye(2).repeat(2, 0), ("a", "b"), {}
)
