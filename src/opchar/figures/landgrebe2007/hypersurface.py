"""Figures of the multi-class ROC on known classes (Sec. 3.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style


def scatter(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw objects of five classes and the decision boundary (Figure 3.1)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=3.3)
    n_classes = int(curves["objects"]["class"].max())
    for number in range(n_classes):
        margin = curves["decisions"].pivot_table(
            index="y", columns="x", values=f"margin_{number + 1}"
        )
        place = (margin.columns, margin.index, margin.to_numpy())
        panel.contourf(*place, [0, np.inf], colors=style.COLOURS[number], alpha=0.15)
        panel.contour(*place, [0], colors="black", linewidths=0.8)
    for number, (_, objects) in enumerate(curves["objects"].groupby("class")):
        panel.plot(
            objects["x"],
            objects["y"],
            style.MARKERS[number],
            ms=4,
            mec="black",
            mew=0.4,
            color=style.COLOURS[number],
            label=rf"$\omega_{number + 1}$",
        )
    panel.set(xlabel="$x_1$", ylabel="$x_2$")
    panel.grid(False)
    figure.legend(loc="outside lower center", ncols=n_classes, handletextpad=0.1)
    return figure


def fixed_error(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw a two-class ROC with one error fixed (Figure 3.4)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=style.ONE_COLUMN)
    curve = curves["roc"]
    line = results[results["artefact"] == "figure-3.4"].iloc[0]
    alpha = float(line["row"].split("at ")[1].rstrip("%")) / 100
    other = line["value"] / 100
    panel.plot(curve["xi_12"], curve["xi_21"], **style.series(0))
    panel.plot([alpha, alpha, 0], [0, other, other], color=style.COLOURS[1], ls="--", lw=1)
    panel.plot(alpha, other, "o", color=style.COLOURS[1])
    panel.annotate(
        rf"$\xi_{{1,2}} = {100 * alpha:g}\,\%$, $\xi_{{2,1}} = {100 * other:.1f}\,\%$",
        (alpha + 0.03, other + 0.02),
    )
    style.unit_square(
        panel, r"$\xi_{1,2}$ (false negative rate)", r"$\xi_{2,1}$ (false positive rate)"
    )
    return figure
