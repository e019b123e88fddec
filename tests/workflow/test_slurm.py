"""The workflow on a real Slurm: the same bytes, and runs that end well when the cluster does not.

Runs where `sinfo` names a node and the executor plugin is installed; skipped by name elsewhere, an
error with OPCHAR_REQUIRE_SLURM.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from math import ceil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from checkout import ROOT, Project
from opchar.spaces.score_counts import ScoreCounts
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.runs.state import State
from outcome import PART

PLUGIN = "snakemake_executor_plugin_slurm"
SCORES = "data/scores/tiny/three-gaussians/drawn.parquet"
# What the profile leaves to the cluster at hand: no accounting here, and answers at once.
HERE = ("--slurm-status-command", "squeue", "--slurm-no-account")
HERE += ("--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "20")
RUN = ("--workflow-profile", "profiles/slurm", *HERE, "--config", "profile=tiny", "policy=offline")
RESULTS = [
    f"results/tiny/**/*.{kind}" for kind in ("csv", "md", "tex", "svg", "png", "pdf", "html")
]
# Rules whose jobs share submissions, ten a submission.
GROUPED = ("build_features", "show_study")
# Seconds after which a cluster that does nothing will do nothing.
PATIENCE = 600


def asked(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE).stdout.strip()


def missing() -> str:
    if importlib.util.find_spec(PLUGIN) is None:
        return f"{PLUGIN} is not installed (pip install 'opchar[slurm]')"
    if shutil.which("sinfo") is None or not asked("sinfo", "-h", "-o", "%n"):
        return "no Slurm answers here (sinfo names no node)"
    return ""


WHY_NOT = missing()
if WHY_NOT and os.environ.get("OPCHAR_REQUIRE_SLURM"):
    raise RuntimeError(WHY_NOT)
pytestmark = [pytest.mark.workflow, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]


def in_training(project: Project, lines: list[str]) -> None:
    """Let every training of the copy begin with some lines of Python."""
    body = "".join(f"    {line}\n" for line in ["import os, pathlib, signal, time", *lines])
    first = "    read = read_features(features)"
    project.edit("src/opchar_reproduction/jobs/making/train.py", first, f"{body}{first}")


def eventually(found: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, "the cluster did nothing"
        time.sleep(0.5)


@pytest.fixture
def started(project: Project) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start Snakemake in the copy; what still runs at the end is stopped, jobs included."""
    running: list[subprocess.Popen[str]] = []

    def start(*targets: str) -> subprocess.Popen[str]:
        with (project.folder / "said.txt").open("w", encoding="utf-8") as said:
            words = [sys.executable, "-m", "snakemake", *targets, *RUN]
            where = {"cwd": project.folder, "env": project.environment}
            running.append(subprocess.Popen(words, stdout=said, stderr=said, text=True, **where))
        return running[-1]

    yield start
    for process in running:
        if process.poll() is None:
            process.terminate()
            process.wait()


def said(project: Project) -> str:
    return (project.folder / "said.txt").read_text(encoding="utf-8")[-20_000:]


def ended_well(process: subprocess.Popen[str], project: Project) -> None:
    assert process.wait(timeout=PATIENCE) == 0, said(project)[-3000:]
    assert (project.folder / SCORES).is_file()


@pytest.mark.parametrize(
    "goals", [PART, pytest.param((), marks=pytest.mark.slow)], ids=["part", "whole"]
)
def test_the_bytes_are_those_of_a_run_without_a_cluster(
    project: Project, made: Project, plan: Plan, goals: tuple[str, ...]
) -> None:
    done = project.snakemake(*goals, *RUN)
    assert done.returncode == 0, done.stdout + done.stderr
    mine, theirs = project.bytes_of(*RESULTS), made.bytes_of(*RESULTS)
    assert mine
    assert [name for name in mine if mine[name] != theirs.get(name)] == []
    wanted = {file for goal in goals for file in plan.targets("tiny", goal)}
    behind = State(plan, "tiny").tasks_behind(wanted)
    tasks = [t for t in Tasks(plan).of_profile("tiny") if not goals or t.outputs[0] in behind]
    rules = [rule for rule, _ in {(t.rule, t.name) for t in tasks}]
    alone = [rule for rule in rules if not rule.startswith((*GROUPED, "fetch_data"))]
    shown = sum(rule == "show_study" for rule in rules)
    said = done.stdout + done.stderr
    submitted = re.findall(r"has been submitted with SLURM jobid .*/slurm_logs/(rule|group)_", said)
    assert submitted.count("rule") == len(alone)
    assert submitted.count("group") == ceil(shown / 10) + 1, "small jobs were not grouped"


