"""Small jobs done by the preloaded server of a run: the same bytes as without it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from checkout import Project
from opchar.pipeline.plan import Plan
from opchar.pipeline.runs.serving import FEWEST, RULES
from opchar.pipeline.tasks import Tasks

pytestmark = [
    pytest.mark.workflow,
    pytest.mark.xdist_group("workflow"),
    pytest.mark.skipif(sys.platform != "linux", reason="forks are served on Linux only"),
]
WORK = "soleymani2018"
COUNTING = """
import os, sys
if "opchar.pipeline.jobs.preloaded" in sys.orig_argv:
    def count():
        with open("forks.txt", "a") as forks:
            forks.write("+")
    os.register_at_fork(after_in_child=count)
"""
RUN = ("run", "tharwat2018", WORK, "--profile", "tiny", "--policy", "offline")


def small_jobs(plan: Plan, made: dict[str, bytes]) -> int:
    """Count the jobs for the server among those that made some files."""
    tasks = [task for task in Tasks(plan).of_profile("tiny") if task.rule in RULES]
    return sum(task.outputs[0] in made for task in tasks)


def files(project: Project) -> dict[str, bytes]:
    return project.bytes_of("results/tiny/*/*.*", "data/features/*")


def test_the_bytes_are_those_of_jobs_that_start_by_themselves(
    project: Project, plan: Plan, tmp_path: Path
) -> None:
    (project.folder / "src/sitecustomize.py").write_text(COUNTING)
    forks = project.folder / "forks.txt"
    alone = tmp_path / "alone"
    shutil.copytree(project.folder, alone)
    served = project.opchar(*RUN)
    assert served.returncode == 0, served.stderr
    made = files(project)
    assert small_jobs(plan, made) >= FEWEST
    assert len(forks.read_text()) == small_jobs(plan, made)
    assert not list((project.folder / ".opchar").glob("jobs-*"))

    by_themselves = Project(alone, project.environment | {"PYTHONPATH": str(alone / "src")})
    done = by_themselves.opchar(*RUN, OPCHAR_JOBS_SERVER="")
    assert done.returncode == 0, done.stderr
    assert not (alone / "forks.txt").exists()
    assert files(by_themselves) == made


def test_a_small_job_that_fails_says_so_as_any_other(project: Project) -> None:
    line = '    """Draw a figure as SVG, PDF and PNG."""\n'
    text = f'{line}    from opchar.errors import DataError\n\n    raise DataError("no ink")\n'
    project.edit("src/opchar/pipeline/jobs/commands.py", line, text)
    done = project.opchar(*RUN)
    assert done.returncode == 1
    assert "no ink (logs/tiny/" in done.stderr
    assert "Traceback" not in done.stderr
