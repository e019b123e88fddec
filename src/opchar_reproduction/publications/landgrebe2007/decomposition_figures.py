"""Figures of decomposed operating characteristics and moved weights (Sec. 4.3)."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from opchar.figures import style


def _matrix(panel: Axes, table: pd.DataFrame) -> None:
    """Draw a matrix of rates in shades, with its numbers."""
    square = _square(table)
    image = panel.imshow(square, cmap="Blues", vmin=0, vmax=1.4)
    for (i, j), rate in np.ndenumerate(square.to_numpy()):
        ink = style.ink(image.cmap(image.norm(rate)))
        panel.text(j, i, f"{rate:.3f}", ha="center", va="center", fontsize=6, color=ink)
    _class_ticks(panel, square.columns)


def _square(table: pd.DataFrame) -> pd.DataFrame:
    return table.pivot_table(index="true", columns="assigned", values="rate")


def _class_ticks(panel: Axes, classes: Iterable[Any]) -> None:
    labels = [rf"$\omega_{{{int(k)}}}$" for k in classes]
    panel.set_xticks(range(len(labels)), labels)
    panel.set_yticks(range(len(labels)), labels)
    panel.grid(False)
