"""Whole runs of the tiny profile: offline, on one core and two, killed and continued."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from checkout import Project, copied
from opchar.plan import Plan
from opchar.running import RUNNING

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow")]

RUN = ("run", "--profile", "tiny", "--policy", "offline")
RESULTS = "results/tiny/**/*.csv", "results/tiny/**/*.svg", "results/tiny/**/*.md"
SAME = *RESULTS, "results/tiny/**/*.html", "results/tiny/**/*.png", "results/tiny/**/*.pdf"
SAME += "results/tiny/report/*.json", "results/tiny/report/*.bib"


def ledger(project: Project) -> list[dict[str, str]]:
    path = project.folder / "results/tiny/report/ledger.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def differing(one: Project, other: Project) -> list[str]:
    """Return the results whose bytes are not the same in both."""
    mine, theirs = one.bytes_of(*SAME), other.bytes_of(*SAME)
    assert mine
    return sorted(
        name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)
    )


def test_every_artefact_and_every_line_is_there(made: Project, plan: Plan) -> None:
    missing = [file for file in plan.files("tiny") if not (made.folder / file).is_file()]
    assert missing == []
    lines = ledger(made)
    assert len(lines) == len({line["id"] for line in lines}) == 1577
    assert all(line["verdict"] for line in lines)


def test_a_built_artefact_has_no_pending_line(made: Project, plan: Plan) -> None:
    built = {(a.split("/")[0], label) for a in plan.wanted("tiny") for label in plan.labels(a)}
    pending = [
        line["id"]
        for line in ledger(made)
        if line["verdict"] == "pending" and (line["paper"], line["artefact"]) in built
    ]
    assert pending == []


def test_stand_ins_are_named_in_ledger_figure_and_page(made: Project) -> None:
    lines = [line for line in ledger(made) if line["data"].startswith("stand-in for satellite")]
    assert lines
    assert {line["verdict"] for line in lines} == {"not comparable"}
    for file in ("report/index.html", "landgrebe2007/table-2.3.md", "landgrebe2007/figure-2.5.svg"):
        text = (made.folder / "results/tiny" / file).read_text(encoding="utf-8")
        assert "stand-in for satellite-cotton-damp" in text, file


def test_a_second_run_does_nothing(made: Project) -> None:
    before = {path: path.stat().st_mtime_ns for path in (made.folder / "results").rglob("*.*")}
    done = made.opchar(*RUN)
    assert done.returncode == 0
    assert "Nothing to be done" in (made.folder / ".opchar/last-run.log").read_text()
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_run_ends_with_totals_stand_ins_and_the_place_of_the_report(made: Project) -> None:
    last = made.opchar(*RUN).stdout.strip().splitlines()[-3:]
    assert last[0].startswith("1577 published lines: ")
    assert last[1].startswith("stand-ins: stand-in for ")
    assert last[2] == "report: results/tiny/report/index.html"


def test_one_core_gives_the_same_bytes_as_two(made: Project, tmp_path) -> None:
    alone = copied(tmp_path / "alone")
    done = alone.opchar(*RUN, "--cores", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert differing(alone, made) == []


def test_a_killed_run_continues_and_ends_with_the_same_bytes(made: Project, tmp_path) -> None:
    killed = copied(tmp_path / "killed")
    chance = random.Random(2018)
    interrupted = 0
    for attempt in range(5):
        process = subprocess.Popen(
            [sys.executable, "-m", "opchar.cli", *RUN, "--cores", "2"],
            cwd=killed.folder,
            env=killed.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(chance.uniform(3, 8))
        if process.poll() is None:
            interrupted += 1
            if attempt % 2 and (killed.folder / RUNNING).exists():
                os.kill(int((killed.folder / RUNNING).read_text()), signal.SIGKILL)
                process.wait(timeout=60)
            else:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    assert interrupted >= 3
    done = killed.opchar(*RUN)
    assert done.returncode == 0, done.stdout + done.stderr
    assert differing(killed, made) == []
    leftovers = [
        path for path in killed.folder.rglob(".making-*") if ".snakemake" not in path.parts
    ]
    assert leftovers == []


def test_two_runs_in_one_folder_are_refused(project: Project) -> None:
    lock = project.folder / ".snakemake/locks/0.output.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    done = project.opchar(*RUN)
    assert done.returncode == 1
    assert "works in this folder; wait for it" in done.stderr
