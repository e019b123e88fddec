import json
import math

import numpy as np
import pandas as pd
import pytest

from ledger_mutation import mutate
from opchar.errors import DataError
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison import ledger, totals
from opchar_reproduction.report.comparison.outcomes import SAYS_NOTHING, count_outcomes, tally
from opchar_reproduction.report.comparison.published_values import ERRATA, LINES, read_lines
from opchar_reproduction.report.comparison.verdicts import MEANINGS
from opchar_reproduction.results import Results


def line(number, artefact="table-1", row="A", column="AUC", **more):
    known = {
        "id": f"some2000:{number:04}",
        "paper": "some2000",
        "artefact": artefact,
        "row": row,
        "column": column,
        "kind": "number",
    }
    return dict.fromkeys(LINES, "") | known | more


def build(published, results=None, errata=(), built=("some2000/table-1",), statements=None):
    frame = (results or Results()).frame().assign(paper="some2000")
    wrong = pd.DataFrame([dict.fromkeys(ERRATA, "") | entry for entry in errata], columns=ERRATA)
    lines = pd.DataFrame(published, columns=LINES)
    return ledger.build(lines, frame, wrong, set(built), statements)


def only(*arguments, **options):
    found = build(*arguments, **options)
    assert len(found) == 1
    return found.iloc[0]


def judged(**changed):
    said = {"id": "some2000:0001", "holds": True, "evidence": "0.1 < 0.2", "basis": "exact"}
    said |= {"data": "none (analytic)", "criterion_set": "undated", "control": "exchanged"}
    said |= {"control_fails": True, "support": 0.975, "units": "fold"}
    return pd.DataFrame([said | changed])


def number(value, **more):
    results = Results()
    results.number("table-1", "A", "AUC", value, **more)
    return results


def test_a_number_stands_beside_the_printed_one():
    found = only([line(1, value="0.94", unit="fraction")], number(0.9401))
    assert found["verdict"] == "agrees"
    assert (found["published"], found["reproduced"], found["unit"]) == (
        "0.94",
        "0.9401",
        "fraction",
    )
    assert found["data"] == "none (analytic)"
    assert list(found.index) == ledger.COLUMNS


def test_the_reproduced_text_reads_back_to_the_same_bits():
    found = only([line(1, value="0.333")], number(1 / 3))
    assert float(found["reproduced"]) == 1 / 3


def test_spread_and_repeats_are_kept():
    found = only([line(1, value="0.94", std="0.02")], number(0.95, std=0.03, n=10))
    assert (found["published_std"], found["std"], found["n"]) == ("0.02", "0.03", "10")
    assert found["reason"].startswith("z = +0.85")
    # (0.95 - 0.94) / sqrt((0.02**2 + 0.03**2) / 10 + 0.01**2 / 12)
    assert float(found["z"]) == pytest.approx(0.8502, abs=1e-4)
    assert found["spread"] == "both"


def test_a_deterministic_number_has_no_z():
    found = only([line(1, value="0.94")], number(0.9401))
    assert (found["z"], found["spread"]) == ("", "last digit")


def test_a_line_that_is_not_compared_has_neither_z_nor_spread():
    found = only([line(1, value="0.94")], number(0.9, std=0.01, n=5, data="stand-in for iris"))
    assert (found["verdict"], found["z"], found["spread"]) == ("not comparable", "", "")
    assert only([line(1, value="0.94")])["spread"] == ""


def test_the_unit_of_a_count_brings_its_binomial_noise():
    published = [line(1, value="19", unit="of 50 scenarios")]
    found = only(published, number(25.0))
    assert (found["verdict"], found["spread"]) == ("agrees", "binomial")
    assert only([line(1, value="19", unit="count")], number(25.0))["verdict"] == "differs"
    assert only([line(1, value="0.38")], number(0.5, unit="fraction of 50 objects"))["z"] != ""


def test_lines_wait_for_their_artefact():
    assert only([line(1, value="1")], built=()).reason == "not built yet"
    found = only([line(1, value="1")])
    assert (found["verdict"], found["reason"]) == ("pending", "the experiment gives no such line")


def test_lines_of_another_kind_are_not_judged():
    found = only([line(1, kind="claim", claim="A is best")], number(1.0))
    assert found["verdict"] == "pending"
    assert found["reason"] == "the experiment gives a number where the publication has a claim"


