"""Same words, same evidence: what a reason may say beside its verdict, kind by kind."""

import re
from pathlib import Path

import pandas as pd
import pytest

from checkout import ROOT
from opchar.errors import DataError
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison import ledger
from opchar_reproduction.report.comparison.causes import CAUSE_MARKS, proven
from opchar_reproduction.report.comparison.published_values import (
    ERRATA,
    read_causes,
    read_errata,
    read_lines,
)
from opchar_reproduction.report.comparison.verdicts import REPRODUCED
from opchar_reproduction.results import Results

KEPT = pd.read_csv(ROOT / "docs/agreement.csv", dtype=str, keep_default_na=False).set_index("id")
LINES = read_lines(folders()).set_index("id")
OPEN = re.compile(
    r"unexplained|not found|no (?:variant|reading|choice) (?:gives|explains|has)", re.I
)
CAUSE = {"computed", "beside"}


def test_a_cause_names_no_failure_to_find_one():
    entries = read_causes(folders())
    named = entries[entries["kind"].isin(CAUSE)]
    assert not [cause for cause in named["cause"] if OPEN.search(cause)]
    assert OPEN.search("; the areas of this model stay unexplained")


def test_a_cause_reads_at_once_after_its_mark():
    """The mark ends in a colon, so that the cause has none; what was tried begins as a thing."""
    entries = read_causes(folders())
    assert not [cause for cause in entries["cause"] if ":" in cause]
    tried = entries.loc[entries["kind"] == "looked for", "cause"].str.split(";").str[0]
    verbs = re.compile(r"\b(?:are|lies|gives|has|moves?|depends|needs)\b")
    assert not [first for first in tried if verbs.search(first)]
    assert verbs.search("the sphere and its radius move the volume more than the model does")


@pytest.mark.parametrize("back", [0, 4, 6, 9])
def test_a_reason_names_a_cause_or_what_was_tried_and_never_both(back):
    """A cause that its variant does not bring back is told as the variant that was tried."""
    line = {"paper": "p", "artefact": "t", "row": "a", "column": "b"}
    lines = [line | {"id": str(number)} for number in range(10)]
    entry = {**line, "kind": "computed", "variant": "law: rows", "cause": "rows differ in size"}
    cells = {(str(number), "law: rows"): 1.0 if number < back else 3.0 for number in range(10)}
    verdicts = {str(number): "differs" for number in range(10)}
    (found,) = proven([entry | {"evidence": "t"}], lines, verdicts, cells)
    mark = CAUSE_MARKS[found["kind"]]
    assert mark.startswith("cause") == ("rows differ in size" in found["cause"]) == (back >= 5)
    assert f"{back} of 10 lines" in found["cause"]


def test_no_reason_writes_zero_as_a_power_of_ten():
    """An exact zero was "0.0e+00" in the evidence of claims."""
    files = (ROOT / "src/opchar_reproduction/publications").rglob("*.py")
    assert not [path for path in files if re.search(r":\.[01]e\}", path.read_text("utf-8"))]
    assert f"{0.0:.2g} {1.1e-16:.2g}" == "0 1.1e-16"


# Whose density, data or parameters cannot be read: publication, label, start of the rows.
UNREADABLE = [
    ("landgrebe2007", "table-2.1", ""),
    ("landgrebe2007", "text-2.2.4", ""),
    ("landgrebe2007", "text-2.2.5", ""),
    ("landgrebe2007", "figure-2.3", ""),
    ("landgrebe2007", "table-3.5", "Banana"),
    ("landgrebe2007", "table-6.1", "Banana"),
    ("mullick2020", "figure-2c", ""),
    ("mullick2020", "figure-2f", ""),
]


@pytest.mark.parametrize(("work", "label", "start"), UNREADABLE)
def test_what_rests_on_what_cannot_be_read_is_not_comparable(work, label, start):
    chosen = LINES[(LINES["paper"] == work) & (LINES["artefact"] == label)]
    chosen = chosen[chosen["row"].str.startswith(start)].index
    assert len(chosen)
    assert set(KEPT.loc[chosen, "verdict"]) == {"not comparable"}


def test_illustrations_and_stand_ins_are_compared_in_no_line():
    beside = KEPT[KEPT["basis"].isin(["illustration", "stand-in"])]
    assert len(beside) > 150
    assert set(beside["verdict"]) <= {"not comparable", "unavailable"}


def test_inputs_agree_in_no_line():
    inputs = KEPT[KEPT["basis"] == "input"]
    assert len(inputs) > 200
    assert not set(inputs["verdict"]) & set(REPRODUCED)
    assert set(inputs["outcome"]) == {"not testable"}


def only(kind, value, ours, **given):
    line = {"id": "p:0001", "paper": "p", "artefact": "t", "row": "a", "column": "b"}
    published = pd.DataFrame([line | {"kind": kind, "value": value, "claim": "", "unit": ""}])
    errata = given.pop("errata", [])
    built = ledger.build(
        published.assign(std="", where=""),
        ours.frame().assign(paper="p"),
        pd.DataFrame(errata, columns=ERRATA).fillna(""),
        {"p/t"},
    )
    return built.iloc[0]


@pytest.mark.parametrize("basis", ["input", "illustration", "stand-in"])
def test_what_equals_the_print_agrees_only_where_it_is_evidence(basis):
    ours, proof = Results(), Results()
    ours.number("t", "a", "b", 0.5, basis=basis, data="banana" if basis == "input" else "")
    proof.number("t", "a", "b", 0.5, basis="exact")
    found = only("number", "0.50", ours)
    assert found["verdict"] == ("input" if basis == "input" else "not comparable")
    assert found["outcome"] == "not testable"
    assert not re.search("within|agree|same|z =", found["reason"])
    assert only("number", "0.50", proof)["verdict"] == "agrees"


def test_an_erratum_has_the_value_that_the_work_gives(tmp_path: Path):
    errata = read_errata(folders())
    numbers = errata[errata["id"].isin(LINES.index[LINES["kind"] == "number"])]
    wrong = numbers[numbers["verdict"] == "erratum"]
    assert wrong["corrected"].astype(float).notna().all() and len(wrong) > 20
    assert not (numbers[numbers["verdict"] == "inconsistent"]["corrected"]).any()
    entry = dict.fromkeys(ERRATA, "some") | {"paper": "p", "corrected": "", "verdict": "erratum"}
    (tmp_path / "errata.csv").write_text(pd.DataFrame([entry]).to_csv(index=False))
    with pytest.raises(DataError, match="has no corrected value; give it, or the verdict 'incons"):
        read_errata({"p": tmp_path})
