"""Which files are up to date, which have to be made again, and why."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from textwrap import wrap

from opchar.datasets.sources.outdated import why_outdated
from opchar.files import MAKING
from opchar_reproduction.project import records
from opchar_reproduction.project.checked import changed_files
from opchar_reproduction.project.environment import mirror
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.runs import one_variant
from opchar_reproduction.runs.progress import Step, Timings, duration, fit_line
from opchar_reproduction.runs.running import TIMINGS, dry_run, touch

METADATA = Path(".snakemake/metadata")
OTHER = "made of another "
UPDATED = "Input files updated by another job: "


@dataclass(frozen=True)
class State:
    """The files of a profile compared with its plan."""

    plan: Plan
    profile: str

    @cached_property
    def tasks(self) -> dict[str, Task]:
        """The tasks of the profile by each of their outputs."""
        found = {file: task for task in self._of_profile for file in task.outputs}
        others = Tasks(self.plan).made_besides(self.profile)
        besides = [task for task in others if task.outputs[0] not in found]
        return found | {file: task for task in besides for file in task.outputs}

    @cached_property
    def of_run(self) -> set[str]:
        """The first outputs of the tasks of a whole run; studies made besides are none of it."""
        return {task.outputs[0] for task in self._of_profile}

    @cached_property
    def _of_profile(self) -> list[Task]:
        return list(Tasks(self.plan).of_profile(self.profile))

    @cached_property
    def reasons(self) -> dict[str, str]:
        """Why each outdated task has to be done again, by its first output.

        A file is read once, however many tasks read it.
        """
        found = {}
        look = cache(records.digest_if_there)
        for task in self._unique():
            reason = why_again(task, look)
            if not reason and task.rule == "fetch_data":
                reason = data_outdated(self.plan, task.name)
            if reason:
                found[task.outputs[0]] = reason
        return found

    def stale_or_modified(self, targets: Iterable[str] = ()) -> list[str]:
        """Return the outputs to make again whatever Snakemake knows of them.

        They are there, but changed by hand, without a record, or made from something else. With
        `targets` only these and their inputs.
        """
        needed = self.tasks_behind(targets) if targets else self.of_run
        return [file for file in self.reasons if Path(file).exists() and file in needed]

    def expected_jobs(self, targets: Iterable[str] = ()) -> set[str]:
        """Return the names of the jobs that have to run, for all or some targets."""
        needed = self.tasks_behind(targets) if targets else self.of_run
        return {self.tasks[file].job_name for file in self.reasons if file in needed}

    def tasks_behind(self, targets: Iterable[str]) -> set[str]:
        """Return the first output of every task that leads to some files."""
        found: set[str] = set()
        waiting = list(targets)
        while waiting:
            task = self.tasks.get(waiting.pop())
            if task is not None and task.outputs[0] not in found:
                found.add(task.outputs[0])
                waiting.extend(task.inputs)
        return found

    def remind(self, settings: Mapping[str, str]) -> None:
        """Have Snakemake note that right files are made, where it has no notes of this folder.

        Without them it goes by times, and copying files loses their order.
        """
        if any(METADATA.glob("*")):
            return
        right: set[str] = set()
        for task in self._unique():
            made = [file for file in task.inputs if file in self.tasks]
            if task.outputs[0] not in self.reasons and right.issuperset(made):
                right.update(task.outputs)
        # Of a folder of figures Snakemake knows the folder.
        if known := sorted(file for file in right if file.rpartition("/")[0] not in right):
            touch(known, settings, self.plan.config)

    def modified_files(self, first: Iterable[str]) -> list[str]:
        """Return the files changed by hand of the tasks with these first outputs."""
        found = (records.read_record(records.place_of(file)) for file in first)
        return [
            file
            for record in found
            if record
            for file, fault in records.faults(record)
            if fault == "changed"
        ]

    def _unique(self) -> list[Task]:
        return [task for file, task in self.tasks.items() if file == task.outputs[0]]

    def verify(self) -> Iterator[tuple[str, str]]:
        """Yield ``(file, fault)`` of every made file; of a right one the fault is empty.

        Artefacts that were made under one other variant are among them.
        """
        for task in [*self._unique(), *one_variant.variant_tasks(self.plan, self.profile)]:
            record = records.read_record(records.place_of(task.outputs[0]))
            if record is None:
                for file in task.outputs:
                    if Path(file).exists():
                        yield file, "no record of how it was made"
                continue
            wrong = dict(records.faults(record))
            yield from (dict.fromkeys(record.files, "") | wrong).items()
        yield from ((file, "no job made it") for file in self._unrecorded_files())
        if self._results_gone():
            yield f"results/{self.profile}", "nothing of it is there, though its data are"

    def _unrecorded_files(self) -> list[str]:
        """Return the files among the results of the profile that no job has recorded."""
        folder = Path(f"results/{self.profile}")
        paths = sorted((folder / records.MADE).rglob("*.json"))
        found = [record for record in map(records.read_record, paths) if record is not None]
        known = {file for record in found for file in record.files}
        known |= {record.place for record in found}
        there = sorted(folder.rglob("*"))
        files = (path.as_posix() for path in there if path.is_symlink() or not path.is_dir())
        return [
            file
            for file in files
            if file not in known and MAKING not in file and Path(file).name != records.SNAKEMAKES
        ]

    def _results_gone(self) -> bool:
        """Whether a profile has been run and its results are gone."""
        scores = [task for task in self._unique() if task.rule == "train_models"]
        return not Path(f"results/{self.profile}").exists() and any(
            Path(task.outputs[0]).exists() for task in scores
        )

    def why(self, step: Step, steps: Mapping[str, Step]) -> str:
        """Return why a step is done, in the words of the first of the steps before it."""
        for file in step.outputs:
            if file in self.reasons:
                return self._first_reason(file)
        if step.reason.startswith(UPDATED):
            first = step.reason.removeprefix(UPDATED).split(", ")[0]
            before = steps.get(first)
            if before is not None and before is not step:
                return f"{before.name}: {self.why(before, steps).split(': ', 1)[-1]}"
        what, _, listed = step.reason.partition(": ")
        first, *others = sorted(listed.split(", "))
        more = f" and {len(others)} more" if others else ""
        return f"{what[:1].lower()}{what[1:]}{f': {first}' if first else ''}{more}"

    def _first_reason(self, file: str) -> str:
        """Return why a task has to be done again, or why what it reads has."""
        reason = self.reasons[file]
        source = self.tasks.get(reason.removeprefix(OTHER))
        if source is None or source.outputs[0] not in self.reasons:
            return reason
        return self._first_reason(source.outputs[0])


def data_outdated(plan: Plan, name: str) -> str:
    """Return why a fetched data set has to be fetched again: a file is gone, or a source is new."""
    settings = plan.config.settings
    return why_outdated(
        name,
        plan.config.datasets[name],
        policy=settings["policy"],
        mirrors=plan.mirrors(mirror()),
        user_folders=settings["folders"],
        folder=Path(plan.raw(name)).parent,
    )


def why_again(task: Task, look: records.Look = records.digest_if_there) -> str:
    """Return why a task has to be done again; empty when its outputs are up to date."""
    task.parts()
    missing = [file for file in task.outputs if not Path(file).exists()]
    record = records.read_record(records.place_of(task.outputs[0]))
    if len(missing) == len(task.outputs):
        return "missing" if record else "not made yet"
    if missing:
        return f"missing: {missing[0]}"
    if record is None:
        return "no record of how it was made"
    for file, fault in records.faults(record, look):
        return f"{'changed by hand' if fault == 'changed' else fault}: {file}"
    changed = difference(record, task)
    others = [f for f, known in record.read.items() if look(f) != known]
    return changed or (f"{OTHER}{others[0]}" if others else "")


def difference(record: records.Record, task: Task) -> str:
    """Return what of a task has changed since its files were made; empty if nothing has."""
    now = task.parts()
    then = dict(part.partition(" ")[::2] for part in record.job.split("; "))
    said = []
    if then.get("code") != now["code"]:
        files = changed_files(then.get("code", ""), now["code"])
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        said.append(f"its code changed{f' ({files[0]}{more})' if files else ''}")
    if then.get("configuration") != now["configuration"]:
        said.append("its configuration changed")
    before, after = (_versions(part.get("libraries", "")) for part in (then, now))
    steps = [
        f"{name} {before[name]} -> {after[name]}"
        for name in sorted(before.keys() & after.keys())
        if before[name] != after[name]
    ]
    steps += records.other_libraries(record)
    if steps:
        said.append(f"made with another version ({', '.join(steps)})")
    return "; ".join(said) or ("" if then == now else "its libraries changed")


def _versions(text: str) -> dict[str, str]:
    return dict(part.split(" ", 1) for part in text.split(", ") if " " in part)


def report(plan: Plan, profile: str, settings: Mapping[str, str]) -> list[str]:
    """Return how many artefacts are up to date, which jobs remain, why, and how long they take."""
    state = State(plan, profile)
    state.remind(settings)
    steps = dry_run([], settings, forced=state.stale_or_modified(), config=plan.config)
    again = {file for step in steps for file in step.outputs}
    # A workflow that takes this one as a module plans what its own goal needs, and no more.
    again |= {file for first in state.reasons for file in state.tasks[first].outputs}
    wanted = plan.profile_artefacts(profile)
    fresh = len(wanted) - len(_artefacts_among(plan, profile, wanted, again))
    return [
        f"profile '{profile}': {fresh} of {len(wanted)} artefacts up to date",
        *_planned_lines(state, profile, steps, steps),
        *_made_besides(state),
        *_under_variants(plan, profile),
    ]


def _artefacts_among(
    plan: Plan, profile: str, artefacts: Iterable[str], files: set[str]
) -> list[str]:
    """Return the artefacts whose study's folder is among some files."""
    return [a for a in artefacts if plan.exhibits_folder(profile, a) in files]


