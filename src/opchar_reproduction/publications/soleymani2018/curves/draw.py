"""Figure 1 of the conference paper: cost curves and F curves of one crisp classifier."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures.style import letter, panels
from opchar_reproduction.publications.soleymani2020.curves_figures import (
    draw_families,
    mark_crossing,
    name_ends,
    name_lines,
)
from opchar_reproduction.study import figure


@figure("figure-1")
def cost_and_f_families(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw EC over P(+) for several m, and F over P(+) for several alpha (Figure 1)."""
    figure, axes = panels(1, 2, height=2.9)
    draw_families(axes[0], curves["cost"], "prior", "cost")
    axes[0].set(ylim=(0.1, 0.25))
    name_lines(axes[0], curves["cost"], "prior", "cost", at=0.4)
    draw_families(axes[1], curves["f"], "prior", "f")
    mark_crossing(axes[1], curves["crossing"])
    letter(axes, ["cost curves, axis from 0.1", "F-measure curves"])
    axes[1].set_xlim(0, 1)
    name_ends(axes[1], curves["f"], "prior", "f")
    return figure
