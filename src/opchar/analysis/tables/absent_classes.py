"""Columns of scores of a class that no object has."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.analysis.tables.cells import cell_numbers
from opchar.analysis.tables.columns import ROUNDED, class_of
from opchar.errors import ScoresError

MOST_CLASSES = 100


def refuse_absent_classes(
    frame: pd.DataFrame, where: str, rest: list[str], by_class: dict[str, str]
) -> None:
    """Refuse a column for each class and one for another: the model takes objects for it, too.

    It shows by its number, or by rows that add up to 1 with it and not without it.
    """
    others = [name for name in rest if name not in by_class.values()]
    numbers = {name: cell_numbers(frame[name]) for name in others}
    others = [name for name in others if numbers[name].notna().all()]
    absent: list[str] = []
    if all(name.isdigit() for name in by_class):
        more = [str(k) for k in range(MOST_CLASSES) if str(k) not in by_class]
        absent = [name for name in others if class_of(name, more) is not None]
    shares = [name for name in others if numbers[name].between(0, 1).all()]
    if not absent and shares:
        own = np.sum([cell_numbers(frame[name]) for name in by_class.values()], axis=0)
        together = own + np.sum([numbers[name] for name in shares], axis=0)
        if np.abs(together - 1).max() < ROUNDED < np.abs(own - 1).max():
            absent = shares
    if absent:
        columns = ",".join(by_class.values())
        raise ScoresError(
            f"{where}: column '{absent[0]}' has the scores of a class that no row has; "
            f"--scores {columns} leaves it out, or give rows of that class"
        )
