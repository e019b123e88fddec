"""A user's own data, models, metrics and experiments through a run."""

from pathlib import Path

import pandas as pd
import pytest
import yaml
from sklearn.datasets import load_breast_cancer, load_wine

from checkout import Project

pytestmark = pytest.mark.workflow
TINY = ("--profile", "tiny", "--policy", "offline")


def table(data, folder: Path, **options) -> Path:
    names = [name.replace(" ", "_") for name in data.feature_names]
    frame = pd.DataFrame(data.data, columns=names)
    frame["class"] = data.target_names[data.target]
    path = folder / options.pop("name")
    frame.to_csv(path, index=False, **options)
    return path


def said(done, code: int = 0) -> str:
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_changed_table_is_named(project: Project, tmp_path: Path) -> None:
    path = table(load_breast_cancer(), tmp_path, name="cells.csv")
    said(project.look("add", "data", str(path), "--target", "class"))
    path.write_text(path.read_text().replace("malignant", "benign", 1))
    told = said(project.opchar("run", "own/cells", *TINY), 1)
    assert "cells" in told
    assert "cells.csv" in told
    # A line of the terminal is cut where it is long; the log has all of it.
    assert "has no stand-in" in (project.folder / "logs/fetch/cells.log").read_text()


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        ("a,class\n1,x\n2,y\n3,x\n4,y\n", ["--target", "klass"], "did you mean 'class'"),
        ("a,class\n1,x\nq,y\n3,x\n4,y\n", ["--target", "class"], "row 2, column 'a': 'q'"),
        ("a,class\n1,x\n2,x\n", ["--target", "class"], "only the class 'x'"),
        ("a,class\n1,x\n2,x\n3,y\n", ["--target", "class"], "one object only"),
        ("a,class\n1,x\n2,\n", ["--target", "class"], "row 2 has no class"),
        ("ab\n1\n2\n", ["--target", "ab"], "no separator"),
        ("a,class\n1,x\n2,y\n3,x\n4,y\n", ["--target", "class", "--name", "sonar"], "already"),
        (
            "a,class\n1,x\n2,y\n3,x\n4,y\n",
            ["--target", "class", "--models", "sc ldq"],
            "did you mean",
        ),
    ],
)
def test_mistakes_are_one_line_and_change_nothing(
    made: Project, tmp_path: Path, content: str, words: list[str], message: str
) -> None:
    (tmp_path / "t.csv").write_text(content)
    done = made.look("add", "data", str(tmp_path / "t.csv"), *words)
    assert message in said(done, 1)
    assert done.stderr.count("\n") == 1
    assert not (made.folder / "config/own.yaml").exists()


def test_entries_of_ones_own_cannot_hide_those_that_are_there(project: Project) -> None:
    own = project.folder / "config/own.yaml"
    entry = yaml.safe_load((project.folder / "config/protocols.yaml").read_text())["holdout-10"]
    twice = {
        "kind": "metric",
        "function": "opchar_reproduction.user_data:every_analysis",
        "basis": "data",
        "scores": [
            {"data": "sonar", "protocol": protocol, "models": ["sc knnc3"]}
            for protocol in ("holdout-10", "half-10")
        ],
        "parameters": {"prior_range": [0.1, 0.9]},
    }
    for content, message in (
        ({"protocols": {"holdout-10": entry}}, "there is a 'holdout-10' already"),
        ({"models": {}}, "unknown key 'models'"),
        ({"experiments": {"mine/x": {}}}, "must begin with 'own/'"),
        (
            {"experiments": {"own/x": twice}},
            "config/own.yaml: experiments: own/x: scores: 'sc knnc3' on 'sonar' under both "
            "'holdout-10' and",
        ),
    ):
        own.write_text(yaml.safe_dump(content))
        assert message in said(project.look("status"), 1)


MINE = """
from matplotlib import pyplot as plt
from opchar_reproduction.results import Results


def seen(*, scores, scale):
    results = Results()
    for (data, model), table in scores.items():
        results.number("seen", f"{data}, {model}", "objects", scale * len(table.y), data=table.data)
    return results


def bars(results, curves):
    figure, ax = plt.subplots()
    ax.bar(results["row"], results["value"])
    return figure


def twice(results, published):
    from opchar_reproduction.figures.tables import grid

    assert published.empty
    return grid(results.assign(value=2 * results["value"]), published)


def hits(matrix):
    return matrix.trace()
"""


