"""Comparisons of a statement that decide nothing are found."""

import ast
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opchar_reproduction.publications
from criterion_edges import idle_comparisons
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


FUNCTIONS = (all_above, mostly_above, between, lax, told, guarded)


@pytest.mark.parametrize(
    ("function", "value", "idle"),
    [
        (all_above, [3.0], []),
        (all_above, [3.0, -2.0], []),
        (mostly_above, [1.0, 2.0, 3.0, 4.0, -1.0], []),
        (between, [4.0], []),
        (lax, [3.0], ["first > 2"]),
        (told, [3.0], []),
        (guarded, [3.0], []),
    ],
)
def test_a_comparison_that_cannot_turn_the_verdict_is_found(function, value, idle):
    def judge(watch, found):
        return watch.watch_function(function)(found)

    assert idle_comparisons(judge, measured(value), measured([-1.0, -2.0])) == idle


def test_a_function_that_breaks_by_itself_is_told():
    def breaks(found: Measurements) -> Finding:
        raise AssertionError

    with pytest.raises(AssertionError):
        idle_comparisons(lambda _, found: breaks(found), measured([3.0]), measured([1.0]))


@pytest.mark.parametrize("function", FUNCTIONS)
@given(first=NUMBERS)
def test_watching_changes_nothing(function, first):
    found = measured(first)
    assert Watch().watch_function(function)(found) == function(found)


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
