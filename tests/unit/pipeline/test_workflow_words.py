"""The plan of a run as the rules ask for it, and the words of their commands."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from checkout import ROOT
from opchar_reproduction.project import task, workflow
from opchar_reproduction.project.configuration.config import CONFIGS
from opchar_reproduction.project.environment import PLANNED
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks


def test_files_are_options_in_words_that_a_shell_reads_as_they_are() -> None:
    named = [("other_results", ["a b.csv", "c.csv"]), ("features", []), ("table", "$x;y.csv")]
    assert shlex.split(workflow.options(named)) == (
        ["--other-results", "a b.csv", "c.csv", "--features", "--table", "$x;y.csv"]
    )


def test_a_command_starts_with_the_sources_of_the_checkout(plan: Plan) -> None:
    said = workflow.start(Path("/a {b} c"), ["python", "-P", "x.py"], plan)
    words = shlex.split(said.format())
    assert words[:6] == ["env", "PYTHONPATH=/a {b} c/src", "python", "-P", "x.py", "--compiled"]
    assert words[7:] == [f"--publication={folder}" for folder in plan.outside()]


def test_a_configuration_is_kept_where_that_is_possible(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = workflow.keep(plan.config)
    assert Path(place).parent == CONFIGS
    assert json.loads(Path(place).read_text())["settings"] == plan.config.settings
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    Path(".opchar").write_text("no folder")
    assert workflow.keep(plan.config) == place


def test_a_plan_that_cannot_be_made_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLANNED, "x.json")
    monkeypatch.setenv("PYTHONPATH", "/other/src")
    with pytest.raises(SystemExit, match=r"opchar: .*of another OpChar .* in /other/src: use"):
        workflow.read_plan(ROOT, {})
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    with pytest.raises(SystemExit, match=r"opchar: x\.json: not the configuration of a run"):
        workflow.read_plan(ROOT, {})


def test_long_arguments_stand_in_a_file(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = Tasks(plan).fetch("sonar")
    flag, job, given, said = made.words()
    assert (flag, job, given) == ("--job", str(made), "--given")
    monkeypatch.setattr(task, "LONGEST", len(said) - 1)
    place = made.words()[-1]
    assert Path(place.removeprefix("@")).read_text() == said
    assert [path.as_posix() for path in Path(".opchar/given").iterdir()] == [place[1:]]


def test_pages_are_given_folders_and_no_configuration(plan: Plan) -> None:
    made: Any = Tasks(plan).report("tiny")
    assert made.words()[2:] == ["--artefacts", *plan.shown_studies("tiny")]
    assert {*plan.shown_studies("tiny")} <= {*made.inputs}
