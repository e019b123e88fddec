"""A run tells what each study found as soon as it is shown, as the ledger will say it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from checkout import Project
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.runs.progress import Step
from opchar_reproduction.runs.result_lines import Telling

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow")]
GOOD, BAD = {"agrees", "holds"}, {"differs", "fails", "agrees otherwise", "holds otherwise"}


def counted(verdicts: list[str]) -> str:
    """Return how many of the verdicts that compare are good, in the words of a run."""
    number = Counter(verdicts)
    good, bad = (sum(number[name] for name in names) for names in (GOOD, BAD))
    return f"{good} of {good + bad}" if good + bad else ""


def test_what_is_told_is_what_the_ledger_says(
    made: Project, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made.folder)
    with Path("results/tiny/report/ledger.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    telling, wanted, told = Telling(plan, "tiny"), set(plan.profile_artefacts("tiny")), 0
    for study, addresses in plan.exhibits("tiny").items():
        if not wanted.issuperset(addresses):
            continue
        files = [file for name in addresses for file in plan.artefact_files("tiny", name)]
        paper, name = study.split("/", 1)
        said = telling.line(Step("show_study", wildcards={"paper": paper, "study": name}))
        picture = said.split()[-1]
        assert picture in files
        assert Path(picture).suffix == (".png" if any(".png" in f for f in files) else ".md")
        expected = [
            counted(
                [
                    line["verdict"]
                    for line in lines
                    if line["paper"] == name.split("/")[0]
                    and line["artefact"] in plan.labels(name)
                    and line["kind"] != "claim"
                ]
            )
            for name in addresses
        ]
        assert re.findall(r"\d+ of \d+(?= agree)", said) == [each for each in expected if each]
        told += sum(map(bool, expected))
    assert told >= 3
    for paper in plan.works():
        file = f"results/tiny/statements/{paper}.csv"
        step = Step("judge_statements", wildcards={"paper": paper}, outputs=(file,))
        claims = [x["verdict"] for x in lines if x["paper"] == paper and x["kind"] == "claim"]
        assert telling.line(step) == f"{paper}: {counted(claims)} claims hold"
    assert telling.line(Step("train_models", outputs=("data/scores/a.parquet",))) == ""


def test_a_run_says_how_long_and_what_it_finds(made: Project) -> None:
    (made.folder / "results/tiny/tharwat2018/confusion-layouts/figure-confusion-2x2.png").unlink()
    done = made.opchar("run", "tharwat2018", "--profile", "tiny", "--policy", "offline")
    lines = done.stderr.splitlines()
    (opening,) = [
        line for line in lines if re.fullmatch(r"\d+ jobs, about \d+ s on \d+ cores", line)
    ]
    assert lines.index(opening) < min(n for n, line in enumerate(lines) if line.startswith("["))
    (found,) = [line for line in lines if line.startswith("tharwat2018: ")]
    assert (made.folder / found.split()[-1]).is_file()
