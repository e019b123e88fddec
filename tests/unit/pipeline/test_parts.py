"""Experiments that several jobs measure: who gets what, and what is refused."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from opchar.errors import ConfigError
from opchar.files import write_text
from opchar.pipeline import parts, records
from opchar.pipeline.configuration.model import Config
from opchar.pipeline.configuration.validation import validate
from opchar.pipeline.jobs.showing.assembly import sources
from opchar.pipeline.listing import describe
from opchar.pipeline.own.removing import OF_EXPERIMENT, _matching, _taken_away
from opchar.pipeline.plan import Plan
from opchar.pipeline.tasks import Tasks
from opchar.report.pages.method import _experiment

NAME = "landgrebe2007/costs-optimism"


def changed(config: Config, **changes: object) -> Config:
    """Return the configuration with changes to the parts of an experiment."""
    entry = deepcopy(config.experiments[NAME])
    entry["parts"] |= changes
    return replace(config, experiments=config.experiments | {NAME: entry})


def test_each_data_set_is_measured_by_one_job_with_its_scores_only(plan: Plan) -> None:
    entry = plan.config.experiment(NAME, "paper")
    found = parts.entries(entry)
    assert list(found) == list(entry["parts"]["jobs"])
    sets = [each for part in found.values() for each in part["parameters"]["sets"]]
    assert sorted(each["row"] for each in sets) == sorted(
        each["row"] for each in entry["parameters"]["sets"]
    )
    for part in found.values():
        assert {group["data"] for group in part["scores"]} == {
            each["data"] for each in part["parameters"]["sets"]
        }
        assert "resamples" not in part["parameters"] and "matrices" in part["parameters"]


def test_a_job_without_data_sets_is_no_job(plan: Plan) -> None:
    assert plan.parts("tiny", NAME) == ["others"]
    assert plan.parts("quick", "landgrebe2007/p-roc") == []


def test_the_joining_job_reads_parts_and_no_scores(plan: Plan) -> None:
    tasks = Tasks(plan)
    task = tasks.experiment("quick", NAME)
    assert list(task.inputs) == plan.part_files("quick", NAME)
    assert not {"scores", "parts"} & set(task.given["entry"])
    assert "matrices" not in task.given["entry"]["parameters"]
    every = list(tasks.of_profile("quick"))
    made = {file for each in every for file in each.outputs}
    assert {file for each in every for file in each.inputs} <= made
    measuring = [tasks.part("quick", NAME, part) for part in plan.parts("quick", NAME)]
    assert set(task.inputs) == {file for each in measuring for file in each.outputs}
    read = [file for each in measuring for file in each.inputs]
    assert sorted(read) == sorted(plan.experiment_scores("quick", NAME))


def test_listing_and_the_page_of_methods_name_what_measures(plan: Plan) -> None:
    listed = describe(plan, "quick", NAME)
    for file in plan.part_files("quick", NAME):
        assert f"part        {file}" in listed
    entry = plan.config.experiment(NAME, "quick")
    function = entry["parts"]["function"]
    references = [function, entry["function"]]
    content = SimpleNamespace(
        experiments={NAME: entry}, code=sources(references), versions={NAME: "1"}
    )
    told = _experiment(NAME, ["a"], cast(Any, content))
    assert told["measuring"]["function"] == function and "def gains(" in told["measuring"]["source"]
    assert "chromosomes: [chromosome-bands]" in told["parts"]


def test_removing_an_experiment_removes_what_its_parts_measured(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = Path(plan.part_file("quick", "own/mine", "first"))
    other = made.parent.with_name("others") / made.name
    for file in (made, records.place_of(made), other):
        write_text("", file)
    assert _taken_away(set(_matching(OF_EXPERIMENT, "own/mine"))) == 2
    left = [path.as_posix() for path in Path().rglob("*") if path.is_file()]
    assert left == [other.as_posix()]


def test_a_part_follows_its_own_data_sets_only(plan: Plan) -> None:
    entry = deepcopy(plan.config.experiments[NAME])
    entry["parameters"]["sets"][2]["t_s"] = 0.3  # Letter
    other = Plan(replace(plan.config, experiments=plan.config.experiments | {NAME: entry}))
    before, after = Tasks(plan), Tasks(other)
    assert str(before.part("quick", NAME, "letters")) != str(after.part("quick", NAME, "letters"))
    assert str(before.part("quick", NAME, "others")) == str(after.part("quick", NAME, "others"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"of": "folds_"}, "parts: no parameter 'folds_'"),
        ({"jobs": {"a": ["dermatology"], "b": ["nist16"]}}, "parts: no job measures 'prtools8'"),
        ({"jobs": {"a": ["dermatology"], "b": ["dermatology"]}}, "'dermatology' stands twice"),
        ({"jobs": {"a": ["dermatolgy"], "b": ["nist16"]}}, "'dermatolgy' (did you mean"),
        ({"function": "opchar.experiments.landgrebe2007.chapter4.optimism:none"}, "parts: "),
        ({"jobs": {"a": ["dermatology"]}}, "parts"),
    ],
)
def test_what_no_jobs_can_share_is_refused_in_one_line(
    plan: Plan, changes: dict[str, object], said: str
) -> None:
    with pytest.raises(ConfigError) as error:
        validate(changed(plan.config, **changes), [])
    assert said in str(error.value) and "\n" not in str(error.value)
    assert NAME in str(error.value)


def test_readings_and_unknown_parameters_are_refused(plan: Plan) -> None:
    entry = deepcopy(plan.config.experiments[NAME])
    entry["parameters"]["matrixes"] = 3
    with pytest.raises(ConfigError, match="unknown parameter 'matrixes'"):
        validate(replace(plan.config, experiments=plan.config.experiments | {NAME: entry}), [])
    read = {"dimensions": {}}
    with pytest.raises(ConfigError, match="readings is measured by one job"):
        parts.check("here", plan.config.experiment(NAME, "quick") | {"readings": read})
