"""Which index meets which condition (mullick2020, Secs. 2 to 4; Theorems 1 to 5)."""

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from opchar.metrics.class_sizes import even_classifier
from opchar.metrics.conditions import ConditionReport, MatrixIndex, conditions_of
from opchar.metrics.conditions.search import small_matrices
from opchar.metrics.indices.rates import precision
from opchar.seeds import Spawn
from opchar_reproduction.publications.mullick2020.indices import MULTI_CLASS, TWO_CLASS
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

VERDICTS = {
    "Condition 1": "condition_1",
    "Condition 2": "condition_2",
    "Condition 2, equal classes": "condition_2_of_equal",
    "Condition 3": "condition_3",
    "Condition 3, equal classes": "condition_3_of_equal",
    "Condition 3, epsilon = 1/C": "condition_3_at_one_over_c",
}

SHOWN = {
    "condition-1": ["Condition 1"],
    "condition-2": ["Condition 2", "Condition 2, equal classes"],
    "condition-3": ["Condition 3", "Condition 3, equal classes", "Condition 3, epsilon = 1/C"],
}


@study(
    "conditions", basis="exact", page="proofs", profiles={"tiny": {"budget": 20000, "largest": 6}}
)
def conditions(
    spawn: Spawn,
    *,
    classes: list[int] = [2, 3, 4],
    budget: int = 100000,
    largest: int = 12,
    even: list[int] = [2, 3, 5, 10],
) -> Results:
    """Search each index of the work for violations of Conditions 1 to 3.

    classes: Numbers of classes, from 2 on without a gap.
    largest: Objects of the largest matrices for which the cases of equality of Theorem 1.3 are
        listed.
    even: Numbers of classes of a classifier that is right about half of each class.
    """
    results = Results()
    search = partial(conditions_of, budget=budget)
    for name, index in TWO_CLASS.items():
        report = search(index, name=name, classes=(2,), rng=spawn("two", name))
        _record(results, f"{name}, two classes", "two", report)
    for name, index in MULTI_CLASS.items():
        report = search(index, name=name, classes=tuple(classes), rng=spawn("multi", name))
        _record(results, name, "multi", report)
        _even(results, name, index, even)
        _one_or_all(results, name, index)
    results.add_frame("equal precisions", _equal_precisions(largest))
    return results


def _record(results: Results, name: str, kind: str, report: ConditionReport) -> None:
    """Add what was found about one index to frames and tables."""
    for found in report.invariance:
        example = found.counter_example
        values = example.values if example else (0.0, 0.0)
        gap = float(np.nan_to_num(abs(values[0] - values[1]), nan=np.inf))
        row = {
            "index": name,
            "classes": found.classes,
            "gap": gap,
            "objects": found.objects,
            "first": _format_matrix(example.first) if example else "",
            "second": _format_matrix(example.second) if example else "",
            "undefined": found.undefined,
        }
        results.add_frame("invariance", {key: [value] for key, value in row.items()})
    for interpretation, ranges in (("any", report.ranges), ("equal", report.ranges_of_equal)):
        for part in ranges:
            who = {"index": [name], "classes": part.classes, "sizes": interpretation}
            results.add_frame("ranges", who | {"low": part.low.value, "high": part.high.value})
    _record_failing(results, name, report)
    decides = ", ".join(report.convention_decides)
    row_of_verdicts: dict[str, Any] = {"index": [name], "kind": kind, "0/0 decides": decides}
    for title, attribute in VERDICTS.items():
        met = getattr(report, attribute)
        row_of_verdicts[title] = np.nan if met is None else float(met)
    results.add_frame("conditions", row_of_verdicts)
    for artefact, columns in (*SHOWN.items(), ("table-2", list(VERDICTS))):
        for column in columns:
            met = getattr(report, VERDICTS[column])
            if met is not None:
                results.text(artefact, name, column, "meets" if met else "violates")
            elif artefact == "table-2":
                results.text(artefact, name, column, "two classes only")
    results.text("table-2", name, "what is undefined decides", decides or "nothing")
    _add_recommendation(results, name, kind, report)


def _record_failing(results: Results, name: str, report: ConditionReport) -> None:
    lowest = {part.classes: part.low.value for part in report.ranges}
    lowest_of_equal = {part.classes: part.low.value for part in report.ranges_of_equal}
    for interpretation, parts, bound in (
        ("limit, any", report.failing, lowest),
        ("limit, equal", report.failing_of_equal, lowest_of_equal),
        ("1/C", report.failing_at_one_over_c, lowest),
    ):
        for part in parts:
            who = {"index": [name], "classes": part.classes, "interpretation": interpretation}
            results.add_frame("failing", who | {"value": part.low, "bound": bound[part.classes]})


def _add_recommendation(results: Results, name: str, kind: str, report: ConditionReport) -> None:
    """Say for which change of the setting an index keeps its meaning."""
    uses = {
        "class ratios of test sets vary": report.condition_1,
        "number of classes varies": report.condition_2,
        "number of classes varies, equal classes": report.condition_2_of_equal,
        "a class may fail": report.condition_3,
    }
    for use, suited in uses.items():
        word = "two classes only" if suited is None else ("suited" if suited else "not suited")
        results.text("which-index", name, use, word)


def _even(results: Results, name: str, index: MatrixIndex, classes: list[int]) -> None:
    """Follow an index over the number of classes: half of each right, errors spread evenly."""
    values = [float(np.asarray(index(even_classifier(0.5, number)[None]))[0]) for number in classes]
    results.add_frame("even classifiers", {"index": name, "classes": classes, "value": values})


def _one_or_all(results: Results, name: str, index: MatrixIndex) -> None:
    """Record an index for three classes when one of them fails, and when all fail."""
    failing = np.array([1.0, 1e6 - 1, 0.0])
    one = np.diag([1e6] * 3)
    one[0] = failing
    every = np.stack([np.roll(failing, shift) for shift in range(3)])
    values = np.asarray(index(np.stack([one, every])))
    found = {"one fails": values[0], "all fail": values[1]}
    results.add_frame("one or all", {"index": [name]} | found)


def _equal_precisions(largest: int) -> dict[str, np.ndarray]:
    """Return where Precision stays the same when rows are multiplied (Theorem 1.3).

    All matrices of at most `largest` objects, the two rows times 1, 2 or 3.
    """
    matrices, _ = small_matrices(2, largest)
    tp, fn, fp, tn = matrices.reshape(-1, 4).T
    rows = []
    for first, second in product((1, 2, 3), (1, 2, 3)):
        before = precision(tp, fn, fp, tn)
        after = precision(first * tp, first * fn, second * fp, second * tn)
        rows.append(np.column_stack([tp, fp, 0 * tp + first, 0 * tp + second, after - before]))
    stack = np.concatenate(rows)
    defined = stack[~np.isnan(stack[:, 4])]
    return dict(zip(("TP", "FP", "b1", "b2", "change"), defined.T, strict=True))


def _format_matrix(matrix: np.ndarray) -> str:
    return "; ".join(" ".join(f"{count:g}" for count in row) for row in matrix)
