from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from opchar.errors import ConfigError, DataError
from opchar.files import write_json
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison import expected_verdicts
from opchar_reproduction.report.comparison.ledger import COLUMNS
from opchar_reproduction.report.comparison.published_values import read_lines
from opchar_reproduction.report.comparison.verdicts import MEANINGS

ROOT = Path(__file__).parents[3]


def ledger(**verdicts):
    rows = [
        dict.fromkeys(COLUMNS, "")
        | {"id": id_, "paper": "tharwat2018", "artefact": "table-1", "row": "A", "column": "AUC"}
        | {"verdict": verdict, "reason": "some reason"}
        for id_, verdict in verdicts.items()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def table(**verdicts):
    return ledger(**verdicts)[expected_verdicts.COLUMNS]


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("agrees", "differs", "worse"),
        ("agrees", "erratum", "worse"),
        ("agrees", "not comparable", "worse"),
        ("holds", "fails", "worse"),
        ("erratum", "differs", "worse"),
        ("erratum", "pending", "worse"),
        ("differs", "not comparable", "worse"),
        ("differs", "pending", "worse"),
        ("not comparable", "pending", "worse"),
        ("unavailable", "pending", "worse"),
        ("differs", "agrees", "better"),
        ("fails", "holds", "better"),
        ("pending", "not comparable", "better"),
        ("not comparable", "differs", "better"),
        ("erratum", "agrees", "other"),
        ("not comparable", "unavailable", "other"),
    ],
)
def test_what_is_worse_and_what_better(before, after, change):
    found = expected_verdicts.compare(ledger(a=after), table(a=before))
    assert list(found["change"]) == [change]


@pytest.mark.parametrize("verdict", MEANINGS)
def test_the_same_verdict_is_no_change(verdict):
    assert len(expected_verdicts.compare(ledger(a=verdict), table(a=verdict))) == 0


def test_a_lost_line_is_worse_and_a_new_one_neither():
    found = expected_verdicts.compare(ledger(b="agrees"), table(a="pending")).set_index("id")
    assert found.loc["a"].to_dict() | {"row": "A"} == found.loc["a"].to_dict()
    assert (found.loc["a", "change"], found.loc["a", "verdict"]) == ("worse", "missing")
    assert (found.loc["b", "change"], found.loc["b", "expected"]) == ("other", "missing")


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@cache
def configured(*papers):
    return load(ROOT, overrides={"papers": list(papers)} if papers else {})


def planned(folder, *papers):
    """Return a plan whose publications stand in a folder, so that a test may write to them."""
    config = configured(*papers)
    copies = {key: folder / key for key in config.publications}
    for each in copies.values():
        each.mkdir(exist_ok=True)
    return Plan(replace(config, publications=copies))


def ask(function, profile, plan, lines):
    return function(lines, plan.works(), profile, plan.provenance(profile))


@pytest.fixture
def plan(project):
    return planned(project)


def test_a_renewed_check_passes_until_a_verdict_falls(project, plan):
    lines = ledger(b="agrees", a="not comparable", c="pending").assign(reason="not built yet")
    assert ask(expected_verdicts.renew, "quick", plan, lines).endswith(": 3 verdicts")
    stored = pd.read_csv("tharwat2018/expected.csv", dtype=str, keep_default_na=False)
    assert list(stored["id"]) == ["a", "b", "c"]
    assert ask(expected_verdicts.check, "quick", plan, lines) == (
        False,
        ["3 verdicts as expected, 0 better, 0 other, 0 worse, 0 left out"],
    )
    fallen = ledger(b="differs", a="differs", c="pending").assign(reason="not built yet")
    regressed, said = ask(expected_verdicts.check, "quick", plan, fallen)
    assert regressed
    assert said[0] == "worse: b table-1 | A | AUC: agrees -> differs: not built yet"
    assert said[1] == "1 verdicts as expected, 1 better, 0 other, 1 worse, 0 left out"
    assert "opchar ledger --renew" in said[2]


def test_a_better_verdict_asks_for_renewal_and_passes(project, plan):
    ask(expected_verdicts.renew, "quick", plan, ledger(a="differs"))
    regressed, said = ask(expected_verdicts.check, "quick", plan, ledger(a="agrees"))
    assert not regressed
    assert said[0] == "0 verdicts as expected, 1 better, 0 other, 0 worse, 0 left out"
    assert "opchar ledger --renew" in said[1]


def test_a_line_that_a_built_artefact_leaves_out_fails_even_if_expected(project, plan):
    lines = ledger(a="pending").assign(reason="the experiment gives no such line")
    ask(expected_verdicts.renew, "quick", plan, lines)
    regressed, said = ask(expected_verdicts.check, "quick", plan, lines)
    assert regressed
    assert said[0] == "left out: a table-1 | A | AUC: the experiment gives no such line"


def test_fetched_data_are_no_ground_for_renewal(project, plan):
    write_json({"source": "stand-in", "stand_in": "noise"}, project / plan.raw("phoneme"))
    lines = ledger(a="agrees")
    ask(expected_verdicts.renew, "quick", plan, lines)
    write_json({"source": "mirror", "stand_in": None}, project / plan.raw("sonar"))
    assert expected_verdicts.fetched_sets(plan.provenance("quick")) == ["sonar"]
    with pytest.raises(ConfigError, match=r"fetched data \(sonar\): expected are the verdicts of"):
        ask(expected_verdicts.renew, "quick", plan, lines)
    regressed, said = ask(expected_verdicts.check, "quick", plan, ledger(a="agrees"))
    assert not regressed
    assert said[1].startswith("fetched data (sonar): ")


def test_other_profiles_have_no_expected_verdicts(project, plan):
    for act in (expected_verdicts.check, expected_verdicts.renew):
        with pytest.raises(ConfigError, match="belong to profile 'quick', not to 'tiny'"):
            ask(act, "tiny", plan, ledger(a="agrees"))


def test_only_the_chosen_works_are_checked(project):
    whole = planned(project)
    lines = pd.concat([ledger(a="agrees"), ledger(b="agrees").assign(paper="mullick2020")])
    ask(expected_verdicts.renew, "quick", whole, lines)
    part = planned(project, "tharwat2018")
    assert ask(expected_verdicts.check, "quick", part, ledger(a="agrees"))[0] is False
    ask(expected_verdicts.renew, "quick", part, ledger(a="differs"))
    assert ask(expected_verdicts.check, "quick", part, ledger(a="differs"))[0] is False
    assert list(
        expected_verdicts.read_expected({"mullick2020": project / "mullick2020"})["id"]
    ) == ["b"]


def test_a_missing_or_damaged_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"expected\.csv: not there"):
        expected_verdicts.read_expected({"p": tmp_path})
    (tmp_path / "expected.csv").write_text("id,verdict\n")
    with pytest.raises(DataError, match="its columns must be id, paper"):
        expected_verdicts.read_expected({"p": tmp_path})
    table(a="agres").to_csv(tmp_path / "expected.csv", index=False)
    with pytest.raises(DataError, match="no verdict 'agres'"):
        expected_verdicts.read_expected({"p": tmp_path})


def test_the_committed_verdicts_are_those_of_the_published_lines():
    stored = expected_verdicts.read_expected(folders())
    keys = expected_verdicts.COLUMNS[:-1]
    published = read_lines(folders()).sort_values("id").reset_index(drop=True)
    assert stored[keys].equals(published[keys])
