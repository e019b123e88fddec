"""The price of treating classes of known Gaussians as separate (Secs. 4.3.3 and 4.3.4)."""

from functools import partial
from math import log10

import numpy as np

from opchar.multiclass.gaussians import Floats, class_rates, confusion_rates
from opchar.multiclass.pairings import pairings
from opchar.multiclass.perturbation import largest_by_class, sensitivities
from opchar.multiclass.roc.volume import linear_surface, ordered_gaussian_volume, trapezoid_volume
from opchar.multiclass.weight_grids import weight_grid
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.known_classes import (
    density_curves,
    matrix_curve,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

Grids = tuple[Floats, Floats]
DRAWN = "cost matrices drawn from the stated uniform distribution"
# The means of class 3 in Figures 4.11 and 4.12.
MOVING = [
    1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0,
]  # fmt: skip


@study(
    "costs-separate-pairs",
    kind="costs",
    basis="exact",
    profiles={"tiny": {"r": 10}, "paper": {"r": 80}},
)
def separate_pairs(
    *,
    means: list[float] = [-8.0, -5.0, 5.0, 8.0],
    variance: float = 1.0,
    pairs: list[list[int]] = [[1, 2], [3, 4]],
    r: int = 40,
    weights: list[float] = [0.001, 1000.0],
    perturbed: int = 1,
    factor: float = 0.1,
    digits_classes: int = 10,
    digits_groups: list[int] = [2, 1, 1, 1, 1, 1, 1, 1, 1],
    digits_r: int = 80,
) -> Results:
    """Four Gaussian classes that form two separate pairs (4.3.3).

    `pairs`: The groups of interacting classes, counted from one.
    `perturbed`: The class whose weight is changed, counted from one.
    `factor`: Its new weight; all others are one.
    `digits_classes`, `digits_groups`, `digits_r`: Number of classes, sizes of the groups and
    resolution of the Digits example, from which the size of the reduction follows.
    """
    results = Results()
    c = len(means)
    equal = confusion_rates(means, variance, np.ones((1, c)))[0]
    for (i, j), rate in np.ndenumerate(equal):
        row, column = f"xi_{{{i + 1},j}}", f"xi_{{i,{j + 1}}}"
        results.number("eq-4.26", row, column, rate, unit="fraction")
    results.number("text-4.3.3", "4-class example", "ROC dimensions", c * c - c, unit="count")
    _decomposition(results, means, variance, pairs, weight_grid(c, r, weights[0], weights[1]))
    density_curves(results, "two pairs", means, variance, [1.0] * c)
    _perturbation(results, means, variance, perturbed, factor)
    full = digits_r ** (digits_classes - 1)
    parts = sum(digits_r ** (size - 1) for size in digits_groups)
    where, unit = ("text-4.3.3", "Digits-Zernike", "reduction"), "orders of magnitude"
    note = f"log10 of r^{digits_classes - 1} over the sum of r^(group size - 1), r = {digits_r}"
    results.number(*where, log10(full / parts), unit=unit, note=note)
    return results


def _decomposition(
    results: Results, means: list[float], variance: float, pairs: list[list[int]], grid: Floats
) -> None:
    """Compare the rates of the whole problem with those of its groups at every weight vector."""
    whole = confusion_rates(means, variance, grid)
    for pairing in pairings(list(range(1, len(means) + 1))):
        groups = [list(pair) for pair in pairing]
        parts = np.zeros_like(whole)
        for group in groups:
            members = np.array(group) - 1
            of_group = confusion_rates(np.array(means)[members], variance, grid[:, members])
            parts[:, members[:, None], members] = of_group
        change = float(np.abs(whole - parts).max())
        results.add_frame("groupings", {"groups": [str(groups)], "largest change": change})
        if groups == pairs:
            where = "figure-4.7", "decomposition", "largest change of a rate"
            results.number(*where, change, unit="rate")


def _perturbation(
    results: Results, means: list[float], variance: float, perturbed: int, factor: float
) -> None:
    """Change one weight and tell which rates follow."""
    phi = np.ones((2, len(means)))
    phi[1, perturbed - 1] = factor
    before, after = confusion_rates(means, variance, phi)
    changed = f"phi_{perturbed} = {factor:g}"
    matrix_curve(results, f"phi_{perturbed} = 1", before)
    matrix_curve(results, changed, after)
    density_curves(results, "perturbed", means, variance, list(phi[1]))
    for i, j in ((1, 2), (2, 1), (3, 4), (4, 3)):
        rate = after[i - 1, j - 1]
        results.number("figure-4.8", changed, f"xi_{{{i},{j}}}", rate, unit="fraction")


def _losses(rates: Floats, costs: Floats) -> Floats:
    """Return the loss of each confusion rate matrix for each cost matrix, priors equal (Eq. 4.28).

    The diagonal of a cost matrix holds profits.
    """
    signed = costs * (1 - 2 * np.eye(costs.shape[-1]))
    return np.einsum("nij,mij->nm", rates, signed) / costs.shape[-1]


@study(
    "costs-approximate-decomposition",
    kind="costs",
    basis="exact",
    profiles={"tiny": {"r": 20, "nodes": 20, "moving": [1.0, 3.0, 9.0]}},
)
def approximate_decomposition(
    *,
    spawn: Spawn,
    means: list[float] = [-3.0, 0.0, 6.0],
    moving: list[float] = MOVING,
    r: int = 80,
    weights: list[float] = [0.001, 1000.0],
    cost_matrices: int = 50,
    nodes: int = 80,
) -> Results:
    """Measure what it costs to treat the third of three classes as separable (4.3.4).

    `means`: Means of the unit-variance classes of Figure 4.10.
    `moving`: The means of class 3 that are tried, ascending.
    `cost_matrices`: Number of uniform random cost matrices, profits on the diagonal.
    """
    results = Results()
    density_curves(results, "weak overlap", means, 1.0, [1.0] * 3)
    _interaction(results, means, r, weights)
    costs = spawn("cost matrices").uniform(size=(cost_matrices, 3, 3))
    low, high = weights
    grids = weight_grid(2, r, low, high), weight_grid(3, r, low, high)
    _loss_of_decomposition(results, means[:2], moving, costs, grids)
    _volume_of_decomposition(results, means[:2], moving, grids, nodes)
    return results


def _interaction(results: Results, means: list[float], r: int, weights: list[float]) -> None:
    """Add by how much the outputs of each class change as each weight moves alone."""
    changes = sensitivities(partial(confusion_rates, means, 1.0), np.ones(3), r, *weights)
    for (weight, name), change in np.ndenumerate(largest_by_class(changes)):
        columns = {"weight": [weight + 1], "class": name + 1, "change": change, "r": r}
        results.add_frame("interaction", columns)


def _loss_of_decomposition(
    results: Results, means: list[float], moving: list[float], costs: Floats, grids: Grids
) -> None:
    """Add the relative increase of the lowest loss when class 3 keeps its weight."""
    pair, grid = grids
    best_pair = _losses(confusion_rates(means, 1.0, pair), costs[:, :2, :2]).argmin(axis=0)
    chosen = np.insert(pair[best_pair], 2, 1.0, axis=1)
    for mean in moving:
        truth = _losses(confusion_rates([*means, mean], 1.0, grid), costs).min(axis=0)
        reached = _losses(confusion_rates([*means, mean], 1.0, chosen), costs).diagonal()
        relative = (reached - truth) / np.abs(truth)
        where = {"mu3": mean, "matrix": np.arange(len(costs))}
        results.add_frame("relative loss", where | {"relative loss": relative})
        lower, median, upper = np.quantile(relative, [0.25, 0.5, 0.75])
        quartiles = {"lower": [lower], "median": [median], "upper": [upper]}
        results.add_frame("loss", {"mu3": [mean]} | quartiles)
        line = "figure-4.11", f"mu3={mean:g}", "median (L_d - L_gt)/|L_gt|"
        results.number(*line, median, unit="ratio", basis="simulation", data=DRAWN)


def _volume_of_decomposition(
    results: Results, means: list[float], moving: list[float], grids: Grids, nodes: int
) -> None:
    """Add the difference of the area of two classes from the volume of three."""
    pair, grid = grids
    area, area_exact = _volume(means, pair, nodes), ordered_gaussian_volume(means)[0]
    for mean in moving:
        resampled = area / _volume([*means, mean], grid, nodes) - 1
        exact = area_exact / ordered_gaussian_volume([*means, mean])[0] - 1
        where = "figure-4.12", f"mu3={mean:g}", "(VUS_d - VUS_gt)/VUS_gt"
        results.number(*where, resampled, unit="ratio")
        results.add_frame("vus", {"mu3": [mean], "resampled": [resampled], "exact": [exact]})


def _volume(means: list[float], grid: Floats, nodes: int) -> float:
    """Return the thesis' VUS estimate of unit-variance classes on a weight grid."""
    c = len(means)
    r = round(len(grid) ** (1 / (c - 1)))
    lattice = class_rates(means, 1.0, grid).reshape((r,) * (c - 1) + (c,))
    return trapezoid_volume(linear_surface(lattice, nodes))
