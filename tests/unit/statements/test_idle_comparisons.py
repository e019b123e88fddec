"""Statements on experiments that need no scores: each and each of its parts fails on a control, and
compares no numbers to no purpose."""

import inspect
from functools import cache

import pytest

from criterion_edges import idle_comparisons
from measuring import entries, named, parts_that_cannot_fail, run_experiment
from opchar_reproduction.statements.measurements import read_measurements

PAPERS = ("tharwat2018", "soleymani2018", "soleymani2020", "mullick2020", "landgrebe2007")
LONG = {("landgrebe2007/two-stage-example",), ("mullick2020/conditions",)}
READ = {"scores", "features"}
FEWER = {"mullick2020/conditions": {"budget": 5000}}


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


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a function that gives the files of an experiment, made when first asked for."""

    @cache
    def files(name):
        entry = entries("experiments", name.split("/")[0])[name]
        given = entry.get("profiles", {}).get("tiny", {}) | FEWER.get(name, {})
        return run_experiment(entry, tmp_path_factory.mktemp("made"), **given)

    return files


@pytest.mark.parametrize(
    "reads",
    [pytest.param(each, marks=[pytest.mark.check] * (each in LONG)) for each in statements()],
    ids=" and ".join,
)
def test_each_fails_on_its_control_and_no_comparison_goes_unnoticed(reads, made):
    files = [made(name) for name in reads]
    measured = read_measurements([table for table, _ in files], [curves for _, curves in files])
    for name, entry in statements()[reads].items():
        function, parameters = named(entry["function"]), entry.get("parameters", {})
        control = entry["control"]
        changed = named(control["function"])(measured, **control.get("parameters", {}))
        assert not function(changed, **parameters).holds, f"{name} holds on its control"
        assert not parts_that_cannot_fail(entry, measured), name
        if function(measured, **parameters).holds:

            def judge(watch, given, judge=function, chosen=parameters):
                return watch.watch_function(judge)(given, **chosen)

            assert idle_comparisons(judge, measured, changed) == [], name


def test_most_statements_without_score_tables_are_looked_at():
    assert sum(len(each) for each in statements().values()) > 150
