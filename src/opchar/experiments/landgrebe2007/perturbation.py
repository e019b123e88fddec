"""Perturbation of the weights of known Gaussian classes (Sec. 4.3.5)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from opchar.experiments.landgrebe2007.operating_points import density_curves, matrix_curve
from opchar.multiclass.decomposition import groups, largest_by_class, sensitivities
from opchar.multiclass.gaussians import Floats, confusion_rates
from opchar.results import Results


def perturbation(
    *,
    means: list[float],
    variance: float,
    r: int,
    weights: list[float],
    threshold: float,
    slices: list[float],
    counted: list[int],
) -> Results:
    """Perturb each weight of four Gaussian classes and group what interacts (4.3.5).

    Parameters
    ----------
    means, variance : list of float, float
        The classes.
    r : int
        Steps of the moving weight.
    weights : [low, high]
        Its range.
    threshold : float
        The sensitivity t_s up to which a change counts as none.
    slices : list of float
        The weights at which Figure 4.14 shows the confusion rates.
    counted : list of int
        Numbers of classes for which the confusion matrices computed are counted.

    Returns
    -------
    Results
        Lines of eq-4.36, eq-4.37, figure-4.13, figure-4.14, figure-4.15 and text-4.3.5; curves
        ``densities``, ``confusion`` and ``sensitivity``.
    """
    results = Results()
    c, low, high = len(means), weights[0], weights[1]
    names = range(1, c + 1)
    density_curves(results, "four classes", means, variance, [1.0] * c)
    changes = sensitivities(_rates_of(means, variance), np.ones(c), r, low, high)
    largest = largest_by_class(changes)
    for i, k in np.ndindex(c, c):
        change = float(largest[i, k])
        column = f"class {k + 1}"
        results.number("eq-4.36", f"Lambda_{i + 1}^v", column, change, unit="range of xi")
        results.number(
            "eq-4.37", f"Lambda_{i + 1}^vb", column, float(change > threshold), unit="binary"
        )
    for i in range(c):
        matrix_curve(results, f"Lambda_{i + 1}", changes[i], curve="sensitivity")
        for weight in slices:
            phi = np.ones((1, c))
            phi[0, i] = weight
            rates = confusion_rates(means, variance, phi)[0]
            matrix_curve(results, f"phi_{i + 1} = {weight:g}", rates)
    default = confusion_rates(means, variance, np.ones((1, c)))[0]
    matrix_curve(results, "default", default)
    _interactions(results, default, changes, threshold)
    found = [[k + 1 for k in group] for group in groups(largest, threshold)]
    points = sum(r ** (len(group) - 1) for group in found)
    results.claim(
        "text-4.3.5",
        "decomposition of the 4-class example",
        sorted(found) == [[1, 3], [2], [4]],
        f"groups {sorted(found)} of classes {list(names)}: {points} operating points instead of "
        f"{r ** (c - 1)} (r = {r})",
    )
    computed = [_count_matrices(number, r, weights) for number in counted]
    results.claim(
        "text-4.3.5",
        "cost of perturbation analysis",
        all(count == number * r for number, count in zip(counted, computed, strict=True)),
        f"{computed} confusion matrices for {counted} classes (r = {r})",
    )
    return results


def _rates_of(means: list[float], variance: float) -> Callable[[Floats], Floats]:
    """Return the function from weight vectors to confusion rates of known classes."""
    return lambda phi: confusion_rates(means, variance, phi)


def _count_matrices(n_classes: int, r: int, weights: list[float]) -> int:
    """Return how many confusion matrices the perturbation of n classes computes."""
    numbers: list[int] = []

    def counting(phi: Floats) -> Floats:
        numbers.append(len(phi))
        return np.zeros((len(phi), n_classes, n_classes))

    sensitivities(counting, np.ones(n_classes), r, weights[0], weights[1])
    return sum(numbers)


def _interactions(results: Results, default: Floats, changes: Floats, threshold: float) -> None:
    """Add the claims on what the matrices of the example show."""
    c = len(default)
    off = default * (1 - np.eye(c))
    pair = {(0, 2), (2, 0)}
    results.claim(
        "figure-4.13",
        "default confusion matrix",
        all((rate > threshold) == (place in pair) for place, rate in np.ndenumerate(off)),
        f"xi_{{1,3}} {off[0, 2]:.4f}, xi_{{3,1}} {off[2, 0]:.4f}; largest other error "
        f"{max(rate for place, rate in np.ndenumerate(off) if place not in pair):.5f}",
    )
    largest = largest_by_class(changes)
    strong = largest[np.ix_([0, 2], [0, 2])].min()
    weak = largest[[1, 3]].max()
    results.claim(
        "figure-4.14",
        "Lambda slices",
        bool(strong > threshold > weak),
        f"smallest change of the outputs of classes 1 and 3 with phi_1 or phi_3 {strong:.4f}; "
        f"largest change of any output with phi_2 or phi_4 {weak:.4f}",
    )
    clear = {(int(j) + 1, int(k) + 1) for _, j, k in np.argwhere(changes > threshold)}
    results.claim(
        "figure-4.15",
        "Lambda^s",
        clear == {(1, 1), (1, 3), (3, 1), (3, 3)},
        f"outputs that change by more than {threshold:g}: {sorted(clear)}",
    )
