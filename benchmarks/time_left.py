"""How right the time left is that a run tells, from one that has ended.

    python benchmarks/time_left.py [PROFILE] [FOLDER]

Plays the run of FOLDER in which the most jobs ran to what `opchar run` estimates with, at the
moments that Snakemake has noted, as a first run: it knows no times but those that come with the
package (`job_durations.csv`). Where these were taken from the same run, the estimate can err by the
order of the jobs, by cores that wait, and by what processor time leaves out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from overhead import ROOT, Finished, finished_or_told

from opchar.pipeline.configuration.config import load
from opchar.pipeline.plan import Plan
from opchar.pipeline.runs.progress import Progress, Step, Timings
from opchar.pipeline.tasks import Tasks

SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def steps(run: Finished, folder: Path, profile: str) -> list[Step]:
    """Return what Snakemake would have announced of each job of a run."""
    tasks = Tasks(Plan(load(folder, {"profile": profile}))).of_profile(profile)
    names = {file: task.name for task in tasks for file in task.outputs}
    return [
        Step(job.rule, str(number), {"name": names.get(job.output, "")})
        for number, job in enumerate(run.jobs)
    ]


def told(run: Finished, announced: list[Step], timings: Timings) -> Iterator[tuple[float, float]]:
    """Yield the seconds since the start, and those told to be left, whenever a job has ended."""
    now = run.start
    progress = Progress(max(run.side_by_side()), timings, lambda: now)
    progress.plan(Counter(job.rule for job in run.jobs))
    moments = [(job.end, 0, number) for number, job in enumerate(run.jobs)]
    moments += [(job.start, 1, number) for number, job in enumerate(run.jobs)]
    for moment, starts, number in sorted(moments):
        now = moment
        if starts:
            progress.start(announced[number])
        else:
            progress.finish(str(number))
            yield now - run.start, progress.seconds_left()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profile", nargs="?", default="quick")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT)
    arguments = parser.parse_args()
    run = finished_or_told(arguments.folder)
    if run is None:
        return
    unknown = Timings(arguments.folder / "no-timings.json", arguments.profile)
    said = list(told(run, steps(run, arguments.folder, arguments.profile), unknown))
    print(f"{len(run.jobs)} jobs in {run.wall:.0f} s\n")
    print("| after | told to be left | were left | told / were |\n| --- | --- | --- | --- |")
    for share in SHARES:
        passed, left = min(said, key=lambda each: abs(each[0] - share * run.wall))
        were = run.wall - passed
        cells = (
            f"{passed:.0f} s ({passed / run.wall:.0%})",
            f"{left:.0f} s",
            f"{were:.0f} s",
            f"{left / were:.2f}",
        )
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
