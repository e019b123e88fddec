"""Charts and condensed evidence on their own."""

import re

import pytest

from opchar_reproduction.report.charts import dumbbells
from opchar_reproduction.report.drawing import draw
from opchar_reproduction.report.pages.parts.items import condense_reasons


def line(place: int, published: str, reproduced: str, **more: str) -> dict[str, object]:
    said = {"kind": "number", "published": published, "published_std": "", "reproduced": reproduced}
    said |= {"std": "0.1", "n": "10", "z": "1", "sharpness": "0.5", "shown": "matches"}
    said |= {"column": "AUC", "row": f"model {place}", "reproduced_text": reproduced}
    return said | {"place": place} | more


def places(drawing: str) -> tuple[float, float]:
    """Return where the published and the reproduced value stand, in per cent."""
    found = re.findall(r'cx="([\d.]+)%" cy="9" r="4" class="(\w+)', drawing)
    values = {kind: float(place) for place, kind in found}
    return values["published"], values["reproduced"]


def test_a_dumbbell_has_both_values_on_one_axis_and_the_largest_deviation_first():
    lines = [line(0, "1", "2"), line(1, "3", "3", z="0"), line(2, "0", "4", z="-5")]
    (group,) = dumbbells(lines)
    assert [row["line"]["place"] for row in group["rows"]] == [2, 0, 1]
    both = {row["line"]["place"]: places(row["drawing"]) for row in group["rows"]}
    assert both[1][0] == both[1][1]
    # One unit is the same distance in every row.
    unit = both[0][1] - both[0][0]
    assert both[2][1] - both[2][0] == pytest.approx(4 * unit, rel=0.01)
    assert both[2][0] < both[0][0] < both[1][0] < both[2][1]


def test_both_spreads_stand_on_the_axis_of_their_values():
    drawn = dumbbells([line(n, "1", "2", published_std="0.5", std="0.5") for n in range(3)])
    (spread,) = {
        tuple(re.findall(r'x1="([\d.]+)%" x2="([\d.]+)%" y1="(?:7|11)"', row["drawing"]))
        for row in drawn[0]["rows"]
    }
    published, reproduced = (tuple(map(float, ends)) for ends in spread)
    # The axis reaches from 0.5 to 2.5: each spread is half of it, and they meet in its middle.
    assert published == (2.0, 50.0)
    assert reproduced == (50.0, 98.0)


def test_positive_values_of_very_different_size_are_on_a_logarithmic_axis():
    lines = [line(n, str(10.0**n), str(2 * 10.0**n), std="", sharpness="") for n in range(4)]
    (group,) = dumbbells(lines)
    assert group["logarithmic"]
    gaps = [right - left for left, right in (places(row["drawing"]) for row in group["rows"])]
    assert gaps == pytest.approx([gaps[0]] * 4, rel=0.01)


def test_only_measured_numbers_have_a_dumbbell():
    exact = {"std": "", "n": "", "z": ""}
    assert dumbbells([line(n, "1", "1", **exact) for n in range(5)]) == []
    assert dumbbells([line(n, "-", "nan") for n in range(5)]) == []
    assert len(dumbbells([line(n, "1", "1") for n in range(3)])) == 1


def test_a_bar_has_a_segment_for_each_outcome_that_leads_to_its_values():
    found = {"differs": 2, "matches": 6, "compatible": 0, "not testable": 5}
    address = "ledger.html#work=p"
    drawn = draw("bar", counts=found, longest=16, address=address, what="values of p")
    assert re.findall(r"width:([\d.]+)%", drawn) == ["37.5", "12.5"]
    assert 'href="ledger.html#work=p&amp;outcome=differs"' in drawn


def test_evidence_that_values_share_is_told_once():
    long = "C is above A by 0.12 and above B by 0.08 in each of the ten hold-outs, see the table"
    long += " of differences"
    lines = [{"reason": f"z = 1; {long}"}, {"reason": long}, {"reason": "z = 2; short"}]
    assert condense_reasons(lines) == [{"letter": "A", "text": long, "values": 2}]
    assert [each["told"] for each in lines] == ["z = 1", "", "z = 2; short"]
    assert [each["shared"] for each in lines] == [["A"], ["A"], []]
    alone = [{"reason": long}]
    assert condense_reasons(alone) == []
    assert alone[0]["told"] == long
