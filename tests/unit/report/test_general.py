"""The page of general claims: what was measured on each set, what the claims find there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from opchar.analysis.claims.listing import packaged_claims
from opchar.analysis.claims.tables import read_tables, scored_of
from opchar.errors import ScoresError
from opchar.pipeline.jobs.judging import general_claims as judging
from opchar.pipeline.jobs.making import general_claims as measuring
from opchar.pipeline.plan import Plan
from opchar.pipeline.tasks import Tasks
from opchar.report.content import Content
from opchar.report.pages import general
from opchar.report.pages import writing as pages
from opchar.scores import ScoreTable, write_scores
from reports import Page

# What the statements of a run say on the publication's data.
JUDGED = pd.DataFrame(
    {
        "id": ["mullick2020:0053", "mullick2020:0057"],
        "holds": [True, False],
        "support": [0.9, np.nan],
        "data": ["stand-in for x: drawn", "x"],
    }
)
MEASURES = list(dict.fromkeys(claim.measure for claim in packaged_claims()))


def table(model: str, classes: int, *, data: str = "here", rows: int = 120) -> ScoreTable:
    rng = np.random.default_rng(len(model) + classes)
    y = np.arange(rows) % classes if classes > 2 else (np.arange(rows) % 5 > 0).astype(int)
    raw = np.exp(2.0 * np.eye(classes)[y] + rng.normal(size=(rows, classes)))
    return ScoreTable(
        np.arange(rows) // (rows // 4),
        np.arange(rows),
        y,
        raw / raw.sum(axis=1, keepdims=True),
        tuple("abc"[:classes]),
        {"data": data, "model": model, "protocol_name": "p"},
    )


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What both jobs write for a set of two classes and one of three."""
    folder = tmp_path_factory.mktemp("general")
    sets = {"two": ["m", "other"], "three": ["m", "other", "third"]}
    scores = []
    for name, models in sets.items():
        for model in models:
            label = "stand-in for three: drawn" if name == "three" else name
            scores.append(folder / f"{name}-{model}.parquet")
            write_scores(table(model, 2 + (name == "three"), data=label), scores[-1])
    tables = [folder / "sets.csv", *(folder / f"{n}.parquet" for n in range(len(MEASURES)))]
    measuring.run(sets, MEASURES, 1, scores=scores, tables=tables)
    given = [vars(claim) for claim in packaged_claims()]
    judging.run(given, 5, 1, tables=tables, table=folder / "claims.csv")
    return folder / "claims.csv"


def read(claims: Path) -> pd.DataFrame:
    found = pd.read_csv(claims, keep_default_na=False, na_values={"support": [""]})
    return found.assign(title=found["set"].str.upper())


def test_every_claim_has_a_line_on_every_set(claims: Path) -> None:
    found = read(claims)
    assert [len(part) for _, part in found.groupby("set")] == [len(packaged_claims())] * 2
    asked = found[found["holds"] != "not asked"]
    assert set(asked.loc[asked["set"] == "two", "needs"].str.partition(",")[0]) == {"two classes"}
    assert asked["support"].between(0, 1).all()
    assert len(asked) == len(packaged_claims())


def test_the_tables_have_a_column_a_set_that_serves(claims: Path) -> None:
    two, more = general.tables(read(claims), JUDGED)
    assert [each["key"] for each in two["sets"]] == ["two"]
    assert [each["stand_in"] for each in more["sets"]] == [True]
    assert all(row["asked"] == 1 and len(row["cells"]) == 1 for row in two["rows"])
    assert len(two["rows"]) + len(more["rows"]) == len(packaged_claims())
    theirs = {row["id"]: row["there"] for part in (two, more) for row in part["rows"]}
    assert theirs["mullick2020:0053"] == {"holds": "holds", "support": 0.9, "stand_in": True}
    assert theirs["mullick2020:0057"] == {"holds": "fails", "support": None, "stand_in": False}
    assert theirs["mullick2020:0058"] is None, "a claim that the run does not judge"
    held = sum(row["held"] for part in (two, more) for row in part["rows"])
    assert held == (read(claims)["holds"] == "holds").sum()


