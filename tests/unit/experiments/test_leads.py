"""Every lead is decided once, by a test that exists."""

import re

import pytest

from checkout import ROOT
from leads import LEADS
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_errata

DECISIONS = {"error", "inconsistent", "notation", "undecided", "correct"}
SUSPECTED = """
J4 J5 J6 J7 J8 J10 J11 J12 J13 J14 J17 J18 J19 J20 J21 J22 J23 J24 J25 J26 J27 J28 J29 J30 J35
C1 C2 C3 C5 C6 C7
I1 I2 I3 I4 I5 I6 I7 I8 I9 I10 I12 I13 I15 I16 I18 I19
T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T16 T19 T21 T23 T25 T26 T27 T28 T29 T30 T31 T32 T33
T34 T35 T40 T41 T44 T47 T50 T51 T53 T54 T56 T58 T59 T61 T62 T64 T65
U4 U5 U6 U7 U8 U9 U10 U11 U13
"""


def test_columns_and_keys():
    assert list(LEADS.columns) == ["lead", "paper", "place", "decision", "evidence", "test"]
    assert LEADS["lead"].is_unique
    assert set(LEADS["decision"]) <= DECISIONS
    assert (LEADS != "").all(axis=None)


@pytest.mark.parametrize("lead", LEADS.to_dict("records"), ids=lambda lead: lead["lead"])
def test_the_test_of_a_decision_exists_and_computes_its_evidence(lead):
    path, _, name = lead["test"].partition("::")
    source = (ROOT / path).read_text(encoding="utf-8")
    function, _, parameter = name.partition("[")
    assert re.search(rf"^def {function}\(", source, flags=re.MULTILINE)
    assert f'"{lead["lead"]}"' in source
    assert not parameter or parameter == f"{lead['lead']}]"


def test_every_suspicion_is_decided():
    """The others were found on reading again, or by comparing the works' numbers."""
    suspected = SUSPECTED.split()
    assert len(suspected) == 100
    assert set(suspected) <= set(LEADS["lead"])


def test_mistakes_of_the_thesis_and_of_mullick2020_are_errata():
    errata = set("; ".join(read_errata(folders())["test"]).split("; "))
    both = LEADS[LEADS["paper"].isin(["landgrebe2007", "mullick2020"])]
    wrong = both[both["decision"].isin(["error", "inconsistent"])]
    assert len(wrong) > 50
    for lead in wrong.to_dict("records"):
        assert lead["test"] in errata, lead["lead"]


def test_every_mistake_found_on_rereading_is_an_erratum():
    """Leads of published lines are errata under the line's id; the others under their own."""
    errata = set("; ".join(read_errata(folders())["test"]).split("; "))
    later = LEADS[LEADS["test"].str.contains("found_later")]
    for lead in later[later["decision"].isin(["error", "inconsistent"])].to_dict("records"):
        assert lead["test"] in errata, lead["lead"]
