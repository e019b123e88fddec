"""Figures 2 and 4: soft classifiers in ROC, precision-recall, cost and F-measure space."""

from __future__ import annotations

import numpy as np

from opchar.experiments.soleymani2020.evidence import spans
from opchar.experiments.soleymani2020.four_spaces import show_soft_classifier
from opchar.results import Results
from opchar.spaces.compare import Ranges, compare_cost, compare_f, compare_roc
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints, from_rates
from opchar.spaces.precision_recall import precision

_ROUNDING = 1e-12


def soft_classifier(
    *,
    tpr: list[float],
    fpr: list[float],
    priors: list[float],
    m: float,
    alpha: float,
    grid: int,
) -> Results:
    """Show one soft classifier of six thresholds in the four spaces (Figure 2).

    Parameters
    ----------
    tpr, fpr : list of float
        Its operating points, thresholds descending.
    priors : list of float
        P(+) of the precision-recall curves.
    m : float
        Cost weight.
    alpha : float
        Weight of precision.
    grid : int
        Number of operating conditions from 0 to 1, besides the breakpoints.

    Returns
    -------
    Results
        The curves of `show_soft_classifier`.

    References
    ----------
    soleymani2020, Sec. 3.1 and Fig. 2.
    """
    results = Results()
    points = ordered(tpr, fpr)
    show_soft_classifier(results, "C_1", points, priors, m, alpha, grid)
    holds, note = envelopes_describe(points, priors, alpha, grid)
    results.claim("figure-2", "four spaces", holds, note)
    return results


def ordered(tpr: list[float], fpr: list[float]) -> OperatingPoints:
    """Return points whose thresholds are numbered 1, 2, ... downwards, as Th_1 > Th_2 > ..."""
    return from_rates(tpr, fpr, -np.arange(1.0, len(tpr) + 1))


def envelopes_describe(
    points: OperatingPoints, priors: list[float], alpha: float, grid: int
) -> tuple[bool, str]:
    """Judge: PR moves with P(+), one threshold is best per P(+), envelopes bound all curves."""
    at = np.linspace(0, 1, grid)[1:-1]
    columns = points.tpr[:, None], points.fpr[:, None]
    curves = f_measure(*columns, at, alpha)
    f_envelope, cost_envelope = upper_envelope(points, alpha), lower_envelope(points)
    lines = (1 - columns[0]) * at + columns[1] * (1 - at)
    gap = max(
        float(np.abs(f_envelope(at) - curves.max(axis=0)).max()),
        float(np.abs(cost_envelope(at) - lines.min(axis=0)).max()),
    )
    off_breakpoints = ~np.isin(at, f_envelope.breakpoints)
    best = (curves >= curves.max(axis=0) - _ROUNDING).sum(axis=0)[off_breakpoints]
    moves = float(
        np.ptp([precision(points.tpr, points.fpr, prior) for prior in priors], axis=0).max()
    )
    note = (
        f"Pr moves by up to {moves:.2f} between P(+) = {priors}, (TPR, FPR) not at all; one of "
        f"{len(f_envelope.points)} thresholds is best at each of {len(best)} priors (two at the "
        f"{len(f_envelope.breakpoints) - 2} breakpoints); envelopes bound all curves to {gap:.1e}"
    )
    return bool(moves > 0 and (best == 1).all() and gap < _ROUNDING), note


def two_soft_classifiers(
    *,
    tpr_1: list[float],
    fpr_1: list[float],
    tpr_2: list[float],
    fpr_2: list[float],
    priors: list[float],
    m: float,
    alpha: float,
    grid: int,
) -> Results:
    """Compare two soft classifiers in the four spaces, with exact limits (Figure 4).

    Parameters
    ----------
    tpr_1, fpr_1, tpr_2, fpr_2 : list of float
        Their operating points, thresholds descending.
    priors : list of float
        P(+) of the precision-recall curves.
    m : float
        Cost weight.
    alpha : float
        Weight of precision.
    grid : int
        Number of operating conditions from 0 to 1, besides the breakpoints.

    Returns
    -------
    Results
        The curves of `show_soft_classifier`, and ``crossings``: space, x, y, label.

    References
    ----------
    soleymani2020, Sec. 3.2 and Fig. 4.
    """
    results = Results()
    one, two = ordered(tpr_1, fpr_1), ordered(tpr_2, fpr_2)
    for name, points in (("C_1", one), ("C_2", two)):
        show_soft_classifier(results, name, points, priors, m, alpha, grid)
    labels = {"roc": "figure-4a", "pr": "figure-4b", "cost": "figure-4c", "f": "figure-4d"}
    rows = {
        "roc": "C_1 vs C_2 ROC convex hulls",
        "cost": f"C_1 vs C_2 cost envelopes, m={m:g}",
        "cost claim": "PC(+) < 0.6",
        "f": f"C_1 vs C_2 F envelopes, alpha={alpha:g}",
        "f claim": "ordering",
    }
    compare_soft(results, one, two, alpha, labels, rows)
    changes, note = _precision_order_changes(one, two, priors)
    results.claim("figure-4b", "PR curves", changes, note)
    return results


