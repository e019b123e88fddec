"""Operating points of known Gaussian classes and the growth of their ROC (Sec. 4.2)."""

from __future__ import annotations

import numpy as np

from opchar.experiments.landgrebe2007.known_classes import density_curves, matrix_curve
from opchar.multiclass.gaussians import confusion_rates, weight_grid
from opchar.results import Results


def operating_points(
    *,
    means: list[float],
    variance: float,
    phi: list[float],
    r: int,
    weights: list[float],
    shown: int,
    real_sets: dict[str, int],
    real_r: int,
    resolutions: list[int],
    classes: list[int],
    small_r: int,
) -> Results:
    """Two operating points and the full ROC of four Gaussian classes; the growth of ROCs (4.2).

    Parameters
    ----------
    means, variance : list of float, float
        The classes.
    phi : list of float
        The second operating point; the first has equal weights.
    r : int
        Steps a weight of the full ROC.
    weights : [low, high]
        Range of the logarithmic weight grid.
    shown : int
        Steps a weight of the points that the figure shows.
    real_sets : dict of str to int
        Rows of the text and their numbers of classes.
    real_r : int
        Their resolution.
    resolutions, classes : list of int
        The axes of Figure 4.3.
    small_r : int
        Resolution of the grids that are built to count their points.

    Returns
    -------
    Results
        Lines of figure-4.2 and text-4.2.3; curves ``densities``, ``two points``, ``roc``,
        ``complexity`` and ``grids``.
    """
    results = Results()
    before, after = confusion_rates(means, variance, np.array([[1.0] * len(means), phi]))
    matrix_curve(results, "equal weights", before, curve="two points")
    matrix_curve(results, "phi_2 = 0.3", after, curve="two points")
    density_curves(results, "equal weights", means, variance, [1.0] * len(means))
    density_curves(results, "phi_2 = 0.3", means, variance, phi)
    _roc(results, means, variance, r, shown, weights)
    for row, c in real_sets.items():
        results.number("text-4.2.3", row, "calculations", float(real_r) ** (c - 1), unit="count")
    for c in classes:
        points = [float(steps) ** (c - 1) for steps in resolutions]
        results.curve("complexity", {"C": c, "r": resolutions, "points": points})
    for c in range(2, 6):
        counted = len(weight_grid(c, small_r))
        results.curve("grids", {"classes": [c], "r": small_r, "points": counted})
    return results


def _roc(
    results: Results,
    means: list[float],
    variance: float,
    r: int,
    shown: int,
    weights: list[float],
) -> None:
    """Count the operating points of the full ROC, and add three of its dimensions."""
    grid = weight_grid(len(means), r, weights[0], weights[1])
    rates = confusion_rates(means, variance, grid)
    off_diagonal = ~np.eye(len(means), dtype=bool)
    results.number(
        "figure-4.2", "4-class example, r=80", "operating points", len(rates), unit="count"
    )
    results.number(
        "figure-4.2", "4-class example", "ROC dimensions", rates[0][off_diagonal].size, unit="count"
    )
    cloud = confusion_rates(means, variance, weight_grid(len(means), shown, weights[0], weights[1]))
    seen = np.unique(cloud[:, [0, 1, 1], [1, 0, 2]].round(3), axis=0)
    results.curve("roc", {"xi_12": seen[:, 0], "xi_21": seen[:, 1], "xi_23": seen[:, 2]})
