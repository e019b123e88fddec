"""ROC curves of two classes and surfaces of three on the diagonal rates (Secs. 3.3.3, 3.3.4)."""

import numpy as np

from opchar.multiclass.gaussians import three_class_surface, threshold_rates
from opchar.multiclass.roc.volume import ordered_gaussian_volume
from opchar.spaces.points import from_rates
from opchar.spaces.roc import auc
from opchar_reproduction.publications.landgrebe2007.chapter3.known_distributions.measure import (
    EXACT,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

EQUAL = [0.0, 0.0, 0.0]
AXES = ("xi_11", "xi_22", "xi_33")


@study("vus-surfaces", kind="vus", basis="illustration", profiles={"tiny": {"nodes": 41}})
def surfaces(
    *,
    separable: list[float] = [-4.0, 4.0],
    overlapping: list[float] = [-0.5, 0.5],
    three_classes: list[float] = [-1.0, 0.0, 1.0],
    nodes: int = 201,
) -> Results:
    """Two-class curves and three-class surfaces on the diagonal rates (3.3.3, 3.3.4).

    `separable`, `overlapping`: Means of the two unit-variance Gaussians of curves A and B of Figure
    3.5.
    `three_classes`: Means of the three unit-variance Gaussians of Figure 3.7, ascending.
    `nodes`: Points a curve, and along each side of a surface.
    The work states only the random classifiers.
    """
    results = Results()
    for letter, means in {"A": separable, "B": overlapping, "C": [0.0, 0.0]}.items():
        thresholds = np.linspace(min(means) - 9, max(means) + 9, nodes)
        first, second = threshold_rates(means, thresholds[:, None]).T
        area = auc(from_rates(first, 1 - second))
        results.add_frame("roc", {"series": letter, "xi_11": first, "xi_22": second})
        results.number("figure-3.5", letter, "AUC", area, unit="area")
    for figure, series, means, basis in [
        ("figure-3.6", "random", EQUAL, "exact"),
        ("figure-3.7", "overlapping", three_classes, "illustration"),
    ]:
        rates = three_class_surface(means, nodes // 4, nodes // 4)
        results.add_frame("surface", {"series": series} | dict(zip(AXES, rates.T, strict=True)))
        volume = ordered_gaussian_volume(means)[0]
        results.number(figure, series, EXACT, volume, unit="volume", basis=basis)
    return results
