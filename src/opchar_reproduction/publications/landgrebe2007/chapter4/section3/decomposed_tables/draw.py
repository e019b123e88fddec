"""Figures of class weights for costs (thesis, Secs. 4.2.5, 4.2.6, 4.3.3, 4.3.5 and 4.3.6)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.chapter4_figures import Curves
from opchar_reproduction.study import figure


@figure("figure-4.18")
def median_gains(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw median and quartiles of what DecompG gains on each data set (Figure 4.18)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=2.8)
    table = curves["gains"]
    place = np.arange(len(table))
    spread = [table["median"] - table["lower"], table["upper"] - table["median"]]
    panel.errorbar(
        place,
        table["median"],
        yerr=np.array(spread),
        fmt="o",
        capsize=3,
        color=style.COLOURS[0],
        label="median and quartiles of the cost matrices",
    )
    panel.set_xticks(place, table["data set"], rotation=35, ha="right")
    panel.set(ylabel="MSU of DecompG less default, %", ylim=(0, None))
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center")
    return figure
