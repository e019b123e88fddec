"""A new table with one claim is at most five edits in three files, as CONTRIBUTING lists them."""

from pathlib import Path

import pandas as pd
import pytest

from checkout import ROOT
from opchar_reproduction.jobs.judging import ledger, statements
from opchar_reproduction.jobs.making import experiment
from opchar_reproduction.jobs.showing import table
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from publications import KEY, written

STUDY = "section4/twenty_instances.py"
# Each edit: the file, what stands before the new text, and the new text.
EDITS = [
    (
        "values.csv",
        "",
        f"{KEY}:0006,{KEY},table-9,all thresholds,highest TPR,number,1,,fraction,Sec. 4,\n"
        f"{KEY}:0007,{KEY},table-9,,,claim,,,,Sec. 4,all positives can be accepted\n",
    ),
    ("catalogue.csv", "", f"{KEY},table-9,table,extremes of the curve,4\n"),
    (
        STUDY,
        "    results = Results()\n",
        '    results.number("table-9", "all thresholds", "highest TPR", points["tpr"].max())\n',
    ),
    (
        STUDY,
        "",
        """

def without_the_last(measured: Measurements) -> Measurements:
    return measured.with_frame("points", lambda it: it[it["tpr"] < 1])


@statement(
    "0007",
    criterion="a threshold has a TPR of 1",
    criterion_set="after",
    control=Control(without_the_last, "points with a TPR of 1 left out"),
)
def all_can_be_accepted(measured: Measurements) -> Finding:
    highest = measured.frame("points")["tpr"].max()
    return Finding(highest == 1, f"the highest TPR is {highest:g}")
""",
    ),
    (STUDY, "", '\n\ntable("table-9", title="Extremes", section="4", caption="Of the curve.")\n'),
]


def apply(folder: Path) -> None:
    for file, after, new in EDITS:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert after in text
        at = text.index(after) + len(after) if after else len(text)
        path.write_text(text[:at] + new + text[at:], encoding="utf-8")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.chdir(tmp_path)
    apply(written(tmp_path))
    return Plan(load(ROOT, {"papers": [], "publications": [KEY]}, here="."))


def test_the_edits_are_few() -> None:
    assert len(EDITS) <= 5
    assert len({file for file, _, _ in EDITS}) <= 3
    listed = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    for file in ("`values.csv`", "`catalogue.csv`", "study's file"):
        assert file in listed


def test_they_make_the_table_judge_the_claim_and_enter_the_ledger(plan: Plan) -> None:
    tasks, name = Tasks(plan), f"{KEY}/twenty-instances"
    files = tuple(Path(file) for file in plan.experiment_files("quick", name))
    lines, curves = files
    given = tasks.experiment("quick", name).given
    experiment.run(**given, scores=[], features=[], table=lines, curves=curves)
    judged = Path(*plan.statement_tables("quick"))
    given = tasks.statements("quick", KEY).given
    statements.run(**given, results=[lines], curves=[curves], table=judged)
    shown = [Path(file) for file in plan.artefact_files("quick", f"{KEY}/table-9")]
    published = [Path(*plan.published_files("values"))]
    given = tasks.artefact("quick", f"{KEY}/table-9").given
    table.run(**given, results=lines, published=published, files=shown)
    assert "highest TPR" in shown[0].read_text(encoding="utf-8")
    book, *summaries = [Path(file) for file in plan.ledger_files("quick")]
    ledger.run(
        **tasks.ledger("quick").given,
        results=[lines],
        statements=[judged],
        weights=[],
        published=published,
        table=book,
        summaries=summaries,
    )
    verdicts = pd.read_csv(book, dtype=str).set_index("id")["verdict"]
    assert verdicts[f"{KEY}:0006"] == "agrees"
    assert verdicts[f"{KEY}:0007"] == "holds"
    assert set(verdicts) == {"agrees", "holds"}
