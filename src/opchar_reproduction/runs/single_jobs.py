"""The job of a run that makes one figure, table or page anew, or judges one claim."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opchar.errors import OpcharError, nearest
from opchar_reproduction.project.checked import compiled_folder
from opchar_reproduction.project.configuration.config import CONFIGS, write_resolved
from opchar_reproduction.project.configuration.model import pack_keys
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.tasks import Tasks

WRITTEN = {"exhibits": "folder", "statements": "table", "report": "output"}


@dataclass(frozen=True)
class SingleJob:
    """One job: its kind, its arguments, the files that it reads by option, and those asked for.

    `task`: gives its dependencies. `made`: the file or folder that it writes. `first`: the page or
    claim that is made before the others of the job.
    """

    kind: str
    task: Callable[[], Task]
    given: Mapping[str, Any]
    read: Mapping[str, Sequence[str]]
    made: str
    files: list[str]
    first: str = ""

    def words(self, plan: Plan) -> list[str]:
        """Return the words that start it, as its rule has them, but for its dependencies."""
        of_pages = self.kind == "report"  # they take the whole configuration
        planned = ["--planned", str(write_resolved(plan.config, CONFIGS))] if of_pages else []
        first = {"first": self.first} if self.first else {}
        return [
            *("--compiled", str(compiled_folder())),
            *(f"--publication={folder}" for folder in plan.outside()),
            *(self.kind, "--given", json.dumps(pack_keys({**self.given, **first}), default=str)),
            *planned,
            *(word for option, files in self.read.items() for word in (f"--{option}", *files)),
            *(f"--{WRITTEN[self.kind]}", self.made),
        ]


def single_job(plan: Plan, profile: str, address: str) -> SingleJob:
    """Return the job of a figure or table, of the claims among which one is, or of a page."""
    tasks, work = Tasks(plan), address.split(":")[0]
    folders = {name: folder for folder, names in plan.exhibits(profile).items() for name in names}
    page, goal = f"results/{profile}/report/{address}.html", address
    if address in folders:
        task = tasks.exhibits(profile, *folders[address].split("/", 1))
        made, files = task.outputs[0], plan.artefact_files(profile, address)
        job = SingleJob("exhibits", lambda: task, task.given, task.read, made, files)
    elif address in plan.statements(profile, work):
        task = tasks.statements(profile, work)
        goal, *_ = task.outputs
        job = SingleJob("statements", lambda: task, task.given, task.read, goal, [goal], address)
    elif Path(page).is_file() or address in plan.config.settings["papers"]:
        goal, read = "report", tasks.shown_on_pages(profile)
        made = f"results/{profile}/report/index.html"
        job = SingleJob(goal, lambda: tasks.report(profile), {}, read, made, [], address)
    else:
        known = [*folders, *plan.config.statements, *plan.config.settings["papers"]]
        near = nearest(address, known)
        raise OpcharError(f"no figure, table, judged claim or made page '{address}'{near}")
    for file in (file for files in job.read.values() for file in files):
        if not Path(file).exists():
            raise OpcharError(f"{file}: not made yet; 'opchar run {goal}' makes it")
    return job
