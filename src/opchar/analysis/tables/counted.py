"""Tables in parts, and tables of counts by score, as one table with a row for each object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.tables.cells import words_of
from opchar.analysis.tables.columns import Columns
from opchar.analysis.tables.files import model_names, read_parts
from opchar.analysis.tables.many import Counted, given_counts, read_counts
from opchar.analysis.tables.no_scores import refuse_totals
from opchar.analysis.tables.shapes import by_model
from opchar.analysis.tables.values import not_negative, numbers_of, refuse_cell
from opchar.errors import ScoresError
from opchar.spaces.score_counts import COLUMNS

# As Spark, Dask and databases call them.
PART = re.compile(r"part[-_.]?\d.*", re.I)
MOST_ROWS = 50_000_000


def whole_tables(
    paths: Sequence[Path], wanted: Columns, counted: bool = False, by_counts: bool = False
) -> Iterator[tuple[str, str, pd.DataFrame, NDArray[np.int64] | None]]:
    """Yield for each table where it stands, the name of its model, its rows, and their numbers.

    The latter where one table of many objects has a row for those of one class and score.
    """
    parts = parts_of(paths)
    for (path, files), name in zip(parts.items(), model_names(list(parts)), strict=True):
        many = None
        if by_counts and not counted and len(parts) == 1:
            many = read_counts(files, wanted)
        if many is None:
            frame = read_parts(files)
            refuse_totals(frame, str(path), wanted.by)
            if counted and not wanted.scores:
                refuse_unnamed_total(frame, str(path))
            if counted and by_counts and len(parts) == 1:
                many = _many(frame, str(path))
            if counted and many is None:
                frame = counted_rows(frame, str(path))
        if many is not None:
            yield (str(path), name, *many)
        else:
            yield from ((*own, None) for own in by_model(str(path), name, frame, wanted))


def parts_of(paths: Sequence[Path]) -> dict[Path, list[Path]]:
    """Return the files of each table: of a folder its Parquet files, else the file itself.

    Parquet files that are called parts and lie in one folder are one table, called as the folder.
    """
    found: dict[Path, list[Path]] = {}
    for path in paths:
        if path.is_dir() and (inside := sorted(path.glob("*.parquet"))):
            found[path] = inside
        elif PART.fullmatch(path.name) and path.suffix == ".parquet":
            found.setdefault(path.resolve().parent, []).append(path)
        elif path in found:
            raise ScoresError(f"two files are both '{path.name}'; give each model once")
        else:
            found[path] = [path]
    return found


def counted_rows(frame: pd.DataFrame, where: str) -> pd.DataFrame:
    """Return a row for each object of a table that counts positives and negatives by score.

    Negatives come first, each class by ascending score. Further columns, as of folds, hold for all
    objects of a row.
    """
    score, *counts = _names(frame, where)
    frame = frame.iloc[np.argsort(numbers_of(frame, where, score), kind="stable")]
    times = [_times(frame, where, name) for name in counts]
    if (total := sum(int(each.sum()) for each in times)) > MOST_ROWS:
        raise ScoresError(
            f"{where}: counts {total:,} objects; an analysis with all intervals takes up to "
            f"{MOST_ROWS:,}; opchar.ScoreCounts takes any number, see docs/large-scores.md"
        )
    kept = frame.drop(columns=counts)
    rows = [np.repeat(np.arange(len(frame)), each) for each in reversed(times)]
    y = np.repeat([0, 1], [len(each) for each in rows])
    return kept.iloc[np.concatenate(rows)].assign(y=y).reset_index(drop=True)


def refuse_unnamed_total(frame: pd.DataFrame, where: str) -> None:
    """Refuse a row that counts as many of both classes as all others together."""
    score, *counts = _names(frame, where)
    times = [_times(frame, where, name) for name in counts]
    alike = [(2 * each == each.sum()) & (each > 0) for each in times]
    if len(frame) > 3 and (found := np.logical_and(*alike)).any():
        row = int(found.argmax()) + 1
        raise ScoresError(
            f"{where}: row {row} counts as much as all others together, as a total does; delete "
            f"it, or give --scores {quote(score)} if the score of its objects is "
            f"{frame[score].iloc[row - 1]}"
        )


def _names(frame: pd.DataFrame, where: str) -> list[str]:
    names = {words_of(str(name)): str(name) for name in frame.columns}
    if missing := [name for name in COLUMNS if name not in names]:
        raise ScoresError(
            f"{where}: no column '{missing[0]}'; --counts takes {', '.join(COLUMNS)}, as "
            "docs/large-scores.md shows"
        )
    return [names[name] for name in COLUMNS]


def _many(frame: pd.DataFrame, where: str) -> Counted | None:
    """Return counts as they are, where they are all that a table has and of many objects."""
    names = {words_of(str(name)): str(name) for name in frame.columns}
    if set(names) != set(COLUMNS):
        return None
    values = numbers_of(frame, where, names["score"])
    positives, negatives = (_times(frame, where, names[name]) for name in COLUMNS[1:])
    table = {"score": values, "positives": positives, "negatives": negatives}
    return given_counts(table, names["score"])


def _times(frame: pd.DataFrame, where: str, column: str) -> NDArray[np.int64]:
    """Return how many objects each row stands for."""
    given = numbers_of(frame, where, column)
    not_negative(given, frame, where, column, "a count")
    broken = given != np.rint(given)
    refuse_cell(frame, where, column, broken, f"{given[broken.argmax()]:g} is no whole number")
    return given.astype(np.int64)
