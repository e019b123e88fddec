"""Parts of the figures of the experiments on faces (Figs. 9 to 11)."""

from typing import Any

import pandas as pd


def _select(frame: pd.DataFrame, **wanted: Any) -> pd.DataFrame:
    """Return the rows with the wanted values."""
    for column, value in wanted.items():
        frame = frame[frame[column] == value]
    return frame