def _made_besides(state: State) -> Iterator[str]:
    """Yield the studies outside a whole run that are not up to date, and why."""
    for file in state.reasons:
        if file not in state.of_run:
            name = state.tasks[file].job_name
            yield fit_line(f"  {name}: {state.reasons[file]}; made again when asked for")


def _under_variants(plan: Plan, profile: str) -> Iterator[str]:
    """Yield which artefacts that were made under another variant are not up to date, and why."""
    told = set()
    for task in one_variant.variant_tasks(plan, profile):
        reason = why_again(task)
        if reason and task.name not in told:
            told.add(task.name)
            yield fit_line(f"  {task.name}: {reason}; 'opchar run ... --variant' makes it again")


def preview(
    plan: Plan,
    profile: str,
    targets: list[str],
    settings: Mapping[str, str],
    options: Iterable[str] = (),
) -> list[str]:
    """Return the artefacts that a run of some targets would make and why, and how long it takes."""
    state = State(plan, profile)
    state.remind(settings)
    steps = dry_run(targets, settings, options, state.stale_or_modified(targets), plan.config)
    if not steps:
        return ["nothing to be done"]
    every = [name for names in plan.exhibits(profile).values() for name in names]
    outputs = {file for step in steps for file in step.outputs}
    number = len(_artefacts_among(plan, profile, every, outputs))
    showing = set(plan.folders(profile, every))
    artefacts = [step for step in steps if not showing.isdisjoint(step.outputs)]
    lines = [f"{number} artefacts would be made"] if artefacts else []
    counts = Counter(step.rule.replace("_", " ") for step in steps)
    rules = ", ".join(f"{rule} {number}" for rule, number in counts.items())
    planned = _planned_lines(state, profile, steps, artefacts or steps)
    return [*lines, *planned, *wrap(f"jobs: {rules}", 200, break_on_hyphens=False)]


