"""Measure what general claims are about, on the score tables of public sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from opchar.analysis.asking import Asked
from opchar.analysis.claims.asking import measure_claims
from opchar.analysis.claims.tables import scored_of
from opchar.files import write_csv, write_parquet
from opchar.scores import read_scores


def run(
    sets: Mapping[str, Sequence[str]],
    measures: Sequence[str],
    seed: int,
    *,
    scores: Iterable[Path],
    tables: Sequence[Path],
) -> None:
    """Write the sets, and a table of single measurements for each measure.

    Parameters
    ----------
    sets : mapping of str to sequence of str
        Models by data set.
    measures : sequence of str
        ``"module:function"`` of each.
    seed : int
        Of the run.
    scores : iterable of pathlib.Path
        The score tables, set by set.
    tables : sequence of pathlib.Path
        Written: the sets, then a table a measure, with the column ``set``.
    """
    waiting = iter(scores)
    about: list[tuple[object, ...]] = []
    found: dict[str, list[pd.DataFrame]] = {measure: [] for measure in measures}
    for name, models in sets.items():
        read = {model: read_scores(next(waiting)) for model in models}
        scored = scored_of(read, name)
        label = read[models[0]].data
        about.append((name, label, len(scored.y), len(scored.classes), "; ".join(models)))
        for measure, frame in measure_claims({name: scored}, Asked(seed=seed), measures).items():
            found[measure].append(frame.assign(set=name))
    columns = ["set", "data", "rows", "classes", "models"]
    write_csv(pd.DataFrame(about, columns=columns), tables[0])
    for measure, table in zip(measures, tables[1:], strict=True):
        frames = found[measure] or [pd.DataFrame({"set": []})]
        write_parquet(pd.concat(frames, ignore_index=True), table)
