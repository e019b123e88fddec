"""Figures of operating weights and decomposition for known Gaussian classes (Secs. 4.2, 4.3)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator
from mpl_toolkits.mplot3d.axes3d import Axes3D

from opchar.figures import style
from opchar.figures.landgrebe2007.vus import label_3d, rates_3d


def _of(table: pd.DataFrame, column: str, value: str) -> pd.DataFrame:
    """Return the rows of one series."""
    return table[table[column] == value]


def _weighted_densities(panel: Axes, curve: pd.DataFrame, top: float | None = None) -> None:
    """Draw weighted densities and, below them, which class wins where."""
    table = curve.pivot_table(index="x", columns="class", values="weighted")
    for number, name in enumerate(table.columns):
        label = rf"$\omega_{{{int(name)}}}$"
        panel.plot(table.index, table[name], label=label, **style.series(number))
    top = 1.05 * float(table.to_numpy().max()) if top is None else top
    panel.set(xlabel="$x$", ylabel=r"$\phi_i\,p(x\,|\,\omega_i)$", ylim=(-0.05 * top, top))
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
        _weighted_densities(panel, _of(curves["densities"], "series", name))
    if len(series) > 1:
        style.letter(panels, titles)
    else:
        panels[0].set_title(titles[0])
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def perturbed_confusions(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw densities and confusion matrices before and after a change of weight (Figure 4.8)."""
    matrices = curves["confusion"]
    names = list(matrices["series"].unique())
    figure, panels = style.panels(1, 3, height=2.5)
    _weighted_densities(panels[0], curves["densities"].query("series == 'perturbed'"), top=0.55)
    panels[0].legend(ncols=2, loc="upper center")
    for panel, name in zip(panels[1:], names, strict=True):
        _matrix(panel, _of(matrices, "series", name))
        panel.set(xlabel="assigned", ylabel="true")
    titles = [name.replace("phi_1", r"$\phi_1$") for name in names]
    style.letter(panels, [f"densities, {titles[-1]}", *titles])
    return figure


def error_cloud(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw three error dimensions of the four-class ROC (Figure 4.2)."""
    panel = rates_3d([r"$\xi_{1,2}$", r"$\xi_{2,1}$", r"$\xi_{2,3}$"])
    cloud = curves["roc"]
    panel.scatter(
        cloud["xi_12"],
        cloud["xi_21"],
        cloud["xi_23"],
        c=cloud["xi_23"],
        s=2,
        cmap="viridis",
        linewidths=0,
        depthshade=False,
        rasterized=True,
    )
    figure = panel.get_figure()
    assert isinstance(figure, Figure)
    return figure


def growth(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the number of operating points against resolution (Figure 4.3)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=2.8)
    for number, (_, curve) in enumerate(curves["complexity"].groupby("C")):
        panel.semilogy(
            curve["r"],
            curve["points"],
            label=f"$C$ = {curve['C'].iloc[0]:.0f}",
            marker=style.MARKERS[number],
            **style.series(number),
        )
    panel.set(xlabel="resolution $r$", ylabel="operating points, $r^{C-1}$")
    figure.legend(loc="outside right upper")
    return figure


def three_class_example(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw three densities and their resampled ROC (Figure 4.6)."""
    figure, panels = style.panels(1, 2, height=3.0)
    _weighted_densities(panels[0], curves["densities"], top=0.5)
    panels[0].legend(loc="upper right")
    panels[1].remove()
    panel = figure.add_subplot(1, 2, 2, projection="3d")
    assert isinstance(panel, Axes3D)
    label_3d(panel, [r"$1-\xi_{1,1}$", r"$1-\xi_{2,2}$", r"$1-\xi_{3,3}$"])
    surface = curves["surface"]
    side = round(len(surface) ** 0.5)
    x, y, z = (surface[name].to_numpy().reshape(side, side) for name in ("e_11", "e_22", "e_33"))
    panel.plot_surface(
        x,
        y,
        z,
        cmap="viridis",
        vmin=0,
        vmax=1,
        rcount=25,
        ccount=25,
        lw=0.2,
        edgecolor="#333333",
        alpha=0.9,
    )
    style.letter([panels[0]], ["densities"])
    panel.set_title("(b) diagonal ROC dimensions", loc="left")
    return figure


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


def _matrix(panel: Axes, table: pd.DataFrame) -> None:
    """Draw a matrix of rates in shades, with its numbers."""
    square = table.pivot_table(index="true", columns="assigned", values="rate")
    panel.imshow(square, cmap="Blues", vmin=0, vmax=1.4)
    for (i, j), rate in np.ndenumerate(square.to_numpy()):
        ink = "white" if rate > 0.7 else "black"
        panel.text(j, i, f"{rate:.3f}", ha="center", va="center", fontsize=6, color=ink)
    labels = [rf"$\omega_{{{int(k)}}}$" for k in square.columns]
    panel.set_xticks(range(len(labels)), labels)
    panel.set_yticks(range(len(labels)), labels)
    panel.grid(False)


def default_point(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the densities of the perturbation example and its default rates (Figure 4.13)."""
    figure, panels = style.panels(1, 2, height=2.8)
    _weighted_densities(panels[0], curves["densities"], top=0.75)
    panels[0].xaxis.set_major_locator(MultipleLocator(4))
    panels[0].legend(ncols=2, loc="upper right")
    _matrix(panels[1], _of(curves["confusion"], "series", "default"))
    panels[1].set(xlabel="assigned", ylabel="true")
    style.letter(panels, ["densities", r"$\Xi$ at $\Phi = [1, 1, 1, 1]$"])
    return figure


def slices(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the confusion rates as each weight moves (Figure 4.14)."""
    names = [name for name in curves["confusion"]["series"].unique() if name != "default"]
    weights = list(dict.fromkeys(name.split(" = ")[1] for name in names))
    classes = list(dict.fromkeys(name.split(" = ")[0] for name in names))
    side = style.TWO_COLUMNS / len(classes)
    figure, panels = style.panels(len(weights), len(classes), height=side * len(weights))
    for place, panel in enumerate(panels):
        row, column = divmod(place, len(classes))
        name = f"{classes[column]} = {weights[row]}"
        _matrix(panel, _of(curves["confusion"], "series", name))
        number = classes[column].removeprefix("phi_")
        panel.set_title(rf"$\phi_{number}$ = {weights[row]}")
        panel.set(
            xlabel="assigned" if row == len(weights) - 1 else "", ylabel="" if column else "true"
        )
    return figure


def sensitivity(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the sensitivity matrices of all weights (Figure 4.15)."""
    names = list(curves["sensitivity"]["series"].unique())
    figure, panels = style.panels(1, len(names), height=style.TWO_COLUMNS / len(names) + 0.2)
    for panel, name in zip(panels, names, strict=True):
        _matrix(panel, _of(curves["sensitivity"], "series", name))
        panel.set(xlabel="assigned", ylabel="true")
    titles = [rf"$\Lambda_{name.removeprefix('Lambda_')}^s$" for name in names]
    style.letter(panels, titles)
    return figure
