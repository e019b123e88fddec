"""Whole runs under faults: killed, interrupted, without room, in odd places."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import psutil

from checkout import Project, copied

RUN = ("run", "--profile", "tiny", "--policy", "offline")
SAME = ("results/tiny/**/*.csv", "results/tiny/**/*.svg", "results/tiny/**/*.html")
SAME += ("results/tiny/**/*.md", "results/tiny/**/*.pdf", "results/tiny/**/*.png")
# Where a killed run is started in: the program says it as it writes.
WRITES = ("data", "results")


def differing(one: Path, other: Path) -> list[str]:
    """Return the results whose bytes are not the same in two folders."""
    names = {
        str(path.relative_to(root)) for root in (one, other) for p in SAME for path in root.glob(p)
    }
    assert names
    return sorted(
        name
        for name in names
        if not ((one / name).is_file() and (other / name).is_file())
        or (one / name).read_bytes() != (other / name).read_bytes()
    )


def started(project: Project, *words: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start a run in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "opchar.cli", *RUN, *words],
        cwd=project.folder,
        env=project.environment | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def members(group: int) -> list[psutil.Process]:
    """Return the living processes of a session."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError):
            if os.getsid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def temporary(folder: Path) -> list[Path]:
    return [path for name in WRITES for path in (folder / name).rglob(".making-*")]


def made(folder: Path) -> int:
    return sum(1 for name in WRITES for _ in (folder / name).rglob("made/**/*.json"))


def killed(project: Project, chance: Random, way: str, goal: int) -> bool:
    """Start a run and kill it when it has come so far; return whether it was still running.

    ``"writing"`` waits, from there on, for a temporary file to appear (the first moments of a
    write) and ``"written"`` for one to go again (its last); ``"all"`` and ``"job"`` do not wait.
    """
    process = started(project, "--cores", "2")
    folder = project.folder
    seen: set[Path] = set()
    while process.poll() is None:
        now = set(temporary(folder)) if way in ("writing", "written") else set()
        if made(folder) >= goal:
            if way == "writing" and now:
                break
            if way == "written" and seen - now:
                break
            if way not in ("writing", "written"):
                time.sleep(chance.random() * 0.2)
                break
        seen = now
        time.sleep(0.001 if way in ("writing", "written") else 0.02)
    alive = process.poll() is None
    if way == "job":
        for each in members(process.pid):
            with suppress(psutil.Error):
                if "opchar.pipeline.jobs" in " ".join(each.cmdline()):
                    each.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    for each in members(process.pid):
        with suppress(psutil.Error):
            each.kill()
            each.wait(60)
    return alive


def kills(right: Path, folder: Path, count: int, seed: int = 1) -> tuple[int, int, list[str]]:
    """Kill runs of one copy after the other until `count` have been; each copy must end right.

    Returns
    -------
    kills, copies : int
    wrong : list of str
    """
    chance, done, copies, wrong = Random(seed), 0, 0, []
    while done < count:
        project = copied(folder / f"killed-{copies}")
        copies += 1
        for way in chance.sample(["all", "writing", "written", "job", "writing", "written"], 6):
            goal = made(project.folder) + chance.randint(0, 40)
            if done < count and killed(project, chance, way, goal):
                done += 1
        end = project.opchar(*RUN)
        if end.returncode or "Traceback" in end.stderr:
            wrong.append(f"copy {copies}: exit {end.returncode}: {end.stderr[-300:]}")
        wrong += [f"copy {copies}: {name}" for name in differing(project.folder, right)]
        wrong += [f"copy {copies}: left {path}" for path in temporary(project.folder)]
        shutil.rmtree(project.folder)
    return done, copies, wrong


def interrupted(folder: Path) -> tuple[float, list[str]]:
    """Interrupt a run; return the seconds until it ended, and what it said last."""
    project = copied(folder / "interrupted")
    process = started(project, "--cores", "2")
    while made(project.folder) < 3 and process.poll() is None:
        time.sleep(0.02)
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    took = time.monotonic() - began
    lines = [line for line in said.decode().splitlines() if not re.match(r"\[|snakemake ", line)]
    wrong = [] if process.returncode == 130 else [f"exit {process.returncode}"]
    if lines != ["opchar: stopped; the next 'opchar run' goes on from here"]:
        wrong.append(f"said {lines[-3:]}")
    return took, wrong


