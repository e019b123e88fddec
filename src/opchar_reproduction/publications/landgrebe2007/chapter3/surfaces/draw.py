"""Figures of ROC curves and surfaces on the diagonal rates (Secs. 3.3.3, 3.3.4)."""

import pandas as pd
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.axes3d import Axes3D

from opchar.figures import style
from opchar_reproduction.figures.surface import View
from opchar_reproduction.publications.landgrebe2007.operating_surfaces_figures import label_3d
from opchar_reproduction.publications.landgrebe2007.surfaces_figures import Curves, _axes, _square
from opchar_reproduction.publications.landgrebe2007.vus_figures import _grid, surface_by_contours
from opchar_reproduction.study import figure


def three_class_surface_views(curves: Curves, *, series: str) -> list[View]:
    """Return the simplified ROC surface of three classes (Figures 3.6 and 3.7)."""
    surface = curves["surface"].query("series == @series")
    words = "Share of each class that is recognised, under all pairs of thresholds."
    return [View(words, _axes(RATES), [_square(surface, RATES, words)])]


RATES = {"xi_11": "ξ₁₁", "xi_22": "ξ₂₂", "xi_33": "ξ₃₃"}


@figure("figure-3.5")
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


@figure("figure-3.6", parameters={"series": "random"}, surface=three_class_surface_views)
@figure("figure-3.7", parameters={"series": "overlapping"}, surface=three_class_surface_views)
def three_class_surface(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, series: str
) -> Figure:
    """Draw the simplified ROC surface of three classes (Figures 3.6 and 3.7)."""
    surface = curves["surface"].query("series == @series")
    volumes = results.query("column == 'VUS exact'").set_index("row")["value"]
    names = ["xi_11", "xi_22", "xi_33"]
    labels = [r"$\xi_{1,1}$", r"$\xi_{2,2}$", r"$\xi_{3,3}$"]
    figure = Figure(figsize=(style.TWO_COLUMNS, 3.2))
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
