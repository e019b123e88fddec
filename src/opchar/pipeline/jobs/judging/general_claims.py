"""Judge general claims on each of the sets on which they were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.analysis.claims.asking import judge_claims
from opchar.files import write_csv
from opchar.seeds import spawner
from opchar.statements.general import General
from opchar.statements.measurements import OF_SHORT_TEXTS


@OF_SHORT_TEXTS
def run(
    claims: Sequence[Mapping[str, Any]],
    resamples: int,
    seed: int,
    *,
    tables: Sequence[Path],
    table: Path,
) -> None:
    """Write a line for each claim and set.

    Parameters
    ----------
    claims : sequence of mapping
        Fields of `opchar.statements.general.General`.
    resamples : int
        How often the units of a claim are drawn anew.
    seed : int
        Of the run.
    tables : sequence of pathlib.Path
        The sets, and a table for each measure in the order of the claims.
    table : pathlib.Path
        Written: ``set``, ``data``, ``classes``, ``models`` and the columns of
        `opchar.analysis.claims.asking.judge_claims`.
    """
    general = [General(**claim) for claim in claims]
    sets = pd.read_csv(tables[0])
    measures = dict.fromkeys(claim.measure for claim in general)
    read = dict(zip(measures, map(pd.read_parquet, tables[1:]), strict=True))
    parts = []
    for about in sets.to_dict("records"):
        of_set = {
            name: frame[frame["set"] == about["set"]].drop(columns="set").reset_index(drop=True)
            for name, frame in read.items()
        }
        frames = {name: frame for name, frame in of_set.items() if len(frame)}
        found = judge_claims(frames, spawner(seed, "general", about["set"]), resamples, general)
        for index, name in enumerate(("set", "data", "classes", "models")):
            found.insert(index, name, about[name])
        parts.append(found)
    write_csv(pd.concat(parts, ignore_index=True), table)
