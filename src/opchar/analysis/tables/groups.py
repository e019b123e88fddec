"""Groups of rows: those that are judged one by one, and those that may be alike."""

from __future__ import annotations

from shlex import quote

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.numbers import count_text
from opchar.analysis.tables.cells import label_text, words_of
from opchar.analysis.tables.no_scores import REPEATING
from opchar.errors import ScoresError

MOST_GROUPS = 50


def groups_of(
    frame: pd.DataFrame, where: str, column: str | None
) -> tuple[str, NDArray[np.str_]] | None:
    """Return the column of groups that are judged one by one."""
    if column is None:
        return None
    texts = frame[column].map(label_text).astype(str).to_numpy()
    if (number := len(np.unique(texts))) > MOST_GROUPS:
        raise ScoresError(
            f"{where}: column '{column}' has {number} values; --by takes up to {MOST_GROUPS}"
        )
    return column, texts.astype(str)


def repeats_of(frame: pd.DataFrame, columns: list[str], y: NDArray[np.intp]) -> tuple[str, ...]:
    """Return columns whose values repeat as those of patients do, with the cure, a sentence each.

    A group of rows is drawn as one object if its rows have one class, else as a fold.
    """
    found = []
    for name in columns:
        values = frame[name]
        if words_of(name).removesuffix("id").removesuffix("no").strip("_") not in REPEATING:
            continue
        codes, distinct = pd.factorize(values)
        if not 1 < len(distinct) < len(values):
            continue
        mixed = pd.Series(y).groupby(codes).nunique().max() > 1
        cure = f"--fold {quote(name)} --resample folds" if mixed else f"--id {quote(name)}"
        numbers = f"{count_text(len(distinct), 'value')} in {len(values):,} rows"
        found.append(f"Column '{name}' has {numbers}. If rows of one {name} are alike, give {cure}")
    return tuple(found)


def check_one_class(
    frame: pd.DataFrame,
    where: str,
    column: str,
    unit: NDArray[np.intp],
    y: NDArray[np.intp],
) -> None:
    """Refuse objects whose rows have several classes."""
    order = np.lexsort((y, unit))
    changes = (np.diff(unit[order]) == 0) & (np.diff(y[order]) != 0)
    if changes.any():
        row = int(order[1:][changes][0])
        raise ScoresError(
            f"{where}: row {frame.index[row] + 1}, column '{column}': object "
            f"{frame[column].iloc[row]} has another class in another row; for groups "
            f"of mixed classes give --fold '{column}' --resample folds"
        )
