"""The first point of a precision-recall curve, and the perfect curve (slides 66 and 67)."""

from __future__ import annotations

import pandas as pd

from opchar.statements.measurements import Finding, Measurements


def first_point_continues_the_second(measured: Measurements) -> Finding:
    """Compare the first point with (0, 1), and with (0, 0) where the second has no hit."""
    points = {name: _points(measured.frame(name)) for name in ("curve", "first")}
    return Finding(
        points["curve"][0] == (0, 1) and points["first"][:2] == [(0, 0), (0, 0)],
        f"first and second point {_said(points['curve'])}; of a sample whose highest score is a "
        f"negative's {_said(points['first'])}",
    )


def perfect_curve_ends_without_precision(measured: Measurements) -> Finding:
    """Follow the perfect curve from (0, 1) to (1, 1) and down to (1, 0)."""
    table = measured.frame("perfect")
    recall, precision = table["recall"], table["precision"]
    level = (precision[recall < 1] == 1).all() and precision[recall == 1].max() == 1
    last = float(precision.iloc[-1])
    return Finding(
        bool(level and last == 0),
        f"from (0, 1) to (1, 1) {'as said' if level else 'not as said'}, then down to "
        f"(1, {last:.2f}), the share of positives",
    )


def no_acceptance_without_precision(measured: Measurements) -> Measurements:
    """Control: precision is zero where nothing is accepted."""

    def emptied(table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(precision=[0.0, *table["precision"].iloc[1:]])

    return measured.with_frame("curve", emptied)


def _points(table: pd.DataFrame) -> list[tuple[float, float]]:
    return list(zip(table["recall"], table["precision"], strict=True))


def _said(points: list[tuple[float, float]]) -> str:
    return ", ".join(f"({x:.1f}, {y:.1f})" for x, y in points[:2])
