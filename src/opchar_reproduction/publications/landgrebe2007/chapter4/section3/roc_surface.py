"""The ROC surface of three known Gaussian classes (Sec. 4.3.2)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.multiclass.gaussians import class_rates
from opchar.multiclass.roc.volume import linear_surface, ordered_gaussian_volume, trapezoid_volume
from opchar.multiclass.weight_grids import weight_grid
from opchar_reproduction.figures.surface import View
from opchar_reproduction.publications.landgrebe2007.known_classes import density_curves
from opchar_reproduction.publications.landgrebe2007.surfaces_figures import Curves, _axes, _square
from opchar_reproduction.publications.landgrebe2007.vus_figures import (
    clip_at_edge,
    surface_by_contours,
)
from opchar_reproduction.publications.landgrebe2007.weighted_classes_figures import weighted_panel
from opchar_reproduction.results import Results
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import figure, statement, study


@study("costs-three-gaussians", kind="costs", basis="exact")
def three_gaussians(
    *,
    means: list[float] = [-0.75, 0.0, 0.75],
    r: int = 100,
    weights: list[float] = [0.001, 1000.0],
    nodes: int = 51,
    many_classes: int = 10,
) -> Results:
    """Resample the ROC of three Gaussian classes on its diagonal dimensions (4.3.2).

    `many_classes`: The number of classes of the text's count of weightings.
    """
    results = Results()
    rates = class_rates(means, 1.0, weight_grid(3, r, weights[0], weights[1]))
    surface = linear_surface(rates.reshape(r, r, 3), nodes)
    volume, exact = trapezoid_volume(surface), ordered_gaussian_volume(means)[0]
    results.number("figure-4.6", "3 Gaussians", "VUS est.", volume, unit="volume")
    results.number("figure-4.6", "3 Gaussians", "VUS exact", exact, unit="volume")
    row, weightings = f"C={many_classes}, r={r}", float(r) ** (many_classes - 1)
    results.number("text-4.3.2", row, "weightings", weightings, unit="count")
    share = np.linspace(0, 1, nodes)
    first, second = np.meshgrid(1 - share, 1 - share, indexing="ij")
    errors = {"e_11": first.ravel(), "e_22": second.ravel(), "e_33": 1 - surface.ravel()}
    results.add_frame("surface", errors)
    density_curves(results, "three classes", means, 1.0, [1.0] * 3)
    return results


@statement("0602")
def surface_falls_and_has_its_volume(measured: Measurements, *, relative: float = 0.05) -> Finding:
    """Ask whether the error of class 3 falls as those of 1 and 2 grow, and the volume is exact."""
    error = measured.frame("surface").pivot_table("e_33", index="e_11", columns="e_22")
    rows = error.to_numpy(dtype=float)
    falls = all(bool((np.diff(rows, axis=axis) <= 0).all()) for axis in (0, 1))
    volume = measured.value("figure-4.6", "3 Gaussians", "VUS est.")
    exact = measured.value("figure-4.6", "3 Gaussians", "VUS exact")
    near = 1 / 6 < volume < 1 and abs(volume / exact - 1) < relative
    return conjunction(
        {"the surface falls": falls, "its volume is the exact one": near},
        f"a surface that {'falls' if falls else 'does not fall'} along both axes, with volume "
        f"{volume:.4f}; exact {exact:.4f}, random 0.1667",
    )


def diagonal_errors_views(curves: Curves) -> list[View]:
    """Return the errors of three Gaussian classes under all weights (Figure 4.6)."""
    words = "Errors of the three classes under all weights, on a regular grid of two of them."
    return [View(words, _axes(DIAGONAL), [_square(curves["surface"], DIAGONAL, words)])]


DIAGONAL = {"e_11": "1 − ξ₁₁", "e_22": "1 − ξ₂₂", "e_33": "1 − ξ₃₃"}


@figure("figure-4.6", surface=diagonal_errors_views)
def three_class_example(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw three densities and their resampled ROC (Figure 4.6)."""
    figure, panels = style.panels(1, 2, height=3.3)
    weighted_panel(panels[0], curves["densities"], top=0.5)
    panels[0].legend(loc="upper right")
    surface_by_contours(
        panels[1], curves["surface"], ("e_11", "e_22", "e_33"),
        [r"$1-\xi_{1,1}$", r"$1-\xi_{2,2}$", r"$1-\xi_{3,3}$"], top=1.0,
    )  # fmt: skip
    clip_at_edge(panels[1], curves["densities"])
    style.letter(panels, ["densities", "diagonal ROC dimensions"])
    return figure
