"""Densities and confusion rates of known Gaussian classes, as the frames of several figures."""

import numpy as np

from opchar.multiclass.gaussians import Floats, densities
from opchar_reproduction.results import Results


def density_curves(
    results: Results, series: str, means: list[float], variance: float, weights: list[float]
) -> None:
    """Add the densities of Gaussian classes, weighted as the classifier sees them."""
    x = np.linspace(min(means) - 4, max(means) + 4, 481)
    for index, density in enumerate(densities(means, variance, x), start=1):
        where, weighted = {"series": series, "class": index, "x": x}, weights[index - 1] * density
        results.add_frame("densities", where | {"density": density, "weighted": weighted})


def error_cloud_curve(results: Results, rates: Floats) -> None:
    """Add three errors of operating points, each once to three decimals: `rates` (n, C, C)."""
    seen = np.unique(rates[:, [0, 1, 1], [1, 0, 2]].round(3), axis=0)
    results.add_frame("roc", {"xi_12": seen[:, 0], "xi_21": seen[:, 1], "xi_23": seen[:, 2]})


def matrix_curve(results: Results, series: str, rates: Floats, curve: str = "confusion") -> None:
    """Add a confusion rate matrix as a long table: `rates` (C, C)."""
    for (i, j), rate in np.ndenumerate(rates):
        results.add_frame(
            curve, {"series": [series], "true": [i + 1], "assigned": [j + 1], "rate": [rate]}
        )