@pytest.mark.check
def test_a_table_goes_through_every_analysis_and_what_one_wrote_oneself(
    project: Project, tmp_path: Path
) -> None:
    """With an experiment, a figure, a table and a metric of one's own: all in one run."""
    (project.folder / "mine.py").write_text(MINE)
    path = table(load_wine(), tmp_path, name="Wine_table.csv", sep=";")
    words = ("--target", "class", "--models", "sc ldc, sc sklearn.naive_bayes:GaussianNB")
    told = said(project.look("add", "data", str(path), *words))
    assert "added: wine-table, 178 objects, 13 features, 59 class_0, 71 class_1" in told
    file = project.folder / "config/own.yaml"
    own = yaml.safe_load(file.read_text())
    entry = own["experiments"]["own/wine-table"]
    entry["parameters"]["metrics"] = ["mine.py:hits"]
    own["experiments"]["own/seen"] = {
        "kind": "metric",
        "function": "mine.py:seen",
        "basis": "data",
        "scores": entry["scores"],
        "parameters": {"scale": 2},
    }
    shown = {"experiment": "own/seen", "lines": ["seen"]}
    own["artefacts"]["own/seen-bars"] = (
        own["artefacts"]["own/wine-table-spaces"] | shown | {"renderer": "mine.py:bars"}
    )
    own["artefacts"]["own/seen-table"] = shown | {
        "kind": "table",
        "renderer": "mine.py:twice",
        "title": "Objects 100 % & more",
        "section": "own",
        "caption": "Objects seen.",
    }
    file.write_text(yaml.safe_dump(own))
    goals = ("own/wine-table-spaces", "own/wine-table-summary", "own/seen-bars", "own/seen-table")
    said(project.opchar("run", "own/wine-table", *goals, *TINY))
    folder = project.folder / "results/tiny"
    lines = pd.read_csv(folder / "experiments/own/wine-table.csv")
    assert set(lines["data"]) == {"wine-table"}
    assert set(lines["basis"]) == {"data"}
    rows = [row for row in lines["row"].unique() if "GaussianNB" in row]
    assert len(rows) == 4
    columns = set(lines["column"])
    assert {"AUC", "acsa", "VUS, random 0 and perfect 1", "Sens, P(+) 0.1 to 0.9"} <= columns
    assert lines["value"].notna().all()
    assert lines.query("column == 'AUC'")["value"].min() > 0.9
    assert lines.query("column == 'hits'")["value"].iloc[0] > 30
    assert (folder / "own/wine-table/wine-table-spaces.svg").stat().st_size > 10_000
    laid = folder / "own/wine-table/wine-table-summary.md"
    assert "| AUC |" in laid.read_text()
    assert "[" not in laid.read_text(), "nothing is published beside one's own numbers"
    numbers = pd.read_csv(laid.with_suffix(".csv"))
    assert numbers["value"].tolist() == lines["value"].tolist()
    first = pd.read_csv(folder / "experiments/own/seen.csv")["value"].iloc[0]
    assert (folder / "own/seen/seen-bars.svg").is_file()
    assert pd.read_csv(folder / "own/seen/seen-table.csv")["value"].iloc[0] == 2 * first
    assert r"Objects 100 \% \& more" in (folder / "own/seen/seen-table.tex").read_text()
    (project.folder / "mine.py").write_text(MINE.replace("scale * len", "3 * scale * len"))
    said(project.opchar("run", "own/seen-table", *TINY))
    assert pd.read_csv(folder / "experiments/own/seen.csv")["value"].iloc[0] == 3 * first
    own["experiments"]["own/seen"]["function"] = "mine.py:sen"
    file.write_text(yaml.safe_dump(own))
    assert "did you mean 'seen'" in said(project.opchar("status"), 1)


@pytest.mark.check
def test_a_folder_of_ones_own(project: Project, tmp_path: Path, summaries: Path) -> None:
    """Laid out, used with a table, a model, a metric and an experiment of one's own; all goes."""
    folder = tmp_path / "mine"
    said(project.look("new", str(folder)))
    (folder / ".opchar").mkdir()
    (folder / ".opchar/modules").symlink_to(summaries)
    assert "there is something" in said(project.look("new", str(folder)), 1)
    path = table(load_wine(), tmp_path, name="wine.csv")
    here = Project(folder, project.environment)
    said(here.look("add", "data", str(path), "--target", "class", "--models", "sc mine"))
    assert "mine" in said(here.opchar("models"))
    said(here.opchar("run", "own/wine-spaces", "own/first-bars", *TINY))
    assert (folder / "results/tiny/own/wine/wine-spaces.png").is_file()
    assert (folder / "results/tiny/own/first/first-bars.svg").is_file()
    columns = set(pd.read_csv(folder / "results/tiny/experiments/own/wine.csv")["column"])
    assert {"AUC", "worst_recall"} <= columns
    assert not (project.folder / "results").exists()