def _planned_lines(state: State, profile: str, steps: list[Step], shown: list[Step]) -> list[str]:
    """Return a line for each step that is shown, and the time of all."""
    if not steps:
        return []
    outputs = {file: step for step in steps for file in step.outputs}
    lines = [fit_line(f"  {step.name}: {state.why(step, outputs)}") for step in shown]
    timings = Timings(TIMINGS, profile)
    cores = os.cpu_count() or 1
    seconds = sum(timings.seconds(step.name) for step in steps) / cores
    return [*lines, f"{len(steps)} jobs, about {duration(seconds)} on {cores} cores"]


def ledger_behind(plan: Plan, profile: str) -> str:
    """Return why the ledger of a profile is out of date; empty when it is not.

    It was changed since its job wrote it, or something is newer.
    """
    ledger = Path(plan.ledger_files(profile)[0])
    record = records.read_record(records.place_of(ledger))
    if not ledger.exists():
        return ""
    if record is None or record.files.get(ledger.as_posix()) != records.digest(ledger):
        return fit_line(
            f"{ledger} is not as its job wrote it: make it again by "
            f"'opchar run report --profile {profile}'"
        )
    newer = [
        file
        for file, known in record.read.items()
        if Path(file).exists() and records.digest(file) != known
    ]
    if not newer:
        return ""
    more = f" and {len(newer) - 1} more" if len(newer) > 1 else ""
    return fit_line(
        f"the ledger is older than {newer[0]}{more}: bring it up to date by "
        f"'opchar run report --profile {profile}'"
    )
