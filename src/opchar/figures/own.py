"""A user's own scores in four spaces."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures.style import letter, panels, series, unit_square


def four_spaces(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw ROC, precision-recall, F-measure and cost curves of each class.

    Parameters
    ----------
    results : pandas.DataFrame
        Result lines; not drawn.
    curves : dict of str to pandas.DataFrame
        As `opchar.analysis.analyse` gives them.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = panels(2, 2)
    axes_by_curve = {
        "roc": (axes[0], "fpr", "tpr"),
        "precision-recall": (axes[1], "recall", "precision"),
        "f": (axes[2], "prior", "f"),
        "cost": (axes[3], "pc", "cost"),
    }
    for curve, (panel, x, y) in axes_by_curve.items():
        for number, (name, part) in enumerate(curves[curve].groupby("series", sort=False)):
            panel.plot(part[x], part[y], label=str(name), **series(number))
    unit_square(axes[0], "FPR", "TPR")
    unit_square(axes[1], "Recall", "Precision")
    alpha = curves["f"]["alpha"].iloc[0]
    axes[2].set(xlabel="P(+)", ylabel=rf"best $F_\alpha$, $\alpha$ = {alpha:g}", xlim=(0, 1))
    axes[2].set_ylim(0, 1.02)
    axes[3].set(xlabel="PC(+)", ylabel="least normalised expected cost", xlim=(0, 1))
    axes[3].set_ylim(bottom=0)
    letter(axes, ["ROC", "Precision-recall, prior of the scores", "F-measure", "Cost"])
    axes[0].legend(title="positive class")
    return figure
