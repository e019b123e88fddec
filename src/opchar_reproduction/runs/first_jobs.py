"""The jobs with which a run begins."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from opchar_reproduction.runs.progress import Timings
from opchar_reproduction.runs.running import TIMINGS
from opchar_reproduction.runs.state import State

# Shares of the time of a whole run: a job above the first would end it alone on one core; works
# whose jobs together stay below the second delay such a job by no more than that.
LONG, SMALL = 1 / 20, 1 / 15


def first_files(state: State, targets: Collection[str] = ()) -> list[str]:
    """Return files to begin with: those of the longest jobs, and of the smallest works.

    While one core is busy with a long job, the other soon has something to show. Snakemake gives
    these files, and all that they need, its highest priority; and it makes them, so the targets
    must need them.
    """
    timings = Timings(TIMINGS, state.profile)
    needed = state.tasks_behind(targets or state.of_run)
    tasks = {file: state.tasks[file] for file in state.tasks if file in needed}
    seconds = {each.job_name: timings.seconds(each.rule, each.job_name) for each in tasks.values()}
    whole = sum(seconds.values())
    long = [
        file
        for file, task in tasks.items()
        if task.benchmark and seconds[task.job_name] > LONG * whole
    ]
    return [*long, *_small_works(state, needed, seconds, SMALL * whole)]


def _small_works(
    state: State, needed: Collection[str], seconds: Mapping[str, float], share: float
) -> list[str]:
    """Return the figures, tables and judged claims of the works that take least, within a share.

    Of each work those that are needed count.
    """
    plan, profile = state.plan, state.profile
    works = {}
    for paper in plan.works():
        shown = [name for name in plan.profile_artefacts(profile) if name.startswith(f"{paper}/")]
        files = plan.folders(profile, shown)
        files.append(f"results/{profile}/statements/{paper}.csv")
        files = [file for file in files if state.tasks[file].outputs[0] in needed]
        jobs = {state.tasks[file].job_name for file in state.tasks_behind(files)}
        works[paper] = files, sum(seconds[job] for job in jobs)
    found: list[str] = []
    for files, took in sorted(works.values(), key=lambda work: work[1]):
        share -= took
        if share < 0:
            break
        found += files
    return found