PLACES: dict[str, tuple[str, dict[str, str | None], int]] = {
    "a folder with blanks and letters beyond ASCII": ("größe naïve 数 data", {}, 0o022),
    "no HOME": ("home", {"HOME": None, "XDG_CACHE_HOME": None}, 0o022),
    "LANG=C": ("language", {"LANG": "C", "LC_ALL": "C"}, 0o022),
    "another time zone": ("zone", {"TZ": "Pacific/Chatham"}, 0o022),
    "umask 077": ("mask", {}, 0o077),
    "another seed of hashes": ("hashes", {"PYTHONHASHSEED": "12345"}, 0o022),
}


def elsewhere(right: Path, folder: Path, name: str) -> list[str]:
    """Run in an odd place; return what differs from a plain run."""
    where, changes, mask = PLACES[name]
    project = copied(folder / where / "project")
    environment = {
        key: value for key, value in project.environment.items() if key not in changes
    } | {key: value for key, value in changes.items() if value is not None}
    before = os.umask(mask)
    try:
        end = Project(project.folder, environment).opchar(*RUN, "--cores", "1")
    finally:
        os.umask(before)
    wrong = [] if end.returncode == 0 else [f"exit {end.returncode}: {end.stderr[-300:]}"]
    return wrong + differing(project.folder, right)


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[Path]:
    """Mount a small file system in memory; needs the right to."""
    place.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def said_in_one_line(end: subprocess.CompletedProcess[str]) -> list[str]:
    """Return what is wrong with how a run failed."""
    wrong = [] if end.returncode == 1 else [f"exit {end.returncode}"]
    if "Traceback" in end.stdout + end.stderr:
        wrong.append(f"a traceback: {end.stderr[-400:]}")
    if not re.search(r"^opchar: ", end.stderr, flags=re.M):
        wrong.append(f"no line of its own: {end.stderr[-400:]}")
    return wrong


def without_room(right: Path, folder: Path, megabytes: int) -> list[str]:
    """Run on a full disk, make room, and run again."""
    with small_disk(folder / f"disk-{megabytes}", megabytes) as place:
        project = copied(place / "project")
        wrong = said_in_one_line(project.opchar(*RUN))
        subprocess.run(["mount", "-o", "remount,size=2g", place], check=True)
        end = project.opchar(*RUN)
        wrong += [] if end.returncode == 0 else [f"then exit {end.returncode}: {end.stderr[-300:]}"]
        return wrong + differing(project.folder, right)


def without_memory(right: Path, folder: Path, megabytes: int) -> list[str]:
    """Run with little memory a process, then with enough."""
    import resource

    project = copied(folder / f"memory-{megabytes}")
    limit = megabytes << 20
    end = subprocess.run(
        [sys.executable, "-m", "opchar.cli", *RUN],
        cwd=project.folder,
        env=project.environment,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    wrong = [] if "Traceback" not in end.stderr else [f"a traceback: {end.stderr[-400:]}"]
    wrong += [] if end.returncode in (0, 1) else [f"exit {end.returncode}"]
    end = project.opchar(*RUN)
    wrong += [] if end.returncode == 0 else [f"then exit {end.returncode}: {end.stderr[-300:]}"]
    return wrong + differing(project.folder, right)


def cannot_be_written(right: Path, folder: Path, name: str) -> list[str]:
    """Put a file where a folder of the run must be, run, take it away, and run again."""
    project = copied(folder / f"blocked-{name}")
    blocked = project.folder / name
    blocked.parent.mkdir(parents=True, exist_ok=True)
    blocked.write_text("in the way")
    wrong = said_in_one_line(project.opchar(*RUN))
    if blocked.read_text() != "in the way":
        wrong.append("the file in the way was replaced")
    blocked.unlink()
    end = project.opchar(*RUN)
    wrong += [] if end.returncode == 0 else [f"then exit {end.returncode}: {end.stderr[-300:]}"]
    return wrong + differing(project.folder, right)


BLOCKED: tuple[str, ...] = ("results", "data/features", "results/tiny")
Fault = Callable[[Path, Path], list[str]]
