"""Whole runs of the tiny profile: offline, killed and continued."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from checkout import Project, copied
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.runs.running import RUNNING
from outcome import HIDDEN, PART, differing, ledger, with_kernels

pytestmark = pytest.mark.workflow

RUN = ("run", "--profile", "tiny", "--policy", "offline")


def test_every_artefact_and_every_line_is_there(made: Project, plan: Plan) -> None:
    names = plan.profile_artefacts("tiny")
    shown = [file for name in names for file in plan.artefact_files("tiny", name)]
    missing = [file for file in shown if not (made.folder / file).is_file()]
    assert missing == []
    lines = ledger(made)
    assert len(lines) == len({line["id"] for line in lines}) == 1577
    assert all(line["verdict"] for line in lines)


def test_a_built_artefact_has_no_pending_line(made: Project, plan: Plan) -> None:
    built = {
        (a.split("/")[0], label) for a in plan.profile_artefacts("tiny") for label in plan.labels(a)
    }
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
    for file in (
        "report/index.html",
        "landgrebe2007/p-roc/table-2.3.md",
        "landgrebe2007/p-roc/figure-2.5.svg",
    ):
        text = (made.folder / "results/tiny" / file).read_text(encoding="utf-8")
        assert "stand-in for satellite-cotton-damp" in text, file


def test_a_second_run_does_nothing_and_ends_with_totals_stand_ins_and_the_place_of_the_report(
    made: Project,
) -> None:
    before = {path: path.stat().st_mtime_ns for path in (made.folder / "results").rglob("*.*")}
    done = made.opchar(*RUN)
    assert done.returncode == 0
    assert "Nothing to be done" in (made.folder / ".opchar/last-run.log").read_text()
    assert done.stderr.splitlines()[0].startswith("snakemake ")
    assert {path: path.stat().st_mtime_ns for path in before} == before
    last = done.stdout.strip().splitlines()[-4:]
    assert last[0].startswith("1,577 published values and claims: ")
    assert last[1].startswith("verdicts: ")
    assert last[2].startswith("stand-in data: ") and " lines)" in last[2]
    assert last[3] == "report: results/tiny/report/index.html"


# In the path of every job of a copy: while there is a file `hold`, a job that is about to put a
# finished temporary file in its place says so in `held` and waits.
HOLDING = """
import hashlib, pathlib, time

def held(self, target, replace=pathlib.Path.replace):
    if self.name.startswith(".making-") and {"data", "results"} & set(self.parts):
        if pathlib.Path("hold").exists():
            pathlib.Path("held").touch()
        while pathlib.Path("hold").exists():
            WAIT
    return replace(self, target)

