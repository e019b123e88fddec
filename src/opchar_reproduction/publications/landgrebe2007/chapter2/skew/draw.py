"""Figures of two-class operating points, the case study and skew (Secs. 2.2.2, 2.2.4, 2.3.1)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.study import figure


@figure("figure-2.4")
def accuracy_and_precision(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw accuracy and precision of one operating point over the skew (Fig. 2.4)."""
    lines = results.query("artefact == 'figure-2.4' and row == 'linear discriminant'")
    at = lines.set_index("column")["value"]
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=2.6)
    curve, ends = curves["skew"], []
    for number, name in enumerate(("accuracy", "precision")):
        panel.semilogx(curve["skew"], curve[name], label=name, **style.series(number))
        ends.append((curve[name].iloc[-1], name, style.COLOURS[number]))
    panel.axhline(at["TN_r"], color=style.GREY, linewidth=0.8, linestyle=":")
    ends.append((at["TN_r"], f"$TN_r$ = {at['TN_r']:.3f}", style.GREY))
    panel.set(xlabel=r"skew $\lambda$", ylabel="rate", ylim=(0, 1.02))
    panel.margins(x=0)
    style.label_ends(panel, ends)
    return figure
