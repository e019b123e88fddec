"""Operating points of known Gaussian classes and the growth of their ROCs (Secs. 4.2, 4.3.2)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from opchar.multiclass.gaussians import Floats, class_rates, confusion_rates, densities, weight_grid
from opchar.multiclass.pairings import count_pairings, pairings
from opchar.multiclass.volume import linear_surface, ordered_gaussian_volume, trapezoid_volume
from opchar.results import Results


def density_curves(
    results: Results, series: str, means: list[float], variance: float, weights: list[float]
) -> None:
    """Add the densities of Gaussian classes, weighted as the classifier sees them.

    Parameters
    ----------
    results : Results
        Gets rows of the curve ``densities``: series, class, x, density, weighted.
    series : str
        Which panel they belong to.
    means, variance : list of float, float
        The classes.
    weights : list of float
        Their weights phi.
    """
    x = np.linspace(min(means) - 4, max(means) + 4, 481)
    for index, density in enumerate(densities(means, variance, x), start=1):
        results.curve(
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

    Parameters
    ----------
    results : Results
        Gets rows of the curve: series, true, assigned, rate.
    series : str
        Which matrix they belong to.
    rates : ndarray of shape (C, C)
        Rows are true classes.
    curve : str
        Name of the curve.
    """
    for (i, j), rate in np.ndenumerate(rates):
        results.curve(
            curve,
            {"series": [series], "true": [i + 1], "assigned": [j + 1], "rate": [rate]},
        )


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
        Lines of figure-4.1, figure-4.2, figure-4.3 and text-4.2.3; curves ``densities``, ``roc``
        and ``complexity``.
    """
    results = Results()
    before, after = confusion_rates(means, variance, np.array([[1.0] * len(means), phi]))
    results.claim(
        "figure-4.1",
        "Phi=[1,0.3,1,1] vs equal weights",
        bool(after[0, 1] < before[0, 1] and after[1, 0] > before[1, 0]),
        f"xi_{{1,2}} {before[0, 1]:.4f} to {after[0, 1]:.4f}, "
        f"xi_{{2,1}} {before[1, 0]:.4f} to {after[1, 0]:.4f}",
    )
    density_curves(results, "equal weights", means, variance, [1.0] * len(means))
    density_curves(results, "phi_2 = 0.3", means, variance, phi)
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
    for row, c in real_sets.items():
        results.number("text-4.2.3", row, "calculations", float(real_r) ** (c - 1), unit="count")
    for c in classes:
        results.curve(
            "complexity",
            {
                "C": c,
                "r": resolutions,
                "points": [float(steps) ** (c - 1) for steps in resolutions],
            },
        )
    counted = [len(weight_grid(c, small_r)) for c in range(2, 6)]
    results.claim(
        "figure-4.3",
        "complexity",
        all(after == small_r * before for before, after in pairwise(counted)),
        f"grids built with r = {small_r} have {counted} points for C = 2..5: one more class "
        f"multiplies their number by r",
    )
    return results


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
    falling = bool(np.all(np.diff(surface, axis=0) <= 0) and np.all(np.diff(surface, axis=1) <= 0))
    results.claim(
        "figure-4.6",
        "3 Gaussians -0.75,0,0.75",
        falling and 1 / 6 < volume < 1 and abs(volume / exact - 1) < 0.05,
        f"a surface that falls along both axes, volume {volume:.4f} (exact {exact:.4f}), above "
        "the random 0.1667",
    )
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


def class_pairings(*, classes: list[int], listed: int, enumerated: int) -> Results:
    """Count and list the ways to pair up classes (4.2.5).

    Parameters
    ----------
    classes : list of int
        Numbers of classes of the text.
    listed : int
        The number of classes whose pairings Eq. 4.16 lists.
    enumerated : int
        Up to this number of classes the formula is compared with a list of all pairings.

    Returns
    -------
    Results
        Lines of eq-4.14 and eq-4.16.
    """
    results = Results()
    for c in classes:
        note = "one class set aside: the number for C - 1" if c % 2 else "(C-1)(C-3)...1"
        results.number("eq-4.14", f"C={c}", "N_PC", count_pairings(c), unit="count", note=note)
        if c <= enumerated:
            paired = list(range(c - c % 2))
            distinct = {frozenset(map(frozenset, pairing)) for pairing in pairings(paired)}
            results.number("eq-4.14", f"C={c}", "listed", len(distinct), unit="count")
    for row, pairing in enumerate(pairings(list(range(1, listed + 1))), start=1):
        for column, (first, second) in enumerate(pairing, start=1):
            results.text("eq-4.16", f"pairing {row}", f"pair {column}", f"({first}, {second})")
    return results
