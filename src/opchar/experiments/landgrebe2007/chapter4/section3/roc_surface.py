"""The ROC surface of three known Gaussian classes (Sec. 4.3.2)."""

from __future__ import annotations

import numpy as np

from opchar.experiments.landgrebe2007.known_classes import density_curves
from opchar.multiclass.gaussians import class_rates, weight_grid
from opchar.multiclass.roc.volume import linear_surface, ordered_gaussian_volume, trapezoid_volume
from opchar.results import Results


def three_gaussians(
    *,
    means: list[float],
    r: int,
    weights: list[float],
    nodes: int,
    many_classes: int,
) -> Results:
    """Resample the ROC of three Gaussian classes on its diagonal dimensions (4.3.2).

    Parameters
    ----------
    means : list of float
        Means of the unit-variance classes.
    r : int
        Steps a weight.
    weights : [low, high]
        Range of the logarithmic weight grid.
    nodes : int
        Points along each side of the resampled surface.
    many_classes : int
        The number of classes of the text's count of weightings.

    Returns
    -------
    Results
        Lines of figure-4.6 and text-4.3.2; curves ``densities`` and ``surface``.
    """
    results = Results()
    rates = class_rates(means, 1.0, weight_grid(3, r, weights[0], weights[1]))
    surface = linear_surface(rates.reshape(r, r, 3), nodes)
    volume, exact = trapezoid_volume(surface), ordered_gaussian_volume(means)[0]
    results.number("figure-4.6", "3 Gaussians", "VUS est.", volume, unit="volume")
    results.number("figure-4.6", "3 Gaussians", "VUS exact", exact, unit="volume")
    results.number(
        "text-4.3.2",
        f"C={many_classes}, r={r}",
        "weightings",
        float(r) ** (many_classes - 1),
        unit="count",
    )
    share = np.linspace(0, 1, nodes)
    first, second = np.meshgrid(1 - share, 1 - share, indexing="ij")
    results.curve(
        "surface", {"e_11": first.ravel(), "e_22": second.ravel(), "e_33": 1 - surface.ravel()}
    )
    density_curves(results, "three classes", means, 1.0, [1.0] * 3)
    return results
