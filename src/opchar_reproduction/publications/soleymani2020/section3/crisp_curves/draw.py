"""Crisp classifiers in F-measure space (Sec. 3, Fig. 1)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures.style import ONE_COLUMN, panels
from opchar_reproduction.publications.soleymani2020.curves_figures import (
    crisp_pairs,
    draw_families,
    mark_crossing,
    name_ends,
)
from opchar_reproduction.study import figure


@figure(
    "figure-1",
    sample=True,
    study="crisp-f-curves",
    title="F curves of one crisp classifier for several weights",
    caption="""F-measure over the prior of a classifier of TPR 0.8 and FPR 0.15. All curves
        meet where the dot is; alpha = 0 gives the constant TPR.""",
    lines=["figure-1", "text-3.1"],
    choices=["the five alpha values (0 among them) -> 0, 0.25, 0.5, 0.75, 1"],
)
def f_family(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw F over P(+) for several alpha, with the common crossing (Figure 1)."""
    figure, (panel,) = panels(width=ONE_COLUMN)
    draw_families(panel, curves["f"], "prior", "f")
    mark_crossing(panel, curves["crossing"])
    panel.set_xlim(0, 1)
    name_ends(panel, curves["f"], "prior", "f")
    return figure


figure(
    "figure-3",
    by=crisp_pairs,
    study="crisp-pairs",
    title="F curves of two crisp classifiers that do not cross, and that cross",
    caption="""Left: one classifier has the larger TPR and the smaller FPR and dominates.
        Right: the curves cross at the prior of Eq. 11, marked.""",
    lines=["figure-3a", "figure-3b"],
)
