"""Run an experiment under each of its readings but the primary one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.errors import ConfigError
from opchar.files import write_csv, write_parquet
from opchar.functions import imported
from opchar.pipeline.jobs.making.experiment import rests_on, supplied
from opchar.results import Results

Changes = Mapping[str, Mapping[str, Any]]


def run(
    name: str,
    entry: Mapping[str, Any],
    seed: int | None,
    changes: Changes,
    frames: Iterable[str],
    at_once: str | None,
    *,
    scores: Iterable[Path],
    features: Iterable[Path],
    table: Path,
    curves: Path,
) -> None:
    """Write the lines and the kept frames of all readings, each with its reading.

    Tables are read once; every reading gets generators of the same names as the experiment.

    Parameters
    ----------
    name, entry, seed, scores, features
        As for the experiment itself.
    changes : mapping of str to mapping
        Parameters that each reading replaces.
    frames : iterable of str
        The frames that are kept, because statements read them.
    at_once : str or None
        ``"module:function"`` that gives the results of all readings more cheaply: it takes what
        the experiment takes and ``readings``, the changes by name.
    table, curves : pathlib.Path
        Written.
    """
    function = imported(at_once or entry["function"])
    given = supplied(function, name, entry, seed, scores=scores, features=features)
    parameters = entry["parameters"]
    if at_once:
        # What it does not take has the same default in every reading that does not change it.
        taken = signature(function).parameters
        if not any(each.kind is each.VAR_KEYWORD for each in taken.values()):
            parameters = {key: value for key, value in parameters.items() if key in taken}
        found = function(**parameters, **given, readings=changes)
    else:
        found = {key: function(**(parameters | change), **given) for key, change in changes.items()}
    data, basis = rests_on(entry, given)
    lines = [one.frame(data, basis).assign(reading=key) for key, one in found.items()]
    kept = [part for key, one in found.items() for part in _kept(name, key, one, list(frames))]
    long = pd.concat(kept, ignore_index=True) if kept else pd.DataFrame({"curve": []})
    write_parquet(long.astype({"curve": "string"}), curves)
    write_csv(pd.concat(lines, ignore_index=True), table)


def _kept(name: str, reading: str, results: Results, frames: list[str]) -> list[pd.DataFrame]:
    if missing := [frame for frame in frames if frame not in results.curves]:
        raise ConfigError(f"{name}: variants: frames: the study gives no frame '{missing[0]}'")
    return [results.curves[frame].assign(curve=frame, reading=reading) for frame in frames]
