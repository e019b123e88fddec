"""Claims on adaptive ensembles (Sec. 4, Fig. 11)."""

import numpy as np
import pandas as pd

from opchar_reproduction.statements.measurements import (
    Finding,
    Measurements,
    conjunction,
    mean_table,
)
from opchar_reproduction.study import statement


@statement("0077")
def adaptive_combination_improves(
    measured: Measurements,
    *,
    way: str = "pairwise",
    baseline: str = "score average",
    least: float = 0.1,
) -> Finding:
    """Judge: in each setting F rises on a range of low P(+), wider the rarer the positives."""
    table = measured.frame("f-of-targets")
    ways = {
        name: mean_table(table[table["way"] == name], "f", index="setting", columns="prior")
        for name in (way, baseline)
    }
    gain = ways[way] - ways[baseline]
    widths = {share: _first_range(line) for share, line in gain.iterrows()}
    ordered = list(widths.values())
    parts = {f"F rises in setting {share:g}": width >= least for share, width in widths.items()}
    parts["the range is wider with fewer positives"] = bool((np.diff(ordered) < 0).all())
    return conjunction(
        parts,
        "better for P(+) below "
        + ", ".join(f"{width:.2f} (setting {share:g})" for share, width in widths.items())
        + "; mean gains over all P(+) "
        + ", ".join(f"{line.mean():+.3f}" for line in gain.to_numpy()),
    )


def _first_range(gain: pd.Series) -> float:
    """Return the P(+) below which there is a gain everywhere."""
    without = gain.index[gain.to_numpy() <= 0]
    if not len(without):
        return 1.0
    return float(without[0]) if without[0] > gain.index[0] else 0.0
