"""Soft classifiers in ROC, precision-recall, cost and F-measure space, and who is better where."""

import numpy as np

from opchar.spaces.compare import Ranges, compare_cost, compare_f, compare_roc
from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints, from_rates, interpolate
from opchar.spaces.precision_recall import precision
from opchar_reproduction.publications.f_measure_space.crisp_classifiers import add_order
from opchar_reproduction.results import Results

_BETWEEN_POINTS = np.append(0.0, np.geomspace(1e-8, 1, 80)[:-1])


def ordered_points(tpr: list[float], fpr: list[float]) -> OperatingPoints:
    """Return points whose thresholds are numbered 1, 2, ... downwards, as Th_1 > Th_2 > ..."""
    return from_rates(tpr, fpr, -np.arange(1.0, len(tpr) + 1))


def add_best_thresholds(results: Results, points: OperatingPoints, alpha: float, grid: int) -> None:
    """Add the frame ``best``: at each P(+) the envelopes and the best single curves."""
    at = np.linspace(0, 1, grid)[1:-1]
    columns = points.tpr[:, None], points.fpr[:, None]
    curves = f_measure(*columns, at, alpha)
    lines = (1 - columns[0]) * at + columns[1] * (1 - at)
    f_envelope = upper_envelope(points, alpha)
    largest = curves.max(axis=0)
    f = {"F envelope": f_envelope(at), "largest F": largest}
    cost = {"cost envelope": lower_envelope(points)(at), "least cost": lines.min(axis=0)}
    choice = {
        "number best": (curves >= largest - 1e-12).sum(axis=0),
        "breakpoint": np.isin(at, f_envelope.breakpoints).astype(float),
    }
    results.add_frame("best", {"prior": at} | f | cost | choice)


def compare_soft(
    results: Results,
    one: OperatingPoints,
    two: OperatingPoints,
    alpha: float,
    labels: dict[str, str],
    rows: dict[str, str],
) -> None:
    """Add the numbers read off Figure 4, its crossing markers and the frame ``order``."""
    hulls = compare_roc(one, two)
    results.number(labels["roc"], rows["roc"], "FPR of crossing", _only(hulls), unit="FPR")
    cost_1, cost_2 = lower_envelope(one), lower_envelope(two)
    costs = compare_cost(cost_1, cost_2)
    low, high = _inner_tie(costs)
    results.number(labels["cost"], rows["cost"], "PC(+) of crossing", high, unit="PC(+)")
    results.number(labels["cost"], rows["cost"], "equal from PC(+)", low, unit="PC(+)")
    if labels["cost"] == "figure-4c":
        results.number(labels["cost"], rows["cost"], "equal to PC(+)", high, unit="PC(+)")
    add_order(results, "cost", costs)
    f_1, f_2 = upper_envelope(one, alpha), upper_envelope(two, alpha)
    order = compare_f(f_1, f_2)
    start, end = _inner_tie(order)
    results.number(labels["f"], rows["f"], "C_2 better up to P(+)", start, unit="P(+)")
    results.number(labels["f"], rows["f"], "equal up to P(+)", end, unit="P(+)")
    add_order(results, "F", order)
    crossing = hulls.crossings
    heights = np.interp(crossing, one.hull.fpr, one.hull.tpr)
    results.add_frame("marks", {"space": "roc", "x": crossing, "y": heights})
    results.add_frame("marks", {"space": "cost", "x": [low, high], "y": cost_1([low, high])})
    results.add_frame("marks", {"space": "f", "x": [start, end], "y": f_1([start, end])})


def _only(ranges: Ranges) -> float:
    """Return the only crossing inside; NaN for no crossing or several."""
    return float(ranges.crossings[0]) if len(ranges.crossings) == 1 else float("nan")


def _inner_tie(ranges: Ranges) -> tuple[float, float]:
    """Return the range of equality between C_2's range and C_1's; NaN for an empty one."""
    for index in range(1, len(ranges.better) - 1):
        around = ranges.better[index - 1 : index + 2].tolist()
        if around == [-1, 0, 1]:
            return float(ranges.edges[index]), float(ranges.edges[index + 1])
    return float("nan"), float("nan")


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
    for number, (tpr, fpr) in enumerate(zip(points.tpr, points.fpr, strict=True), start=1):
        who = {"series": name, "number": number}
        ends = np.array([0.0, 1.0])
        results.add_frame("cost-lines", who | {"pc": ends, "cost": expected_cost(tpr, fpr, ends)})
        results.add_frame("f-curves", who | {"prior": p, "f": f_measure(tpr, fpr, p, alpha)})