def test_results_keyed_to_nothing_published_are_passed_over():
    results = number(0.94)
    results.number("table-1", "A", "exact AUC", 0.9399)
    assert only([line(1, value="0.94")], results)["verdict"] == "agrees"


@pytest.mark.parametrize(("truth", "verdict"), [(True, "holds"), (False, "fails")])
def test_statements_carry_their_evidence(truth, verdict):
    claim = line(1, row="trend", column="", kind="claim", claim="it rises")
    said = {"holds": truth, "support": float(truth), "evidence": "largest step 0.02"}
    found = only([claim], statements=judged(**said))
    assert (found["verdict"], found["reason"]) == (verdict, "largest step 0.02")
    assert (found["published"], found["reproduced"]) == ("it rises", verdict)


def test_texts_and_dashes():
    results = Results()
    results.text("table-1", "A", "AUC", "Fisherm QDC")
    published = line(1, kind="text", value="fisherm qdc")
    assert only([published], results)["verdict"] == "agrees"
    assert only([published | {"value": "ldc"}], results)["verdict"] == "differs"
    assert only([line(1, kind="text", value="-")], number(np.nan))["verdict"] == "agrees"
    assert only([line(1, kind="text", value="-")], number(0.5))["verdict"] == "pending"


def test_stand_ins_are_never_compared():
    data = "stand-in for phoneme (two Gaussian classes)"
    found = only([line(1, value="0.94")], number(0.94, data=data))
    assert found["verdict"] == "not comparable"
    assert found["reason"] == f"computed from {data}"


def test_a_stand_in_among_real_data_is_found():
    found = only([line(1, value="0.94")], number(0.94, data="sonar, stand-in for phoneme"))
    assert found["verdict"] == "not comparable"
    assert found["reason"] == "computed from stand-in for phoneme"
    real = only([line(1, value="0.94")], number(0.94, data="sonar (no stand-in needed)"))
    assert real["verdict"] == "agrees"


def test_each_stand_in_is_counted_by_its_name():
    results = number(0.94, data="stand-in for a (x, y); stand-in for b")
    results.number("table-1", "B", "AUC", 0.5, data="iris; stand-in for b")
    found = build([line(1, value="0.94"), line(2, row="B", value="0.5")], results)
    assert totals.stand_ins(found) == {"stand-in for b": 2, "stand-in for a (x, y)": 1}


def test_a_statement_on_a_stand_in_says_what_it_gave_there():
    data = {"basis": "stand-in", "data": "stand-in for COX Face"}
    claim = line(1, row="best", column="", kind="claim", claim="IBC is best")
    found = only([claim], statements=judged(holds=False, evidence="F 0.5", **data))
    assert found["verdict"] == "not comparable"
    assert found["reason"] == "computed from stand-in for COX Face; there it fails; F 0.5"
    parts = json.dumps([{"says": "IBC, over all", "holds": False, "fails_on": ""}] * 2)
    twice = data | {"data": "stand-in for COX Face; stand-in for COX Face", "leaves": parts}
    found = only([claim], statements=judged(holds=False, evidence="F 0.5", **twice))
    assert found["reason"] == (
        "computed from stand-in for COX Face; there it fails in 2 of 2 parts: 'IBC, over all', "
        "'IBC, over all'; F 0.5"
    )


def test_inputs_are_compared_whatever_the_data():
    results = Results()
    results.number("table-1", "A", "TP (input)", 71, data="stand-in for x", basis="input")
    wrong = only([line(1, column="TP (input)", value="70")], results)
    assert (wrong["verdict"], wrong["basis"]) == ("differs", "input")
    assert only([line(1, column="TP (input)", value="71")], results)["verdict"] == "input"


def test_an_illustration_confirms_nothing():
    found = build([line(1, value="0.94")], number(0.94, basis="illustration"))
    assert found.iloc[0]["verdict"] == "not comparable"
    assert found.iloc[0]["reason"].startswith("an illustration")
    assert found.iloc[0]["outcome"] == "not testable"


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "holds"),
        ({"support": math.nan}, "holds"),
        ({"support": 0.94}, "not comparable"),
        ({"holds": False, "support": 0.025}, "fails"),
        ({"holds": False, "support": 0.06}, "not comparable"),
        ({"holds": False}, "not comparable"),
        ({"control_fails": False}, "not comparable"),
        ({"basis": "illustration"}, "not comparable"),
        ({"basis": "stand-in", "data": "stand-in for x"}, "not comparable"),
    ],
)
def test_a_judged_statement_decides_its_claim(changed, verdict):
    published = pd.DataFrame([line(1, row="trend", kind="claim", claim="it rises")], columns=LINES)
    nothing, wrong = Results().frame().assign(paper="some2000"), pd.DataFrame(columns=ERRATA)
    found = ledger.build(published, nothing, wrong, {"some2000/table-1"}, judged(**changed)).iloc[0]
    assert found["verdict"] == verdict
    assert found["criterion_set"] == "undated"


