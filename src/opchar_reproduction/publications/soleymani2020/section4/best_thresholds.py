"""Thresholds for an operating condition in cost and in F-measure space (Figure 10)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from opchar.spaces.brier import rates_at
from opchar.spaces.cost import CostEnvelope, expected_cost, lower_envelope
from opchar.spaces.envelope import Envelope
from opchar.spaces.f_measure import FEnvelope, f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints
from opchar_reproduction.results import Results

_SHOWN = 501
EXACT, GRID = "exact", "by the grid"


@dataclass(frozen=True)
class Choice:
    """A threshold for one operating condition, with its rates."""

    threshold: float
    tpr: float
    fpr: float
    neighbours: tuple[tuple[float, float, float], ...] = ()


def exact(envelope: Envelope, prior: float) -> Choice:
    """Return the optimum, which the exact envelope has for every operating condition."""
    tpr, fpr = envelope.rates(prior)
    return Choice(float(envelope.threshold(prior)), float(tpr), float(fpr))


def by_grid(
    envelope: Envelope, points: OperatingPoints, prior: float, coarse: np.ndarray
) -> Choice:
    """Return the optimum as the work finds it: of both neighbours on its grid, or between them.

    soleymani2020, Sec. 4.1.
    """
    if not coarse[0] <= prior <= coarse[-1]:
        raise ValueError(f"{prior} is outside the grid from {coarse[0]} to {coarse[-1]}")
    above = max(int(np.searchsorted(coarse, prior)), 1)
    low, high = (exact(envelope, float(at)) for at in coarse[above - 1 : above + 1])
    if low.threshold == high.threshold:
        return low
    share = (prior - coarse[above - 1]) / (coarse[above] - coarse[above - 1])
    if share in (0, 1):
        return high if share else low
    threshold = (1 - share) * low.threshold + share * high.threshold
    tpr, fpr = rates_at(points, threshold)
    ends = tuple((each.threshold, each.tpr, each.fpr) for each in (low, high))
    return Choice(float(threshold), float(tpr), float(fpr), ends)


def choose_thresholds(
    results: Results,
    classifiers: dict[int, OperatingPoints],
    *,
    conditions: list[float],
    coarse: np.ndarray,
    alpha: float,
    near: float,
    optimum: str = EXACT,
) -> None:
    """Choose thresholds of a classifier for some conditions, and measure where cost and F differ.

    `results`: receives the lines of Figure 10; of the first target the curves ``range`` (space, x,
    low, high), ``coarse`` (space, x, y); ``choice`` (condition, space, kind, fpr, tpr),
    ``choice-lines`` (condition, space, kind, number, x, y); ``chosen-roc`` (fpr, tpr); the frames
    ``interpolated`` (target, panel, between); ``near-origin`` (target, start, cost, F: the P(+) up
    to which the optimum is close to (0, 0)); ``differ`` (target, low, high: ranges of P(+) in which
    both optima differ). `optimum`: the optimum of the rates of Figure 10 (`exact`, `by_grid`).
    """
    points = list(classifiers.values())
    envelopes = [(lower_envelope(each), upper_envelope(each, alpha)) for each in points]
    _shown_curves(results, points[0], envelopes[0], conditions, coarse, alpha)
    _optima(results, classifiers, envelopes, conditions, coarse, alpha, optimum)
    span = float(coarse[0]), float(coarse[-1])
    _ranges(results, list(classifiers), envelopes, span, near)


def _shown_curves(
    results: Results,
    points: OperatingPoints,
    envelopes: tuple[CostEnvelope | FEnvelope, ...],
    conditions: list[float],
    coarse: np.ndarray,
    alpha: float,
) -> None:
    at = np.linspace(0, float(coarse[-1]), _SHOWN)
    hull = points.hull
    columns = points.tpr[:, np.newaxis], points.fpr[:, np.newaxis]
    lines = {"cost": expected_cost(*columns, at), "F": f_measure(*columns, at, alpha)}
    for (space, heights), envelope in zip(lines.items(), envelopes, strict=True):
        span = {"low": heights.min(axis=0), "high": heights.max(axis=0)}
        results.add_frame("range", {"space": space, "x": at} | span)
        results.add_frame("coarse", {"space": space, "x": coarse, "y": envelope(coarse)})
        for prior in conditions:
            found = {
                "exact": exact(envelope, prior),
                "grid": by_grid(envelope, points, prior, coarse),
            }
            for kind, choice in found.items():
                rates = [(kind, choice.tpr, choice.fpr)]
                rates += [("neighbour", tpr, fpr) for _, tpr, fpr in choice.neighbours]
                for number, (name, tpr, fpr) in enumerate(rates):
                    who = {"condition": prior, "space": space, "kind": name}
                    results.add_frame("choice", who | {"fpr": [fpr], "tpr": [tpr]})
                    y = _heights(space, tpr, fpr, at, alpha)
                    who |= {"number": number}
                    results.add_frame("choice-lines", who | {"x": at, "y": y})
    results.add_frame("chosen-roc", {"fpr": hull.fpr, "tpr": hull.tpr})


def _heights(space: str, tpr: ArrayLike, fpr: ArrayLike, at: ArrayLike, alpha: float) -> np.ndarray:
    return expected_cost(tpr, fpr, at) if space == "cost" else f_measure(tpr, fpr, at, alpha)


def _optima(
    results: Results,
    classifiers: dict[int, OperatingPoints],
    envelopes: list[tuple[CostEnvelope, FEnvelope]],
    conditions: list[float],
    coarse: np.ndarray,
    alpha: float,
    optimum: str,
) -> None:
    """Add exact and interpolated optima of every condition, and which are interpolated."""
    for row, prior in enumerate(conditions):
        for column, space in enumerate(("cost", "F")):
            best = [exact(pair[column], prior) for pair in envelopes]
            grid = [
                by_grid(pair[column], points, prior, coarse)
                for pair, points in zip(envelopes, classifiers.values(), strict=True)
            ]
            between = [bool(choice.neighbours) for choice in grid]
            who = {"target": list(classifiers), "panel": _panel(space, row, len(conditions))}
            results.add_frame("interpolated", who | {"between": np.array(between, float)})
            for way, choices in ((EXACT, best), (GRID, grid)):
                rates = np.array([(choice.tpr, choice.fpr) for choice in choices])
                heights = _heights(space, rates[:, 0], rates[:, 1], prior, alpha)
                line = ("text-4.1", f"P(+) = {prior:g}; {space} space")
                results.mean(*line, f"EC or F, {way}", heights)
                for name, values in zip(("TPR", "FPR"), rates.T, strict=True):
                    results.mean(*line, f"{name}, {way}", values)
                    if space == "F" and row == 0 and way == optimum:
                        key = ("figure-10", f"P(+)={prior:g}, C_3, F space optimum", name)
                        results.mean(*key, values, unit="fraction")


def _panel(space: str, row: int, rows: int) -> str:
    return chr(ord("a") + row + rows * (space == "F"))


def near_origin_up_to(envelope: Envelope, near: float, low: float) -> float:
    """Return the P(+), from `low` to which the optimum stays within `near` of (0, 0)."""
    far = np.hypot(envelope.points.tpr, envelope.points.fpr) > near
    ends = envelope.breakpoints[1:] > low
    first = np.flatnonzero(far & ends)
    return max(float(envelope.breakpoints[first[0]]), low)


def differ_in(
    cost: CostEnvelope, f: FEnvelope, low: float, high: float
) -> list[tuple[float, float]]:
    """Return the ranges of P(+) in [low, high] in which both spaces choose other rates."""
    edges = np.unique(np.clip(np.concatenate([cost.breakpoints, f.breakpoints]), low, high))
    middle = (edges[1:] + edges[:-1]) / 2
    differ = np.not_equal(cost.rates(middle), f.rates(middle)).any(axis=0)
    ranges: list[tuple[float, float]] = []
    for start, end in zip(edges[:-1][differ].tolist(), edges[1:][differ].tolist(), strict=True):
        if ranges and ranges[-1][1] == start:
            start = ranges.pop()[0]
        ranges.append((start, end))
    return ranges


def _ranges(
    results: Results,
    targets: list[int],
    envelopes: list[tuple[CostEnvelope, FEnvelope]],
    span: tuple[float, float],
    near: float,
) -> None:
    """Add up to where the cost optimum is close to (0, 0), and where both optima differ."""
    low, high = span
    close = [near_origin_up_to(cost, near, low) for cost, _ in envelopes]
    f_close = [near_origin_up_to(f, near, low) for _, f in envelopes]
    differ = [differ_in(cost, f, low, high) for cost, f in envelopes]
    ends = [ranges[-1][1] if ranges else low for ranges in differ]
    note = f"within {near:g} of (0, 0) for all P(+) from {low:g}, which stands where it never is"
    row = "cost optimum near (0,0) below P(+)"
    results.mean("figure-10", row, "threshold", close, unit="P(+)", note=note)
    note = f"up to P(+) = {high:g}, where the curves of the work end"
    row = "cost and F optima identical above P(+)"
    results.mean("figure-10", row, "threshold", ends, unit="P(+)", note=note)
    near_until = {"target": targets, "start": low, "cost": close, "F": f_close}
    results.add_frame("near-origin", near_until)
    for target, ranges in zip(targets, differ, strict=True):
        edges = np.array(ranges or [(low, low)])
        results.add_frame("differ", {"target": target, "low": edges[:, 0], "high": edges[:, 1]})
