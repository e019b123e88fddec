"""Figures of decomposed operating characteristics and moved weights (Sec. 4.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from opchar.figures import style
from opchar.figures.landgrebe2007.weighted_classes import one_series, weighted_panel


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
    square = _square(table)
    image = panel.imshow(square, cmap="Blues", vmin=0, vmax=1.4)
    for (i, j), rate in np.ndenumerate(square.to_numpy()):
        ink = style.ink(image.cmap(image.norm(rate)))
        panel.text(j, i, f"{rate:.3f}", ha="center", va="center", fontsize=6, color=ink)
    _class_ticks(panel, square.columns)


def _square(table: pd.DataFrame) -> pd.DataFrame:
    return table.pivot_table(index="true", columns="assigned", values="rate")


def _class_ticks(panel: Axes, classes: Iterable[Any]) -> None:
    labels = [rf"$\omega_{{{int(k)}}}$" for k in classes]
    panel.set_xticks(range(len(labels)), labels)
    panel.set_yticks(range(len(labels)), labels)
    panel.grid(False)


def default_point(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the densities of the perturbation example and its default rates (Figure 4.13)."""
    figure, panels = style.panels(1, 2, height=2.8)
    weighted_panel(panels[0], curves["densities"], top=0.75)
    panels[0].xaxis.set_major_locator(MultipleLocator(4))
    panels[0].legend(ncols=2, loc="upper right")
    _matrix(panels[1], one_series(curves["confusion"], "series", "default"))
    panels[1].set(xlabel="assigned", ylabel="true")
    style.letter(panels, ["densities", r"$\Xi$ at $\Phi = [1, 1, 1, 1]$"])
    return figure


def slices(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw how the confusion rates change from equal weights as each weight moves (Figure 4.14)."""
    table = curves["confusion"]
    rates = {str(name): _square(part) for name, part in table.groupby("series", sort=False)}
    names = [name for name in rates if name != "default"]
    start = rates["default"]
    moved = [name for name in names if not np.allclose(rates[name], start, atol=5e-13)]
    weights = list(dict.fromkeys(name.split(" = ")[1] for name in moved))
    classes = list(dict.fromkeys(name.split(" = ")[0] for name in moved))
    side = style.TWO_COLUMNS / len(classes)
    figure, panels = style.panels(len(weights), len(classes), height=side * len(weights))
    for place, panel in enumerate(panels):
        row, column = divmod(place, len(classes))
        _changes(panel, rates[f"{classes[column]} = {weights[row]}"] - start)
        number = classes[column].removeprefix("phi_")
        panel.set_title(rf"$\phi_{number}$ = {weights[row]}")
        panel.set(
            xlabel="assigned" if row == len(weights) - 1 else "", ylabel="" if column else "true"
        )
    return figure


def _changes(panel: Axes, change: pd.DataFrame) -> None:
    """Draw changes of rates: purple less, green more, a dot for none."""
    image = panel.imshow(change, cmap="PRGn", vmin=-1, vmax=1)
    for (i, j), by in np.ndenumerate(change.to_numpy()):
        ink = style.ink(image.cmap(image.norm(by)))
        text = "·" if round(by, 3) == 0 else f"{by:+.3f}".replace("-", "−")
        panel.text(j, i, text, ha="center", va="center", fontsize=6, color=ink)
    _class_ticks(panel, change.columns)


def sensitivity(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the sensitivity matrices of all weights (Figure 4.15)."""
    names = list(curves["sensitivity"]["series"].unique())
    figure, panels = style.panels(1, len(names), height=style.TWO_COLUMNS / len(names) + 0.2)
    for panel, name in zip(panels, names, strict=True):
        _matrix(panel, one_series(curves["sensitivity"], "series", name))
        panel.set(xlabel="assigned", ylabel="true")
    titles = [rf"$\Lambda_{name.removeprefix('Lambda_')}^s$" for name in names]
    style.letter(panels, titles)
    return figure
