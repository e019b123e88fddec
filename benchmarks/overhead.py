"""Where the time of a finished run went: in its jobs, beside them, and in the start of Python.

    python benchmarks/overhead.py [FOLDER]

Reads what Snakemake has noted in the folder of the project, changes nothing, and tells of the run
in which the most jobs ran. A job lasts from its start to the writing of its last output. *Overhead*
is the time of the run times the most jobs side by side, over the seconds inside jobs: one is the
least. Starting Python and importing what every job of a rule needs happens inside the jobs; these
seconds of the processor are measured anew, the lowest of three for each rule, and mean something on
an idle machine only.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from base64 import urlsafe_b64decode
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from opchar.pipeline.configuration.config import load
from opchar.pipeline.plan import Plan
from opchar.pipeline.tasks import Tasks

ROOT = Path(__file__).resolve().parents[1]
STAMP = "%Y-%m-%dT%H%M%S.%f"


@dataclass(frozen=True)
class Job:
    """One job of a run: its rule, one of its outputs, and seconds since the epoch."""

    rule: str
    output: str
    start: float
    end: float


@dataclass(frozen=True)
class Finished:
    """One run: when Snakemake started and ended, and its jobs."""

    start: float
    end: float
    jobs: list[Job]

    @property
    def wall(self) -> float:
        return self.end - self.start

    @property
    def work(self) -> float:
        return sum(job.end - job.start for job in self.jobs)

    def side_by_side(self) -> dict[int, float]:
        """Return for how many seconds each number of jobs ran at a time, from start to end."""
        changes = [(job.start, 1) for job in self.jobs] + [(job.end, -1) for job in self.jobs]
        found: dict[int, float] = defaultdict(float)
        last, running = self.start, 0
        for moment, change in [*sorted(changes), (self.end, 0)]:
            found[running] += moment - last
            last, running = moment, running + change
        return {number: seconds for number, seconds in sorted(found.items()) if seconds > 0}


def jobs(folder: Path) -> list[Job]:
    """Return the jobs whose notes Snakemake keeps: of each job one a file, with the same log."""
    noted = defaultdict(list)
    notes_of_all = folder / ".snakemake/metadata"
    for path in notes_of_all.rglob("*"):
        if path.is_file():
            note = json.loads(path.read_text(encoding="utf-8"))
            if note.get("shellcmd") and note.get("starttime") and note.get("endtime"):
                # A note is called what it is of, in Base64, long names in folders with an @.
                name = "".join(
                    part.removeprefix("@") for part in path.relative_to(notes_of_all).parts
                )
                note["output"] = urlsafe_b64decode(name).decode()
                noted[note["log"][0]].append(note)
    return [
        Job(
            notes[0]["rule"],
            notes[0]["output"],
            min(note["starttime"] for note in notes),
            max(note["endtime"] for note in notes),
        )
        for notes in noted.values()
    ]


def finished(folder: Path) -> Finished:
    """Return the run of a folder in which the most jobs ran; LookupError if none is known."""
    every = jobs(folder)
    found = []
    for log in (folder / ".snakemake/log").glob("*.snakemake.log"):
        start = datetime.strptime(log.name.removesuffix(".snakemake.log"), STAMP).timestamp()
        end = log.stat().st_mtime
        found.append(Finished(start, end, [job for job in every if start <= job.start <= end]))
    largest = max(found, key=lambda run: len(run.jobs), default=None)
    if largest is None or not largest.jobs:
        raise LookupError(f"{folder}: Snakemake has noted no run here; 'opchar run' makes one")
    if any(job.end < job.start for job in largest.jobs):
        raise LookupError(f"{folder}: of jobs on a cluster Snakemake does not note when they start")
    return largest


def finished_or_told(folder: Path) -> Finished | None:
    """Return the run of a folder; where none is known, print why and return None."""
    try:
        return finished(folder)
    except LookupError as error:
        print(error)
        return None


def starts_of_python() -> dict[str, float]:
    """Return the processor seconds until the jobs of each rule have what all of them import."""
    tasks = Tasks(Plan(load(ROOT))).of_profile("quick")
    modules = {task.rule: task.functions[0].split(":")[0] for task in tasks}
    known = {module: start_of(module) for module in set(modules.values())}
    return {rule: known[module] for rule, module in modules.items()}


def start_of(module: str) -> float:
    """Return the processor seconds of a Python that imports a module, the lowest of three."""
    took = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        words = f"import opchar.pipeline.jobs.commands, {module}"
        subprocess.run([sys.executable, "-c", words], cwd=ROOT, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(sum(after[:2]) - sum(before[:2]))
    return min(took)


def page(run: Finished, starts: dict[str, float]) -> Iterator[str]:
    """Yield the lines to print."""
    parallel = run.side_by_side()
    cores = max(parallel)
    yield f"{len(run.jobs)} jobs in {run.wall:.0f} s, {cores} at a time; {run.work:.0f} s in them"
    yield f"overhead {run.wall * cores / run.work:.3f}"
    first, last = min(j.start for j in run.jobs), max(j.end for j in run.jobs)
    yield f"before the first job {first - run.start:.1f} s, after the last {run.end - last:.1f} s"
    for number, seconds in parallel.items():
        yield f"{number} jobs at a time: {seconds:.1f} s ({seconds / run.wall:.1%})"
    yield "\n| rule | jobs | seconds | share | longest | starts of Python |"
    yield "| --- | --- | --- | --- | --- | --- |"
    rules = defaultdict(list)
    for job in run.jobs:
        rules[job.rule].append(job.end - job.start)
    starting = {rule: starts[rule] * len(took) for rule, took in rules.items() if rule in starts}
    for rule, took in sorted(rules.items(), key=lambda item: -sum(item[1])):
        share, longest = f"{sum(took) / run.work:.1%}", f"{max(took):.1f} s"
        said = f"{starting[rule]:.0f} s" if rule in starting else "–"
        cells = (rule, str(len(took)), f"{sum(took):.0f}", share, longest, said)
        yield f"| {' | '.join(cells)} |"
    if starting:
        total = sum(starting.values())
        beyond = run.wall * cores / (run.work - total)
        yield f"\nStarts of Python take {total / run.work:.1%} of the seconds inside jobs;"
        yield f"with them counted as overhead, it is {beyond:.3f}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--no-starts", action="store_true", help="do not measure starts of Python")
    arguments = parser.parse_args()
    if run := finished_or_told(arguments.folder):
        for line in page(run, {} if arguments.no_starts else starts_of_python()):
            print(line)


if __name__ == "__main__":
    main()
