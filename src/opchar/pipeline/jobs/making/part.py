"""Measure a part of an experiment and write its curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from opchar.functions import imported
from opchar.pipeline.jobs.making.experiment import supplied


def run(
    name: str, entry: Mapping[str, Any], seed: int | None, *, scores: Iterable[Path], curves: Path
) -> None:
    """Call the function of the parts of an experiment.

    Parameters
    ----------
    name : str
        Address of the experiment, from which the random draws derive: they are those that they
        would be in one job.
    entry : mapping
        What this part is given (`opchar.pipeline.parts.entries`).
    seed : int or None
        Of the run; None for a function that draws nothing.
    scores : iterable of pathlib.Path
        The score tables it reads, in the order of the entry.
    curves : pathlib.Path
        Written.
    """
    function = imported(entry["function"])
    given = supplied(function, name, entry, seed, scores=scores, features=())
    function(**entry["parameters"], **given).write_curves(curves)
