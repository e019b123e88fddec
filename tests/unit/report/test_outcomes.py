"""The five outcomes of a line, and that no other count of the report contradicts them."""

import math

import pandas as pd
import pytest

from opchar_reproduction.report.comparison import outcomes
from opchar_reproduction.report.comparison.outcomes import (
    CONTRADICTION,
    EXTREME,
    IMPLIED,
    OTHER_PROTOCOL,
    OUTCOMES,
    PROVEN,
    SAYS_NOTHING,
    TESTED,
    UNDECIDED,
    outcome_of,
)
from opchar_reproduction.report.comparison.verdicts import MEANINGS
from opchar_reproduction.report.marks import AGAINST, SIGNS, shown_verdict

LINE = {
    "kind": "number",
    "verdict": "agrees",
    "agreement": "equivalent",
    "basis": "data",
    "apart": "",
    "published": "0.71",
    "reproduced": "0.712",
    "unit": "fraction",
    "spread": "both",
    "sharpness": "0.02",
    "within": "0.01",
    "margin": "0.02",
}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, ("matches", "")),
        ({"published": "0", "reproduced": "0"}, ("matches", EXTREME)),
        ({"published": "50", "reproduced": "50", "unit": "of 50 scenarios"}, ("matches", EXTREME)),
        ({"published": "100", "reproduced": "100", "unit": "% of 9 sets"}, ("matches", EXTREME)),
        ({"published": "49", "reproduced": "49", "unit": "of 50 scenarios"}, ("matches", "")),
        ({"published": "0", "reproduced": "0.01"}, ("matches", "")),
        ({"agreement": "not distinguishable"}, ("compatible", "")),
        ({"agreement": "not distinguishable", "sharpness": "1.2"}, ("not testable", SAYS_NOTHING)),
        ({"agreement": "not distinguishable", "sharpness": ""}, ("compatible", "")),
        ({"agreement": "not distinguishable", "spread": "last digit"}, ("matches", "")),
        ({"agreement": "not distinguishable", "spread": "tolerance"}, ("compatible", "")),
        ({"verdict": "agrees otherwise"}, ("differs", OTHER_PROTOCOL)),
        ({"verdict": "holds otherwise", "kind": "claim"}, ("differs", OTHER_PROTOCOL)),
        ({"verdict": "differs"}, ("differs", "")),
        ({"verdict": "fails", "kind": "claim"}, ("differs", "")),
        ({"verdict": "holds", "kind": "claim", "agreement": ""}, ("matches", "")),
        ({"verdict": "erratum", "basis": "stand-in"}, ("wrong or contradictory", PROVEN)),
        (
            {"verdict": "inconsistent", "apart": "property"},
            ("wrong or contradictory", CONTRADICTION),
        ),
        ({"apart": "complement"}, ("not testable", IMPLIED)),
        ({"verdict": "differs", "apart": "complement"}, ("not testable", IMPLIED)),
        ({"apart": "measured"}, ("matches", "")),
        ({"verdict": "input", "basis": "input"}, ("not testable", "printed as an input")),
        ({"verdict": "unavailable", "basis": "exact"}, ("not testable", "data not public")),
        ({"verdict": "pending", "basis": ""}, ("not testable", "not built")),
        ({"verdict": "not comparable", "basis": "stand-in"}, ("not testable", "stand-in data")),
        ({"verdict": "not comparable", "basis": "data"}, ("not testable", UNDECIDED)),
    ],
)
def test_each_kind_of_line_has_its_outcome(change, found):
    assert outcome_of(LINE | change) == found


def ledger(*changes):
    lines = pd.DataFrame([{"paper": "a2000", **LINE, **change} for change in changes])
    return outcomes.with_outcomes(lines)


def test_the_tally_counts_each_line_once():
    lines = ledger({}, {"verdict": "differs"}, {"basis": "exact"}, {"verdict": "input"})
    table = outcomes.tally(lines)
    for paper in ("a2000", "all"):
        found = outcomes.count_outcomes(table, paper)
        assert sum(found[name] for name in OUTCOMES) == len(lines)
        assert found["tested"] == sum(found[name] for name in TESTED) == 3
    assert outcomes.count_outcomes(table, "all", "experiment", "values")["tested"] == 2
    assert outcomes.count_outcomes(table, "all", "formula", "values")["matches"] == 1
    assert outcomes.count_outcomes(table, "all", "formula", "claims")["tested"] == 0


ZEROS = {"published": "0.00", "reproduced": "0.0"}


def counted(number, ends=0):
    return {"all": number, "ends": ends}


def test_margins_move_the_count_and_infinite_ones_take_all_that_agrees():
    lines = ledger({}, ZEROS | {"within": "0.03", "agreement": "not distinguishable"})
    found = outcomes.by_margin(lines, (0.25, 1.0, 2.0, math.inf))
    assert found == {0.25: counted(0), 1.0: counted(1), 2.0: counted(2, 1), math.inf: counted(2, 1)}


def test_equal_digits_are_those_of_the_print():
    lines = ledger(ZEROS, {"reproduced": "0.7049"}, {"published": "0.7", "reproduced": "0.7049"})
    last, second = counted(2, 1), counted(2, 1)
    found = outcomes.equal_digits(lines)
    assert found == {"numbers": counted(3, 1), "all digits": last, "two decimals": second}
    assert outcomes.count_outcomes(outcomes.tally(lines), "all")["ends"] == 1


@pytest.mark.parametrize("verdict", MEANINGS)
@pytest.mark.parametrize("basis", ["data", "exact", "stand-in"])
@pytest.mark.parametrize("agreement", ["equivalent", "not distinguishable"])
def test_the_mark_of_a_line_says_what_its_outcome_says(verdict, basis, agreement):
    """What the pages count as not matching is what the first page counts."""
    line = LINE | {"verdict": verdict, "basis": basis, "agreement": agreement}
    if verdict in ("holds", "holds otherwise", "fails"):
        line["kind"] = "claim"
    outcome = outcome_of(line)[0]
    shown = shown_verdict(line | {"outcome": outcome})
    assert shown in SIGNS
    assert (shown in AGAINST) == (outcome in ("differs", "wrong or contradictory"))
    assert (shown in ("matches", "holds")) == (outcome == "matches")
    assert (shown == "compatible") == (outcome == "compatible")
