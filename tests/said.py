"""What a run of the tests says when it has ended: each suite's seconds, and what was not tested."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

# Files that take longest beside the runs of the workflow, longest first. A worker is given a file
# as a whole: begun late, one of these would keep one worker while the other has nothing to do.
LONG = (
    "tests/faults/test_fuzz.py",
    "tests/unit/analysis/test_one_decision.py",
    "tests/unit/analysis/test_page_of_docs.py",
    "tests/unit/analysis/test_decision.py",
    "tests/unit/experiments/test_soleymani2020_face_experiments.py",
    "tests/unit/test_examples.py",
    "tests/unit/report/test_pages.py",
    "tests/faults/test_fetching_cli.py",
    "tests/unit/statements/test_idle_comparisons.py",
    "tests/unit/experiments/test_mullick2020_test_sets.py",
    "tests/unit/experiments/landgrebe2007/test_real_sets.py",
    "tests/unit/analysis/test_answers.py",
    "tests/unit/analysis/test_reading.py",
    "tests/unit/experiments/test_landgrebe_chapter4_costs.py",
    "tests/unit/experiments/test_landgrebe_chapters_5_and_6.py",
    "tests/unit/decisions/test_estimator.py",
    "tests/unit/printed/test_sums_of_entities.py",
)


def suites(stats: Mapping[str, Iterable[Any]]) -> str:
    """Return the seconds inside the tests of each folder, all workers together, longest first."""
    took: Counter[str] = Counter()
    for report in (report for reports in stats.values() for report in reports):
        parts = getattr(report, "nodeid", "").split("/")
        if len(parts) > 1 and parts[0] == "tests":
            took[parts[1].split("::")[0]] += getattr(report, "duration", 0.0)
    return "seconds in tests: " + ", ".join(f"{name} {s:.0f}" for name, s in took.most_common())


def untested(skipped: Iterable[Any]) -> str:
    """Return how many tests were skipped for each reason; a reason says how to have them."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in skipped
        if isinstance(report.longrepr, tuple)
    )
    said = "; ".join(f"{n} ({reason})" for reason, n in reasons.most_common())
    return f"not tested: {said}" if said else "everything was tested"
