"""Which models one job trains: those whose score tables the same studies of publications read.

Starting Python and loading its libraries takes longer than most trainings of the profiles ``tiny``
and ``quick``. A study that reads one table of a job for a publication reads all of them. So after a
change a default run repeats no more than if each model had a job of its own. Models that only our
own studies read are grouped by these in the same way. Under ``paper`` each has a job, so that the
machines of a cluster share them. Models of a user's own studies have one each, too, so that adding
a study changes no other job.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from opchar.models.names import slug
from opchar_reproduction.project.plan import Plan

Table = tuple[str, str, str]
APART = "paper"


def training_groups(plan: Plan, profile: str) -> dict[str, list[Table]]:
    """Return the ``(data set, protocol, model)`` that each job trains, by its rule."""
    readers: dict[Table, set[str]] = defaultdict(set)
    for table, reader in _readers_of_tables(plan, profile):
        readers[table].add(reader)
    of_publications = {plan.config.artefacts[name]["experiment"] for name in plan.artefacts()}
    jobs: dict[object, list[Table]] = defaultdict(list)
    for table in sorted(readers):
        shared = frozenset(name for name in readers[table] if not name.startswith("own/"))
        alone = profile == APART or not shared
        together = shared & of_publications or shared
        jobs[table if alone else together].append(table)
    found: dict[str, list[Table]] = {}
    for key, tables in jobs.items():
        dataset, protocol, model = tables[0]
        words = ["train", dataset, protocol, *([slug(model)] if key == tables[0] else [])]
        first = rule = re.sub(r"\W", "_", "_".join(words))
        number = 1
        while rule in found:
            number += 1
            rule = f"{first}_{number}"
        found[rule] = tables
    return found


def _readers_of_tables(plan: Plan, profile: str) -> Iterator[tuple[Table, str]]:
    """Yield each score table with each job that measures something on it, by name."""
    for address in plan.config.experiments:
        entry = plan.config.experiment(address, profile)
        for group in entry.get("scores", []):
            for model in group["models"]:
                yield (group["data"], group["protocol"], str(model)), address


def subject(tables: list[Table]) -> str:
    """Return the first of the tables of a job, after which its log is called."""
    dataset, protocol, model = tables[0]
    return f"{dataset}/{protocol}/{slug(model)}"


def table_of(file: str | Path) -> tuple[str, str, str, str]:
    """Return profile, data set, protocol and the stem of the model of a score table's file."""
    *_, profile, dataset, protocol, name = Path(file).parts
    return profile, dataset, protocol, name.removesuffix(".parquet")
