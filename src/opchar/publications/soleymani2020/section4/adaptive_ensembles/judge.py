"""Sec. 4: face trajectories. Three classifiers (Figures 9 and 10) and adaptive ensembles (11)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.publications.landgrebe2007.chapter4.cost_searches_claims import first_exceeds_second
from opchar.statements.controls import exchange_levels
from opchar.statements.measurements import Finding, Measurements, mean_table
from opchar.study import Control, statement


@statement(
    "0077",
    criterion="""The mean F of adaptive IBC is above that of score averaging at all P(+)
        below some P(+) of at least 0.1, in both settings, and this range is wider in the
        setting with fewer positives.""",
    decided="after",
    units="target",
    control=Control(
        exchange_levels,
        "both ways of combining exchanged",
        frame="f-of-targets",
        column="way",
        first="pairwise",
        second="score average",
    ),
    general=[
        {
            "says": """For rare positives a Boolean combination of models has a higher F than their
        mean score.""",
            "needs": "two classes, two or more models on the same objects",
            "measure": "opchar.analysis.claims.two_classes:combinations",
            "frame": "scenarios",
            "function": first_exceeds_second,
            "parameters": {"first": "pairwise", "second": "score average", "sets": []},
            "units": "scenario",
            "control": Control(
                exchange_levels,
                "pairwise and score average exchanged",
                frame="scenarios",
                column="algorithm",
                first="pairwise",
                second="score average",
            ),
        },
        {
            "says": """For rare positives a Boolean combination of models has a higher F than the
        best of them.""",
            "needs": "two classes, two or more models on the same objects",
            "measure": "opchar.analysis.claims.two_classes:combinations",
            "frame": "scenarios",
            "function": first_exceeds_second,
            "parameters": {"first": "pairwise", "second": "single member", "sets": []},
            "units": "scenario",
            "control": Control(
                exchange_levels,
                "pairwise and single member exchanged",
                frame="scenarios",
                column="algorithm",
                first="pairwise",
                second="single member",
            ),
        },
    ],
)
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
