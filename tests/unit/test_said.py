"""What a run of the tests says when it has ended."""

from types import SimpleNamespace

import said
from checkout import ROOT


def test_seconds_of_a_suite_are_of_set_up_and_call() -> None:
    unit = SimpleNamespace(nodeid="tests/unit/a/test_b.py::test_c", duration=1.0)
    flow = SimpleNamespace(nodeid="tests/workflow/test_d.py::test_e[x/y]", duration=4.0)
    stats = {"": [unit, flow], "passed": [unit], "warnings": [SimpleNamespace(nodeid="")]}
    assert said.suites(stats) == "seconds in tests: workflow 4, unit 2"


def test_what_was_skipped_is_counted_by_its_reason() -> None:
    slow = SimpleNamespace(longrepr=("f.py", 1, "Skipped: minutes: OPCHAR_SLOW=1 runs it"))
    bash = SimpleNamespace(longrepr=("g.py", 2, "Skipped: no bash"))
    line = said.untested([slow, bash, slow])
    assert line == "not tested: 2 (minutes: OPCHAR_SLOW=1 runs it); 1 (no bash)"
    assert said.untested([]) == "everything was tested"


def test_the_files_that_take_longest_are_there() -> None:
    assert [file for file in said.LONG if not (ROOT / file).is_file()] == []
