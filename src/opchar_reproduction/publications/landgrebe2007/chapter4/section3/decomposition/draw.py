"""Figures of decomposed operating characteristics and moved weights (Sec. 4.3)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.decomposition_figures import _matrix
from opchar_reproduction.publications.landgrebe2007.weighted_classes_figures import (
    one_series,
    weighted_densities,
    weighted_panel,
)
from opchar_reproduction.study import figure


@figure(
    "figure-4.8",
    study="costs-separate-pairs",
    title="Effect of one weight on the confusion rates of two separate pairs",
    caption="""The weight of class 1 goes from 1.0 to 0.1: the rates of its own pair move,
        those of the other pair do not.""",
)
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


@figure(
    "figure-4.11",
    study="costs-approximate-decomposition",
    title="Loss of the decomposed ROC against the overlap of the third class",
    caption="""Relative increase of the lowest loss when class 3 is left out of the search
        for weights, over fifty random cost matrices with profits on the diagonal; median and
        quartiles.""",
    choices=[
        "steps of mu_3 are not stated -> 0.5",
        "weight of the separated class -> 1; weights -> 80 logarithmic steps from 1e-3 to 1e3",
        """a loss with profits can be zero or negative -> divided by its absolute value""",
    ],
)
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


@figure(
    "figure-4.12",
    study="costs-approximate-decomposition",
    title="VUS of the decomposed ROC against the overlap of the third class",
    caption="""Relative difference of the area of classes 1 and 2 from the volume of all three, both
    estimated with 80 weights and 80 nodes per axis. Beside it the difference of the exact
    values.""",
    choices=[
        "steps of mu_3 are not stated -> 0.5",
        "weight of the separated class -> 1; weights -> 80 logarithmic steps from 1e-3 to 1e3",
    ],
)
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


figure(
    "figure-4.7",
    by=weighted_densities,
    study="costs-separate-pairs",
    title="Four Gaussian classes that form two separate pairs",
    caption="""Unit-variance classes at -8, -5, 5 and 8. At every weighting in the grid the
        rates of the whole problem equal those of its two pairs up to the largest change that
        the results name.""",
    parameters={"series": ["two pairs"], "titles": ["equal weights"]},
)

figure(
    "figure-4.10",
    by=weighted_densities,
    study="costs-approximate-decomposition",
    title="Three Gaussian classes, the third almost separate",
    caption="Unit-variance classes at -3, 0 and 6.",
    parameters={"series": ["weak overlap"], "titles": ["equal weights"]},
)
