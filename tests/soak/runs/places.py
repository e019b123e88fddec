"""Runs in another order, with other cores, elsewhere, for another user: the same bytes."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from checkout import ROOT, Project
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from soak.runs.small import COMMAND, Right

# Snakemake itself, whose scheduler takes the jobs that are ready in another order at every seed.
SHUFFLED = """
import sys
from random import Random
from snakemake.scheduling.greedy import Scheduler
seed = sys.argv.pop(1)
Scheduler.job_reward = lambda self, job, sizes: Random(f"{seed} {list(job.output)}").random()
from snakemake.cli import main
main()
"""
NOBODY = 65534


@dataclass(frozen=True)
class Place:
    """Where, how and as whom a run is made.

    `folder`: name of the folder of the copy; `environment`: what is set, or taken away; `mask`:
    rights that new files do not get; `user`: number of the user; `order`: seed of the order of
    jobs; `files`: what lies in the folder beside the project's own, by path.
    """

    folder: str = "place"
    environment: dict[str, str | None] = field(default_factory=dict)
    mask: int = 0o022
    cores: int = 2
    user: int | None = None
    order: int | None = None
    files: dict[str, str] = field(default_factory=dict)


PLACES = {
    "one core": Place(cores=1),
    "four cores": Place(cores=4),
    "jobs in another order": Place(order=1),
    "jobs in a third order, on four cores": Place(order=2, cores=4),
    "a folder with blanks and letters beyond ASCII": Place("größe naïve 数 data"),
    "no HOME": Place(environment={"HOME": None, "XDG_CACHE_HOME": None}),
    "LANG=C": Place(environment={"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}),
    "another time zone": Place(environment={"TZ": "Pacific/Chatham"}),
    "umask 077": Place(mask=0o077),
    "settings of kernels, libraries and figures": Place(
        environment={
            "OPENBLAS_CORETYPE": "Prescott",
            "NPY_DISABLE_CPU_FEATURES": "X86_V3",
            "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2",
            "OMP_NUM_THREADS": "3",
            "MPLBACKEND": "svg",
        }
    ),
    "files that Matplotlib and Python look for": Place(
        environment={"PYTHONPATH": "start", "PYTHONSTARTUP": "start/sitecustomize.py"},
        files={
            "matplotlibrc": "axes.facecolor: yellow\nsvg.hashsalt: other\n",
            "start/sitecustomize.py": "import numpy\nnumpy.set_printoptions(precision=2)\n",
            "start/usercustomize.py": "raise SystemExit('read')\n",
        },
    ),
    "another seed of hashes": Place(environment={"PYTHONHASHSEED": "12345"}),
}


def _runs_python(user: int) -> bool:
    """Whether another user can be had here, and can run this Python with what it has installed."""
    if not hasattr(os, "getuid") or os.getuid() or not shutil.which("setpriv"):
        return False
    inner = f"[{sys.executable!r}, '-c', 'import numpy, snakemake']"
    starts = f"import subprocess, sys; sys.exit(subprocess.run({inner}).returncode)"
    words = [*_as(user), sys.executable, "-c", starts]
    return subprocess.run(words, capture_output=True, cwd="/").returncode == 0


def _as(user: int) -> list[str]:
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]


if _runs_python(NOBODY):
    PLACES["another user, without a home"] = Place(user=NOBODY)


def elsewhere(right: Right, folder: Path, place: Place) -> list[str]:
    """Make the goal of `right` somewhere else; return what differs."""
    project = right.copy(folder / place.folder / "project")
    for name, text in place.files.items():
        (project.folder / name).parent.mkdir(exist_ok=True)
        (project.folder / name).write_text(text, encoding="utf-8")
    words = _command(right, place)
    environment = {k: v for k, v in project.environment.items() if k not in place.environment}
    environment |= {k: v for k, v in place.environment.items() if v is not None}
    if place.user is not None:
        _give(project, place.user)
        environment["HOME"] = "/nonexistent"
    before = os.umask(place.mask)
    try:
        end = subprocess.run(
            words,
            cwd=project.folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
        )
    finally:
        os.umask(before)
    wrong = [] if end.returncode == 0 else [f"exit {end.returncode}: {end.stderr[-300:]}"]
    wrong += [f"{name} differs" for name in right.differing(project)[:10]]
    shutil.rmtree(folder / place.folder)
    return wrong


def _command(right: Right, place: Place) -> list[str]:
    cores = ["--cores", str(place.cores)]
    words = [*COMMAND, *right.goal.words(*cores)]
    if place.order is not None:
        asked = [_asked(name) for name in right.goal.asked]
        settings = ["--config", "profile=tiny", "policy=offline"]
        words = [sys.executable, "-c", SHUFFLED, str(place.order), *asked, *cores, *settings]
    if place.user is not None:
        words = [*_as(place.user), *words]
    return words


def _asked(name: str) -> str:
    """Return the folder of a table by its address; a goal stays as it is."""
    return Plan(load(ROOT)).exhibits_folder("tiny", name) if "/" in name else name


def _give(project: Project, user: int) -> None:
    """Make a user the owner of a copy, and let it reach the copy."""
    for path in [project.folder, *project.folder.rglob("*")]:
        os.chown(path, user, user, follow_symlinks=False)
    for parent in project.folder.parents[:-1]:
        parent.chmod(parent.stat().st_mode | 0o055)


Measure = Callable[[Right, Path], list[str]]
