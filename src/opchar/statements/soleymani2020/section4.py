"""Sec. 4: face trajectories. Three classifiers (Figures 9 and 10) and adaptive ensembles (11)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.statements.measurements import Finding, Measurements


def third_is_best(measured: Measurements, *, small: float) -> Finding:
    """Judge: C_3 is best in ROC, cost and F-measure space, on the mean curves of all targets."""
    mean = measured.frame("lead").groupby(["space", "at"])["gain"].mean().groupby("space")
    average, least = mean.mean(), mean.min()
    spaces = ", ".join(f"{space} {average[space]:+.4f}" for space in average.index)
    return Finding(
        bool((average > 0).all() and (least >= -small).all()),
        f"mean gain of C_3 over the better of the others: {spaces}; least {least.min():+.4f}",
    )


def cost_optimum_near_the_origin(measured: Measurements, *, limit: float) -> Finding:
    """Judge: the cost optimum is close to (0, 0) below a P(+), the F optimum not (most targets)."""
    table = measured.frame("near-origin")
    cost, f = table["cost"] >= limit, table["F"] > table["start"]
    both = cost & ~f
    return Finding(
        float(both.mean()) > 0.5,
        f"true of {int(both.sum())} of {len(table)} targets; the cost optimum is close up to "
        f"{limit:g} in {int(cost.sum())}, the F optimum nowhere close in {int((~f).sum())}",
    )


def optima_differ_between(
    measured: Measurements, *, low: float, high: float, unit: float
) -> Finding:
    """Judge: both optima differ everywhere between two P(+) and nowhere above, for most targets."""
    table = measured.frame("differ")
    reaches = (table["low"] <= low + unit / 2) & (table["high"] >= high - unit / 2)
    covers = reaches.groupby(table["target"]).any()
    ends = table.groupby("target")["high"].max() <= high + unit / 2
    both = covers & ends
    return Finding(
        float(both.mean()) > 0.5,
        f"the optima differ everywhere between in {int(covers.sum())} of {len(both)} targets, and "
        f"nowhere above {high:g} in {int(ends.sum())}; both in {int(both.sum())}",
    )


def interpolated_panels(measured: Measurements, *, panels: list[str]) -> Finding:
    """Judge: for most targets thresholds are interpolated in the panels named, and no others."""
    shares = measured.frame("interpolated").groupby("panel")["between"].mean()
    found = set(shares[shares > 0.5].index)
    return Finding(
        found == set(panels),
        "share of targets that interpolate, by panel: "
        + ", ".join(f"{panel} {share:.0%}" for panel, share in shares.items()),
    )


def adaptive_combination_improves(
    measured: Measurements, *, way: str, baseline: str, least: float
) -> Finding:
    """Judge: in each setting F rises on a range of low P(+), wider the rarer the positives."""
    table = measured.frame("f-of-targets")
    ways = {
        name: table[table["way"] == name].pivot_table(index="setting", columns="prior", values="f")
        for name in (way, baseline)
    }
    gain = ways[way] - ways[baseline]
    widths = {share: _first_range(line) for share, line in gain.iterrows()}
    ordered = list(widths.values())
    return Finding(
        min(ordered) >= least and bool((np.diff(ordered) < 0).all()),
        "better for P(+) below "
        + ", ".join(f"{width:.2f} (setting {share:g})" for share, width in widths.items())
        + "; mean gains over all P(+) "
        + ", ".join(f"{line.mean():+.3f}" for line in gain.to_numpy()),
    )


def _first_range(gain: pd.Series) -> float:
    """Return the P(+) below which there is a gain everywhere."""
    without = gain.index[gain.to_numpy() <= 0]
    return (
        float(without[0])
        if len(without) and without[0] > gain.index[0]
        else float(not len(without))
    )
