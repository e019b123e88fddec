"""Files of a user's own: what they mark is planned with, and goes without a trace."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from checkout import ROOT
from opchar.errors import ConfigError
from opchar.models.names import parse
from opchar.pipeline.closure import sources
from opchar.pipeline.configuration.config import load
from opchar.pipeline.configuration.extensions import read_extension
from opchar.pipeline.jobs.making import experiment, variants
from opchar.pipeline.jobs.showing import figure, table
from opchar.pipeline.own.adding import add_extension
from opchar.pipeline.own.entries import kept_unless
from opchar.pipeline.own.layout import MINE
from opchar.pipeline.own.removing import remove
from opchar.pipeline.plan import Plan
from opchar.pipeline.tasks import Tasks
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.studies.user_data import _own

SCORES = "data/scores/tiny/sonar/holdout-10/"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reread():
    return load(".", check=False)


def made(*names: str) -> None:
    """Write files as jobs leave them."""
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"model": "sc mine"}' if name.startswith("data/scores") else "{}")


def files() -> set[str]:
    found = {path.as_posix() for path in Path().rglob("*") if path.is_file()}
    return {name for name in found if not name.startswith("config/")}


OF_THE_FILE = (
    *(f"results/tiny/own/first-bars.{kind}" for kind in ("svg", "pdf", "png")),
    "results/tiny/made/own/first-bars.json",
    "results/quick/experiments/own/first.csv",
    "results/quick/experiments/own/first.parquet",
    "results/quick/made/experiments/own/first.json",
    f"{SCORES}sc-mine.parquet",
    f"{SCORES}sc-mine.json",
    f"{SCORES}sc-mine.json".replace("scores", "made/scores"),
    "logs/tiny/train/sonar/holdout-10/sc-mine.log",
    "logs/tiny/own/first-bars.log",
)
OF_OTHERS = (
    "results/tiny/experiments/landgrebe2007/first.csv",
    "results/tiny/own/notes.txt",
    "data/scores/tiny/sonar/cv-10/sc-ldc.parquet",
    "data/made/raw/sonar/PROVENANCE.json",
)


def test_what_a_file_marks_is_planned_with(folder: Path) -> None:
    own = {
        "experiments": {
            "own/wine": {
                "kind": "metric",
                "function": "opchar.studies.user_data:every_analysis",
                "basis": "data",
                "scores": [{"data": "sonar", "protocol": "holdout-10", "models": ["sc ldc"]}],
                "parameters": {"prior_range": [0.1, 0.9], "metrics": ["other.py:one"]},
            }
        },
    }
    Path("config/own.yaml").write_text(yaml.safe_dump(own))
    said = add_extension(folder / "mine.py", [])
    assert (
        "models: mine; metrics: worst_recall; studies: own/first; artefacts: own/first-bars"
        in said[0]
    )
    plan = Plan(load("."))
    task = Tasks(plan).experiment("tiny", "own/first")
    assert f"{SCORES}sc-mine.parquet" in task.inputs
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


def test_removing_a_file_leaves_nothing_of_it_and_all_else(folder: Path) -> None:
    add_extension(folder / "mine.py", [])
    made(*OF_THE_FILE, *OF_OTHERS)
    told = remove("extension", "mine.py", reread)
    assert told == [f"removed: mine.py, and {len(OF_THE_FILE)} files and folders made of it"]
    assert files() == {"mine.py", *OF_OTHERS}
    assert not Path("config/own.yaml").exists()
    assert not Path("results/quick").exists(), "folders that are left empty"
    assert "mine" not in load(".").models


def test_a_file_that_is_listed_in_the_settings_is_taken_out_there(folder: Path) -> None:
    settings = Path("config/config.yaml")
    text = settings.read_text()
    settings.write_text(text.replace("extensions: []", "extensions: [mine.py]"))
    (folder / "mine.py").unlink()  # one that is gone can be taken out, too
    made(*OF_THE_FILE, *OF_OTHERS)
    remove("extension", "mine.py", reread)
    assert settings.read_text() == text
    # What was asked of a file that is gone is known by the records of jobs and by names of models.
    assert files() == {*OF_OTHERS}


def test_what_others_need_is_not_removed(folder: Path) -> None:
    add_extension(folder / "mine.py", [])
    own = Path("config/own.yaml")
    content = yaml.safe_load(own.read_text())
    entry = dict(read_extension(folder, "mine.py").studies.artefacts["own/first-bars"])
    own.write_text(yaml.safe_dump(content | {"artefacts": {"own/again": entry}}))
    before = own.read_text()
    made(*OF_THE_FILE)
    with (
        pytest.raises(ConfigError, match=r"mine\.py: 'own/again' shows its 'own/first'"),
        kept_unless(lambda: None),
    ):
        remove("extension", "mine.py", reread)
    assert own.read_text() == before
    assert files() == {"mine.py", *OF_THE_FILE}


def test_an_experiment_goes_with_its_figures_and_scores(folder: Path) -> None:
    found = read_extension(folder, "mine.py")
    entry = found.studies.experiments["own/first"]
    entry["scores"][0]["models"] = ["sc nmc", "sc ldc"]
    content = {"experiments": {"own/first": entry}, "artefacts": found.studies.artefacts}
    Path("config/own.yaml").write_text(yaml.safe_dump(content))
    theirs = {each.replace("sc-mine", "sc-nmc") for each in OF_THE_FILE}
    made(*theirs, *OF_OTHERS)
    with pytest.raises(ConfigError, match=re.escape("did you mean 'own/first'")):
        remove("experiment", "frst", reread)
    assert "own/first-bars" in remove("experiment", "first", reread)[0]
    assert files() == {"mine.py", *OF_OTHERS}


def test_what_was_taken_out_by_hand_is_left_over(folder: Path) -> None:
    Path("config/own.yaml").write_text("extensions: [mine.py]\n")
    made(*OF_THE_FILE, *OF_OTHERS, "data/made/features/wine.json", "data/features/wine.parquet")
    remove("leftovers", "", reread)
    assert files() == {"mine.py", *OF_THE_FILE, *OF_OTHERS}
    Path("config/own.yaml").unlink()
    remove("leftovers", "", reread)
    assert files() == {"mine.py", *OF_OTHERS}


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
    from opchar.results import Results

    results = Results()
    for value in (1, 2):
        results.number("sizes", "a", "objects", value)
    return results


def mixed():
    from opchar.results import Results

    results = Results()
    results.add_frame("mixed", {"a": [1, "x", [2]]})
    return results
'''


@pytest.mark.parametrize(
    ("kind", "function", "said"),
    [
        ("study", "nothing", "returns NoneType, not opchar.results.Results"),
        ("study", "array", "returns ndarray, not opchar.results.Results"),
        ("study", "twice", "result line given twice: {'artefact': 'sizes', 'row': 'a', 'column'"),
        ("study", "mixed", "Could not convert 'x'"),
        ("variants", "nothing", "returns NoneType, not opchar.results.Results"),
        ("variants", "twice", "result line given twice"),
        ("figure", "nothing", "returns NoneType, not matplotlib.figure.Figure"),
        ("table", "array", "returns ndarray, not opchar.figures.tables.TableBlock"),
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
