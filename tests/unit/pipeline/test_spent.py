"""What a run took, by kind of work, and the studies that cost more than before."""

from __future__ import annotations

import runpy

import pytest

from checkout import ROOT
from opchar.pipeline.tasks import Task

SPENT = runpy.run_path(str(ROOT / "tools/spent.py"))
Job = SPENT["Job"]


def job(name, seconds, *, kind="experiments", study="", measured=True):
    return Job(name, kind, study, seconds, measured)


def test_measured_and_unmeasured_seconds_are_kept_apart(tmp_path) -> None:
    (tmp_path / "a.tsv").write_text("s\tcpu_time\n9\t3.5\n")
    (tmp_path / "b.tsv").write_text("s\tcpu_time\n0.1\tNA\n")
    took = {"run costs w/a": 9.0, "judge statements w": 4.0}
    tasks = [
        Task("run_costs", "w/a", (), {}, (), benchmark="a.tsv"),
        Task("train_model", "x", (), {}, (), benchmark="b.tsv"),
        Task("judge_statements", "w", (), {}, ()),
        Task("write_report", "", (), {}, ()),
    ]
    found = [SPENT["job_of"](task, tmp_path, took) for task in tasks]
    assert found[0] == job("run costs w/a", 3.5, study="w/a")
    assert found[1] == job("train model x", 0.0, kind="trainings")
    assert found[2] == job("judge statements w", 4.0, kind="statements", measured=False)
    assert found[3] is None
    table = SPENT["block"](found[:3], "quick").splitlines()
    assert "| statements | 1 | 0 | 4 |" in table
    assert table[-2] == "| all | 3 | 4 | 4 |"


def test_a_study_that_grew_by_more_than_half_is_named() -> None:
    before = {"a": 10.0, "a readings": 10.0, "b": 20.0, "small": 1.0}
    jobs = [
        job("a", 11.0, study="A"),
        job("a readings", 21.0, study="A"),
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
