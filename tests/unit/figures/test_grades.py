"""Each figure is graded as it is drawn now, and the command notices one that is not."""

import runpy

import pytest

from checkout import ROOT
from opchar_reproduction.project.plan import Plan

FIGURES = runpy.run_path(str(ROOT / "tools/figures.py"))
PAGE = (ROOT / "tools/figure-grades.csv").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def drawn(plan: Plan) -> dict[str, str]:
    return FIGURES["digests"](plan)


def test_each_figure_is_graded_and_keeps_every_point_of_the_list(drawn) -> None:
    assert FIGURES["complaints"](PAGE, drawn) == []
    grades = [grade for grade, _, _ in FIGURES["graded"](PAGE).values()]
    assert len(grades) == len(drawn) > 100
    assert set(grades) == {"A"}


def test_a_new_a_changed_and_a_lost_figure_are_noticed(drawn) -> None:
    first, second, *_ = drawn
    page = FIGURES["regraded"](PAGE, drawn, [first], "B", "seen")
    assert FIGURES["graded"](page)[first] == ("B", "seen", drawn[first])
    changed = drawn | {first: "00000000", "work/new": "11111111"}
    del changed[second]
    assert FIGURES["complaints"](page, changed) == [
        "work/new: not graded",
        f"{first}: drawn by other code than when it was graded",
        f"{second}: there is no such figure",
    ]
