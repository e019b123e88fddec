"""Each check finds a planted error in a copy of the facts, and nothing in clean ones."""

import pandas as pd
import pytest

from checkout import ROOT, publications
from opchar.cli import main
from opchar.errors import DataError
from opchar_reproduction import publication
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import LEADS
from opchar_reproduction.report.proofreading.checks import (
    CHECKS,
    Finding,
    findings,
    leads_found,
    undecided_findings,
)
from opchar_reproduction.report.proofreading.facts import COLUMNS, FOLDER, read_decided, read_facts


@pytest.fixture(scope="module")
def facts():
    return read_facts(folders())


@pytest.fixture(scope="module")
def decided():
    return read_decided(folders())


@pytest.fixture(scope="module")
def clean(facts):
    """The facts without what is known to be wrong in print."""
    wrong = {each.case for each in findings(facts)}
    references = facts.references
    known = [any(sentence in case for case in wrong) for sentence in references["sentence"]]
    abbreviations = facts.abbreviations[
        ~facts.abbreviations["short"].isin(["ROC", "FP_r^m", "NI", "FAR", "MOG"])
    ]
    names = facts.names.assign(
        name=facts.names["name"].replace({"Cbands": "CBands", "Satimage": "Satellite"})
    )
    return facts._replace(
        references=references[[not each for each in known]],
        abbreviations=abbreviations,
        names=names,
        orders=facts.orders[facts.orders["greater"] != "* / PairsG"],
    )


def new(check, changed):
    """Return what one check finds in changed facts."""
    return list(CHECKS[check][1](changed))


def line(facts, artefact, row, column):
    lines = facts.lines
    chosen = (lines["artefact"] == artefact) & (lines["row"] == row) & (lines["column"] == column)
    assert chosen.sum() == 1
    return chosen


def with_value(facts, artefact, row, column, value):
    chosen = line(facts, artefact, row, column)
    return facts._replace(lines=facts.lines.assign(value=facts.lines["value"].mask(chosen, value)))


def test_clean_facts_give_nothing(clean):
    assert findings(clean) == []
    assert all(len(getattr(clean, name)) > 10 for name in CHECKS)


def test_every_finding_is_decided_and_every_decision_is_found(facts, decided):
    assert undecided_findings(findings(facts), decided) == ([], [])
    assert not decided.duplicated(["check", "paper", "place", "case"]).any()
    assert (decided != "").all(axis=None)


@pytest.mark.parametrize(
    ("artefact", "row", "column", "value"),
    [
        (
            "text-3.2.5-confusion-3",
            "single: cotton->veget 5.00% / true veget",
            "estimated red",
            "0.0699",
        ),
        ("table-4.9", "Delve / vs Greedy", "Won", "27"),
        ("eq-4.38", "xi_{1,j}", "xi_{i,2}", "0.0230"),
        ("eq-4.17", "Phi*", "phi_2", "0.9125"),
    ],
)
def test_a_row_that_does_not_add_up_is_found(clean, artefact, row, column, value):
    rows = clean.lines.loc[clean.lines["artefact"] == artefact, "row"]
    row = next(each for each in rows if each == row or each.endswith(row.lstrip("*")))
    assert len(new("sums", with_value(clean, artefact, row, column, value))) == 1


def test_rounding_is_allowed(clean):
    changed = with_value(clean, "eq-4.38", "xi_{1,j}", "xi_{i,2}", "0.0228")
    assert new("sums", changed) == []


@pytest.mark.parametrize(
    ("artefact", "row", "column", "value"),
    [
        ("table-4.4", "Letter / Naive", "Median", "0.027"),
        ("table-4.4", "Letter / Naive", "Mean", "0.002"),
        ("table-4.9", "Delve / vs Greedy", "Lost significant (95%)", "25"),
        ("table-6.1", "Banana / Gauss + LDC H", "Cost 1 [5, 5, 10]", "0.082"),
        ("table-roc-thresholds", "t_2 = 0.82", "FPR", "0.1"),
    ],
)
def test_a_lesser_value_that_is_greater_is_found(clean, artefact, row, column, value):
    assert new("orders", with_value(clean, artefact, row, column, value))


def test_a_refinement_that_is_worse_is_found(facts, clean):
    whole = clean._replace(orders=facts.orders)
    before = len(new("orders", whole))
    changed = with_value(whole, "table-4.4", "Letter / PairsG", "Median", "0.023")
    assert len(new("orders", changed)) == before + 1


def test_a_name_that_stands_twice_is_found(clean):
    name = clean.names["name"].mask(clean.names["name"] == "NOT a OR b", "a OR NOT b")
    assert new("names", clean._replace(names=clean.names.assign(name=name)))


