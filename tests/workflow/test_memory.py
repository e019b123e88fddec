"""No job takes more memory than it asks a cluster for."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT, Project
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.configuration.model import Config
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks

pytestmark = pytest.mark.workflow

# Kinds of job by their rules; those of experiments and training are measured by Snakemake itself.
KINDS = {
    "fetch_data": "fetch",
    "build_features": "features",
    "show": "artefact",
    "judge_statements": "statements",
    "compare_variants": "statements",
    "compare_with_print": "ledger",
    "gather_scores": "report",
    "write_report": "report",
}


def kind_of(rule: str) -> str:
    """Return the rule, or of the rules that show a study each what they have in common."""
    return "show" if rule.startswith("show_") else rule


@pytest.fixture(scope="module")
def config(made: Project) -> Config:
    return load(made.folder)


def test_every_rule_is_measured(plan: Plan) -> None:
    tasks = list(Tasks(plan).of_profile("tiny"))
    assert {kind_of(task.rule) for task in tasks if not task.benchmark} == set(KINDS)
    schema = json.loads((ROOT / "config/schemas/config.schema.json").read_text("utf-8"))
    named = schema["properties"]["resources"]["propertyNames"]["enum"]
    assert {*KINDS.values(), "default", "train", "experiment"} == set(named)


def test_training_and_experiments_stay_under_what_they_ask_for(made, config: Config) -> None:
    checked = 0
    for folder, kind in {
        "train": "train",
        "experiments": "experiment",
        "variants": "experiment",
    }.items():
        for path in (made.folder / "logs/tiny" / folder).rglob("*.tsv"):
            with path.open(encoding="utf-8", newline="") as file:
                measured = next(csv.DictReader(file, delimiter="\t"))["max_rss"]
            if measured not in ("NA", "-"):  # over before Snakemake looked for the first time
                assert 0 <= float(measured) < config.resources(kind)["mem_mb"], path
                checked += float(measured) > 0
    assert checked > 10


@pytest.fixture(scope="module")
def copy(made: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy to do jobs in again: with the same bytes, so that one is enough for all."""
    folder = tmp_path_factory.mktemp("again") / "copy"
    return Path(shutil.copytree(made.folder, folder, ignore=shutil.ignore_patterns(".snakemake")))


@pytest.mark.check
@pytest.mark.parametrize("rule", KINDS)
def test_other_jobs_do(rule: str, made: Project, config: Config, copy: Path) -> None:
    """The job of a rule that reads most is done again and its peak read from the system."""
    records = (made.folder / ".snakemake/metadata").rglob("*")
    said = [json.loads(path.read_text("utf-8")) for path in records if path.is_file()]
    jobs = [each for each in said if kind_of(each.get("rule") or "") == rule]

    def read(job: dict) -> int:
        files = (made.folder / name for name in job["input"])
        return sum(path.stat().st_size for path in files if path.is_file())

    largest = max(jobs, key=read)
    path = os.pathsep.join([str(Path(sys.executable).parent), made.environment["PATH"]])
    environment = made.environment | {"PYTHONPATH": str(copy / "src"), "PATH": path}
    process = subprocess.Popen(
        ["bash", "-ec", f"exec {largest['shellcmd']}"], cwd=copy, env=environment
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, largest["shellcmd"]
    megabytes = used.ru_maxrss * 1024 / 1e6  # of children too, in kibibytes
    assert 10 < megabytes < config.resources(KINDS[rule])["mem_mb"]