def test_a_cancelled_job_is_submitted_again(project: Project, started) -> None:
    marker = project.folder / "job"
    in_training(
        project,
        [
            f"first = pathlib.Path({str(marker)!r})",
            "if not first.exists():",
            "    first.with_suffix('.new').write_text(os.environ['SLURM_JOB_ID'])",
            "    first.with_suffix('.new').rename(first)",
            f"    time.sleep({PATIENCE})",
        ],
    )
    process = started(SCORES)
    eventually(marker.exists)
    asked("scancel", marker.read_text())
    ended_well(process, project)
    assert "CANCELLED" in said(project)


def test_a_job_killed_for_its_memory_asks_for_more(project: Project, started) -> None:
    """The system kills what takes more than Slurm has given: here at less than 1,500 MB."""
    old = "  train: {mem_mb: 4000, runtime: 240}"
    project.edit("config/config.yaml", old, "  train: {mem_mb: 1000, runtime: 240}")
    in_training(
        project,
        [
            "import subprocess",
            "ask = ['squeue', '-h', '-o', '%m', '-j', os.environ['SLURM_JOB_ID']]",
            "given = subprocess.check_output(ask, text=True).strip().removesuffix('M')",
            f"pathlib.Path({str(project.folder)!r}, f'given-{{given}}').touch()",
            "if int(given) < 1500:",
            "    os.kill(os.getpid(), signal.SIGKILL)",
        ],
    )
    ended_well(started(SCORES), project)
    assert {path.name for path in project.folder.glob("given-*")} == {"given-1000", "given-2000"}


def test_a_drained_node_is_waited_for(project: Project, started) -> None:
    node = asked("sinfo", "-h", "-o", "%n").split()[0]
    asked("scontrol", "update", f"nodename={node}", "state=drain", "reason=test")
    try:
        process = started(SCORES)
        eventually(lambda: "has been submitted with SLURM jobid" in said(project))
        eventually(lambda: "DRAINED" in asked("squeue", "-h", "-t", "PENDING", "-o", "%r"))
        assert process.poll() is None
    finally:
        asked("scontrol", "update", f"nodename={node}", "state=resume")
    ended_well(process, project)


def test_more_than_any_node_has_is_said(project: Project, started) -> None:
    project.edit("config/config.yaml", "train: {mem_mb: 4000", "train: {mem_mb: 90000000")
    assert started(SCORES).wait(timeout=PATIENCE) != 0
    assert "Memory specification can not be satisfied" in said(project)
    assert not Path(project.folder, SCORES).exists()


def test_parts_of_a_large_table_are_counted_as_jobs(tmp_path: Path) -> None:
    page = (ROOT / "docs/large-scores.md").read_text(encoding="utf-8")
    (snakefile,) = [part for part in page.split("```") if "glob_wildcards" in part]
    (tmp_path / "Snakefile").write_text(snakefile.partition("\n")[2], encoding="utf-8")
    (tmp_path / "scores").mkdir()
    rng = np.random.default_rng(7)
    rows = pd.DataFrame({"y": rng.integers(0, 2, 3000), "score": rng.random(3000).round(3)})
    for number in range(3):
        rows[number::3].to_parquet(tmp_path / f"scores/part-{number}.parquet")
    words = [sys.executable, "-m", "snakemake", "--executor", "slurm", "--jobs", "4", *HERE]
    words += ["--default-resources", "slurm_partition=main", "mem_mb=500", "runtime=10"]
    done = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-3000:]
    assert len(re.findall("has been submitted with SLURM jobid", said)) == 4
    merged = ScoreCounts.from_table(pd.read_parquet(tmp_path / "merged.parquet")).to_table()
    for name, column in ScoreCounts.from_arrays(rows["y"], rows["score"]).to_table().items():
        np.testing.assert_array_equal(merged[name], column)
