"""Edges: every comparison of a statement is tried at its bound."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opchar_reproduction.publications
from criterion_edges import edges
from criterion_watch import Watch
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements

NUMBERS = st.lists(st.integers(-50, 50), min_size=1, max_size=6)


def measured(first, second=(0.0,)) -> Measurements:
    results = Results()
    results.number("t", "a", "", 1.0)
    rows = [
        {"model": name, "value": value}
        for name, values in zip("AB", (first, second), strict=True)
        for value in values
    ]
    return Measurements(results.frame(), {"measured": pd.DataFrame(rows)})


def values(found: Measurements, model: str) -> pd.Series:
    return found.frame("measured").set_index("model").loc[[model], "value"]


def all_above(found: Measurements, *, bound: float = 0.0) -> Finding:
    first = values(found, "A")
    return Finding(bool((first > bound).all()), f"from {first.min():g}")


def mostly_above(found: Measurements) -> Finding:
    share = float((values(found, "A") > 0).mean())
    return Finding(share > 0.5, "told in words")


def between(found: Measurements) -> Finding:
    return Finding(1 < values(found, "A").mean() < 5, "a chain")


def lax(found: Measurements) -> Finding:
    first = values(found, "A").mean()
    return Finding(first > 2 or abs(first) >= 0, "one part cannot fail")


def told(found: Measurements) -> Finding:
    first = values(found, "A")
    return Finding(first.max() > 1, f"{int((first > 2).sum())} above two")


def guarded(found: Measurements) -> Finding:
    first = values(found, "A")
    return Finding(first.mean() > 1 if len(first) > 0 else False, "")


def looked(function, given, changed=None, **parameters):
    def judge(watch, found):
        return watch.watch_function(function)(found, **parameters)

    return edges(judge, given, changed or measured([-1.0, -2.0])).found


@pytest.mark.parametrize("function", [all_above, mostly_above, between, lax, told, guarded])
@given(first=NUMBERS)
def test_watching_changes_nothing(function, first):
    found = measured(first)
    assert Watch().watch_function(function)(found) == function(found)


@given(first=st.lists(st.integers(1, 50), min_size=1, max_size=6), bound=st.integers(-20, 0))
def test_the_margin_is_the_least_change_of_the_measurements_that_turns_it_round(first, bound):
    """The clearance of the nearest value: less leaves the verdict, more turns it round."""
    found = looked(all_above, measured(first), bound=float(bound))
    assert (found.deciding, found.unnoticed) == (1, "")
    least = min(first)
    larger = max(least, -bound)
    assert found.margin == pytest.approx((least - bound) / larger)
    for step, holds in ((0.999, True), (1.001, False)):
        moved = [value - step * found.margin * larger for value in first]
        assert all_above(measured(moved), bound=float(bound)).holds is holds


def test_of_several_comparisons_the_nearest_is_told():
    found = looked(between, measured([4.0]))
    assert found.deciding == 2
    assert found.margin == pytest.approx(0.2)
    assert found.nearest == "values(found, 'A').mean() < 5: 4 against 5"


def test_what_is_counted_decides_together():
    found = looked(mostly_above, measured([1.0, 2.0, 3.0, 4.0, -1.0]))
    assert (found.deciding, found.counted, found.unnoticed) == (1, 1, "")
    assert found.margin == pytest.approx((0.8 - 0.5) / 0.8)


def test_a_comparison_that_cannot_turn_the_verdict_is_noticed():
    found = looked(lax, measured([3.0]))
    assert found.unnoticed == "first > 2"
    assert looked(told, measured([3.0])).told == "first > 2"
    assert looked(told, measured([3.0])).unnoticed == ""


def test_an_answer_that_breaks_the_function_counts_as_noticed():
    def breaks(found: Measurements) -> Finding:
        raise AssertionError

    assert looked(guarded, measured([3.0])).unnoticed == ""
    with pytest.raises(AssertionError):
        looked(breaks, measured([3.0]))


def test_a_failing_claim_has_the_margin_by_which_it_fails():
    found = looked(all_above, measured([3.0, -2.0]))
    assert (found.deciding, found.margin) == (1, 1.0)
    assert looked(all_above, measured([-3.0, -2.0])).deciding == 0


def test_spreads_are_standard_deviations_of_the_clearance_over_resamples():
    drawn = []
    rng = np.random.default_rng(5)
    given_values = rng.normal(3, 1, size=40)
    least = []
    for _ in range(300):
        sample = rng.choice(given_values, size=40)
        watch = Watch()
        watch.watch_function(between)(measured(sample))
        drawn.append(watch.take())
        assert not watch.seen
        least.append(min(sample.mean() - 1, 5 - sample.mean()))
    found = edges(
        lambda watch, one: watch.watch_function(between)(one),
        measured(given_values),
        measured([9.0]),
    ).with_spreads(drawn)
    mean = given_values.mean()
    assert found.spreads == pytest.approx(min(mean - 1, 5 - mean) / np.std(least, ddof=1), rel=0.2)
    assert math.isnan(looked(between, measured([3.0])).spreads)


HIDDEN = {"isclose", "allclose", "lt", "le", "gt", "ge", "is_monotonic_increasing"}
HIDDEN |= {"is_monotonic_decreasing", "array_equal", "equals"}


def judging_functions():
    for folder in opchar_reproduction.publications.__path__:
        for path in sorted(Path(folder).rglob("*.py")):
            for node in ast.parse(path.read_text()).body:
                if (
                    isinstance(node, ast.FunctionDef)
                    and ast.unparse(node.returns or node) == "Finding"
                ):
                    yield path, node


def test_judging_functions_compare_by_operators_that_are_watched():
    found = list(judging_functions())
    assert len(found) > 150
    hidden = [
        f"{path.name}: {node.name}: {part.attr}"
        for path, node in found
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and part.attr in HIDDEN
    ]
    assert hidden == []
