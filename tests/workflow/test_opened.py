"""Every file that a job reads is declared, recorded, or part of the code that was hashed."""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from checkout import ROOT
from opchar import _face
from opchar_reproduction.jobs.commands import JOBS
from opchar_reproduction.project import records
from opchar_reproduction.project.checked import compiled_modules
from opchar_reproduction.project.closure import SOURCE, sources
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks

pytestmark = pytest.mark.workflow

# What belongs to the machine; the cache of fonts lists its fonts behind Matplotlib's own.
MACHINE = (
    "/usr/",
    "/proc/",
    "/sys/",
    "/dev/",
    "/etc/",
    "/lib",
    "/opt/",
    str(Path.home() / ".cache"),
)
# Where packages are installed, in whatever folder on the path.
INSTALLED = (p for p in sys.path if any(Path(p).glob("*.dist-info")))
LIBRARIES = (sys.prefix, sys.base_prefix, *INSTALLED)
# What the starter of jobs keeps for itself: named after the content, or sealed by it.
STATE = re.compile(r"\.opchar/(closures|config|given|modules|numba)/|logs/")
# What starts a job and records it, and what finds public names.
STARTING = ("opchar_reproduction.jobs.__main__", "opchar._face")
# Pages name the code behind each study: its hash is a part of theirs.
NAMED = ("opchar_reproduction.jobs.making.experiment:run",)


@dataclass
class Opened:
    """A job by its command, and what it opened or listed."""

    words: list[str]
    files: set[Path]
    folders: set[Path]

    @property
    def kind(self) -> str:
        return next(word for word in self.words if word in JOBS)

    @property
    def task(self) -> str:
        return self.words[self.words.index("--job") + 1]


def opened_by(folder: Path) -> Iterator[Opened]:
    for log in sorted(folder.iterdir()):
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        words = next(line for line in lines if isinstance(line, list))
        paths = [line for line in lines if isinstance(line, str)]
        files = {Path(path) for path in paths if not path.endswith("/")}
        yield Opened(words, files, {Path(path) for path in paths if path.endswith("/")})


@pytest.fixture(scope="module")
def jobs(ran: Path) -> list[Opened]:
    return list(opened_by(ran / "opened"))


@pytest.fixture(scope="module")
def recorded(ran: Path) -> dict[str, list[records.Record]]:
    """Return the records of a run by what their jobs depend on."""
    found = defaultdict(list)
    for top in ("data/made", "results/tiny/made"):
        for path in (ran / "project" / top).rglob("*.json"):
            record = records.read_record(path)
            assert record is not None
            found[record.job].append(record)
    return found


def sources_of(job: Opened, folder: Path) -> set[str]:
    """Return the files of code, and beside code, that the hash of a job stands for."""
    found = set()
    for code in re.findall(r"code (\w+);", job.task):
        kept = folder / f".opchar/closures/{code}.json"
        found |= json.loads(kept.read_text(encoding="utf-8")).keys()
    return found


def as_named(path: Path) -> str:
    """Return a file below the sources as closures name it."""
    if path.suffix == ".pyc":
        path = path.parents[1] / f"{path.name.split('.')[0]}.py"
    if path.suffix != ".py":
        return path.as_posix()
    module = path.with_suffix("")
    return (module.parent if module.name == "__init__" else module).as_posix()


def undeclared(job: Opened, here: Path, made: list[records.Record]) -> list[str]:
    """Return what a job reads without saying so."""
    known = {file for record in made for file in (*record.read, *record.files)}
    known |= {record.place for record in made}
    code = sources_of(job, here)
    machinery = sources().closure(*STARTING, *NAMED, *compiled_modules()).keys()
    found = []
    for path in sorted(job.files):
        if not path.is_relative_to(here):
            of_library = str(path).startswith(LIBRARIES)
            of_machine = str(path).startswith(MACHINE) and not path.is_relative_to(ROOT)
            if not (of_library or of_machine):
                found.append(str(path))
            continue
        file = path.relative_to(here).as_posix()
        if not path.is_file() or STATE.match(file) or "/made/" in file or file in known:
            continue
        name = as_named(path.relative_to(here / "src")) if file.startswith("src/") else file
        if name not in code and not (path.suffix in (".py", ".pyc") and name in machinery):
            found.append(file)
    return found


def test_every_file_that_a_job_reads_is_declared_recorded_or_hashed_with_its_code(
    jobs: list[Opened], recorded: dict[str, list[records.Record]], ran: Path, plan: Plan
) -> None:
    assert len(jobs) >= 60
    assert {job.kind for job in jobs} >= {"fetch", "features", "train", "measure", "report"}
    rules = {f"workflow/{name}" for name in plan.workflow_texts()} | {"environment.yml"}
    found: dict[str, Any] = {}
    for job in jobs:
        made_by = recorded[job.task]
        assert made_by, job.words
        wrong = undeclared(job, ran / "project", made_by)
        # The pages keep copies of the rules, whose texts stand in the configuration of their job.
        if wrong := [file for file in wrong if job.kind != "report" or file not in rules]:
            found[" ".join(job.words[-8:])[:120]] = wrong
    assert found == {}


def test_the_watch_sees_what_jobs_read(
    jobs: list[Opened], recorded: dict[str, list[records.Record]], ran: Path
) -> None:
    """Each input that a record names was opened by its job, so that nothing escapes the watch."""
    for job in jobs:
        for record in recorded[job.task]:
            missed = {file for file in record.read if ran / "project" / file not in job.files}
            assert missed == set(), job.words


def test_what_a_job_reads_of_others_is_what_its_task_names(
    recorded: dict[str, list[records.Record]], ran: Path, plan: Plan
) -> None:
    """Else a run of some goals would pass over a file that was changed by hand."""
    tasks = list(Tasks(plan).of_profile("tiny"))
    assert len(tasks) >= 60
    shown = {task.outputs[0]: task.outputs[1:] for task in tasks if task.rule == "show_study"}
    for task in tasks:
        record = records.read_record(ran / "project" / records.place_of(task.outputs[0]))
        assert record is not None, task.outputs
        made = {file for file in record.read if file.startswith(("data/", "results/"))}
        inputs = [file for each in task.inputs for file in shown.get(each, (each,))]
        named = {path.as_posix() for path in records.with_sidecars(map(Path, inputs))}
        assert made <= named, task.job_name


def test_no_public_name_stands_for_something_else_than_a_module_of_that_name() -> None:
    """A job that imports a module by `from opchar import` counts the module, not the name."""
    modules = {path.stem for path in SOURCE.glob("opchar*/*") if path.stem != "__init__"}
    assert modules.isdisjoint(_face._HOMES)
