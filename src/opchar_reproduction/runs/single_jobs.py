"""The job of a run that makes one figure, table or page anew, or judges one claim."""

import json
from dataclasses import dataclass
from pathlib import Path

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
    """One job: its kind, its task, the files that it reads by option, and those asked for.

    `first`: the page or claim that is made before the others of the job.
    """

    kind: str
    task: Task
    read: dict[str, list[str]]
    files: list[str]
    first: str = ""

    def words(self, plan: Plan) -> list[str]:
        """Return the words that start it, as its rule has them."""
        of_pages = self.kind == "report"  # they take the whole configuration
        planned = ["--planned", str(write_resolved(plan.config, CONFIGS))] if of_pages else []
        first = {"first": self.first} if self.first else {}
        given = json.dumps(
            pack_keys({**({} if of_pages else self.task.given), **first}), default=str
        )
        return [
            *("--compiled", str(compiled_folder())),
            *(f"--publication={folder}" for folder in plan.outside()),
            *(self.kind, "--job", str(self.task), "--given", given, *planned),
            *(word for option, files in self.read.items() for word in (f"--{option}", *files)),
            *(f"--{WRITTEN[self.kind]}", self.task.outputs[0]),
        ]


def single_job(plan: Plan, profile: str, address: str) -> SingleJob:
    """Return the job of a figure or table, of the claims among which one is, or of a page."""
    tasks, work = Tasks(plan), address.split(":")[0]
    folders = {name: folder for folder, names in plan.exhibits(profile).items() for name in names}
    page, goal = f"results/{profile}/report/{address}.html", address
    if address in folders:
        study = folders[address].split("/", 1)
        results, curves = plan.artefact_sources(profile, address)
        printed = plan.shown_print(profile, *study)
        read = {"results": [results], "curves": [curves], "published": printed}
        files = plan.artefact_files(profile, address)
        job = SingleJob("exhibits", tasks.exhibits(profile, *study), read, files)
    elif address in plan.statements(profile, work):
        task = tasks.statements(profile, work)
        read = {
            "results": plan.judged_results(profile, work),
            "curves": plan.judged_curves(profile, work),
        }
        job, goal = (
            SingleJob("statements", task, read, list(task.outputs), address),
            task.outputs[0],
        )
    elif Path(page).is_file() or address in plan.config.settings["papers"]:
        job = SingleJob(
            "report", tasks.report(profile), _shown_on_pages(plan, profile), [], address
        )
        goal = "report"
    else:
        known = [*folders, *plan.config.statements, *plan.config.settings["papers"]]
        near = nearest(address, known)
        raise OpcharError(f"no figure, table, judged claim or made page '{address}'{near}")
    for file in (file for files in job.read.values() for file in files):
        if not Path(file).exists():
            raise OpcharError(f"{file}: not made yet; 'opchar run {goal}' makes it")
    return job


def _shown_on_pages(plan: Plan, profile: str) -> dict[str, list[str]]:
    printed = plan.published_files("about", "catalogue", "values", "errata", "leads")
    citation = (plan.config.root / "CITATION.cff").as_posix()
    return {
        "ledger": plan.ledger_files(profile)[:1],
        "summaries": plan.ledger_summaries(profile),
        "results": plan.results(profile),
        "statements": plan.statement_tables(profile),
        "weights": plan.weights(profile),
        "artefacts": plan.shown_studies(profile),
        "provenance": plan.provenance(profile),
        "explored": [plan.explorer_file(profile)],
        "curves": plan.page_curves(profile),
        "published": [*printed, *plan.proofread(), citation],
    }
