"""``opchar condition``: whether imbalance or the number of classes distort a metric, in words."""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from opchar.metrics.conditions.failing_class import FailingClass
from opchar.metrics.conditions.invariance import Invariance
from opchar.metrics.conditions.metric import MatrixIndex, MetricError, of_two_classes, values_of
from opchar.metrics.conditions.ranges import Bound, Bounds
from opchar.metrics.conditions.verdicts import ConditionReport, Witness, conditions_of
from opchar.metrics.counts import Array
from opchar.metrics.stacks import index
from opchar.seeds import generator

SEED = 0
"""Seed of the large matrices; the draws also depend on the metric's name."""


def report_on(
    reference: str, folder: Path | str = ".", most_classes: int = 4, budget: int = 100_000
) -> str:
    """Say which of the three conditions a metric meets, with matrices that show a violation."""
    if most_classes < 3:
        raise MetricError(f"the number of classes goes up to 3 at least, not {most_classes}")
    if budget < 1:
        raise MetricError(f"a search evaluates at least one matrix, not {budget}")
    metric = load(reference, Path(folder))
    values_of(metric, np.ones((3, 2, 2)))
    classes, refusal = tuple(range(2, most_classes + 1)), None
    try:
        values_of(metric, np.ones((3, 3, 3)))
    except MetricError as error:
        classes, refusal = (2,), str(error)
    rng = generator(SEED, "conditions", reference)
    found = conditions_of(metric, name=reference, classes=classes, rng=rng, budget=budget)
    lines = report_lines(found)
    return "\n".join([*lines, f"two classes only: {refusal}"] if refusal else lines)


def load(reference: str, folder: Path) -> MatrixIndex:
    """Return the metric that a reference names."""
    module, colon, attribute = reference.partition(":")
    if not colon:
        return _registered_index(reference)
    sys.path.insert(0, str(folder.resolve()))
    try:
        found: Any = import_module(module)
    except Exception as error:
        reason = " ".join(str(error).split())
        raise MetricError(
            f"{reference}: importing {module} raises {type(error).__name__}: {reason}"
        ) from error
    finally:
        sys.path.remove(str(folder.resolve()))
    for part in attribute.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise MetricError(f"{reference}: {module} has no function {attribute!r}")
    metric: MatrixIndex = found
    return metric


def report_lines(report: ConditionReport) -> list[str]:
    """Put a report in words."""
    lines = [f"{report.name}, {_enumerate([str(c) for c in report.classes])} classes", ""]
    lines += _condition_1(report)
    lines += _condition_2(report)
    lines += _condition_3(report)
    return lines + _conventions(report)


def _registered_index(name: str) -> MatrixIndex:
    try:
        entry = index(name)
    except ValueError as error:
        raise MetricError(f"{error}; a metric of your own is module:metric") from None
    if entry.of == "conditions":
        raise MetricError(f"{name} is of several operating conditions, not of one matrix")
    return of_two_classes(entry.function) if entry.of == "counts" else entry.function


def _condition_1(report: ConditionReport) -> list[str]:
    lines = [f"Condition 1, free of the test set's class sizes: {_word(report.condition_1)}"]
    for part in report.invariance:
        lines += _of_invariance(part)
    return [*lines, ""]


def _of_invariance(part: Invariance) -> list[str]:
    if part.counter_example is None:
        larger = f" and of {part.drawn:,} larger pairs" if part.drawn else ""
        small = f"all up to {part.objects} objects" if part.objects else "three of the classes err"
        return [
            f"  {part.classes} classes: no difference between any of {part.searched:,} matrices "
            f"({small}){larger} with equal class rates"
        ]
    shown = part.counter_example
    what = (
        "smallest counter-example" if shown.smallest else "counter-example, not sure to be smallest"
    )
    return [
        f"  {part.classes} classes: {what}, equal class rates",
        *_side_by_side(shown.first, shown.second, shown.values),
    ]


