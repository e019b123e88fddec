"""Every lead is decided once, by a test that exists."""

import re

import pytest

from checkout import ROOT
from leads import LEADS

DECISIONS = {"error", "inconsistent", "notation", "correct"}


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


def test_every_mistake_found_on_rereading_is_an_erratum():
    """Leads of published lines are errata under the line's id; the others under their own."""
    errata = (ROOT / "data/published/errata.csv").read_text(encoding="utf-8")
    later = LEADS[LEADS["test"].str.contains("found_later")]
    for lead in later.to_dict("records"):
        assert lead["test"] in errata, lead["lead"]
