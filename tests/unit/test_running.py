"""Snakemake's log is read, and what is left is estimated."""

from __future__ import annotations

import os
import subprocess

import pytest

from opchar import running
from opchar.errors import ConfigError
from opchar.running import Progress, Step, command, duration, steps

LOG = """\
Building DAG of jobs...
Job stats:
job             count
------------  -------
all                 1
train_model         3
total               4

[Sat Nov 21 08:41:16 2026]
localrule train_model:
    input: a.parquet
    output: b.parquet
    log: logs/b.log
    jobid: 1
    reason: Missing output files: b.parquet
    wildcards: profile=tiny, dataset=sonar, model=sc-knnc3
    resources: tmpdir=/tmp

[Sat Nov 21 08:41:17 2026]
Finished jobid: 1 (Rule: train_model)
1 of 4 steps (25%) done
[Sat Nov 21 08:41:18 2026]
Error in rule train_model:
    jobid: 2
    output: c.parquet
    log: logs/c.log (check log file(s) for error details)
    shell:
        python -m opchar.jobs train
        (command exited with non-zero exit code)

Removing output files of failed job
""".splitlines()


def test_steps_are_read_with_their_wildcards_reason_and_log() -> None:
    found = [item for item in steps(LOG) if isinstance(item, Step)]
    assert [(s.job, s.failed) for s in found] == [("1", False), ("2", True)]
    assert found[0].name == "train model sonar/sc-knnc3"
    assert found[0].reason == "Missing output files: b.parquet"
    assert found[1].log == "logs/c.log"


def test_progress_follows_the_log() -> None:
    now = [0.0]
    progress = Progress(2, {}, clock=lambda: now[0])
    for item in steps(LOG):
        running._follow(item, progress)
        now[0] += 1.0
    assert progress.planned == {"all": 1, "train_model": 3}
    assert progress.finished == {"train_model": 1}
    assert [step.job for step in progress.failures] == ["2"]
    assert "[1/4]" in str(progress)


def test_the_estimate_uses_the_same_job_then_its_rule_then_a_guess() -> None:
    now = [0.0]
    progress = Progress(2, {"train model a/m": 10.0, "train model b/m": 30.0}, lambda: now[0])
    progress.plan("train_model", 3)
    progress.plan("draw_figure", 1)
    assert progress.seconds_left() == (3 * 20.0 + running.UNKNOWN_SECONDS) / 2
    progress.start(Step("train_model", "1", {"dataset": "b", "model": "m"}))
    now[0] = 12.0
    assert progress.seconds_left() == (2 * 20.0 + (30.0 - 12.0) + running.UNKNOWN_SECONDS) / 2


def test_lists_of_settings_come_last() -> None:
    words = command(["a.md"], ["--dry-run"], {"profile": "tiny", "policy": "offline"})
    assert words == ["snakemake", "a.md", "--dry-run", "--config", "policy=offline", "profile=tiny"]
    assert command([], [], {}) == ["snakemake"]


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (89, "89 s"), (300, "5 min")])
def test_durations_are_said_as_people_do(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.fixture
def locked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lock = tmp_path / ".snakemake/locks/0.input.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    return lock


def test_the_lock_of_a_dead_run_of_ours_is_removed(locked) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    running.RUNNING.parent.mkdir()
    running.RUNNING.write_text(str(dead.pid))
    running.release_lock()
    assert not locked.exists()


@pytest.mark.parametrize("holder", ["unknown", "living"])
def test_the_lock_of_a_living_or_unknown_run_is_respected(locked, holder) -> None:
    if holder == "living":
        running.RUNNING.parent.mkdir()
        running.RUNNING.write_text(str(os.getpid()))
    with pytest.raises(ConfigError, match="wait for it"):
        running.release_lock()
    assert locked.exists()


def test_our_own_one_line_error_is_picked_from_the_output() -> None:
    lines = ["Assuming unrestricted...", "opchar: config/config.yaml: profile: no", "more"]
    assert running._complaint(lines) == ["opchar: config/config.yaml: profile: no"]
    assert running._complaint([]) == ["Snakemake said nothing"]
