"""What the protocol variants of a study share in one job."""

import numpy as np
import pytest

from opchar.scores import ScoreTable
from opchar_reproduction.jobs.making import variants
from opchar_reproduction.results import Results, read_results
from opchar_reproduction.study import Shared


class Counted:
    """A function that tells how often it was called."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *args, **kwargs) -> list:
        self.calls += 1
        return [args, kwargs]


def a_table() -> ScoreTable:
    return ScoreTable(np.zeros(2, int), np.arange(2), np.arange(2), np.eye(2), ("a", "b"))


TABLE = a_table()
SAME = [
    (1, 1),
    ("a", "a"),
    ([1, {"a": [2]}], [1, {"a": [2]}]),
    ({"a": TABLE, "b": [0.5, None]}, {"a": TABLE, "b": [0.5, None]}),
    (TABLE, TABLE),
]
OTHERS = [
    (1, 2),
    (1, 1.0),
    (1, True),
    ([1, 2], (1, 2)),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({"svc": "SVM"}, {"nbsvm": "SVM"}),
    (a_table(), a_table()),
    ({"a": a_table()}, {"a": a_table()}),
    (np.arange(3), np.arange(3)),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_the_same_arguments_are_computed_once(first, second):
    shared, function = Shared(), Counted()
    assert shared(function, first, key=first) is shared(function, second, key=second)
    assert function.calls == 1


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_other_arguments_are_computed_apart(first, second):
    shared, function = Shared(), Counted()
    assert shared(function, first) is not shared(function, second)
    assert shared(function, key=first) is not shared(function, key=second)
    assert shared(Counted(), first) is not shared(Counted(), first)
    assert function.calls == 4


def test_an_argument_by_identity_is_kept_so_that_no_other_gets_its_place():
    shared, function = Shared(), Counted()
    for number in range(50):
        shared(function, {"a": np.full(1000, number)})
    assert function.calls == 50


def test_what_fails_is_tried_again():
    shared = Shared()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            shared(lambda given: 1 / given, 0)


CALLS = Counted()


def study(*, shared: Shared, sizes: list[int], factor: int = 1) -> Results:
    """Measure what a variant changes, and change what it was given."""
    results = Results()
    shared(CALLS, sizes[0])
    results.number("table-1", "row", "sizes", sum(sizes))
    results.number("table-1", "row", "factor", factor)
    sizes.append(100)
    results.add_frame("sizes", {"size": sizes})
    return results


def test_variants_share_and_none_sees_what_another_changes(tmp_path):
    CALLS.calls = 0
    entry = {"function": f"{__name__}:study", "parameters": {"sizes": [1, 2]}, "basis": "exact"}
    table = tmp_path / "variants.csv"
    changes = {"two": {"factor": 2}, "three": {"factor": 3}, "other": {"sizes": [4]}}
    files = {"scores": [], "features": [], "table": table, "curves": tmp_path / "variants.parquet"}
    variants.run("some/study", entry, None, changes, ["sizes"], **files)
    found = read_results(table).set_index(["variant", "column"])["value"]
    assert [found[name, "sizes"] for name in changes] == [3, 3, 4]
    assert [found[name, "factor"] for name in changes] == [2, 3, 1]
    assert CALLS.calls == 2
    assert changes["other"] == {"sizes": [4]} and entry["parameters"] == {"sizes": [1, 2]}