def compare_soft(
    results: Results,
    one: OperatingPoints,
    two: OperatingPoints,
    alpha: float,
    labels: dict[str, str],
    rows: dict[str, str],
) -> None:
    """Add the read-offs and claims of Figure 4 as exact numbers, and its crossing markers.

    Parameters
    ----------
    results : Results
    one, two : OperatingPoints
        C_1 and C_2.
    alpha : float
        Weight of precision.
    labels : dict
        Artefact by space: roc, cost, f.
    rows : dict
        Row of the read-offs (roc, cost, f) and of the claims (cost claim, f claim).
    """
    hulls = compare_roc(one, two)
    results.number(labels["roc"], rows["roc"], "FPR of crossing", _only(hulls), unit="FPR")
    cost_1, cost_2 = lower_envelope(one), lower_envelope(two)
    costs = compare_cost(cost_1, cost_2)
    low, high = _inner_tie(costs)
    results.number(labels["cost"], rows["cost"], "PC(+) of crossing", high, unit="PC(+)")
    results.number(labels["cost"], rows["cost"], "equal from PC(+)", low, unit="PC(+)")
    if labels["cost"] == "figure-4c":
        results.number(labels["cost"], rows["cost"], "equal to PC(+)", high, unit="PC(+)")
    at = np.linspace(0, low, 201)
    saved = float((cost_1(at) - cost_2(at)).max())
    results.claim(
        labels["cost"],
        rows["cost claim"],
        bool((costs.better[costs.edges[1:] <= low] > 0).all()),
        f"C_1 cheaper {spans(costs.where(1))}, C_2 {spans(costs.where(-1))}: below "
        f"{low:.4f} it is C_2 that is better, by up to {saved:.4f}",
    )
    f_1, f_2 = upper_envelope(one, alpha), upper_envelope(two, alpha)
    order = compare_f(f_1, f_2)
    start, end = _inner_tie(order)
    results.number(labels["f"], rows["f"], "C_2 better up to P(+)", start, unit="P(+)")
    results.number(labels["f"], rows["f"], "equal up to P(+)", end, unit="P(+)")
    results.claim(
        labels["f"],
        rows["f claim"],
        order.better[:3].tolist() == [-1, 0, 1],
        f"C_2 better {spans(order.where(-1))}, equal {spans(order.where(0))}, C_1 better "
        f"{spans(order.where(1))} (both accept all above {order.edges[-2]:.3g})",
    )
    crossing = hulls.crossings
    heights = np.interp(crossing, one.hull.fpr, one.hull.tpr)
    results.curve("marks", {"space": "roc", "x": crossing, "y": heights})
    results.curve("marks", {"space": "cost", "x": [low, high], "y": cost_1([low, high])})
    results.curve("marks", {"space": "f", "x": [start, end], "y": f_1([start, end])})


def _precision_order_changes(
    one: OperatingPoints, two: OperatingPoints, priors: list[float]
) -> tuple[bool, str]:
    """Judge: in PR space no classifier is ahead at all recalls, whatever the prior."""
    recall = np.linspace(0.05, 0.999, 500)
    ahead = []
    for prior in priors:
        fpr = [np.interp(recall, points.hull.tpr, points.hull.fpr) for points in (one, two)]
        gain = precision(recall, fpr[0], prior) - precision(recall, fpr[1], prior)
        ahead.append(float((gain > _ROUNDING).mean()))
    mixed = all(0 < share < 1 for share in ahead)
    shares = ", ".join(f"{s:.0%} at P(+) = {p:g}" for s, p in zip(ahead, priors, strict=True))
    return mixed, f"C_1 has the higher precision over {shares} of the recalls, C_2 over others"


def _only(ranges: Ranges) -> float:
    """Return the one crossing inside; NaN when there is another number of them."""
    return float(ranges.crossings[0]) if len(ranges.crossings) == 1 else float("nan")


def _inner_tie(ranges: Ranges) -> tuple[float, float]:
    """Return the range of equality between C_2's range and C_1's; NaN when there is none."""
    for place in range(1, len(ranges.better) - 1):
        around = ranges.better[place - 1 : place + 2].tolist()
        if around == [-1, 0, 1]:
            return float(ranges.edges[place]), float(ranges.edges[place + 1])
    return float("nan"), float("nan")
