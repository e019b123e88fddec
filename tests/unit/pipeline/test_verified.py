"""`verify` sees what was added and what is gone; views of the ledger say when it was changed."""

import shutil
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.files import write_text
from opchar_reproduction.project import records
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.runs.state import State, ledger_behind

LEDGER = Path("results/tiny/report/ledger.csv")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """A folder with a ledger and a page that jobs have recorded, and a score table."""
    plan = Plan(load(ROOT, {"policy": "offline", "profile": "tiny"}, check=False))
    monkeypatch.chdir(tmp_path)
    page = LEDGER.with_name("index.html")
    (table,) = plan.targets("tiny", "scores")[:1]
    for path in (LEDGER, page, Path(table)):
        write_text("as made", path)
        records.write(path, "job", {}, [path])
    return plan


def faults(plan: Plan) -> dict[str, str]:
    return {file: fault for file, fault in State(plan, "tiny").verify() if fault}


def test_what_no_job_made_is_named(plan: Plan) -> None:
    assert faults(plan) == {}
    added = [LEDGER.with_name("more.html"), Path("results/tiny/own.csv"), Path("results/tiny/x/y")]
    for path in added:
        write_text("added", path)
    for place in ("config", "nowhere"):
        added.append(LEDGER.with_name(f"link-to-{place}"))
        added[-1].symlink_to(Path(place).resolve())
    Path("config").mkdir()
    assert faults(plan) == {path.as_posix(): "no job made it" for path in added}


def test_results_that_are_gone_are_named(plan: Plan) -> None:
    shutil.rmtree("results")
    assert faults(plan) == {"results/tiny": "nothing of it is there, though its data are"}
    shutil.rmtree("data")
    assert faults(plan) == {}, "never run"


@pytest.mark.parametrize("damage", ["changed", "record gone"])
def test_a_ledger_that_is_not_as_its_job_wrote_it_is_named_first(plan: Plan, damage: str) -> None:
    assert ledger_behind(plan, "tiny") == ""
    if damage == "changed":
        LEDGER.write_text("other")
    else:
        records.place_of(LEDGER).unlink()
    assert ledger_behind(plan, "tiny").startswith(f"{LEDGER} is not as its job wrote it")
