"""A soft classifier in ROC, precision-recall, cost and F-measure space, as curves to draw."""

import numpy as np

from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints, interpolate
from opchar.spaces.precision_recall import precision
from opchar_reproduction.publications.f_measure_space.soft_classifiers import ordered_points
from opchar_reproduction.results import Results

_BETWEEN_POINTS = np.append(0.0, np.geomspace(1e-8, 1, 80)[:-1])


def show_two_soft_classifiers(
    results: Results,
    tpr: tuple[list[float], list[float]],
    fpr: tuple[list[float], list[float]],
    priors: list[float],
    m: float,
    alpha: float,
    grid: int,
) -> tuple[OperatingPoints, OperatingPoints]:
    """Add the curves of C_1 and C_2 and return their points."""
    one, two = (ordered_points(*rates) for rates in zip(tpr, fpr, strict=True))
    for name, points in (("C_1", one), ("C_2", two)):
        show_soft_classifier(results, name, points, priors, m, alpha, grid)
    return one, two


def show_soft_classifier(
    results: Results,
    name: str,
    points: OperatingPoints,
    priors: list[float],
    m: float,
    alpha: float,
    grid: int,
    *,
    single_lines: bool = True,
) -> None:
    """Add the curves of one soft classifier in four spaces.

    soleymani2020, Figs. 2 and 4.
    """
    hull = points.hull
    rates = {"fpr": points.fpr, "tpr": points.tpr, "number": np.arange(1, len(points) + 1)}
    results.add_frame("roc", {"series": name} | rates)
    results.add_frame("hull", {"series": name, "fpr": hull.fpr, "tpr": hull.tpr})
    fine = interpolate(points, _BETWEEN_POINTS)
    for prior in priors:
        for curve, each in (("pr", fine), ("pr-points", points)):
            height = precision(each.tpr, each.fpr, prior)
            columns = {"recall": each.tpr, "precision": height}
            results.add_frame(curve, {"series": name, "prior": prior} | columns)
    cost, f = lower_envelope(points), upper_envelope(points, alpha)
    pc = np.union1d(np.linspace(0, 1, grid), cost.breakpoints)
    p = np.union1d(np.linspace(0, 1, grid), f.breakpoints)
    results.add_frame("cost-envelope", {"series": name, "m": m, "pc": pc, "cost": cost(pc)})
    results.add_frame("f-envelope", {"series": name, "alpha": alpha, "prior": p, "f": f(p)})
    if not single_lines:
        return
    for number, (tpr, fpr) in enumerate(zip(points.tpr, points.fpr, strict=True), start=1):
        who = {"series": name, "number": number}
        ends = np.array([0.0, 1.0])
        results.add_frame("cost-lines", who | {"pc": ends, "cost": expected_cost(tpr, fpr, ends)})
        results.add_frame("f-curves", who | {"prior": p, "f": f_measure(tpr, fpr, p, alpha)})
