"""Artefacts, their inputs and their state: answers of the command line."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError, nearest
from opchar_reproduction.project.closure import is_file
from opchar_reproduction.project.configuration.listed import rows_of
from opchar_reproduction.project.definitions import function, shown_file
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.runs.progress import fit_line
from opchar_reproduction.runs.state import why_again


def artefacts(plan: Plan, profile: str, paper: str | None = None) -> list[str]:
    """Return one line for every artefact of the works, built or not."""
    rows = _catalogue(plan)
    papers = sorted(plan.config.publications)
    if paper and paper not in papers:
        raise ConfigError(f"no work '{paper}' among {', '.join(papers)}{nearest(paper, papers)}")
    described = {f"{row['paper']}/{row['artefact']}": row for row in rows}
    lines = []
    for address in [*described, *(a for a in plan.config.artefacts if a not in described)]:
        if paper in (None, address.split("/")[0]):
            entry = plan.config.artefacts.get(address)
            title = entry["title"] if entry else described[address].get("caption_in_own_words", "")
            kind = entry["kind"] if entry else "-"
            line = f"{_state(plan, profile, address):8} {kind:7} {address:44} {title}"
            lines.append(fit_line(line))
    return lines


def _catalogue(plan: Plan) -> list[dict[str, str]]:
    folders = plan.config.publications.values()
    return [row for folder in folders for _, row in rows_of(folder, "catalogue")]


def _state(plan: Plan, profile: str, address: str) -> str:
    if address not in plan.config.artefacts:
        return "pending"
    made = all(Path(file).exists() for file in plan.artefact_files(profile, address))
    return "made" if made else "to make"


def describe(plan: Plan, profile: str, address: str) -> list[str]:
    """Return rule, function, parameters and files behind an artefact, experiment or statement."""
    config = plan.config
    if address in config.statements:
        return _statement(plan, profile, address)
    if ":" in address:
        raise ConfigError(
            f"no statement '{address}' in opchar_reproduction.publications"
            f"{nearest(address, sorted(config.statements))}"
        )
    found = full_address(plan, address)
    if found in config.artefacts:
        return _artefact(plan, profile, found)
    if found in config.experiments:
        return [found, *_experiment(plan, profile, found)]
    raise ConfigError(f"{found}: in the catalogue of its publication and not built yet")


def full_address(plan: Plan, address: str) -> str:
    """Return the address of an artefact or experiment from what a person typed."""
    known_ = [*plan.config.artefacts, *plan.config.experiments]
    pending = [f"{row['paper']}/{row['artefact']}" for row in _catalogue(plan)]
    if address in known_ or address in pending:
        return address
    same = sorted({name for name in [*known_, *pending] if name.split("/", 1)[1] == address})
    if len(same) == 1:
        return same[0]
    if same:
        raise ConfigError(f"'{address}' is a label of several works: {', '.join(same)}")
    papers = sorted({name.split("/")[0] for name in [*known_, *pending]})
    if address in papers:
        raise ConfigError(f"'{address}' is a work; 'opchar list {address}' lists its artefacts")
    labels = [name.split("/", 1)[1] for name in known_]
    near = nearest(address, sorted({*known_, *pending, *(labels if "/" not in address else [])}))
    raise ConfigError(f"no artefact, experiment or statement '{address}'{near}")


def _artefact(plan: Plan, profile: str, address: str) -> list[str]:
    entry = plan.config.artefacts[address]
    folder = plan.exhibits_folder(profile, address).split("/", 2)[2]
    statements = [
        identifier
        for identifier, statement in plan.config.statements.items()
        if entry["experiment"] in [*statement["reads"], *statement.get("also_judged_on", [])]
    ]
    lines = [
        f"{address}  {entry['title']} ({_section(str(entry['section']))})",
        f"rule        show_study, from {entry['experiment']}",
        f"renderer    {_place(entry['renderer'])}",
        *_experiment(plan, profile, entry["experiment"]),
    ]
    if statements:
        lines.append(fit_line(f"statements  {' '.join(statements)}"))
    lines += [f"choice      {choice}" for choice in entry.get("choices", [])]
    lines += [f"output      {file}" for file in plan.artefact_files(profile, address)]
    tasks, experiment = Tasks(plan), entry["experiment"]
    exhibits = tasks.exhibits(profile, *folder.split("/", 1))
    state = _is_right([exhibits, tasks.experiment(profile, experiment)])
    lines.append(f"state       {state} in profile '{profile}'")
    return [*lines, f"make it     opchar run {address} --profile {profile}"]


def _experiment(plan: Plan, profile: str, address: str) -> list[str]:
    entry, read = plan.config.experiment(address, profile), plan.of_data(profile, address)
    return [
        f"experiment  {_place(entry['function'])}",
        f"its rule    run_{entry['kind']}",
        f"parameters  {json.dumps(entry['parameters'], default=str)}",
        *(f"input       {file}" for files in read.values() for file in files),
    ]


def _decided_note(entry: Mapping[str, Any]) -> str:
    when, _, commit = str(entry["criterion_set"]).partition(" ")
    if when == "undated":
        return when
    return f"set {when} results{f', in commit {commit}' if commit else ''}"


def _statement(plan: Plan, profile: str, identifier: str) -> list[str]:
    entry = plan.config.statements[identifier]
    lines = [
        f"{identifier}  a statement ({entry['basis']}, criterion {_decided_note(entry)})",
        f"rule        judge_statements, from {', '.join(entry['reads'])}",
        f"function    {_place(entry['function'])}",
        f"criterion   {entry['criterion']}",
        f"control     {_place(entry['control']['function'])}",
    ]
    paper = identifier.split(":")[0]
    lines.append(f"output      results/{profile}/statements/{paper}.csv")
    return lines


def _is_right(tasks: Iterable[Task]) -> str:
    """Return whether what some tasks make is made and right."""
    reasons = [reason for task in tasks if (reason := why_again(task))]
    if not reasons:
        return "made"
    return "to make" if reasons[0] == "not made yet" else f"stale ({reasons[0]})"


def _section(section: str) -> str:
    return section if section.startswith("slide") else f"Sec. {section}"


def _place(reference: str) -> str:
    """Return ``reference (file:line)``."""
    line = function(reference).line
    file = "" if is_file(reference) else f"{shown_file(reference)}:"
    return f"{reference}  ({file or 'line '}{line})"