pathlib.Path.replace = held
"""
ASLEEP = HOLDING.replace("WAIT", "time.sleep(0.02)")
# Python answers to no signal before a library's computation returns, most of an hour later.
COMPUTING = HOLDING.replace("WAIT", "hashlib.pbkdf2_hmac('sha1', b'', b'', 2**31 - 1)")


class Started:
    """A run of a copy in a session of its own, that can be watched, held and killed.

    Nothing goes by the clock: a run is held, or killed, when it has come so far.
    """

    def __init__(self, project: Project, *words: str, holding: str = ASLEEP) -> None:
        self.folder = project.folder
        (self.folder / "src/sitecustomize.py").write_text(holding)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "opchar.cli", *RUN, *words],
            cwd=self.folder,
            env=project.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            # As in a terminal, also where the tests run in the background.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def done(self) -> int:
        """Return how many jobs have recorded what they made."""
        places = ("data/made/**/*.json", "results/tiny/made/**/*.json")
        return sum(1 for place in places for _ in self.folder.glob(place))

    def until(self, reached: Callable[[], bool]) -> None:
        """Wait for something that happens before the run can end."""
        while not reached():
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.02)

    def hold(self) -> None:
        """Wait until a job holds a temporary file that it has not put in its place yet."""
        (self.folder / "held").unlink(missing_ok=True)
        (self.folder / "hold").touch()
        self.until((self.folder / "held").exists)

    def release(self) -> None:
        (self.folder / "hold").unlink()

    def ended(self) -> bool:
        """Whether the run and all its jobs are gone."""
        return not any(map(self._is_ours, psutil.process_iter()))

    def _is_ours(self, process: psutil.Process) -> bool:
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getpgid(process.pid) == self.process.pid:
                return process.status() != psutil.STATUS_ZOMBIE
        return False

    def temporary(self) -> list[str]:
        """Return the files of data and results that are on the way to their places."""
        places = ("data/**/.making-*", "results/**/.making-*")
        return [str(path) for place in places for path in self.folder.glob(place)]


@pytest.mark.parametrize(
    "goals",
    [pytest.param(PART, marks=pytest.mark.check), pytest.param((), marks=pytest.mark.slow)],
    ids=["part", "whole"],
)
def test_a_killed_run_ends_on_one_core_without_avx512_with_the_same_bytes(
    made: Project, tmp_path: Path, goals: tuple[str, ...]
) -> None:
    """Killed on two cores and on one, and made to its end on one: the bytes of two undisturbed."""
    killed = with_kernels(copied(tmp_path / "killed"), HIDDEN)
    chance = random.Random(2018)
    runs: list[Started] = []
    for way in ("all", "writing", "snakemake"):
        run = Started(killed, *goals, "--cores", "2" if way == "all" else "1")
        # Jobs that an earlier run has left may still work beside this one; they do not count.
        run.until(lambda: all(other.ended() for other in runs))
        goal = run.done() + chance.randint(1, 4)
        run.until(lambda run=run, goal=goal: run.done() >= goal)
        if way == "writing":
            run.hold()
        if way == "snakemake":
            os.kill(int((killed.folder / RUNNING).read_text()), signal.SIGKILL)
        else:
            os.killpg(run.process.pid, signal.SIGKILL)
        _, said = run.process.communicate()
        assert run.process.returncode != 0
        if way == "snakemake":
            assert b"Snakemake was killed (signal 9); the next 'opchar run' goes on" in said
        if way == "writing":
            assert run.temporary()
            run.release()
        runs.append(run)
    done = killed.opchar(*RUN, *goals, "--cores", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(run.ended() for run in runs)
    assert differing(killed, made, whole=not goals) == []
    assert runs[0].temporary() == []


def test_two_runs_in_one_folder_are_refused_and_ctrl_c_ends_a_job_deep_in_a_library(
    project: Project,
) -> None:
    first = Started(project, "tharwat2018", "--cores", "1", holding=COMPUTING)
    first.hold()
    unfinished = first.temporary()
    assert unfinished
    done = project.opchar(*RUN)
    assert done.returncode == 1
    assert "works in this folder; wait for it" in done.stderr.splitlines()[-1]
    assert first.temporary() == unfinished
    os.killpg(first.process.pid, signal.SIGINT)
    _, said = first.process.communicate(timeout=900)
    assert first.ended()
    assert first.temporary() == []
    assert first.process.returncode == 130
    command, estimate, *progress, last = said.decode().splitlines()
    assert command.startswith("snakemake ")
    assert re.fullmatch(r"\d+ jobs, about \d+ \w+ on 1 cores", estimate)
    assert all(re.match(r"\[\d+/\d+\] about \d+ \w+ left", line) for line in progress), progress
    assert last == "opchar: stopped; the next 'opchar run' goes on from here"


def test_a_run_that_ends_at_once_says_nothing_of_what_it_was_loading(project: Project) -> None:
    code = (
        "import sys; from opchar_reproduction.runs import running; from opchar.cli import main; "
        "running.run = lambda *words, **more: 1; sys.exit(main(['run', '--profile', 'tiny']))"
    )
    done = project.python("-c", code)
    assert (done.returncode, done.stderr) == (1, "")
