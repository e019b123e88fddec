"""What a run took, by kind of work, and the studies that cost more than before."""

from __future__ import annotations

import runpy

import pytest

from checkout import ROOT
from opchar_reproduction.project.task import Task

SPENT = runpy.run_path(str(ROOT / "tools/spent.py"))
Job = SPENT["Job"]


def job(name, seconds, *, kind="experiments", study=""):
    return Job(name, kind, study, seconds)


def test_seconds_are_added_by_kind() -> None:
    took = {"run costs w/a": 9.0, "judge statements w": 4.0, "judge statements v": 1.0}
    tasks = [
        Task("run_costs", "w/a", (), {}, ()),
        Task("judge_statements", "w", (), {}, ()),
        Task("judge_statements", "v", (), {}, ()),
        Task("write_report", "", (), {}, ()),
    ]
    found = [SPENT["job_of"](task, took) for task in tasks]
    assert found[0] == job("run costs w/a", 9.0, study="w/a")
    assert found[1] == job("judge statements w", 4.0, kind="statements")
    assert found[3] is None
    table = SPENT["block"](found[:3], "quick").splitlines()
    assert "| statements | 2 | 5 |" in table
    assert table[-2] == "| all | 3 | 14 |"


def test_a_study_that_grew_by_more_than_half_is_named() -> None:
    before = {"a": 10.0, "a variants": 10.0, "b": 20.0, "small": 1.0}
    jobs = [
        job("a", 11.0, study="A"),
        job("a variants", 21.0, study="A"),
        job("b", 29.0, study="B"),
        job("small", 4.0, study="S"),
        job("new", 99.0, study="N"),
    ]
    assert SPENT["dearer"](jobs, before) == ["A: 32.0 s, 20.0 s in the last version"]


def test_only_what_is_between_the_marks_is_replaced() -> None:
    start, end = SPENT["START"], SPENT["END"]
    once = SPENT["replaced"](f"a\n{start}\nold\n{end}\nz", f"{start}\nnew\n{end}")
    assert once == f"a\n{start}\nnew\n{end}\nz"
    with pytest.raises(SystemExit, match="no '<!--"):
        SPENT["replaced"]("a page without marks", "")
