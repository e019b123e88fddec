"""Numbers such as -999 that stand for missing scores."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from opchar.analysis.numbers import count_text
from opchar.analysis.tables.cells import cell_numbers
from opchar.errors import ScoresError

_CODE = re.compile(r"-1|-?(9+|8+|7+)")
FEW = 5


def refuse_codes(frame: pd.DataFrame, where: str, columns: tuple[str, ...]) -> None:
    """Refuse a code that is there more than once and further from all others than these spread."""
    for name in columns:
        numbers = cell_numbers(frame[name]).to_numpy(dtype=float, na_value=np.nan)
        distinct = np.unique(numbers[np.isfinite(numbers)])
        if len(distinct) <= FEW:
            continue
        for code, others in ((distinct[0], distinct[1:]), (distinct[-1], distinct[:-1])):
            rows = numbers == code
            apart = np.abs(others - code).min() >= np.ptp(others)
            if apart and 1 < rows.sum() < len(rows) / 2 and _CODE.fullmatch(f"{code:.17g}"):
                raise ScoresError(
                    f"{where}: row {frame.index[rows][0] + 1}, column '{name}': {code:g}, in "
                    f"{count_text(rows.sum(), 'row')}, lies apart from all other values, as codes "
                    "for missing ones do; leave such cells empty and give --drop-missing, or name "
                    "the column by --scores"
                )
