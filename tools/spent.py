"""What the jobs of a finished run took, by kind of work, and which studies cost more than before.

    python tools/spent.py FOLDER PROFILE [--write benchmarks/README.md]

FOLDER is a project in which a whole run of PROFILE has ended on an idle machine. Seconds are those
from start to end of each job: a job has one thread, and Snakemake's own count of processor seconds
leaves out what a job does after it last looked. A study whose jobs take more than half as much
again as in the last version (`job_durations.csv`), and five seconds more, is named, and the command
ends with an error: the reason belongs in the changelog, or the study is mended.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.runs.progress import SHIPPED

START = "<!-- processor seconds by kind: tools/spent.py -->"
END = "<!-- end of processor seconds by kind -->"
GROWTH, LEAST = 1.5, 5.0
# Kinds of work by the beginnings of the names of rules; what is left runs experiments.
KINDS = {
    "fetch": "data",
    "build": "data",
    "train": "trainings",
    "run_variants": "other variants",
    "compare_variants": "comparison of variants",
    "judge_statements": "statements",
    "show": "figures and tables",
    "run": "experiments",
}
OF_STUDIES = ("experiments", "other variants")


@dataclass(frozen=True)
class Job:
    """What one job took, and the study that it is of, if any."""

    name: str
    kind: str
    study: str
    seconds: float


def kind_of(rule: str) -> str:
    """Return the kind of work that a rule does."""
    found = (kind for start, kind in KINDS.items() if rule.startswith(start))
    return next(found, "comparison and pages")


def job_of(task: Task, took: Mapping[str, float]) -> Job | None:
    """Return what a job took, if it is known."""
    kind = kind_of(task.rule)
    study = task.name if kind in OF_STUDIES else ""
    return Job(task.job_name, kind, study, took[task.job_name]) if task.job_name in took else None


def block(jobs: Iterable[Job], profile: str) -> str:
    """Return the table of the pages, kind by kind, the costliest first."""
    totals: dict[str, list[float]] = defaultdict(list)
    for job in jobs:
        totals[job.kind].append(job.seconds)
    rows = sorted(totals.items(), key=lambda item: -sum(item[1]))
    rows.append(("all", [seconds for each in totals.values() for seconds in each]))
    lines = [
        START,
        f"| {profile} | jobs | seconds |",
        "| --- | --- | --- |",
        *(f"| {kind} | {len(seconds)} | {sum(seconds):.0f} |" for kind, seconds in rows),
        END,
    ]
    return "\n".join(lines)


def dearer(jobs: Iterable[Job], before: Mapping[str, float]) -> list[str]:
    """Return a line for each study that takes much more than it did, in jobs known of both."""
    both: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for job in jobs:
        if job.study and job.name in before:
            both[job.study][0] += before[job.name]
            both[job.study][1] += job.seconds
    return [
        f"{study}: {now:.1f} s, {then:.1f} s in the last version"
        for study, (then, now) in sorted(both.items())
        if now > GROWTH * then and now > then + LEAST
    ]


def last_version(profile: str) -> dict[str, float]:
    """Return what the jobs of a profile took in the last version."""
    with SHIPPED.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return {row["job"]: float(row["seconds"]) for row in rows if row["profile"] == profile}


def replaced(page: str, table: str) -> str:
    """Return a page with the table between its marks."""
    before, _, rest = page.partition(START)
    _, mark, after = rest.partition(END)
    if not mark:
        raise SystemExit(f"the page has no '{START}' ... '{END}' to write between")
    return before + table + after


def main() -> int:
    """Print or write the table, and name what costs more than it did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("profile")
    parser.add_argument("--write", type=Path, help="a page with the marks of the table")
    given = parser.parse_args()
    kept = json.loads((given.folder / ".opchar/timings.json").read_text(encoding="utf-8"))
    took = kept.get(given.profile, {})
    tasks = Tasks(Plan(load(Path.cwd(), {"profile": given.profile}))).of_profile(given.profile)
    found = (job_of(task, took) for task in tasks)
    # The tables of one training are tasks of their own.
    jobs = {job.name: job for job in found if job}.values()
    table = block(jobs, given.profile)
    if given.write:
        page = given.write.read_text(encoding="utf-8")
        given.write.write_text(replaced(page, table), encoding="utf-8")
    else:
        print(table)
    grown = dearer(jobs, last_version(given.profile))
    print(*grown, sep="\n", file=sys.stderr)
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
