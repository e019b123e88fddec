"""Figures of class weights for costs (thesis, Secs. 4.2.5, 4.2.6, 4.3.3, 4.3.5 and 4.3.6)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.chapter4_figures import Curves
from opchar_reproduction.publications.landgrebe2007.weighted_classes_figures import weighted_panel
from opchar_reproduction.study import figure


@figure("figure-4.16")
def two_operating_points(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw weighted densities at two operating points (Figure 4.16)."""
    figure, panels = style.panels(1, 2, height=2.5)
    table = curves["densities"]
    names = list(dict.fromkeys(table["series"]))
    for panel, name in zip(panels, names, strict=True):
        weighted_panel(panel, table[table["series"] == name])
    style.letter(panels, names)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
