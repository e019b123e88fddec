"""Figures of weighted class densities and their operating points (Secs. 3.2, 4.2 and 4.3)."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.vus_figures import cloud_of_rates


def one_series(table: pd.DataFrame, column: str, value: str) -> pd.DataFrame:
    """Return the rows of one series."""
    return table[table[column] == value]


def weighted_panel(panel: Axes, curve: pd.DataFrame, top: float | None = None) -> None:
    """Draw weighted densities and, below them, which class wins where."""
    table = curve.pivot_table(index="x", columns="class", values="weighted")
    for number, name in enumerate(table.columns):
        label = rf"$\omega_{{{int(name)}}}$"
        panel.plot(table.index, table[name], label=label, **style.series(number))
    top = 1.05 * float(table.to_numpy().max()) if top is None else top
    panel.set(
        xlabel="$x$ (strip: decided class)",
        ylabel=r"$\phi_i\,p(x\,|\,\omega_i)$",
        ylim=(-0.05 * top, top),
    )
    panel.axhline(0, color="black", lw=0.5)
    x, winner = table.index.to_numpy(), table.to_numpy().argmax(axis=1)
    starts = np.flatnonzero(np.r_[True, np.diff(winner) != 0])
    for begin, end in zip(starts, np.r_[starts[1:], len(x) - 1], strict=True):
        colour = style.COLOURS[winner[begin] % len(style.COLOURS)]
        panel.axvspan(x[begin], x[end], ymax=0.05 / 1.05, color=colour, lw=0)
        if begin:
            panel.axvline(x[begin], color=style.GREY, lw=0.6, ls=":")
    panel.margins(x=0)


def weighted_densities(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, series: list[str], titles: list[str]
) -> Figure:
    """Draw class densities at one or two operating points (Figures 4.1, 4.7 and 4.10)."""
    width = style.TWO_COLUMNS if len(series) > 1 else style.ONE_COLUMN
    figure, panels = style.panels(1, len(series), width=width, height=2.4)
    for panel, name in zip(panels, series, strict=True):
        weighted_panel(panel, one_series(curves["densities"], "series", name))
    if len(series) > 1:
        style.letter(panels, titles)
    else:
        panels[0].set_title(titles[0])
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def error_cloud(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw three error dimensions of a ROC: from aside and from above (Fig. 4.2)."""
    names = {"xi_12": r"$\xi_{1,2}$", "xi_21": r"$\xi_{2,1}$", "xi_23": r"$\xi_{2,3}$"}
    return cloud_of_rates(curves["roc"], names)
