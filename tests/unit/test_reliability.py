"""The page of faults keeps what people wrote when new measurements are entered."""

import sys

from checkout import ROOT

sys.path.insert(0, str(ROOT / "qa"))
import reliability


def test_measured_rows_are_entered_and_the_rest_stays() -> None:
    page = reliability.PAGE.read_text(encoding="utf-8")
    assert reliability.entered(page, []) == page
    row = {"fault": "Ctrl-C", "trials": 7, "outcome": "as ever", "wrong": []}
    new = {
        "fault": "a new fault",
        "trials": 3,
        "outcome": "one line",
        "wrong": ["it hung\nfor ever"],
    }
    changed = reliability.entered(page, [row, new])
    lines, before = changed.splitlines(), page.splitlines()
    gone = [line for line in before if line not in lines]
    assert all(line.startswith("| Ctrl-C |") or " trials, on " in line for line in gone)
    assert [line for line in lines if line not in before][:2] == [
        "| Ctrl-C | 7 | as ever | 0 |",
        "| a new fault | 3 | one line | 1 |",
    ]
    assert "- it hung" in lines and "for ever" not in lines
