"""The price of treating classes of known Gaussians as separate (Secs. 4.3.3 and 4.3.4)."""

from __future__ import annotations

from math import log10

import numpy as np

from opchar.experiments.landgrebe2007.operating_points import density_curves, matrix_curve
from opchar.multiclass.gaussians import (
    Floats,
    class_rates,
    confusion_rates,
    weight_grid,
)
from opchar.multiclass.volume import linear_surface, ordered_gaussian_volume, trapezoid_volume
from opchar.results import Results
from opchar.seeds import Spawn


def separate_pairs(
    *,
    means: list[float],
    variance: float,
    pairs: list[list[int]],
    r: int,
    weights: list[float],
    perturbed: int,
    factor: float,
    negligible: float,
    digits_classes: int,
    digits_groups: list[int],
    digits_r: int,
) -> Results:
    """Four Gaussian classes that form two separate pairs (4.3.3).

    Parameters
    ----------
    means : list of float
        Class means.
    variance : float
        The common variance.
    pairs : list of list of int
        The groups of interacting classes, counted from one.
    r : int
        Steps a weight.
    weights : [low, high]
        Range of the logarithmic weight grid.
    perturbed : int
        The class whose weight is changed, counted from one.
    factor : float
        Its new weight; all others are one.
    negligible : float
        Rates that change by less do not interact.
    digits_classes, digits_groups, digits_r : int, list of int, int
        Number of classes, sizes of the groups and resolution of the Digits example, from which
        the size of the reduction follows.

    Returns
    -------
    Results
        Lines of eq-4.26, figure-4.7, figure-4.8 and text-4.3.3; curves ``densities`` and
        ``confusion``.
    """
    results = Results()
    c = len(means)
    equal = confusion_rates(means, variance, np.ones((1, c)))[0]
    for (i, j), rate in np.ndenumerate(equal):
        row, column = f"xi_{{{i + 1},j}}", f"xi_{{i,{j + 1}}}"
        results.number("eq-4.26", row, column, rate, unit="fraction")
    results.number("text-4.3.3", "4-class example", "ROC dimensions", c * c - c, unit="count")
    _decomposition(results, means, variance, pairs, r, weights, negligible)
    _perturbation(results, means, variance, perturbed, factor, negligible)
    full = digits_r ** (digits_classes - 1)
    parts = sum(digits_r ** (size - 1) for size in digits_groups)
    results.number(
        "text-4.3.3",
        "Digits-Zernike",
        "reduction",
        log10(full / parts),
        unit="orders of magnitude",
        note=f"log10 of r^{digits_classes - 1} over the sum of r^(group size - 1), r = {digits_r}",
    )
    return results


def _decomposition(
    results: Results,
    means: list[float],
    variance: float,
    pairs: list[list[int]],
    r: int,
    weights: list[float],
    negligible: float,
) -> None:
    """Compare the rates of the whole problem with those of its groups at every weight vector."""
    grid = weight_grid(len(means), r, weights[0], weights[1])
    whole = confusion_rates(means, variance, grid)
    parts = np.zeros_like(whole)
    for group in pairs:
        members = np.array(group) - 1
        own = confusion_rates(np.array(means)[members], variance, grid[:, members])
        parts[:, members[:, None], members] = own
    worst = float(np.abs(whole - parts).max())
    points = sum(r ** (len(group) - 1) for group in pairs)
    results.number("figure-4.7", "decomposition", "largest change of a rate", worst, unit="rate")
    results.claim(
        "figure-4.7",
        "decomposition",
        worst < negligible,
        f"over all {len(grid)} weight vectors no rate of the 4-class problem differs by more than "
        f"{worst:.1e} from the groups {pairs}, which need {points} (r = {r})",
    )
    density_curves(results, "two pairs", means, variance, [1.0] * len(means))


def _perturbation(
    results: Results,
    means: list[float],
    variance: float,
    perturbed: int,
    factor: float,
    negligible: float,
) -> None:
    """Change one weight and tell which rates follow."""
    phi = np.ones((2, len(means)))
    phi[1, perturbed - 1] = factor
    before, after = confusion_rates(means, variance, phi)
    for series, matrix in (
        (f"phi_{perturbed} = 1", before),
        (f"phi_{perturbed} = {factor:g}", after),
    ):
        matrix_curve(results, series, matrix)
    density_curves(results, "perturbed", means, variance, list(phi[1]))
    change = np.abs(after - before)
    for i, j in ((1, 2), (2, 1), (3, 4), (4, 3)):
        results.number(
            "figure-4.8",
            f"phi_{perturbed} = {factor:g}",
            f"xi_{{{i},{j}}}",
            after[i - 1, j - 1],
            unit="fraction",
        )
    results.claim(
        "figure-4.8",
        "phi_1 from 1.0 to 0.1",
        bool(min(change[1, 0], change[0, 1]) > negligible > max(change[2, 3], change[3, 2])),
        ", ".join(
            f"xi_{{{i},{j}}} {before[i - 1, j - 1]:.4f} to {after[i - 1, j - 1]:.4f}"
            for i, j in ((2, 1), (1, 2), (3, 4), (4, 3))
        ),
    )


