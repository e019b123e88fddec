"""Figures of class weights for costs (thesis, Secs. 4.2.5, 4.2.6, 4.3.3, 4.3.5 and 4.3.6)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.chapter4_figures import Curves
from opchar_reproduction.study import figure


@figure("figure-4.5")
def letter_scenarios(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the utility of each algorithm in each scenario of Letter (Figure 4.5)."""
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=2.9)
    table = curves["scenarios"]
    shown = "Letter" if (table["data set"] == "Letter").any() else table["data set"].iloc[0]
    table = table[(table["data set"] == shown) & (table["fold"] == 0)]
    for number, name in enumerate(("Default", "Naive", "Greedy", "Pairs", "PairsG")):
        values = table[table["algorithm"] == name]["MSU"].to_numpy()
        look: dict[str, Any] = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        # What coincides stays visible: the default is a ring around the others.
        look |= {"ms": 6, "mfc": "none", "mew": 0.8} if name == "Default" else {"ms": 2.8}
        panel.plot(np.arange(1, len(values) + 1), values, label=name, ls="none", **look)
    panel.grid(visible=True, axis="x", which="both")
    panel.set(xlabel="cost matrix", ylabel="mean subjective utility (MSU)", title=shown)
    panel.margins(x=0.01)
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure
