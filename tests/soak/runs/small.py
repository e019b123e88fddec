"""Small goals of the tiny profile, in copies of the project: what a fault in a run is tried on."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from checkout import ROOT, Project, at, copied

MADE = ("results", "data/raw", "data/features", "data/scores", "data/made")
STATE = (".snakemake", ".opchar")
MAKING = ".making-"
COMMAND = [sys.executable, "-m", "opchar.cli"]


@dataclass(frozen=True)
class Goal:
    """A work, and what of it is asked for.

    `paper`: the only work that the copy reproduces; `asked`: words of the command line; none for
    everything.
    """

    title: str
    paper: str
    asked: tuple[str, ...]

    def words(self, *more: str) -> list[str]:
        """Return the command line of a run."""
        return ["run", *self.asked, "--profile", "tiny", "--policy", "offline", *more]


GOALS = (
    Goal("a table with its data and trainings", "landgrebe2007", ("landgrebe2007/table-2.3",)),
    Goal("a work to its ledger and pages", "soleymani2018", ()),
)


@dataclass(frozen=True)
class Right:
    """A goal, and a copy of the project in which it was made without any fault."""

    goal: Goal
    project: Project

    def copy(self, folder: Path, *, made: bool = False) -> Project:
        """Return a copy, by itself without anything made."""
        left = shutil.ignore_patterns() if made else _without(self.project.folder)
        shutil.copytree(self.project.folder, folder, symlinks=True, ignore=left)
        return at(folder)

    def differing(self, project: Project) -> list[str]:
        """Return the made files whose bytes are not the same, and temporary ones that are left."""
        mine, theirs = made(project.folder), made(self.project.folder)
        names = sorted(mine.keys() | theirs.keys())
        return [name for name in names if mine.get(name) != theirs.get(name)]

    def goes_on(self, project: Project) -> list[str]:
        """Run the goal again, without any fault; return what is wrong then."""
        end = project.opchar(*self.goal.words())
        wrong = [] if end.returncode == 0 else [f"then exit {end.returncode}: {end.stderr[-300:]}"]
        return wrong + [f"{name} differs" for name in self.differing(project)[:10]]


def _without(root: Path) -> Callable[[str, list[str]], set[str]]:
    """Return what leaves out of a copy all that a run has made."""
    left = {root / name for name in (*MADE, *STATE)}

    def ignored(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if Path(folder) / name in left}

    return ignored


def right(goal: Goal, folder: Path) -> Right:
    """Return a compiled copy of the project that reproduces one work, with its goal made."""
    project = copied(folder)
    config = project.folder / "config/config.yaml"
    text = config.read_text(encoding="utf-8")
    trimmed = re.sub(r"papers:\n(  - .*\n)+", f"papers: [{goal.paper}]\n", text)
    assert trimmed != text
    config.write_text(trimmed, encoding="utf-8")
    dying = ROOT / "tests/soak/runs/dying.py"
    shutil.copy2(dying, project.folder / "src/sitecustomize.py")
    project.python("-m", "compileall", "-q", "src")
    end = project.opchar(*goal.words())
    if end.returncode:
        raise SystemExit(f"a run without any fault failed: {end.stderr}")
    return Right(goal, project)


def rights(folder: Path) -> list[Right]:
    """Return all goals, made without any fault."""
    return [right(goal, folder / f"right-{place}") for place, goal in enumerate(GOALS)]


def made(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every made file, and of temporary ones, by path.

    What was fetched says when, and so do the records of it: they are left out.
    """
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for top in ("results", "data/features", "data/scores")
        for path in sorted((folder / top).rglob("*"))
        # What is told of earlier runs is the output of no rule, and of `opchar run` alone.
        if path.is_file() and not {"benchmarks", "history"} & set(path.parts)
    }


def temporary(folder: Path) -> list[Path]:
    """Return the files that are on the way to their places."""
    return [path for name in ("data", "results") for path in (folder / name).rglob(f"{MAKING}*")]


def started(project: Project, goal: Goal, *more: str, **changed: str) -> subprocess.Popen[str]:
    """Start a run in a session of its own; Ctrl-C reaches it as it would in a terminal."""
    return subprocess.Popen(
        [*COMMAND, *goal.words(*more)],
        cwd=project.folder,
        env=project.environment | changed,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def members(group: int) -> list[psutil.Process]:
    """Return the living processes of a session."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError):
            if os.getsid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def computed(group: int) -> float:
    """Return the seconds of computing of the living processes of a session."""
    total = 0.0
    for process in members(group):
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


def jobs(group: int) -> list[psutil.Process]:
    """Return the jobs of a session."""
    found = []
    for process in members(group):
        with suppress(psutil.Error):
            if any(word.endswith("/jobs/__main__.py") for word in process.cmdline()[1:3]):
                found.append(process)
    return found


def untidy(said: str) -> list[str]:
    """Return the lines of a run that are no command, progress, or a line of its own."""
    said_of_jobs = (
        r"snakemake |\d+ jobs?, |\[\d+/\d+\]|[\w-]+: \d+ of \d+ claims|[\w-]+: .*results/|  "
    )
    known = re.compile(rf"{said_of_jobs}|opchar: |failed: |changed by hand, ")
    return [line for line in said.splitlines() if not known.match(line)]
