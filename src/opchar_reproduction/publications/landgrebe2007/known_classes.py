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
        results.add_frame(
            "densities",
            {
                "series": series,
                "class": index,
                "x": x,
                "density": density,
                "weighted": weights[index - 1] * density,
            },
        )


def matrix_curve(results: Results, series: str, rates: Floats, curve: str = "confusion") -> None:
    """Add a confusion rate matrix as a long table.

    Shapes: `rates` (C, C).
    """
    for (i, j), rate in np.ndenumerate(rates):
        results.add_frame(
            curve, {"series": [series], "true": [i + 1], "assigned": [j + 1], "rate": [rate]}
        )
