"""Columns of tables as numbers, or as names of folds and objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.tables.cells import MISSING, cell_numbers, is_percent, no_number
from opchar.errors import ScoresError
from opchar.statistics.calibration import LARGEST

MOST_EXACT = 2.0**53


def refuse_cell(
    frame: pd.DataFrame, where: str, column: str, wrong: Any, why: Callable[[Any], str] | str
) -> None:
    """Refuse the first cell of a column that is wrong; `why` tells it of the cell.

    Shapes: `wrong` (n,).
    """
    if (wrong := np.asarray(wrong)).any():
        row = int(wrong.argmax())
        reason = why if isinstance(why, str) else why(frame[column].iloc[row])
        raise ScoresError(f"{where}: row {frame.index[row] + 1}, column '{column}': {reason}")


def numbers_of(frame: pd.DataFrame, where: str, column: str) -> NDArray[np.float64]:
    """Return a column of finite numbers."""
    values = frame[column]
    about = f"{where}: column '{column}'"
    if pd.api.types.is_datetime64_any_dtype(values):
        raise ScoresError(f"{about}: holds times; give numbers")
    parsed = cell_numbers(values)
    numbers = parsed.to_numpy(dtype=float, na_value=np.nan)
    refuse_cell(frame, where, column, ~np.isfinite(numbers), lambda cell: no_number(cell, values))
    if is_percent(values) and pd.api.types.is_numeric_dtype(values) and numbers.max() <= 0.01:
        raise ScoresError(
            f"{about}: is called percent, and no value is above 1; rename it or write % in its "
            "cells"
        )
    beyond = "beyond 1e150; divide all by one number"
    refuse_cell(frame, where, column, np.abs(numbers) > LARGEST, beyond)
    large = parsed.dtype.kind in "iu" and np.abs(numbers).max() > MOST_EXACT
    if large and parsed.nunique() > len(np.unique(numbers)):
        raise ScoresError(
            f"{about}: whole numbers beyond 2^53 are rounded to one another; scale down"
        )
    return numbers


def not_negative(
    values: NDArray[np.float64], frame: pd.DataFrame, where: str, column: str, what: str
) -> None:
    """Refuse a column with a negative number; `what` says what its numbers are."""
    refuse_cell(frame, where, column, values < 0, f"{what} is not negative")


def keys_of(frame: pd.DataFrame, where: str, column: str, *, folds: bool) -> NDArray[Any]:
    """Return a column of folds or ids: whole numbers, or texts."""
    values = frame[column]
    missing = values.isna() | values.astype(str).str.strip().str.lower().isin(MISSING)
    refuse_cell(frame, where, column, missing, no_number("", values))
    if pd.api.types.is_numeric_dtype(values):
        numbers = values.to_numpy(dtype=float)
        right = (numbers == np.floor(numbers)) & (np.abs(numbers) < 2**53)
        if folds:
            right &= numbers >= 0
        whole = "is not a whole number" + (" from 0" if folds else "")
        refuse_cell(frame, where, column, ~right, lambda cell: f"{cell} {whole}")
        return numbers.astype(np.int64)
    return values.astype(str).to_numpy()


def sizes_text(labels: pd.Series, present: Sequence[str]) -> str:
    """Return the first classes with their numbers of rows, so that a stray one shows."""
    sizes = labels.value_counts()
    more = ", ..." if len(present) > 5 else ""
    return ", ".join(f"{name} ({sizes[name]})" for name in present[:5]) + more
