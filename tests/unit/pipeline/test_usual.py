"""What a run took, by kind of work, and the studies that cost more than before."""

import runpy

from checkout import ROOT
from opchar_reproduction.project.task import Task

USUAL = runpy.run_path(str(ROOT / "tools/usual.py"))


def test_seconds_are_added_by_kind() -> None:
    took = {"run costs w/a": 9.0, "judge statements w": 4.0, "judge statements v": 1.0}
    named = [("run_costs", "w/a"), ("judge_statements", "w"), ("judge_statements", "v")]
    tasks = [Task(*name, (), {}, ()) for name in [*named, ("write_report", "")]]
    rows = ["| experiments | 1 | 9 |", "| statements | 2 | 5 |", "| all | 3 | 14 |"]
    assert USUAL["by_kind"](tasks, took) == rows


def test_a_study_that_grew_by_more_than_half_is_named() -> None:
    tasks = [Task("run_costs", name, (), {}, ()) for name in ("a", "b", "small", "new")]
    tasks += [Task("run_variants", "a", (), {}, ())]
    names = [task.job_name for task in tasks]
    took = dict(zip(names, (11.0, 29.0, 4.0, 99.0, 21.0), strict=True))
    before = dict(zip(names, (10.0, 20.0, 1.0, 0.0, 10.0), strict=True))
    del before[names[3]]
    assert USUAL["dearer"](tasks, took, before) == ["a: 32.0 s, 20.0 s before"]