def _condition_2(report: ConditionReport) -> list[str]:
    if report.condition_2 is None:
        return ["Condition 2, range free of the number of classes: does not apply", ""]
    lines = [
        f"Condition 2, range free of the number of classes: {_word(report.condition_2)} over test "
        f"sets of any sizes, {_word(report.condition_2_of_equal)} over equal classes"
    ]
    for wide, equal in zip(report.ranges, report.ranges_of_equal, strict=True):
        lines.append(
            f"  {wide.classes} classes: {_range(wide)} over any sizes, {_range(equal)} over "
            f"classes of {_size(equal)}"
        )
    witness = report.range_witness
    if witness is not None:
        lines += ["  ends that differ", *_witness_lines(witness)]
    return [*lines, ""]


def _condition_3(report: ConditionReport) -> list[str]:
    if report.condition_3 is None:
        return ["Condition 3, one failing class leaves it above its lower bound: does not apply"]
    lines = [
        "Condition 3, one failing class leaves it above its lower bound: "
        f"{_word(report.condition_3)} over test sets of any sizes, "
        f"{_word(report.condition_3_of_equal)} over equal classes"
    ]
    parts = zip(report.failing, report.failing_of_equal, report.failing_at_one_over_c, strict=True)
    lowest = {part.classes: part.low.value for part in report.ranges}
    for wide, equal, fixed in parts:
        lines.append(
            f"  {wide.classes} classes: limit {_limit(wide)} at least ({_limit(equal)} for equal "
            f"classes), lower bound {_number(lowest[wide.classes])}; at epsilon = 1/C "
            f"{_limit(fixed)}"
        )
    if report.collapse is not None:
        lines += [
            "  smallest case: one class wrong, beside all wrong",
            *_witness_lines(report.collapse),
        ]
    elif report.condition_3 is False:
        worst = min(report.failing, key=lambda part: part.low)
        lines += ["  near the limit", *_grid(worst.matrix)]
    return lines


def _conventions(report: ConditionReport) -> list[str]:
    parts = [part for part in report.invariance if part.undefined]
    if not parts:
        return []
    counted = _enumerate([f"{part.undefined:,} of {part.searched:,}" for part in parts])
    lines = ["", f"Undefined (0/0) for {counted} matrices, the smallest"]
    assert parts[0].undefined_example is not None
    lines += _grid(parts[0].undefined_example)
    decided = _enumerate(list(report.convention_decides))
    effect = f"decides {decided}" if decided else "decides no verdict"
    return [*lines, f"whether it counts as nothing, 0 or 1 {effect}"]


def _word(verdict: bool | None) -> str:
    return {True: "holds", False: "violated", None: "does not apply"}[verdict]


def _enumerate(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _number(value: float) -> str:
    return f"{round(value, 4) + 0.0:.4f}" if abs(value) < 1e4 else f"{value:.4g}"


def _limit(part: FailingClass) -> str:
    return _number(0.0 if abs(part.low) < 5e-5 else part.low)


def _range(part: Bounds) -> str:
    return f"{_end(part.low)} to {_end(part.high)}"


def _end(bound: Bound) -> str:
    return _number(bound.value) + ("" if bound.reached else " (a limit)")


def _size(part: Bounds) -> str:
    assert part.sizes is not None
    return f"{part.sizes[0]} object" + ("s" if part.sizes[0] > 1 else "")


def _witness_lines(witness: Witness) -> list[str]:
    return _side_by_side(witness.first, witness.second, witness.values)


def _side_by_side(first: Array, second: Array, values: tuple[float, float]) -> list[str]:
    left, right = _grid(first), _grid(second)
    width = max(map(len, left))
    rows = [f"{a:{width}}   {b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")]
    return [*rows, f"    gives {_number(values[0])} and {_number(values[1])}"]


def _grid(matrix: Array) -> list[str]:
    cells = [[f"{cell:.15g}" for cell in row] for row in matrix]
    width = max(len(cell) for row in cells for cell in row)
    return ["    [" + " ".join(cell.rjust(width) for cell in row) + "]" for row in cells]