def _losses(rates: Floats, costs: Floats) -> Floats:
    """Return the loss of each confusion rate matrix for each cost matrix, priors equal (Eq. 4.28).

    The diagonal of a cost matrix holds profits.
    """
    signed = costs * (1 - 2 * np.eye(costs.shape[-1]))
    return np.einsum("nij,mij->nm", rates, signed) / costs.shape[-1]


def approximate_decomposition(
    *,
    spawn: Spawn,
    means: list[float],
    moving: list[float],
    r: int,
    weights: list[float],
    cost_matrices: int,
    nodes: int,
    small: float,
) -> Results:
    """Measure what it costs to treat the third of three classes as separable (4.3.4).

    Parameters
    ----------
    spawn : callable
        Source of the cost matrices.
    means : list of float
        Means of the unit-variance classes of Figure 4.10.
    moving : list of float
        The means of class 3 that are tried, ascending.
    r : int
        Steps a weight.
    weights : [low, high]
        Range of the logarithmic weight grid.
    cost_matrices : int
        Number of uniform random cost matrices, profits on the diagonal.
    nodes : int
        Points an axis of the resampled surface.
    small : float
        A relative difference that counts as little.

    Returns
    -------
    Results
        Lines of figure-4.10, figure-4.11 and figure-4.12; curves ``densities``, ``loss``, ``vus``.
    """
    results = Results()
    density_curves(results, "weak overlap", means, 1.0, [1.0] * 3)
    rates = confusion_rates(means, 1.0, np.ones((1, 3)))[0]
    results.claim(
        "figure-4.10",
        "3-class example",
        bool(rates[0, 1] > 10 * max(rates[1, 2], rates[2, 1]) and r + 1 < r**2),
        f"xi_{{1,2}} {rates[0, 1]:.4f} against xi_{{2,3}} {rates[1, 2]:.5f}; the groups [1,2],[3] "
        f"need {r + 1} operating points instead of {r**2} (r = {r})",
    )
    costs = spawn("cost matrices").uniform(size=(cost_matrices, 3, 3))
    grid = weight_grid(3, r, weights[0], weights[1])
    pair = weight_grid(2, r, weights[0], weights[1])
    best_pair = _losses(confusion_rates(means[:2], 1.0, pair), costs[:, :2, :2]).argmin(axis=0)
    chosen = np.insert(pair[best_pair], 2, 1.0, axis=1)
    quartiles, volumes = [], []
    area = _volume([*means[:2]], pair, r, nodes)
    area_exact = ordered_gaussian_volume(means[:2])[0]
    for mean in moving:
        current = [*means[:2], mean]
        truth = _losses(confusion_rates(current, 1.0, grid), costs).min(axis=0)
        reached = _losses(confusion_rates(current, 1.0, chosen), costs).diagonal()
        relative = (reached - truth) / np.abs(truth)
        lower, median, upper = np.quantile(relative, [0.25, 0.5, 0.75])
        quartiles.append((lower, median, upper))
        results.number(
            "figure-4.11", f"mu3={mean:g}", "median (L_d - L_gt)/|L_gt|", median, unit="ratio"
        )
        results.curve(
            "loss", {"mu3": [mean], "lower": [lower], "median": [median], "upper": [upper]}
        )
        volume = _volume(current, grid, r, nodes)
        exact = ordered_gaussian_volume(current)[0]
        volumes.append((area / volume - 1, area_exact / exact - 1))
        results.number(
            "figure-4.12", f"mu3={mean:g}", "(VUS_d - VUS_gt)/VUS_gt", volumes[-1][0], unit="ratio"
        )
        results.curve(
            "vus", {"mu3": [mean], "resampled": [volumes[-1][0]], "exact": [volumes[-1][1]]}
        )
    near, far = quartiles[0], quartiles[-1]
    results.claim(
        "figure-4.11",
        "median (L_d-L_gt)/L_gt vs mu3",
        bool(near[0] > 0 and near[1] > 10 * abs(far[1]) and far[2] < small),
        f"quartiles {near[0]:.4f}, {near[1]:.4f}, {near[2]:.4f} at mu3 = {moving[0]:g}; "
        f"{far[0]:.1e}, {far[1]:.1e}, {far[2]:.1e} at mu3 = {moving[-1]:g}; "
        f"{cost_matrices} cost matrices",
    )
    first, last = volumes[0], volumes[-1]
    results.claim(
        "figure-4.12",
        "(VUS_d-VUS_gt)/VUS_gt vs mu3",
        first[0] > 10 * abs(last[0]) and first[1] > 10 * abs(last[1]) and abs(last[0]) < small,
        f"resampled {first[0]:.4f} at mu3 = {moving[0]:g}, {last[0]:.4f} at {moving[-1]:g}; "
        f"exact {first[1]:.4f} and {last[1]:.2e}",
    )
    return results


def _volume(means: list[float], grid: Floats, r: int, nodes: int) -> float:
    """Return the thesis' VUS estimate of unit-variance classes on a weight grid."""
    lattice = class_rates(means, 1.0, grid).reshape((r,) * (len(means) - 1) + (len(means),))
    return trapezoid_volume(linear_surface(lattice, nodes))
