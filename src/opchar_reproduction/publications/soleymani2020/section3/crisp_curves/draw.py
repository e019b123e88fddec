"""Crisp classifiers in F-measure space (Sec. 3, Fig. 1)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures.style import ONE_COLUMN, panels
from opchar_reproduction.publications.soleymani2020.curves_figures import (
    draw_families,
    mark_crossing,
    name_ends,
)
from opchar_reproduction.study import figure


@figure("figure-1")
def f_family(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw F over P(+) for several alpha, with the common crossing (Figure 1)."""
    figure, (panel,) = panels(width=ONE_COLUMN)
    draw_families(panel, curves["f"], "prior", "f")
    mark_crossing(panel, curves["crossing"])
    panel.set_xlim(0, 1)
    name_ends(panel, curves["f"], "prior", "f")
    return figure
