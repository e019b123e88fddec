"""Classification against rejection for known densities (Sec. 5.3.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.statements.measurements import Finding, Measurements


def target_region_is_cut(measured: Measurements, *, shown: float) -> Finding:
    """Ask whether all that is called target has a target density of t_d, in a smaller region."""
    table = measured.frame("regions")
    table = table.assign(length=table["high"] - table["low"])
    one, none = (table[table["t_d"] == level] for level in (shown, 0.0))
    least = one["least density"].min()
    return Finding(
        bool(least >= shown - 1e-9 and one["length"].sum() < none["length"].sum()),
        f"with t_d = {shown:g} the target region is {_said(one)}, where the density is {least:.4f} "
        f"at least; with theta alone {_said(none)}",
    )


def rejection_improves_at_the_price_of_classification(
    measured: Measurements, *, sharp: float, early: float
) -> Finding:
    """Ask whether FP_r^r falls, most at once, and mean performance falls, most at the end."""
    table = measured.frame("roc")
    accepted = table.pivot_table("fpr_r", index="t_d", columns="theta")
    levels = accepted.index.to_numpy(dtype=float)
    middle = accepted.iloc[:, int(np.abs(accepted.columns.to_numpy(dtype=float)).argmin())]
    unseen = middle.to_numpy(dtype=float)
    best = table.groupby("t_d")["mean_performance"].max().to_numpy(dtype=float)
    slope, loss = -np.diff(unseen) / np.diff(levels), -np.diff(best)
    falls = (slope > 0).all() and bool((accepted.diff().fillna(0.0) <= 1e-12).all(axis=None))
    at_once = slope[0] == slope.max() and unseen[1] < (1 - sharp) * unseen[0]
    at_the_end = loss[-1] == loss.max() and loss[0] < early * loss.sum()
    extremes = best[0] == best.max() and unseen[0] == unseen.max()
    return Finding(
        bool(falls and at_once and at_the_end and extremes),
        f"for t_d {_list(levels, 'g')} FP_r^r at theta = 0 is {_list(unseen, '.3f')} and the best "
        f"mean performance {_list(best, '.4f')}",
    )


def _said(regions: pd.DataFrame) -> str:
    return " and ".join(
        f"[{row['low']:.3f}, {row['high']:.3f}]" for row in regions.to_dict("records")
    )


def _list(values: np.ndarray, form: str) -> str:
    return ", ".join(format(float(value), form) for value in values)
