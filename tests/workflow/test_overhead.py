"""What the measurement of a finished run says of a run that is known."""

from __future__ import annotations

import json
import os
import sys
from base64 import urlsafe_b64encode
from datetime import datetime
from pathlib import Path

import pytest

from checkout import ROOT, Project
from opchar.pipeline.plan import Plan
from opchar.pipeline.runs.progress import Step, Timings
from opchar.pipeline.tasks import Tasks

sys.path.insert(0, str(ROOT / "benchmarks"))
import overhead
import time_left

BEGAN = datetime(2026, 1, 2, 3, 4, 5)


def noted(folder: Path, log: str, start: float, end: float) -> None:
    """Write what Snakemake notes of a job with two outputs, the first of which comes early."""
    for number, last in enumerate((min(start + 0.1, end), end)):
        name = urlsafe_b64encode(f"{log}.{number}".encode()).decode()
        place = folder / ".snakemake/metadata" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        note = {"rule": "a_rule", "shellcmd": "python", "log": [log]}
        place.write_text(json.dumps(note | {"starttime": start, "endtime": last}))


def logged(folder: Path, end: float) -> None:
    """Write the log of a run that began at `BEGAN`."""
    log = folder / ".snakemake/log/2026-01-02T030405.000000.snakemake.log"
    log.parent.mkdir()
    log.touch()
    os.utime(log, (end, end))


def test_a_run_of_known_times(tmp_path: Path) -> None:
    """Two cores, ten seconds: 1 s alone, 5 s side by side, 2 s alone, 2 s of nothing."""
    start = BEGAN.timestamp()
    noted(tmp_path, "first", start + 1, start + 7)
    noted(tmp_path, "second", start + 2, start + 9)
    noted(tmp_path, "of another run", start - 50, start - 20)
    logged(tmp_path, start + 10)
    run = overhead.finished(tmp_path)
    assert (run.wall, run.work) == (10, 13)
    assert run.side_by_side() == {0: 2, 1: 3, 2: 5}
    said = list(overhead.page(run, {"a_rule": 1.5}))
    assert said[:2] == ["2 jobs in 10 s, 2 at a time; 13 s in them", "overhead 1.538"]
    assert said[2] == "before the first job 1.0 s, after the last 1.0 s"
    assert "| a_rule | 2 | 13 | 100.0% | 7.0 s | 3 s |" in said
    assert said[-1].endswith("it is 2.000.")


def test_the_time_left_of_a_run_that_took_twice_what_it_usually_takes(tmp_path: Path) -> None:
    """Three jobs one after the other: known at 50 s each, they take 100 s each."""
    start = BEGAN.timestamp()
    known = {f"a rule {number}": 50.0 for number in range(3)}
    for number in range(3):
        noted(tmp_path, f"log{number}", start + 100 * number, start + 100 * number + 100)
    logged(tmp_path, start + 300)
    run = overhead.finished(tmp_path)
    assert sorted(job.output for job in run.jobs) == [f"log{number}.0" for number in range(3)]
    announced = [Step("a_rule", str(number), {"name": str(number)}) for number in range(3)]
    said = list(time_left.told(run, announced, Timings(tmp_path / "none", "quick", known)))
    assert [passed for passed, _ in said] == [100, 200, 300]
    # The pace begins at one and counts for five seconds.
    assert [left for _, left in said] == pytest.approx(
        [100 * (105 / 55), 50 * (205 / 105), 0], rel=1e-9
    )


def test_jobs_of_a_cluster_are_not_timed(tmp_path: Path) -> None:
    """Their start is noted when they are over, after the last output was written."""
    start = BEGAN.timestamp()
    noted(tmp_path, "first", start + 7, start + 1)
    logged(tmp_path, start + 10)
    with pytest.raises(LookupError, match="jobs on a cluster"):
        overhead.finished(tmp_path)


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="noted no run here"):
        overhead.finished(tmp_path)


@pytest.mark.workflow
def test_a_real_run_is_found_whole(made: Project, plan: Plan) -> None:
    run = overhead.finished(made.folder)
    tasks = list(Tasks(plan).of_profile("tiny"))
    # A job that another test has had made again has left the notes of its later run.
    jobs = len({task.job_name for task in tasks})
    assert jobs - 10 <= len(run.jobs) <= jobs
    assert {job.rule for job in run.jobs} <= {task.rule for task in tasks}
    cores = max(run.side_by_side())
    assert cores == 2
    assert run.work <= run.wall * cores
