"""Figures of the thesis' Sec. 2.3."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures.style import COLOURS, TWO_COLUMNS, letter, panels, series, unit_square
from opchar_reproduction.study import figure


@figure("figure-2.5")
def characteristics(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw an ROC curve and its precision-recall characteristics, one for each prior."""
    figure, (left, right) = panels(1, 2, width=TWO_COLUMNS, height=3.4)
    left.plot(curves["roc"]["fpr"], curves["roc"]["tpr"], **series(0))
    ranges = dict(list(curves["ranges"].groupby("space")))
    folds = int(curves["ranges"]["folds"].iloc[0])
    _shade(left, ranges["roc"], 0)
    left.plot([0, 1], [0, 1], color="#777777", linewidth=0.6, linestyle=":")
    unit_square(left, "$FP_r$", "$TP_r$")
    by_prior = curves["precision-recall"].groupby("prior", sort=False)
    for number, (prior, curve) in enumerate(by_prior):
        label = rf"$\pi_p$ = {prior:g}"
        right.plot(curve["recall"], curve["precision"], label=label, **series(number))
        _shade(right, ranges[f"{prior:g}"], number)
    unit_square(right, "recall, $TP_r$", "precision")
    right.legend(loc="lower left")
    letter([left, right], ["ROC", "precision-recall"])
    figure.supxlabel(f"lines: first hold-out; shaded: lowest to highest of {folds}", fontsize=7)
    return figure


def _shade(panel: Axes, part: pd.DataFrame, number: int) -> None:
    """Shade a range over hold-outs in the colour of its line."""
    panel.fill_between(
        part["at"], part["low"], part["high"], color=COLOURS[number], alpha=0.18, linewidth=0
    )
