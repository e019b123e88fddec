"""Measurements of configured experiments, written and read as a run does it."""

import importlib
import inspect
import pickle
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from checkout import ROOT
from opchar.seeds import spawner
from opchar_reproduction.project.configuration.studies import read_studies
from opchar_reproduction.results import Results
from opchar_reproduction.statements.judging import judge, read_leaves
from opchar_reproduction.statements.measurements import Measurements, read_measurements
from opchar_reproduction.study import Shared


def entries(kind: str, paper: str) -> dict[str, Any]:
    """Return the experiments, artefacts or statements of a publication."""
    copied: dict[str, Any] = pickle.loads(_entries(kind, paper))
    return copied


@cache
def _entries(kind: str, paper: str) -> bytes:
    found = getattr(_studies(), kind)
    of = {name: entry for name, entry in found.items() if re.split("[/:]", name)[0] == paper}
    return pickle.dumps(of)


@cache
def _studies() -> Any:
    return read_studies(ROOT / "src/opchar_reproduction", {"studies": ROOT / "studies"})


def parameters_of(entry: dict[str, Any]) -> dict[str, Any]:
    """Return what a statement's or figure's function is given: its defaults and the mark's."""
    function = named(entry.get("function") or entry["renderer"])
    found = inspect.signature(function).parameters.values()
    defaults = {each.name: each.default for each in found if each.default is not each.empty}
    return defaults | entry.get("parameters", {})


def named(reference: str) -> Any:
    """Return the function that ``module:name`` means."""
    module, name = reference.split(":")
    return getattr(importlib.import_module(module), name)


def parts_that_cannot_fail(entry: dict[str, Any], measured: Measurements) -> list[str]:
    """Return the parts of a claim that hold of measurements and on every control of the claim."""
    found = judge("", entry | {"units": ""}, measured, spawner(1, "parts"), 0)
    parts = read_leaves(found.leaves)
    return [part["says"] for part in parts if part["holds"] and not part["fails_on"]]


def run_experiment(entry: dict[str, Any], folder: Path, **changes: Any) -> tuple[Path, Path]:
    """Run an experiment without score tables and write its table and curves."""
    function = named(entry["function"])
    every = {"spawn": spawner(5, "test"), "shared": Shared()}
    accepted = inspect.signature(function).parameters
    supplied = {name: value for name, value in every.items() if name in accepted}
    results = function(**entry["parameters"] | changes, **supplied)
    table, curves = folder / "table.csv", folder / "curves.parquet"
    results.write(table, curves, basis=entry.get("basis", "exact"))
    return table, curves


def under_variants(
    study: Callable[..., Results], changes: Mapping[str, Mapping[str, Any]], /, **given: Any
) -> dict[str, Results]:
    """Return what a study gives under variants that share what they can, as their job does."""
    shared = Shared()
    return {name: study(**{**given, **own}, shared=shared) for name, own in changes.items()}


def measure(paper: str, address: str, folder: Path, **changes: Any) -> Measurements:
    """Return what one experiment measures, with parameters of its profile ``tiny`` changed."""
    entry = entries("experiments", paper)[address]
    tiny = entry.get("profiles", {}).get("tiny", {})
    table, curves = run_experiment(entry, folder, **tiny | changes)
    return read_measurements([table], [curves])


def find(entry: dict[str, Any], measured: Measurements) -> bool:
    """Return whether a configured statement holds."""
    found = named(entry["function"])(measured, **entry.get("parameters", {}))
    assert 0 < len(found.evidence) < 400
    return bool(found.holds)


def control(entry: dict[str, Any], measured: Measurements) -> Measurements:
    """Return the negative control of a configured statement."""
    return named(entry["control"]["function"])(measured, **entry["control"].get("parameters", {}))


def values(results: Results, artefact: str) -> dict[tuple[str, str], float]:
    """Return the values of an artefact by row and column."""
    frame = results.frame()
    lines = frame[frame["artefact"] == artefact]
    return {(str(line.row), str(line.column)): line.value for line in lines.itertuples()}