def test_a_row_label_that_stands_twice_is_found(clean):
    name = clean.names["name"].mask(clean.names["name"] == "sc-qdc", "sc-ldc")
    assert len(new("names", clean._replace(names=clean.names.assign(name=name)))) == 1


def test_lists_of_the_same_that_differ_are_found(clean):
    chosen = clean.names["list"].eq("data sets of Table 4.9") & clean.names["name"].eq("Nist")
    names = clean.names.assign(name=clean.names["name"].mask(chosen, "NIST"))
    assert len(new("names", clean._replace(names=names))) == 1


@pytest.mark.parametrize(
    ("short", "stands_for"),
    [("AUC", "average of the costs"), ("XYZ", ""), ("MOG", "mixture of gaussians classifier")],
)
def test_an_abbreviation_that_is_not_used_as_defined_is_found(clean, short, stands_for):
    row = {"paper": "landgrebe2007", "short": short, "where": "9", "stands_for": stands_for}
    more = pd.concat([clean.abbreviations, pd.DataFrame([row])], ignore_index=True)
    assert len(new("abbreviations", clean._replace(abbreviations=more))) == 1


@pytest.mark.parametrize("kind", ["figure", "table", "equation", "section"])
def test_a_label_that_is_used_twice_is_found(clean, kind):
    labels = clean.labels
    first = labels[(labels["kind"] == kind) & (labels["paper"] == "landgrebe2007")].head(1)
    twice = pd.concat([labels, first.assign(where="9.9")], ignore_index=True)
    assert len(new("labels", clean._replace(labels=twice))) == 1


@pytest.mark.parametrize("kind", ["figure", "table", "equation", "section"])
def test_a_reference_to_what_is_not_there_is_found(clean, kind):
    references = clean.references
    first = references.index[references["kind"] == kind][0]
    changed = references.assign(label=references["label"].mask(references.index == first, "9.99"))
    ((_, _, case),) = new("references", clean._replace(references=changed))
    assert case == f"there is no {kind} 9.99"


def test_references_that_lead_to_the_next_label_are_found(clean):
    """All but a few: those whose sentence tells them from the next by no word."""
    labels, wrong = clean.labels, []
    for line in clean.references.to_dict("records"):
        same = labels[(labels["paper"] == line["paper"]) & (labels["kind"] == line["kind"])]
        order = list(same["label"])
        following = order[(order.index(line["label"]) + 1) % len(order)]
        wrong.append(line | {"label": following})
    found = new("references", clean._replace(references=pd.DataFrame(wrong)))
    assert len(found) > 0.97 * len(wrong)


def test_facts_are_complete(facts):
    for name in COLUMNS:
        table = getattr(facts, name)
        needed = table.drop(columns=["same_as", "greater", "stands_for", "shows"], errors="ignore")
        assert (needed != "").all(axis=None), name
    # Each label that is referred to says what it shows.
    shown = facts.labels.set_index(["paper", "kind", "label"])["shows"]
    keys = facts.references[["paper", "kind", "label"]].itertuples(index=False)
    assert all(shown[tuple(key)] for key in keys)


def test_the_command_tells_findings_and_fails_on_a_new_one(tmp_path, monkeypatch, capsys):
    copies = publications(tmp_path)
    monkeypatch.setattr(publication, "HOME", tmp_path)
    monkeypatch.chdir(ROOT)
    assert main(["proofread"]) == 0
    said = capsys.readouterr().out
    assert "Figure 8" in said
    assert "not decided" not in said
    path = copies["landgrebe2007"] / FOLDER / "references.csv"
    path.write_text(path.read_text().replace(",figure,2.3,", ",figure,2.99,", 1))
    assert main(["proofread", "--paper", "landgrebe2007"]) == 1
    assert "not decided: landgrebe2007, " in capsys.readouterr().out
    leads = leads_found(copies)
    assert list(leads.columns) == LEADS
    assert (leads["decision"] == "undecided").sum() == 1


def test_a_decision_whose_finding_is_gone_is_told(facts, decided):
    found = [each for each in findings(facts) if each.place != "NI"]
    new_ones, gone = undecided_findings(found, decided)
    assert new_ones == []
    assert [each.place for each in gone] == ["NI"]
    assert isinstance(gone[0], Finding)


def test_an_unknown_decision_is_named(tmp_path):
    copies = publications(tmp_path)
    path = copies["landgrebe2007"] / FOLDER / "decisions.csv"
    path.write_text(path.read_text().replace(",notation,", ",perhaps,", 1))
    with pytest.raises(DataError, match="perhaps"):
        read_decided(copies)
