"""A study's figures and tables drawn again from made results, by its job alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path

from opchar.errors import OpcharError, nearest
from opchar_reproduction.project.closure import SOURCE, is_file, is_ours, sources
from opchar_reproduction.project.configuration.config import CONFIGS, write_resolved
from opchar_reproduction.project.environment import job_environment, mirror
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.runs.state import METADATA

# Seconds between two looks at the files of a study.
PAUSE = 0.1


def draw(plan: Plan, profile: str, address: str, settings: Mapping[str, str]) -> list[str]:
    """Run the job that makes a figure or table, and return the files that it wrote.

    It is the job of a run, in the environment of a run, so that the bytes are the same, and its
    record says so. Snakemake's own notes of the files go: without notes it goes by times.
    """
    rule = _rule_of(plan, profile, address)
    task = Tasks(plan).exhibits(profile, rule)
    results, curves = plan.artefact_sources(profile, address)
    if missing := [file for file in (results, curves) if not Path(file).is_file()]:
        raise OpcharError(f"{missing[0]}: not made yet; 'opchar run {address}' makes it")
    kinds = {plan.config.artefacts[name]["kind"] for name in plan.exhibits(profile)[rule]}
    work = address.split("/")[0]
    published = plan.published_files("values", work=work) if "table" in kinds else []
    plan.config.settings["mirrors"] = plan.mirrors(mirror())
    given = json.dumps(dict(settings) | {"mirrors": plan.config.settings["mirrors"]})
    words = [
        *(sys.executable, "-P", str(SOURCE / "pipeline/jobs/__main__.py")),
        *("--config", str(write_resolved(plan.config, CONFIGS)), "--root", str(plan.config.root)),
        *("--settings", given, "exhibits", "--job", str(task), "--rule", rule),
        *("--profile", profile, "--results", results, "--curves", curves),
        *("--published", *map(str, published if work != "own" else [])),
        *("--output", *task.outputs),
    ]
    for file in task.outputs:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        (METADATA / b64encode(file.encode(), altchars=b"_-").decode()).unlink(missing_ok=True)
    if subprocess.run(words, env=job_environment(os.environ), check=False).returncode:
        raise OpcharError(f"{address}: not drawn")
    return plan.artefact_files(profile, address)


def _rule_of(plan: Plan, profile: str, address: str) -> str:
    """Return the rule whose job makes a figure or table."""
    shown = plan.exhibits(profile)
    found = next((rule for rule, names in shown.items() if address in names), None)
    if found is None:
        known = [name for names in shown.values() for name in names]
        raise OpcharError(f"no figure or table '{address}'{nearest(address, known)}")
    return found


def changes(plan: Plan, profile: str, address: str) -> Iterator[None]:
    """Yield each time that a file has changed of those that the job of an artefact can read."""
    functions = Tasks(plan).exhibits(profile, _rule_of(plan, profile, address)).functions
    files = [_file_of(name) for name in sources().closure(*functions)]
    files += [Path(file) for file in plan.artefact_sources(profile, address)]
    known = _times(files)
    while True:
        time.sleep(PAUSE)
        if (now := _times(files)) != known:
            known = now
            yield


def _file_of(name: str) -> Path:
    """Return the file that a closure names."""
    if is_file(name) or not is_ours(name.replace("/", ".")):
        return Path(name)
    place = SOURCE.parent / name
    return next(
        (p for p in (place, place.with_suffix(".py"), place / "__init__.py") if p.is_file()), place
    )


def _times(files: list[Path]) -> list[int]:
    return [file.stat().st_mtime_ns if file.is_file() else 0 for file in files]