@pytest.mark.check
def test_the_page_is_there_where_claims_were_asked(
    given: Content, folder: Path, claims: Path, tmp_path: Path
) -> None:
    pages.write(tmp_path / "with", replace(given, general=read(claims)))
    page = Page(tmp_path / "with/general.html")
    for claim in packaged_claims():
        assert claim.says in page.text
    assert "(substitute)" in "".join(page.text)
    assert 'href="general.html"' in (tmp_path / "with/index.html").read_text()
    assert not (folder / "general.html").exists()
    assert "general.html" not in (folder / "index.html").read_text()


def test_a_run_asks_of_what_it_trains_anyway(plan: Plan) -> None:
    trained = set(plan.trainings("quick"))
    asked = plan.claim_sets("quick")
    assert set(asked) == set(plan.config.general)
    for dataset, models in asked.items():
        wanted = {(dataset, plan.config.general[dataset], model) for model in models}
        assert wanted <= trained
        entry = plan.config.datasets[plan.origin(dataset)]
        assert "files" in entry, f"{dataset} is no public set"
    tasks = {task.rule: task for task in Tasks(plan).of_profile("quick")}
    assert set(tasks["measure_general"].inputs) == set(plan.asked_scores("quick"))
    assert set(tasks["judge_general"].inputs) == set(tasks["measure_general"].outputs)
    assert set(tasks["judge_general"].outputs) <= set(tasks["write_report"].inputs)
    assert set(plan.general_files("quick")) <= set(plan.everything("quick"))


def test_a_changed_claim_measures_nothing_again(plan: Plan) -> None:
    identifier = "mullick2020:0053"
    entry = plan.config.statements[identifier]
    form = entry["general"][0] | {"parameters": {"index": "Precision", "share": 0.9}}
    statements = plan.config.statements | {identifier: entry | {"general": [form]}}
    changed = Tasks(Plan(replace(plan.config, statements=statements)))
    before = Tasks(plan)
    assert str(changed.measure_general("quick")) == str(before.measure_general("quick"))
    assert str(changed.judge_general("quick")) != str(before.judge_general("quick"))
    assert str(changed.statements("quick", "mullick2020")) == str(
        before.statements("quick", "mullick2020")
    )


def test_without_such_sets_nothing_is_asked(plan: Plan) -> None:
    settings = plan.config.settings | {"papers": ["tharwat2018"]}
    few = Plan(replace(plan.config, settings=settings))
    assert few.general_files("quick") == []
    assert general.read_general(few.general_judged("quick"), few.config.datasets).empty


def test_tables_of_a_run_are_models_of_one_set(tmp_path: Path) -> None:
    tested = table("own", 3)
    names = np.array(["train", "test"], dtype=object)[np.arange(120) % 2]
    scored = scored_of({"m": replace(tested, test_set=names)}, "set")
    assert len(scored.y) == 60
    for wrong, message in (
        ({"m": replace(tested, member=np.zeros(120, int))}, "members of a pool"),
        ({"m": replace(tested, test_set=np.full(120, "other", object))}, "no 'test'"),
        ({"m": tested, "n": table("own", 3, rows=160)}, "on other objects"),
    ):
        with pytest.raises(ScoresError, match=message):
            scored_of(wrong, "set")
    for model in ("b", "a"):
        write_scores(table(model, 2), tmp_path / f"{model}.parquet")
    found = read_tables([tmp_path / "b.parquet", tmp_path / "a.parquet"])
    assert {name: list(each.models) for name, each in found.items()} == {"here, p": ["a", "b"]}
    with pytest.raises(ScoresError, match="twice"):
        read_tables([tmp_path / "a.parquet"] * 2)
