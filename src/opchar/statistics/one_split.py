"""Tables of which all cells rest on one split: whether as many lie apart as splits give."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Rates that are less apart are the same but for their last bits.
SAME = 1e-12


def cells_beyond(cells: Floats, limit: float = 2.0) -> NDArray[np.intp]:
    """Count for each repeat the cells that differ from the other repeats.

    Shapes: `cells` (repeats, cells); returned (repeats,).
    """
    number = []
    for index, own in enumerate(cells):
        others = np.delete(cells, index, axis=0)
        known = (~np.isnan(others)).sum(axis=0)
        judged = ~np.isnan(own) & (known > 1)
        mean = np.nanmean(others[:, judged], axis=0)
        spread = np.nanstd(others[:, judged], axis=0, ddof=1) * np.sqrt(1 + 1 / known[judged])
        number.append(int((np.abs(own[judged] - mean) > limit * spread + SAME).sum()))
    return np.array(number)


def splits_as_far(printed: Floats, repeats: Floats) -> tuple[int, int]:
    """Return how many printed cells lie beyond two standard errors, and how many repeats have more.

    Print and repeats are each compared with all others, so that every rank of the print is equally
    likely if it is one of them. A repeat with as many cells counts.

    Shapes: `printed` (cells,); `repeats` (repeats, cells).
    """
    own, *others = cells_beyond(np.vstack([printed, repeats]))
    return int(own), int((np.array(others) >= own).sum())
