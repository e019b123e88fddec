"""What can be made, what it is made of, and what has been made: answers of the command line."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from pathlib import Path

from opchar.codehash import source_tree
from opchar.config import known
from opchar.errors import ConfigError, nearest
from opchar.plan import Plan
from opchar.running import UNKNOWN_SECONDS, Step, dry_run, duration, read_timings


def artefacts(plan: Plan, profile: str, paper: str | None = None) -> list[str]:
    """Return one line for every artefact of the works, built or not.

    Parameters
    ----------
    plan : Plan
    profile : str
        Whose files to look for.
    paper : str, optional
        Only this work.

    Raises
    ------
    ConfigError
        If there is no such work.
    """
    with Path("data/published/artefacts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    papers = sorted({row["paper"] for row in rows})
    if paper and paper not in papers:
        raise ConfigError(f"no work '{paper}' among {', '.join(papers)}{nearest(paper, papers)}")
    described = {f"{row['paper']}/{row['artefact']}": row for row in rows}
    lines = []
    for address in [*described, *(a for a in plan.config.artefacts if a not in described)]:
        if paper in (None, address.split("/")[0]):
            entry = plan.config.artefacts.get(address)
            title = entry["title"] if entry else described[address]["caption_in_own_words"]
            kind = entry["kind"] if entry else "-"
            lines.append(f"{_state(plan, profile, address):8} {kind:7} {address:44} {title}")
    return lines


def _state(plan: Plan, profile: str, address: str) -> str:
    if address not in plan.config.artefacts:
        return "pending"
    made = all(Path(file).exists() for file in plan.artefact_files(profile, address))
    return "made" if made else "to make"


def describe(plan: Plan, profile: str, address: str) -> list[str]:
    """Return what stands behind an artefact: rule, functions, parameters, inputs, files, state.

    Raises
    ------
    ConfigError
        If there is no such artefact.
    """
    entry = known(plan.config.artefacts, address, "artefact")
    experiment = plan.config.experiment(entry["experiment"], profile)
    rule = "draw_figure" if entry["kind"] == "figure" else "lay_out_table"
    lines = [
        f"{address}  {entry['title']} ({_section(str(entry['section']))})",
        f"rule        {rule}, from {entry['experiment']} (rule run_{experiment['kind']})",
        f"renderer    {_place(entry['renderer'])}",
        f"experiment  {_place(experiment['function'])}",
        f"parameters  {json.dumps(experiment['parameters'], default=str)}",
    ]
    inputs = [
        *plan.experiment_scores(profile, entry["experiment"]),
        *plan.experiment_features(entry["experiment"]),
    ]
    lines += [f"input       {file}" for file in inputs]
    lines += [f"choice      {choice}" for choice in entry.get("choices", [])]
    lines += [f"output      {file}" for file in plan.artefact_files(profile, address)]
    lines.append(f"state       {_state(plan, profile, address)} in profile '{profile}'")
    lines.append(f"make it     opchar run {address} --profile {profile}")
    return lines


def _section(section: str) -> str:
    return section if section.startswith("slide") else f"Sec. {section}"


def _place(reference: str) -> str:
    """Return ``reference (file:line)``."""
    module = reference.split(":")[0]
    path = source_tree().path(module).relative_to(source_tree().source.parent.parent)
    return f"{reference}  ({path}:{source_tree().function(reference).line})"


def state(plan: Plan, profile: str, settings: Mapping[str, str]) -> list[str]:
    """Return what is done, what would be made again and why, and the time that may take."""
    waiting = [step for step in dry_run([], settings) if step.wildcards or step.log]
    total = len(plan.wanted(profile))
    stale = {step.wildcards["label"] for step in waiting if "label" in step.wildcards}
    lines = [f"profile '{profile}': {total - len(stale)} of {total} artefacts up to date"]
    lines += [f"  {step.name}: {_why(step)}" for step in waiting]
    timings = read_timings()
    seconds = sum(timings.get(step.name, UNKNOWN_SECONDS) for step in waiting)
    if waiting:
        cores = os.cpu_count() or 1
        lines.append(f"{len(waiting)} jobs, about {duration(seconds / cores)} on {cores} cores")
    return lines


def _why(step: Step) -> str:
    """Return Snakemake's reason without the names of temporary hashes."""
    reason = step.reason
    if "Params have changed" in reason:
        return "its code or configuration changed"
    return reason[:1].lower() + reason[1:]
