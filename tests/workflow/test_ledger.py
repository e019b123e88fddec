"""The ledger of a run: shown, summed up, kept for the next run, and touchy about wrong numbers."""

import pandas as pd
import pytest

from checkout import Project
from ledger_mutation import mutate, unnoticed_changes, verdict_of
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.variants import variant_changes
from opchar_reproduction.report.comparison.sources import read_sources
from opchar_reproduction.report.comparison.summaries import SATISFIED

pytestmark = pytest.mark.workflow

REPORT = "results/tiny/report"


@pytest.fixture
def ledger(made: Project) -> pd.DataFrame:
    return pd.read_csv(made.folder / REPORT / "ledger.csv", dtype=str, keep_default_na=False)


def test_lines_are_chosen_and_shown(made: Project, ledger: pd.DataFrame) -> None:
    words = ("--profile", "tiny", "--paper", "tharwat2018", "--verdict", "erratum", "--reasons")
    done = made.look("ledger", *words)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    wanted = ledger[(ledger["paper"] == "tharwat2018") & (ledger["verdict"] == "erratum")]
    assert len(wanted)
    assert [line.split()[0] for line in said[1:-1:2]] == list(wanted["id"])
    assert [line.strip() for line in said[2:-1:2]] == list(wanted["reason"])
    assert said[-1] == f"{len(wanted)} lines: {len(wanted)} erratum"


def test_only_the_quick_profile_is_checked(made: Project) -> None:
    done = made.look("ledger", "--profile", "tiny", "--check")
    assert done.returncode == 1
    assert done.stderr == (
        "opchar: the expected verdicts belong to profile 'quick', not to 'tiny'\n"
    )
    done = made.look("ledger", "--check")
    assert done.returncode == 1
    assert "results/quick/report/ledger.csv: not made yet" in done.stderr


def test_the_summaries_lie_beside_the_ledger(made: Project, ledger: pd.DataFrame) -> None:
    artefacts = pd.read_csv(made.folder / REPORT / "by-artefact.csv")
    assert artefacts["lines"].sum() == len(ledger)
    assert {"built", "not built"} <= set(artefacts["state"])
    assert "incomplete" not in set(artefacts["state"])
    assert artefacts["pending"].sum() == (ledger["verdict"] == "pending").sum()
    causes = pd.read_csv(made.folder / REPORT / "by-cause.csv")
    assert causes["lines"].sum() == (~ledger["verdict"].isin(SATISFIED)).sum()
    comparisons = pd.read_csv(made.folder / REPORT / "multiple-comparisons.csv")
    random = (ledger["z"] != "") & ledger["verdict"].isin(["agrees", "differs"])
    works = comparisons[comparisons["level"] == "work"]
    assert works["lines"].sum() == random.sum()


def test_a_printed_number_changed_by_a_tenth_loses_its_agreement(made: Project) -> None:
    plan = Plan(load(made.folder, overrides={"profile": "tiny"}))
    results = [made.folder / path for path in plan.results("tiny")]
    judged = [made.folder / path for path in plan.statement_tables("tiny")]
    sources = read_sources(
        plan.works(),
        {name: plan.config.artefacts[name] for name in plan.profile_artefacts("tiny")},
        results=results,
        statements=judged,
    )
    found = mutate(*sources, size=50, seed=2018)
    print("\n".join(verdict_of(found)))
    assert len(found) == 50
    assert list(unnoticed_changes(found)["id"]) == []
    assert found["flipped"].sum() >= 40


def test_variants_are_run_weighed_and_shown(made: Project, ledger: pd.DataFrame) -> None:
    weights = pd.read_csv(made.folder / "results/tiny/variants/landgrebe2007.csv")
    table = weights[weights["artefact"] == "table-2.3"]
    tried = variant_changes(load(made.folder).experiments["landgrebe2007/p-roc"]["variants"])
    assert len(table) == len(tried)
    assert list(table.loc[table["is_primary"] & table["same_as"].isna(), "variant"]) == ["primary"]
    assert table.loc[table["same_as"].isna(), "weight"].sum() == pytest.approx(1)
    lines = ledger[(ledger["artefact"] == "table-2.3") & (ledger["variant"] != "")]
    assert set(lines["variants"]) == {str(table["variants"].iloc[0])}
    assert "table-2.3" in (made.folder / REPORT / "variants.html").read_text(encoding="utf-8")
    done = made.look("variants", "landgrebe2007/table-2.3", "--profile", "tiny")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"landgrebe2007/table-2.3: {len(tried)} variants, ")
