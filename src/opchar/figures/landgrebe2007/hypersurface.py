"""Figures of the multi-class ROC on known classes (Sec. 3.2)."""

from __future__ import annotations

import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from opchar.figures import style


def scatter(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw objects of five classes and the decision boundary (Figure 3.1)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=3.3)
    decisions = curves["decisions"].pivot_table(index="y", columns="x", values="class")
    n_classes = int(curves["objects"]["class"].max())
    shades = ListedColormap(style.COLOURS[:n_classes])
    panel.pcolormesh(
        decisions.columns,
        decisions.index,
        decisions.to_numpy(),
        cmap=shades,
        vmin=0.5,
        vmax=n_classes + 0.5,
        alpha=0.15,
        shading="nearest",
        rasterized=True,
    )
    for level in range(1, n_classes):
        panel.contour(
            decisions.columns,
            decisions.index,
            decisions.to_numpy() > level,
            [0.5],
            colors="black",
            linewidths=0.8,
        )
    for number, (name, objects) in enumerate(curves["objects"].groupby("class")):
        panel.plot(
            objects["x"],
            objects["y"],
            style.MARKERS[number],
            ms=2.5,
            mew=0,
            color=style.COLOURS[number],
            label=rf"$\omega_{name}$",
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