def test_a_claim_of_several_parts_says_which_of_them_fail():
    published = pd.DataFrame([line(1, row="trend", kind="claim", claim="both")], columns=LINES)
    nothing, wrong = Results().frame().assign(paper="some2000"), pd.DataFrame(columns=ERRATA)
    parts = [
        {"says": "A is above B", "holds": True, "fails_on": "exchanged"},
        {"says": "B falls", "holds": False, "fails_on": "reversed"},
    ]
    claim = judged(holds=False, support=0.0, leaves=json.dumps(parts))
    found = ledger.build(published, nothing, wrong, {"some2000/table-1"}, claim).iloc[0]
    assert (found["verdict"], found["leaves"]) == ("fails", "1 of 2")
    assert found["reason"] == "fails in 1 of 2 parts: 'B falls'; 0.1 < 0.2"


def test_a_wrong_claim_is_told_with_what_is_right():
    claim = line(1, row="best", column="", kind="claim", claim="A wins below 0.6")
    entry = {"id": "some2000:0001", "corrected": "B wins", "why": "the envelopes say so"}
    told = judged(holds=False, support=0.0, evidence="B 1 of 1")
    found = only([claim], statements=told, errata=[entry])
    assert found["reason"] == "corrected: B wins; the envelopes say so; B 1 of 1"


def test_an_inconsistency_needs_no_corrected_value():
    entry = {"id": "some2000:0001", "verdict": "inconsistent", "why": "the text has 0.8"}
    found = only([line(1, value="0.94")], number(0.7), errata=[entry])
    assert (found["verdict"], found["reason"]) == ("inconsistent", "the text has 0.8")
    assert only([line(1, value="0.94")], number(0.94), errata=[entry])["verdict"] == "agrees"


def test_what_can_confirm_is_counted_apart_from_what_does():
    results = number(0.94)
    results.number("table-1", "B", "AUC", 0.7)
    results.number("table-1", "C", "AUC", 0.9, std=1.0, n=2)
    results.number("table-1", "D", "AUC", 0.9, basis="input")
    published = [line(1, value="0.94"), line(2, row="B", value="0.50")]
    published += [line(3, row="C", value="0.9"), line(4, row="D", value="0.9")]
    found = build(published, results)
    row = count_outcomes(tally(found), "all")
    assert {name: count for name, count in row.items() if count} == {
        "tested": 2,
        "matches": 1,
        "differs": 1,
        "not testable": 2,
    }
    # A standard error above the value says nothing.
    assert list(found["detail"])[2:] == [SAYS_NOTHING, "printed as an input"]
    assert totals.by_basis(found).loc["input", "input"] == 1
    assert float(found.iloc[0]["sharpness"]) == pytest.approx(0.005 / 0.94, rel=1e-3)


def test_unavailable_data_are_named():
    found = only([line(1, value="1")], number(np.nan, data="unavailable: road sign (private)"))
    assert found["verdict"] == "unavailable"
    assert found["reason"] == "unavailable: road sign (private)"


ERRATUM = {"id": "some2000:0001", "printed": "1", "corrected": "0.88", "why": "eq 3 gives 0.88"}


@pytest.mark.parametrize(
    ("value", "verdict"), [(0.8796, "erratum"), (1.0, "agrees"), (0.70, "differs")]
)
def test_an_erratum_must_contradict_print_and_agree_with_the_correction(value, verdict):
    found = only([line(1, value="1.00")], number(value), errata=[ERRATUM | {"printed": "1.00"}])
    assert found["verdict"] == verdict


def test_an_erratum_with_too_few_digits_is_compared_with_those_of_the_correction():
    found = only([line(1, value="1")], number(0.8796), errata=[ERRATUM])
    assert found["verdict"] == "erratum"
    assert only([line(1, value="1")], number(1.001), errata=[ERRATUM])["verdict"] == "agrees"


