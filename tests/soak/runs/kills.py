"""Runs that are killed at drawn points, gone on with, and compared byte by byte."""

import os
import shutil
import signal
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from checkout import Project
from soak.runs.dying import LOG, SEED
from soak.runs.small import Right, computed, members, started

# Runs of one copy before it is gone on with without any fault, whatever it has come to.
LONGEST_CHAIN = 40
# Seconds of computing that a run of a small goal takes to plan and to do its first jobs.
STARTING = 9.0


@dataclass
class Killed:
    """What was killed, and what was wrong afterwards.

    `points`: deaths by ``(kind of job, who died, when)``; `runs`, `chains`: runs that were started,
    and copies that came to their end.
    """

    points: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    runs: int = 0
    chains: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.points.total()

    def of(self, place: int, *values: str) -> int:
        """Count the deaths with one of `values` at a place of their key."""
        return sum(count for key, count in self.points.items() if key[place] in values)

    def told(self) -> str:
        """Return the kills by who died and when."""
        return (
            f"{self.of(1, 'job')} of one job, {self.of(1, 'snakemake')} of the workflow alone, "
            f"{self.of(1, 'all')} of all; {self.of(2, 'first', 'last')} in the first or last 50 ms "
            f"of a write; {self.of(0, 'fetch')} while fetching, {self.of(0, 'train')} while "
            f"training, {self.of(0, 'ledger', 'report')} while judging or writing pages"
        )


def kills(rights: list[Right], folder: Path, count: int, seed: int = 1) -> Killed:
    """Kill runs until `count` points were drawn, each copy until it comes to its end.

    `folder`: where the copies stand.
    """
    found, number = Killed(), 0
    while found.total < count:
        right = rights[number % len(rights)]
        _chain(right, folder / f"killed-{number}", f"{seed}/{number}", found, count)
        number += 1
    return found


def _chain(right: Right, folder: Path, seed: str, found: Killed, count: int) -> None:
    """Kill runs of one copy until one comes to its end; then compare it with the right one."""
    project, chance = right.copy(folder), Random(seed)
    before = found.points.copy()
    for number in range(LONGEST_CHAIN):
        found.runs += 1
        if chance.random() < 0.2:
            _killed_in_whole(project, right, chance)
            ended = False
        else:
            ended = _ran(project, right, f"{seed}/{number}", found)
        found.points = before + _deaths(folder)
        if ended or found.total >= count:
            break
    found.wrong += [f"{seed}: {said}" for said in right.goes_on(project)]
    found.chains += 1
    shutil.rmtree(folder)


def _ran(project: Project, right: Right, seed: str, found: Killed) -> bool:
    """Run with drawn deaths; return whether the run came to its end."""
    process = started(project, right.goal, "--cores", "2", **{SEED: seed})
    _, said = process.communicate()
    while members(process.pid):  # jobs whose Snakemake was killed work on
        time.sleep(0.05)
    if "Traceback" in said:
        found.wrong.append(f"{seed}: a traceback: {said[-300:]}")
    return process.returncode == 0


def _killed_in_whole(project: Project, right: Right, chance: Random) -> None:
    """Kill all of a run while it starts, plans, or does its first jobs, by its computing."""
    process = started(project, right.goal, "--cores", "2")
    least = chance.uniform(0.1, STARTING)
    while process.poll() is None and computed(process.pid) < least:
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    with (project.folder / LOG).open("a") as log:
        log.write(f"workflow all computing {least:.4f}\n")


def _deaths(folder: Path) -> Counter[tuple[str, str, str]]:
    log = folder / LOG
    lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    found: Counter[tuple[str, str, str]] = Counter()
    for line in lines:
        kind, who, when, _ = line.split()
        found[kind, who, when] += 1
    return found
