"""Perturbation of the weights of known Gaussian classes (Sec. 4.3.5)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from opchar.experiments.landgrebe2007.known_classes import density_curves, matrix_curve
from opchar.multiclass.gaussians import Floats, confusion_rates
from opchar.multiclass.perturbation import largest_by_class, sensitivities
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
        Lines of eq-4.36 and eq-4.37; curves ``densities``, ``confusion``, ``sensitivity`` and
        ``cost``, the number of confusion matrices that a perturbation and the full grid compute.
    """
    results = Results()
    c, low, high = len(means), weights[0], weights[1]
    density_curves(results, "four classes", means, variance, [1.0] * c)
    changes = sensitivities(_rates_of(means, variance), np.ones(c), r, low, high)
    _largest(results, largest_by_class(changes), threshold)
    for i in range(c):
        matrix_curve(results, f"Lambda_{i + 1}", changes[i], curve="sensitivity")
        for weight in slices:
            phi = np.ones((1, c))
            phi[0, i] = weight
            rates = confusion_rates(means, variance, phi)[0]
            matrix_curve(results, f"phi_{i + 1} = {weight:g}", rates)
    default = confusion_rates(means, variance, np.ones((1, c)))[0]
    matrix_curve(results, "default", default)
    for number in counted:
        results.curve(
            "cost",
            {
                "classes": [number],
                "r": r,
                "perturbed": _count_matrices(number, r, weights),
                "full grid": float(r) ** (number - 1),
            },
        )
    return results


def _largest(results: Results, largest: Floats, threshold: float) -> None:
    """Add the largest change of each class's outputs with each weight, and where it is clear."""
    for (i, k), change in np.ndenumerate(largest):
        column, clear = f"class {k + 1}", float(change > threshold)
        results.number("eq-4.36", f"Lambda_{i + 1}^v", column, change, unit="range of xi")
        results.number("eq-4.37", f"Lambda_{i + 1}^vb", column, clear, unit="binary")


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
