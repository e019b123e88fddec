"""Figures of the volume under the ROC hypersurface (Sec. 3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.axes3d import Axes3D

from opchar.figures import style
from opchar.figures.landgrebe2007.operating_surfaces import label_3d


def two_class_curves(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw two-class ROC curves on the two diagonal rates (Figure 3.5)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=style.ONE_COLUMN)
    areas = results.query("artefact == 'figure-3.5' and column == 'AUC'").set_index("row")["value"]
    for number, (name, curve) in enumerate(curves["roc"].groupby("series", sort=False)):
        label = f"{name}: AUC {areas[name]:.3f}"
        panel.plot(curve["xi_11"], curve["xi_22"], label=label, **style.series(number))
    style.unit_square(panel, r"$\xi_{1,1}$", r"$\xi_{2,2}$")
    panel.legend(loc="lower left")
    return figure


def three_class_surface(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, series: str
) -> Figure:
    """Draw the simplified ROC surface of three classes (Figures 3.6 and 3.7)."""
    surface = curves["surface"].query("series == @series")
    volumes = results.query("column == 'VUS exact'").set_index("row")["value"]
    names = ["xi_11", "xi_22", "xi_33"]
    labels = [r"$\xi_{1,1}$", r"$\xi_{2,2}$", r"$\xi_{3,3}$"]
    figure = plt.figure(figsize=(style.TWO_COLUMNS, 3.2))
    panel = figure.add_subplot(1, 2, 1, projection="3d")
    assert isinstance(panel, Axes3D)
    label_3d(panel, labels)
    panel.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "0.5", "", ""])
    x, y, z = (_grid(surface, name) for name in names)
    panel.plot_surface(
        x, y, z, cmap="viridis", vmin=0, vmax=1, rcount=25, ccount=25, lw=0.2,
        edgecolor="#333333", alpha=0.9,
    )  # fmt: skip
    flat = figure.add_subplot(1, 2, 2)
    surface_by_contours(flat, surface, names, labels)
    panel.set_title(f"(a) the surface, VUS = {volumes[series]:.4f}", loc="left")
    flat.set_title("(b) its height in contours", loc="left")
    return figure


def _grid(surface: pd.DataFrame, name: str) -> np.ndarray:
    side = round(len(surface) ** 0.5)
    return surface[name].to_numpy().reshape(side, side)


def surface_by_contours(
    panel: Axes, surface: pd.DataFrame, names: Sequence[str], labels: Sequence[str]
) -> None:
    """Draw a surface of three rates from above: tints and lines of equal height.

    Parameters
    ----------
    panel : matplotlib.axes.Axes
    surface : pandas.DataFrame
        Points of a square grid of parameters, row by row.
    names, labels : sequence of str
        Columns of the three rates, the height last, and their symbols.
    """
    x, y, z = (_grid(surface, name) for name in names)
    levels = np.linspace(0, 1, 11)
    tints = panel.tricontourf(x.ravel(), y.ravel(), z.ravel(), levels=levels, cmap="viridis")
    panel.tricontour(x.ravel(), y.ravel(), z.ravel(), levels=levels, colors="white", linewidths=0.5)
    style.unit_square(panel, labels[0], labels[1])
    bar = panel.figure.colorbar(tints, ax=panel, shrink=0.8, ticks=[0, 0.2, 0.4, 0.6, 0.8, 1])
    bar.set_label(f"height, {labels[2]}")


def projections(cloud: pd.DataFrame, labels: Mapping[str, str]) -> Figure:
    """Draw points of three rates projected on each pair of axes, shaded by the third.

    Parameters
    ----------
    cloud : pandas.DataFrame
        One row a point.
    labels : mapping of str to str
        Symbol of each of the three columns.
    """
    figure, panels = style.panels(1, 3, height=2.5)
    names = list(labels)
    for panel, (x, y, third) in zip(panels, ((0, 1, 2), (0, 2, 1), (1, 2, 0)), strict=True):
        rows = cloud.sort_values(names[third], kind="stable")
        panel.scatter(
            rows[names[x]], rows[names[y]], c=rows[names[third]], s=2.5, cmap="viridis_r",
            vmin=-0.35, vmax=1, linewidths=0, rasterized=True,
        )  # fmt: skip
        style.unit_square(panel, labels[names[x]], labels[names[y]])
        panel.set_title(f"colour: {labels[names[third]]}", loc="left")
    bar = figure.colorbar(panels[-1].collections[0], ax=panels, shrink=0.8, ticks=[0, 0.5, 1])
    bar.ax.set_ylim(0, 1)
    bar.set_label("the rate not drawn")
    return figure


def known_densities(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the class densities of two of the known-distribution experiments (Figure 3.8)."""
    experiments = curves["densities"]["experiment"].unique()
    figure, panels = style.panels(1, len(experiments), height=2.2)
    errors = results.query("artefact == 'figure-3.8'").set_index("row")["value"]
    titles = []
    for panel, experiment in zip(panels, experiments, strict=True):
        shown = curves["densities"][curves["densities"]["experiment"] == experiment]
        for number, (name, curve) in enumerate(shown.astype({"class": int}).groupby("class")):
            label = rf"$\omega_{{{name}}}$"
            panel.plot(curve["x"], curve["density"], label=label, **style.series(number))
        panel.set(xlabel="$x$", ylabel=r"$p(x\,|\,\omega_i)$", ylim=(0, 0.5))
        error = errors[f"experiment {int(experiment)}"]
        titles.append(f"experiment {int(experiment)}, Bayes error {error:.3f}")
    style.letter(panels, titles)
    panels[0].legend(ncols=4, loc="upper center")
    return figure


def convergence(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the share of the exact volume that is missed against the resolution."""
    figure, panels = style.panels(1, 2, height=2.8)
    groups = list(curves["convergence"].groupby("classes"))
    for panel, (_, group) in zip(panels, groups, strict=True):
        for number, (name, curve) in enumerate(group.groupby("series", sort=False)):
            panel.loglog(
                curve["r"],
                100 * curve["missed"],
                label=str(name),
                marker=style.MARKERS[number],
                **style.series(number),
            )
        panel.set_xticks(curve["r"], [f"{r:g}" for r in curve["r"]])
        panel.minorticks_off()
        panel.set(xlabel="resolution $r$", ylabel="volume missed [%]")
        panel.legend(title="means", loc="lower left")
    style.letter(panels, [f"{classes} classes" for classes, _ in groups])
    return figure
