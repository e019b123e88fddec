"""Run an experiment under each of its variants but the primary one."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.errors import ConfigError
from opchar.files import write_csv, write_parquet
from opchar.functions import import_function, require_type
from opchar_reproduction.jobs.making.experiment import rests_on, results_of, supplied_arguments
from opchar_reproduction.results import Results

Changes = Mapping[str, Mapping[str, Any]]


def run(
    name: str,
    entry: Mapping[str, Any],
    seed: int | None,
    changes: Changes,
    frames: Iterable[str],
    *,
    scores: Iterable[Path],
    features: Iterable[Path],
    table: Path,
    curves: Path,
) -> None:
    """Write the lines and the kept frames of all variants, each with its variant.

    Tables are read once; every variant gets generators of the same names as the experiment, and
    all share what they can (`opchar_reproduction.study.Shared`).
    """
    function = import_function(entry["function"])
    given = supplied_arguments(function, name, entry, seed, scores=scores, features=features)
    found = {
        key: require_type(
            function(**deepcopy(entry["parameters"] | change), **given), Results, entry["function"]
        )
        for key, change in changes.items()
    }
    data, basis = rests_on(entry, given)
    with results_of(entry["function"]):
        lines = [one.frame(data, basis).assign(variant=key) for key, one in found.items()]
        kept = [
            part
            for key, one in found.items()
            for part in _kept_frames(name, key, one, list(frames))
        ]
        long = pd.concat(kept, ignore_index=True) if kept else pd.DataFrame({"curve": []})
        write_parquet(long.astype({"curve": "string"}), curves)
    write_csv(pd.concat(lines, ignore_index=True), table)


def _kept_frames(
    name: str, variant: str, results: Results, frames: list[str]
) -> list[pd.DataFrame]:
    if missing := [frame for frame in frames if frame not in results.curves]:
        raise ConfigError(f"{name}: variants: frames: the study gives no frame '{missing[0]}'")
    return [results.curves[frame].assign(curve=frame, variant=variant) for frame in frames]
