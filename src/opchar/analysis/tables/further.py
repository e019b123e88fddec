"""What comes with scores: costs of each object, and scores of objects without labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.numbers import count_text
from opchar.analysis.tables.cells import is_missing, words_of
from opchar.analysis.tables.files import read_table
from opchar.analysis.tables.values import not_negative, numbers_of
from opchar.errors import ScoresError, nearest

Floats = NDArray[np.float64]


def costs_of(frame: pd.DataFrame, where: str, columns: tuple[str, ...]) -> dict[str, Floats]:
    """Return what decisions on each object cost, by lower-case name of the column."""
    found = {words_of(name): numbers_of(frame, where, name) for name in columns}
    if "cost" in found and len(found) > 1:
        raise ScoresError(
            f"{where}: columns {list(columns)}: 'cost' holds for any wrong decision; give either "
            "it, or cost_fp and cost_fn"
        )
    for name, values in found.items():
        not_negative(values, frame, where, name, "a cost")
    return found


def unlabelled_scores(
    tables: Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]],
    paths: Sequence[Path | str],
    *,
    drop_missing: bool,
) -> tuple[dict[str, Floats], list[str]]:
    """Return scores of unlabelled objects by model, and what was read, a sentence each."""
    if len(paths) != len(tables):
        raise ScoresError(
            f"{len(paths)} files of unlabelled objects for {len(tables)} of scores: give "
            "--unlabelled once for each, in the same order"
        )
    models: dict[str, Floats] = {}
    notes = []
    for (name, by_class, single), path in zip(tables, paths, strict=True):
        frame, where = read_table(path), str(path)
        columns = _present(frame, where, by_class or single)
        if drop_missing:
            lacking = np.any([is_missing(frame[column]) for column in columns], axis=0)
            frame = frame[~lacking]
        if len(frame) == 0:
            raise ScoresError(f"{where}: no row has a score")
        values = [numbers_of(frame, where, column)[:, None] for column in columns]
        if by_class or len(single) == 1:
            models[name] = np.hstack(values)
        else:
            models |= dict(zip(single, values, strict=True))
        number = count_text(len(frame), "unlabelled object")
        notes.append(f"{where}: {number}, scores in {', '.join(columns)}")
    return models, notes


def _present(frame: pd.DataFrame, where: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of scores; for a single missing one, the table's only column."""
    missing = [name for name in columns if name not in frame]
    if missing and len(columns) == len(frame.columns) == 1:
        return (str(frame.columns[0]),)
    if missing:
        hint = nearest(missing[0], [str(name) for name in frame.columns])
        raise ScoresError(
            f"{where}: no column '{missing[0]}'{hint}; it has {list(frame.columns)}, and needs the "
            "columns of scores of the labelled file"
        )
    return columns
