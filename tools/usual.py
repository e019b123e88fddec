"""Keep what the jobs of a whole run took, so that a first run elsewhere can tell its time.

    python tools/usual.py FOLDER PROFILE

FOLDER is a project in which a whole run of PROFILE has ended on an idle machine: the seconds from
start to end count. Jobs that this run did not make keep what is known of them. Seconds by kind of
work are printed. A study whose jobs take more than half as much again as before, and five seconds
more, is named, and the command ends with an error: the reason belongs in the changelog, or the
study is mended.
"""

import argparse
import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.runs.progress import SHIPPED

FIELDS = ("profile", "job", "seconds")
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


def kind_of(rule: str) -> str:
    """Return the kind of work that a rule does."""
    found = (kind for start, kind in KINDS.items() if rule.startswith(start))
    return next(found, "comparison and pages")


def by_kind(tasks: Iterable[Task], took: Mapping[str, float]) -> list[str]:
    """Return the rows of a table, kind by kind, the costliest first."""
    jobs = {task.job_name: kind_of(task.rule) for task in tasks if task.job_name in took}
    totals: dict[str, list[float]] = defaultdict(list)
    for name, kind in jobs.items():
        totals[kind].append(took[name])
    rows = sorted(totals.items(), key=lambda item: -sum(item[1]))
    rows.append(("all", [took[name] for name in jobs]))
    return [f"| {kind} | {len(seconds)} | {sum(seconds):.0f} |" for kind, seconds in rows]


def dearer(
    tasks: Iterable[Task], took: Mapping[str, float], before: Mapping[str, float]
) -> list[str]:
    """Return a line for each study that takes much more than it did, in jobs known of both."""
    both: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for task in tasks:
        name = task.job_name
        if kind_of(task.rule) in OF_STUDIES and name in took and name in before:
            both[task.name][0] += before[name]
            both[task.name][1] += took[name]
    return [
        f"{study}: {now:.1f} s, {then:.1f} s before"
        for study, (then, now) in sorted(both.items())
        if now > GROWTH * then and now > then + LEAST
    ]


def main() -> int:
    """Read the times of one profile, and write them beside those of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("profile")
    given = parser.parse_args()
    timings = json.loads((given.folder / ".opchar/timings.json").read_text(encoding="utf-8"))
    took = timings.get(given.profile, {})
    tasks = list(
        Tasks(Plan(load(given.folder, {"profile": given.profile}))).of_profile(given.profile)
    )
    with SHIPPED.open(newline="", encoding="utf-8") as lines:
        kept = {(row["profile"], row["job"]): row["seconds"] for row in csv.DictReader(lines)}
    before = {job: said for (profile, job), said in kept.items() if profile == given.profile}
    rows = {key: said for key, said in kept.items() if key[0] != given.profile}
    for job in (task.job_name for task in tasks):
        said = f"{float(f'{took[job]:.2g}'):g}" if took.get(job) else before.get(job)
        if said is not None:
            rows[given.profile, job] = said
    with SHIPPED.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows([*key, said] for key, said in sorted(rows.items()))
    print(*by_kind(tasks, took), sep="\n")
    grown = dearer(tasks, took, {job: float(seconds) for job, seconds in before.items()})
    print(*grown, sep="\n", file=sys.stderr)
    return int(bool(grown))


if __name__ == "__main__":
    sys.exit(main())
