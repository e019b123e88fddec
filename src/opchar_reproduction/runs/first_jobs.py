"""The jobs with which a run begins."""

from collections.abc import Collection

from opchar_reproduction.runs.progress import Timings
from opchar_reproduction.runs.running import TIMINGS
from opchar_reproduction.runs.state import State

# Share of the time of a whole run from which a job would end it alone on one core.
LONG = 1 / 20


def first_files(state: State, targets: Collection[str] = ()) -> list[str]:
    """Return the files of the longest jobs, with which a run begins.

    Snakemake gives these files, and all that they need, its highest priority; and it makes them, so
    the targets must need them.
    """
    timings = Timings(TIMINGS, state.profile)
    needed = state.tasks_behind(targets or state.of_run)
    tasks = {file: state.tasks[file] for file in state.tasks if file in needed}
    seconds = {each.job_name: timings.seconds(each.rule, each.job_name) for each in tasks.values()}
    least = LONG * sum(seconds.values())
    return [f for f, task in tasks.items() if task.benchmark and seconds[task.job_name] > least]
