"""What machine and people do to a run: one line, nothing lost, and the next run goes on."""

import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from checkout import Project, at
from soak.runs.small import COMMAND, Right, computed, jobs, members, started, temporary, untidy

STOPPED = "opchar: stopped; the next 'opchar run' goes on from here"
# Seconds, on a busy machine; a run of a small goal takes a fiftieth.
HANGS = 1200
ROOM = 1 << 10  # bytes of a kilobyte
Trial = Callable[[Right, Path, Random], tuple[str, list[str]]]


def interrupted(right: Right, folder: Path, chance: Random) -> tuple[str, list[str]]:
    """Press Ctrl-C in a run that works; say what that took."""
    project = right.copy(folder)
    process = started(project, right.goal, "--cores", "2")
    least = chance.uniform(0.0, 1.0)
    while process.poll() is None and not _any_computed(process.pid, least):
        time.sleep(0.02)
    before, began = computed(process.pid), time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    most = before
    while process.poll() is None:
        most = max(most, computed(process.pid))
        time.sleep(0.02)
    took = time.monotonic() - began
    said = process.stderr.read() if process.stderr else ""
    wrong = [] if process.returncode == 130 else [f"exit {process.returncode}"]
    own = [line for line in said.splitlines() if line.startswith(("opchar: ", "failed: "))]
    wrong += [] if own == [STOPPED] and not untidy(said) else [f"said {said[-300:]}"]
    wrong += ["a process works on"] if members(process.pid) else []
    wrong += [f"left {path.name}" for path in temporary(project.folder)]
    wrong += right.goes_on(project)
    return f"after {took:.1f} s, {max(0.0, most - before):.1f} s of computing", wrong


def _any_computed(group: int, least: float) -> bool:
    return any(sum(job.cpu_times()[:2]) >= least for job in jobs(group) if job.is_running())


def two_at_once(right: Right, folder: Path, chance: Random) -> tuple[str, list[str]]:
    """Start a second run at any time of a first; one of them is refused, the other ends right."""
    project = right.copy(folder)
    first = started(project, right.goal, "--cores", "1")
    least = chance.choice([0.0, chance.uniform(0, 4), chance.uniform(4, 12)])
    while first.poll() is None and computed(first.pid) < least:
        time.sleep(0.02)
    second = started(project, right.goal, "--cores", "1")
    told = [process.communicate()[1] for process in (first, second)]
    ends = [first.returncode, second.returncode]
    wrong = []
    for status, said in zip(ends, told, strict=True):
        if untidy(said) or status not in (0, 1):
            wrong.append(f"exit {status}: {said[-300:]}")
        if status == 1 and "works in this folder; wait for it" not in said:
            wrong.append(f"refused with {said[-300:]}")
    wrong += ["neither ended well"] if 0 not in ends else []
    wrong += [f"{name} differs" for name in right.differing(project)]
    outcome = "the second was refused" if ends == [0, 1] else "the first was refused"
    return "one after the other" if ends == [0, 0] else outcome, wrong


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[Path]:
    """Mount a small file system in memory; needs the right to."""
    place.mkdir(parents=True)
    size = f"size={megabytes}m"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def without_room(right: Right, folder: Path, chance: Random) -> tuple[str, list[str]]:
    """Run on a disk with a drawn number of free kilobytes, make room, and run again."""
    with small_disk(folder, 256) as place:
        project = right.copy(place / "project")
        ballast, free = place / "ballast", shutil.disk_usage(place).free
        room = chance.choice([0, 4, 64, chance.randint(64, 600), chance.randint(600, 3000)])
        with ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(free - room * ROOM, ROOM))
        outcome, wrong = _failed(project, right)
        ballast.unlink()
        return outcome, wrong + right.goes_on(project)


def without_memory(right: Right, folder: Path, chance: Random) -> tuple[str, list[str]]:
    """Run with few megabytes a process, then with enough."""
    limit = chance.randint(250, 1500) << 20
    project = right.copy(folder)
    outcome, wrong = _failed(
        project, right, lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    )
    return outcome, wrong + right.goes_on(project)


def with_small_files(right: Right, folder: Path, chance: Random) -> tuple[str, list[str]]:
    """Run where no file may be larger than a drawn size, then with any size."""
    limit = chance.choice([0, 512, 4096, 20_000, 200_000])
    project = right.copy(folder)
    outcome, wrong = _failed(
        project, right, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    )
    return outcome, wrong + right.goes_on(project)


