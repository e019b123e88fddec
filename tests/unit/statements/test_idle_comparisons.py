"""Statements on experiments that need no scores: each and each of its parts fails on a control, and
compares no numbers to no purpose."""

import inspect
from functools import cache

import pytest

from criterion_edges import edges
from measuring import entries, named, parts_that_cannot_fail, run_experiment
from opchar_reproduction.statements.measurements import read_measurements

PAPERS = ("tharwat2018", "soleymani2018", "soleymani2020", "mullick2020", "landgrebe2007")
LONG = {("landgrebe2007/two-stage-example",), ("mullick2020/conditions",)}
READ = {"scores", "features"}


@cache
def statements() -> dict[tuple[str, ...], dict]:
    """Statements by the experiments that they read, of those made without score tables."""
    found: dict[tuple[str, ...], dict] = {}
    for paper in PAPERS:
        experiments = entries("experiments", paper)
        for name, entry in entries("statements", paper).items():
            reads = [experiments.get(each) for each in entry["reads"]]
            if all(each and not READ & set(_parameters(each)) for each in reads):
                found.setdefault(tuple(entry["reads"]), {})[name] = entry
    return found


def _parameters(entry):
    return inspect.signature(named(entry["function"])).parameters


@pytest.mark.parametrize(
    "reads",
    [pytest.param(each, marks=[pytest.mark.check] * (each in LONG)) for each in statements()],
    ids=" and ".join,
)
def test_each_fails_on_its_control_and_no_comparison_goes_unnoticed(reads, tmp_path):
    files = []
    for name in reads:
        entry = entries("experiments", name.split("/")[0])[name]
        folder = tmp_path / name.replace("/", "-")
        folder.mkdir()
        files.append(run_experiment(entry, folder, **entry.get("profiles", {}).get("tiny", {})))
    measured = read_measurements([table for table, _ in files], [curves for _, curves in files])
    for name, entry in statements()[reads].items():
        function, parameters = named(entry["function"]), entry.get("parameters", {})
        control = entry["control"]
        changed = named(control["function"])(measured, **control.get("parameters", {}))
        assert not function(changed, **parameters).holds, f"{name} holds on its control"
        assert not parts_that_cannot_fail(entry, measured), name
        found = edges(
            lambda watch, given, judge=function, chosen=parameters: watch.watch_function(judge)(
                given, **chosen
            ),
            measured,
            changed,
        ).found
        holds = function(measured, **parameters).holds
        assert not (holds and found.unnoticed), f"{name}: {found.unnoticed}"


def test_most_statements_without_score_tables_are_looked_at():
    assert sum(len(each) for each in statements().values()) > 150