def test_an_erratum_tells_why():
    found = only([line(1, value="1.36")], number(0.7368), errata=[ERRATUM | {"corrected": "0.74"}])
    assert found["reason"] == "eq 3 gives 0.88 (corrected: 0.74)"


def test_a_false_statement_listed_as_erratum():
    published = [line(1, row="end", column="", kind="claim", claim="ends in Pr")]
    for truth, verdict in ((False, "erratum"), (True, "differs")):
        said = judged(holds=truth, evidence="0.8889 against 1")
        assert only(published, errata=[ERRATUM], statements=said)["verdict"] == verdict


def test_an_erratum_without_line_is_an_error():
    with pytest.raises(DataError, match="no published line has the id 'some2000:0001'"):
        build([line(2, value="1")], errata=[ERRATUM])


def test_an_erratum_of_a_formula_needs_no_line():
    formula = ERRATUM | {"id": "some2000:J25"}
    assert only([line(2, value="1")], errata=[formula])["verdict"] == "pending"


def test_a_result_line_given_differently_by_two_experiments_is_an_error():
    frame = pd.concat([number(value).frame().assign(paper="some2000") for value in (0.9, 0.8)])
    published = pd.DataFrame([line(1, value="0.9")], columns=LINES)
    with pytest.raises(DataError, match=r"two experiments .* some2000 \| table-1 \| A \| AUC"):
        ledger.build(published, frame, pd.DataFrame(columns=ERRATA), set())


def test_an_unreadable_published_number_is_named():
    with pytest.raises(DataError, match=r"line some2000:0001: '0,9' is not a number"):
        build([line(1, value="0,9")], number(0.9))


@pytest.fixture(scope="module")
def published():
    return read_lines(folders())


def perfect(published):
    parts = []
    for paper, lines in published.groupby("paper", sort=False):
        results = Results()
        for entry in lines.to_dict("records"):
            key = entry["artefact"], entry["row"], entry["column"]
            if entry["kind"] == "number":
                results.number(*key, float(entry["value"]))
            elif entry["kind"] == "text":
                results.text(*key, entry["value"])
        parts.append(results.frame().assign(paper=paper))
    return pd.concat(parts, ignore_index=True)


def test_every_committed_line_has_a_verdict(published):
    results, errata = perfect(published), pd.DataFrame(columns=ERRATA)
    claims = published[published["kind"] == "claim"]["id"]
    said = pd.concat([judged(id=name) for name in claims], ignore_index=True)
    found = ledger.build(published, results, errata, set(), said)
    assert list(found["id"]) == list(published["id"])
    assert set(found["verdict"]) == {"agrees", "holds"}
    assert found.equals(ledger.build(published, results, errata, set(), said))


def test_every_committed_number_without_spread_changed_by_a_tenth_flips(published):
    results, errata = perfect(published), pd.DataFrame(columns=ERRATA)
    found = mutate(published, results, errata, set(), size=50, seed=7)
    assert len(found) == 50
    exact = found[found["spread"] == "last digit"]
    assert len(exact) > 20
    assert exact["flipped"].all()


def test_labels_built_follows_the_lines_of_an_artefact():
    artefacts = {"p/figure-4": {"lines": ["figure-4a", "text-3.2"]}, "p/table-1": {"lines": None}}
    assert ledger.labels_built(artefacts) == {"p/figure-4a", "p/text-3.2", "p/table-1"}


def test_totals_and_closing_lines():
    results = number(0.94, data="stand-in for phoneme")
    results.number("table-1", "B", "AUC", 0.5)
    published = [line(1, value="0.94"), line(2, row="B", value="0.50"), line(3, row="C", value="1")]
    found = build(published, results)
    table = totals.totals(found)
    assert list(table.index) == ["some2000", "all"]
    expected = {"agrees": 1, "not comparable": 1, "pending": 1, "lines": 3}
    assert table.loc["all"].to_dict() == dict.fromkeys(MEANINGS, 0) | expected
    assert totals.summary_lines(found, "results/quick/report/index.html") == [
        "3 published values and claims: 1 matches, 0 compatible, 0 differs, "
        "0 wrong or contradictory, 2 not testable",
        "verdicts: 1 agrees, 1 not comparable, 1 pending",
        "stand-in data: stand-in for phoneme (1 lines)",
        "report: results/quick/report/index.html",
    ]


def test_closing_lines_without_stand_ins():
    assert totals.summary_lines(build([line(1, value="1")]), "x")[2] == "stand-in data: none"
