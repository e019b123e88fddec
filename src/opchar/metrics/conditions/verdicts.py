"""Which of Conditions 1 to 3 of mullick2020 an index meets, with the matrices that show it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from opchar.metrics.conditions.failing_class import FailingClass, limit_of_a_failing_class
from opchar.metrics.conditions.invariance import Invariance, invariant_to_test_set
from opchar.metrics.conditions.metric import (
    MatrixIndex,
    has_zero_division,
    name_of,
    of_two_classes,
    values_of,
    with_value_for_nan,
)
from opchar.metrics.conditions.ranges import Bound, Bounds, bounds, same_range
from opchar.metrics.conditions.search import (
    most_objects,
    number_up_to,
    number_with_sizes,
    searchable,
    small_matrices,
)
from opchar.metrics.counts import Array
from opchar.metrics.stacks import index as index_called

MARGIN = 1e-4
"""By how much a limit, which is extrapolated, must exceed a bound to count as larger."""


@dataclass(frozen=True)
class Witness:
    """Two matrices that show that Condition 2 or 3 is violated.

    Attributes
    ----------
    first, second : ndarray of float, shape (C, C)
        For Condition 2 the matrices at the ends of the ranges that differ, of C and C + 1 classes.
        For Condition 3 a classifier that fails in one class only, and one that fails in all.
    values : tuple of float
        The index of each; at the matrix itself, which may only come near a limit.
    smallest : bool
        Whether no matrices with fewer objects show it.
    """

    first: Array
    second: Array
    values: tuple[float, float]
    smallest: bool


@dataclass(frozen=True)
class ConditionReport:
    """What is found of an index.

    Attributes
    ----------
    name : str
        What the index is called in messages and reports.
    invariance : tuple of Invariance
        Condition 1, one a number of classes.
    ranges, ranges_of_equal : tuple of Bounds
        Bounds over test sets of any sizes, and over those of equal classes.
    failing, failing_of_equal : tuple of FailingClass
        Limits for three and more classes, in the same two interpretations.
    failing_at_one_over_c : tuple of FailingClass
        The values at epsilon = 1/C, any sizes.
    collapse : Witness or None
        A smallest classifier that gets one class wrong and all others right, and one that gets
        all wrong: both have the lower bound. Of the smallest number of classes over two.
    convention_decides : tuple of str
        The conditions, as ``"Condition 1"``, whose verdict changes when what is undefined (0/0)
        counts as 0 or as 1; empty also where nothing is undefined.
    """

    name: str
    invariance: tuple[Invariance, ...]
    ranges: tuple[Bounds, ...]
    ranges_of_equal: tuple[Bounds, ...]
    failing: tuple[FailingClass, ...]
    failing_of_equal: tuple[FailingClass, ...]
    failing_at_one_over_c: tuple[FailingClass, ...]
    collapse: Witness | None
    convention_decides: tuple[str, ...]

    @property
    def classes(self) -> tuple[int, ...]:
        """Numbers of classes that were searched."""
        return tuple(part.classes for part in self.invariance)

    @property
    def condition_1(self) -> bool:
        """Whether class sizes alone never change the index."""
        return all(part.holds for part in self.invariance)

    @property
    def condition_2(self) -> bool | None:
        """Whether the range over any test sets is the same for all numbers of classes.

        None for an index of two classes, to which the condition does not apply.
        """
        return _same_ranges(self.ranges)

    @property
    def condition_2_of_equal(self) -> bool | None:
        """As `condition_2`, over test sets of equal classes."""
        return _same_ranges(self.ranges_of_equal)

    @property
    def condition_3(self) -> bool | None:
        """Whether a failing class leaves the index above its lower bound, for any sizes.

        None for an index of two classes, or one that is undefined for every failing class.
        """
        return _above(self.failing, self.ranges)

    @property
    def condition_3_of_equal(self) -> bool | None:
        """As `condition_3`, over test sets of equal classes."""
        return _above(self.failing_of_equal, self.ranges_of_equal)

    @property
    def condition_3_at_one_over_c(self) -> bool | None:
        """As `condition_3`, with epsilon = 1/C as it is first set."""
        return _above(self.failing_at_one_over_c, self.ranges)

    @property
    def range_witness(self) -> Witness | None:
        """The ends of the first two ranges, over any sizes, that differ."""
        for one, other in pairwise(self.ranges):
            if not same_range(one, other):
                ends = [(one.low, other.low), (one.high, other.high)]
                first, second = max(ends, key=lambda end: abs(end[0].value - end[1].value))
                return _of_bounds(first, second)
        return None


def conditions_of(
    index: MatrixIndex,
    *,
    name: str | None = None,
    classes: tuple[int, ...] = (2, 3, 4),
    rng: np.random.Generator | None = None,
    budget: int = 100_000,
) -> ConditionReport:
    """Search whether an index meets Conditions 1 to 3 of mullick2020.

    Parameters
    ----------
    index : callable
        Takes (..., C, C) matrices, rows true classes, and returns values of shape (...). With a
        keyword `zero_division` it says itself what its 0/0 is; else NaN is replaced as a whole.
    name : str, optional
        What to call it; its own name if not given.
    classes : tuple of int
        Numbers of classes, from 2 on without a gap; ``(2,)`` for an index of two classes.
    rng : numpy.random.Generator, optional
        Draws large matrices, too; without one there are none.
    budget : int
        About how many matrices a search evaluates; fewer for a metric that is slow.

    Returns
    -------
    ConditionReport
        A violated condition comes with matrices that prove it. A condition that holds is not
        proved for an index given as a function: no counter-example was found.

    Raises
    ------
    ValueError
        When `index` is no function of stacks of matrices, or `classes` are not as said.
    """
    if list(classes) != list(range(2, len(classes) + 2)) or not classes:
        raise ValueError(f"classes are 2, 3 and so on without a gap, not {classes}")
    found = _report(index, name or name_of(index), classes, rng, budget)
    if not any(part.undefined for part in found.invariance):
        return found
    conventions = [
        _report(with_zero_division(index, value), "", classes, rng, budget) for value in (0.0, 1.0)
    ]
    decided = tuple(
        f"Condition {number}"
        for number, verdict in enumerate(_verdicts(found), 1)
        if any(_verdicts(other)[number - 1] != verdict for other in conventions)
    )
    return ConditionReport(**{**vars(found), "convention_decides": decided})


def conditions_of_registered(name: str, rng: np.random.Generator | None = None) -> ConditionReport:
    """Search whether an index of the registry meets the conditions.

    Parameters
    ----------
    name : str
        As in `opchar.metrics.INDICES`. One of counts is searched for two classes, the first the
        positive one, an index of a matrix for 2, 3 and 4.
    rng : numpy.random.Generator, optional
        As in `conditions_of`.

    Returns
    -------
    ConditionReport
        As `conditions_of`; Conditions 2 and 3 are None for an index of counts.

    Raises
    ------
    ValueError
        When there is no such index, or it is of several operating conditions.
    """
    entry = index_called(name)
    if entry.of == "conditions":
        raise ValueError(f"{name} is of several operating conditions, not of one matrix")
    if entry.of == "counts":
        return conditions_of(of_two_classes(entry.function), name=name, classes=(2,), rng=rng)
    return conditions_of(entry.function, name=name, rng=rng)


def with_zero_division(index: MatrixIndex, value: float) -> MatrixIndex:
    """Return the index with a value for 0/0.

    Shapes: `index` (...).
    """
    if has_zero_division(index):
        return partial(index, zero_division=value)
    return with_value_for_nan(index, value)


def equal_sizes(classes: int, budget: int = 50_000) -> tuple[int, ...]:
    """Return the largest equal class sizes of which all matrices can be searched."""
    size = 1
    while number_with_sizes((size + 1,) * classes) <= budget:
        size += 1
    return (size,) * classes


def _report(
    index: MatrixIndex,
    name: str,
    classes: tuple[int, ...],
    rng: np.random.Generator | None,
    budget: int,
) -> ConditionReport:
    draws = min(20_000, budget)
    objects = {c: _objects(c, budget) for c in classes}
    ranges = tuple(bounds(index, c, objects=objects[c], rng=rng, draws=draws) for c in classes)
    many = [c for c in classes if c > 2]
    return ConditionReport(
        name,
        tuple(
            invariant_to_test_set(index, c, objects=objects[c], rng=rng, draws=draws)
            for c in classes
        ),
        ranges,
        tuple(bounds(index, c, sizes=equal_sizes(c, budget // 2)) for c in classes),
        tuple(limit_of_a_failing_class(index, c, rng=rng) for c in many),
        tuple(limit_of_a_failing_class(index, c, sizes=(1,) * c, rng=rng) for c in many),
        tuple(limit_of_a_failing_class(index, c, epsilon=1 / c, rng=rng) for c in many),
        _collapse(index, next(r for r in ranges if r.classes == many[0])) if many else None,
        (),
    )


def _objects(classes: int, budget: int) -> int | None:
    """Return the size of an exhaustive search, or None where there can be none."""
    most = most_objects(classes, budget)
    return most if searchable(number_up_to(most, classes), classes) else None


def _verdicts(report: ConditionReport) -> tuple[bool | None, bool | None, bool | None]:
    return report.condition_1, report.condition_2, report.condition_3


def _same_ranges(ranges: tuple[Bounds, ...]) -> bool | None:
    if len(ranges) < 2:
        return None
    return all(same_range(one, other) for one, other in pairwise(ranges))


def _above(limits: tuple[FailingClass, ...], ranges: tuple[Bounds, ...]) -> bool | None:
    if not limits or any(np.isnan(part.low) for part in limits):
        return None
    lowest = {part.classes: part.low.value for part in ranges}
    return all(part.low > lowest[part.classes] + MARGIN for part in limits)


def _of_bounds(first: Bound, second: Bound) -> Witness:
    values = first.value, second.value
    return Witness(first.matrix, second.matrix, values, first.reached and second.reached)


def _collapse(index: MatrixIndex, span: Bounds) -> Witness | None:
    """Return a smallest classifier that fails in one class only and has the lower bound."""
    matrices, complete = small_matrices(span.classes, span.classes + 2)
    values = values_of(index, matrices)
    rates = np.einsum("...ii->...i", matrices) / matrices.sum(axis=-1)
    failing, right = (rates == 0).sum(axis=1), (rates == 1).sum(axis=1)
    lowest = np.abs(values - span.low.value) < 1e-9
    one_fails = np.flatnonzero(lowest & (failing == 1) & (right == span.classes - 1))
    all_fail = np.flatnonzero(lowest & (failing == span.classes))
    if not len(one_fails) or not len(all_fail):
        return None
    one, every = int(one_fails[0]), int(all_fail[0])
    pair = float(values[one]), float(values[every])
    return Witness(matrices[one], matrices[every], pair, complete > 0)
