"""Any models on any data set, in four spaces."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures.style import COLOURS, letter, panels, series, unit_square


def in_four_spaces(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw ROC, precision-recall, F-measure and cost curves of each model."""
    figure, axes = panels(2, 2)
    drawn = {
        "roc": (axes[0], "fpr", "tpr"),
        "precision-recall": (axes[1], "recall", "precision"),
        "f": (axes[2], "prior", "f"),
        "cost": (axes[3], "pc", "cost"),
    }
    names = list(dict.fromkeys(curves["roc"]["series"]))
    for curve, (panel, x, y) in drawn.items():
        parts = dict(list(curves[curve].groupby("series", sort=False)))
        for number, name in enumerate(names[: len(COLOURS)]):
            panel.plot(parts[name][x], parts[name][y], label=str(name), **series(number))
    unit_square(axes[0], "FPR", "TPR")
    unit_square(axes[1], "Recall", "Precision")
    alpha = curves["f"]["alpha"].iloc[0]
    axes[2].set(xlabel="P(+)", ylabel=rf"best $F_\alpha$, $\alpha$ = {alpha:g}", xlim=(0, 1))
    axes[2].set_ylim(0, 1.02)
    axes[3].set(xlabel="PC(+)", ylabel="least normalised expected cost", xlim=(0, 1))
    axes[3].set_ylim(bottom=0)
    letter(axes, ["ROC", "Precision-recall, prior of the data", "F-measure", "Cost"])
    more = len(names) - len(COLOURS)
    title = f"{len(COLOURS)} of {len(names)} curves" if more > 0 else None
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, title=title)
    return figure
