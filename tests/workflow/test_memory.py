"""No job takes more memory than it asks a cluster for."""

import json
from pathlib import Path

import pytest

from checkout import ROOT
from opchar_reproduction.project.plan import Plan

pytestmark = pytest.mark.workflow

# What each command of a job asks for.
KINDS = {
    "fetch": "fetch",
    "features": "features",
    "train": "train",
    "measure": "experiment",
    "variants": "experiment",
    "exhibits": "artefact",
    "statements": "statements",
    "compare": "statements",
    "ledger": "ledger",
    "explorer": "report",
    "report": "report",
}


def test_every_kind_of_job_asks_for_memory() -> None:
    schema = json.loads((ROOT / "config/schemas/config.schema.json").read_text("utf-8"))
    named = schema["properties"]["resources"]["propertyNames"]["enum"]
    assert {*KINDS.values(), "default"} == set(named)


def test_jobs_stay_under_what_they_ask_for(ran: Path, plan: Plan) -> None:
    """Each job of the shared run has told its peak at its end."""
    peaks: dict[str, list[float]] = {command: [] for command in KINDS}
    for log in (ran / "opened").iterdir():
        first, *_, kibibytes = log.read_text(encoding="utf-8").splitlines()
        words = json.loads(first)
        peaks[next(word for word in words if word in KINDS)].append(int(kibibytes) * 1024 / 1e6)
    assert all(peaks.values()) and sum(map(len, peaks.values())) >= 60
    for command, kind in KINDS.items():
        assert min(peaks[command]) > 10
        assert max(peaks[command]) < plan.config.resources(kind)["mem_mb"], command