def read_only(right: Right, folder: Path, chance: Random) -> tuple[str, list[str]]:
    """Run where a folder of the made files cannot be written, then where it can."""
    project = right.copy(folder)
    name = chance.choice(["results", "data", "results/tiny", ".snakemake", ".opchar"])
    place = project.folder / name
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "--bind", place, place], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
    try:
        outcome, wrong = _failed(project, right)
    finally:
        subprocess.run(["umount", place], check=True)
    return outcome, [f"{name}: {said}" for said in wrong + right.goes_on(project)]


def in_the_way(right: Right, folder: Path, chance: Random) -> tuple[str, list[str]]:
    """Run where a file stands in the place of a folder; it must stay; then without it."""
    project = right.copy(folder)
    name = chance.choice(
        ["results", "results/tiny", "data/made", f"results/tiny/{right.goal.paper}"]
    )
    blocked = project.folder / name
    blocked.parent.mkdir(parents=True, exist_ok=True)
    blocked.write_text("in the way")
    outcome, wrong = _failed(project, right)
    if not blocked.is_file() or blocked.read_text() != "in the way":
        wrong.append("the file in the way was replaced")
    blocked.unlink()
    return outcome, [f"{name}: {said}" for said in wrong + right.goes_on(project)]


def cannot_be_replaced(right: Right, folder: Path, chance: Random) -> tuple[str, list[str]]:
    """Change a made file and let nobody replace it; run, let it be replaced, and run again."""
    project = right.copy(folder, made=True)
    files = sorted((project.folder / "results/tiny").rglob("*.csv"))
    file = chance.choice([path for path in files if "made" not in path.parts])
    file.write_bytes(file.read_bytes() + b"changed\n")
    changed = file.read_bytes()
    subprocess.run(["mount", "--bind", file, file], check=True)
    try:
        outcome, wrong = _failed(project, right)
        if file.read_bytes() != changed:
            wrong.append("the file lost its bytes")
    finally:
        subprocess.run(["umount", file], check=True)
    return outcome, [f"{file.name}: {said}" for said in wrong + right.goes_on(project)]


def moved(right: Right, folder: Path, chance: Random) -> tuple[str, list[str]]:
    """Move a made checkout; a run there makes nothing again; then one with a file that is lost."""
    right.copy(folder / "here", made=True)
    (folder / "here").rename(folder / "moved elsewhere")
    project = at(folder / "moved elsewhere")
    times = {path: path.stat().st_mtime_ns for path in sorted(project.folder.rglob("*.csv"))}
    wrong = right.goes_on(project)
    again = [path.name for path, time in times.items() if path.stat().st_mtime_ns != time]
    wrong += [f"made again: {again[:3]}"] if again else []
    chance.choice(sorted((project.folder / "results/tiny").rglob("*.csv"))).unlink()
    return "nothing made again", wrong + right.goes_on(project)


def _failed(
    project: Project, right: Right, limit: Callable[[], None] | None = None
) -> tuple[str, list[str]]:
    """Run under a fault; return how it ended, and what is wrong with what it said."""
    process = subprocess.Popen(
        [*COMMAND, *right.goal.words("--cores", "2")],
        cwd=project.folder,
        env=project.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,
        start_new_session=True,
    )
    try:
        _, said = process.communicate(timeout=HANGS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "hung", [f"hung for {HANGS} s"]
    status = process.returncode
    wrong = [] if status in (0, 1) else [f"exit {status}: {said[-300:]}"]
    wrong += [f"said {line[:200]!r}" for line in untidy(said)[:3]]
    if status == 0:
        return "not hit", wrong
    if not re.search(r"^(opchar|failed): ", said, flags=re.M):
        wrong.append(f"no line of its own: {said[-300:]}")
    return "one line", wrong


TRIALS: dict[str, tuple[Trial, int]] = {
    "Ctrl-C": (interrupted, 10),
    "two runs at once in one folder": (two_at_once, 10),
    "little memory a process": (without_memory, 12),
    "files that may not grow": (with_small_files, 8),
    "a file where a folder must be": (in_the_way, 8),
    "a checkout that was moved": (moved, 4),
}
if hasattr(os, "getuid") and os.getuid() == 0 and shutil.which("mount"):
    TRIALS |= {
        "a disk that gets full": (without_room, 16),
        "a folder that cannot be written": (read_only, 10),
        "a made file that cannot be replaced": (cannot_be_replaced, 6),
    }
