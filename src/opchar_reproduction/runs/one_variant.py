"""One artefact under one variant of its experiment, in a folder of its own."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError
from opchar_reproduction.project import records
from opchar_reproduction.project.configuration.model import lookup
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.project.variants import PRIMARY, declared_name, variant_changes


def tasks(plan: Plan, profile: str, address: str, variant: str) -> tuple[Task, Task]:
    """Return the tasks of an artefact under a variant: its experiment, and itself."""
    name = lookup(plan.config.artefacts, address, "artefact")["experiment"]
    changes = variant_changes(plan.config.experiments[name].get("variants", {"dimensions": {}}))
    if len(changes) == 1:
        raise ConfigError(f"{name} declares no variants")
    chosen = declared_name(variant, changes)
    folder = Path(f"results/{profile}/variants/{address}") / _slug(chosen)
    first, second = Tasks(plan).experiment(profile, name), Tasks(plan).artefact(profile, address)
    parameters = first.given["entry"]["parameters"] | changes[chosen]
    entry = first.given["entry"] | {"parameters": parameters}
    made = tuple((folder / f"experiment.{kind}").as_posix() for kind in ("csv", "parquet"))
    shown = tuple((folder / Path(file).name).as_posix() for file in second.outputs)
    named = f"{address}, {chosen}"
    return (
        replace(first, name=named, given=first.given | {"entry": entry}, outputs=made),
        replace(second, name=named, outputs=shown, read={"results": made[:1], "curves": made[1:]}),
    )


def make(plan: Plan, profile: str, address: str, variant: str) -> list[Path]:
    """Make a figure or table from its experiment under another variant, and record it."""
    # Planning asks this module too, and draws nothing.
    from opchar_reproduction.jobs.making import experiment
    from opchar_reproduction.jobs.showing import figure, table

    first, second = tasks(plan, profile, address, variant)
    data: dict[str, Any] = {name: [*map(Path, files)] for name, files in first.read.items()}
    lines, curves = (Path(file) for file in first.outputs)
    read = records.check_inputs(map(Path, first.inputs))
    experiment.run(**first.given, **data, table=lines, curves=curves)
    records.write(lines, str(first), read, [lines, curves])
    files = [Path(file) for file in second.outputs]
    if plan.config.artefacts[address]["kind"] == "figure":
        read = records.check_inputs([lines, curves])
        figure.run(**second.given, results=lines, curves=curves, files=files)
    else:
        published = Path(*plan.published_files("values", work=address.split("/")[0]))
        read = records.check_inputs([lines, published])
        table.run(**second.given, results=lines, published=[published], files=files)
    records.write(files[0], str(second), read, files)
    return files


def variant_tasks(plan: Plan, profile: str) -> Iterator[Task]:
    """Yield the tasks of all artefacts that stand under other variants in a profile's folder."""
    for address in plan.artefacts():
        folder = Path(f"results/{profile}/variants/{address}")
        declared = plan.config.experiments[plan.config.artefacts[address]["experiment"]]
        if "variants" not in declared or not folder.is_dir():
            continue
        for name in variant_changes(declared["variants"]):
            if name != PRIMARY and (folder / _slug(name)).is_dir():
                yield from tasks(plan, profile, address, name)


def _slug(variant: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", variant.casefold()).strip("-")
