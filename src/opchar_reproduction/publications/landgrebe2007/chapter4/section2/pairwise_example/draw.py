"""Figures of class weights for costs (thesis, Secs. 4.2.5, 4.2.6, 4.3.3, 4.3.5 and 4.3.6)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.chapter4_figures import (
    Curves,
    _boundary,
    _objects,
    _shade_moved,
)
from opchar_reproduction.study import figure


@figure("figure-4.4")
def eight_class_boundaries(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the boundaries of eight classes at equal and at optimised weights (Figure 4.4)."""
    figure, panels = style.panels(1, 2, height=3.6)
    for panel, name in zip(panels, ("equal weights", "Pairs"), strict=True):
        _objects(panel, curves["objects"], 5)
        chosen = curves["regions"][curves["regions"]["series"] == name]
        _boundary(panel, chosen, "black", "-")
        panel.set(xlabel="feature 1", ylabel="feature 2")
        panel.set_aspect("equal")
    _shade_moved(panels[1], curves["regions"], "equal weights", "Pairs")
    style.letter(panels, ["equal weights", "weights of the pairwise algorithm"])
    handles, labels = panels[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=9, markerscale=2)
    return figure
