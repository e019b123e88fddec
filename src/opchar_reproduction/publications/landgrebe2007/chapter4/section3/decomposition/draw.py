"""Figures of decomposed operating characteristics and moved weights (Sec. 4.3)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.decomposition_figures import _matrix
from opchar_reproduction.publications.landgrebe2007.weighted_classes_figures import (
    one_series,
    weighted_panel,
)
from opchar_reproduction.study import figure


@figure("figure-4.8")
def perturbed_confusions(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw densities and confusion matrices before and after a change of weight (Figure 4.8)."""
    matrices = curves["confusion"]
    names = list(matrices["series"].unique())
    figure, panels = style.panels(1, 3, height=2.5)
    weighted_panel(panels[0], curves["densities"].query("series == 'perturbed'"), top=0.55)
    panels[0].legend(ncols=2, loc="upper center")
    for panel, name in zip(panels[1:], names, strict=True):
        _matrix(panel, one_series(matrices, "series", name))
        panel.set(xlabel="assigned", ylabel="true")
    titles = [name.replace("phi_1", r"$\phi_1$") for name in names]
    style.letter(panels, [f"densities, {titles[-1]}", *titles])
    return figure


@figure("figure-4.11")
def loss_of_decomposition(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw median and quartiles of the relative loss against the third mean (Figure 4.11)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN)
    curve = curves["loss"]
    panel.fill_between(
        curve["mu3"],
        curve["lower"],
        curve["upper"],
        color=style.COLOURS[5],
        alpha=0.4,
        lw=0,
        label="quartiles",
    )
    panel.plot(curve["mu3"], curve["median"], marker="o", color=style.COLOURS[0], label="median")
    panel.set(xlabel=r"$\mu_3$", ylabel=r"$(L_d-L_{gt})\,/\,|L_{gt}|$")
    panel.legend()
    return figure


@figure("figure-4.12")
def volume_of_decomposition(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the relative error of the decomposed volume against the third mean (Figure 4.12)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN)
    curve = curves["vus"]
    for number, (column, label) in enumerate(
        {"resampled": "resampled, as in the thesis", "exact": "exact volumes"}.items()
    ):
        panel.plot(
            curve["mu3"],
            curve[column],
            label=label,
            marker=style.MARKERS[number],
            markerfacecolor="none" if number else None,
            **style.series(number),
        )
    panel.set(xlabel=r"$\mu_3$", ylabel=r"$(VUS_d-VUS_{gt})\,/\,VUS_{gt}$")
    panel.legend()
    return figure
