"""Where the charts of the pages have their dots, lines and bands (``templates/drawings.html``)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from markupsafe import Markup

from opchar_reproduction.figures.tables import format_like
from opchar_reproduction.report.comparison.verdicts import LIMIT
from opchar_reproduction.report.drawing import draw

# What stands inside must not touch the border.
MARGIN = 2.0
# Deviations beyond this stand at the border.
WIDEST = 8.0
BIN = 0.25
DOT = 3.5
# Many equal deviations stand closer, so that the drawing stays on one screen.
HIGHEST = 260.0
SIDE, LEFT, BOTTOM = 340, 40, 36
# The middle of a dumbbell.
MIDDLE = 9
# Values of one sign that span more than this are set on a logarithmic axis.
LOGARITHMIC = 50.0


def across(value: float, low: float, high: float) -> float:
    """Return the place of a value between two ends, in per cent of the width."""
    share = (value - low) / (high - low) if high > low else 0.5
    return MARGIN + (100 - 2 * MARGIN) * min(max(share, 0.0), 1.0)


def on_one_axis(
    lines: Sequence[Mapping[Any, Any]],
    labels: Mapping[str, str],
    spoken: Mapping[tuple[str, str], str],
) -> Markup:
    """Draw every z as a dot, a row for each publication, with the band of agreement."""
    if not lines:
        return Markup("")
    by_paper = {paper: [line for line in lines if line["paper"] == paper] for paper in labels}
    rows: list[tuple[str, Any, float]] = []
    top = 0.0
    for paper, own in by_paper.items():
        if own:
            dots, height = _stack_dots(own)
            below = top + height - DOT - 2
            placed = [(line, across(z, -WIDEST, WIDEST), below - up) for line, z, up in dots]
            rows.append((labels[paper], placed, top))
            top += height
    low, high = (across(end, -WIDEST, WIDEST) for end in (-LIMIT, LIMIT))
    outside = sum(abs(float(line["z"])) > LIMIT + 1e-9 for line in lines)
    whole = f"z of {len(lines)} values, {outside} of them outside ±{LIMIT:g}"
    return draw("on_one_axis", rows=rows, total=top, low=low, high=high, whole=whole, spoken=spoken)


def _stack_dots(
    lines: Sequence[Mapping[Any, Any]],
) -> tuple[list[tuple[Mapping[Any, Any], float, float]], float]:
    """Return each line with its z and height above the axis, so that no dot hides another."""
    filled: dict[int, int] = {}
    dots = []
    for line in sorted(lines, key=lambda line: (float(line["z"]), line["id"])):
        bin_index = round(float(np.clip(float(line["z"]), -WIDEST, WIDEST)) / BIN)
        dots.append((line, bin_index * BIN, filled.get(bin_index, 0)))
        filled[bin_index] = filled.get(bin_index, 0) + 1
    step = min(2 * DOT, HIGHEST / max(filled.values()))
    return [(line, z, up * step) for line, z, up in dots], max(filled.values()) * step + 24


def quantiles(lines: Sequence[Mapping[Any, Any]]) -> Markup:
    """Draw the ordered z against normal quantiles, with the 95 % band of each order statistic."""
    from scipy.stats import beta, norm

    count = len(lines)
    if count < 10:
        return Markup("")
    z = np.sort([float(line["z"]) for line in lines])
    rank = np.arange(1, count + 1)
    expected = norm.ppf((rank - 0.5) / count)
    low, high = (norm.ppf(beta.ppf(p, rank, count + 1 - rank)) for p in (0.025, 0.975))
    end = 3.5

    def x(value: float) -> float:
        return LEFT + (SIDE - LEFT - 8) * (value + end) / (2 * end)

    def y(value: float) -> float:
        clipped = float(np.clip(value, -WIDEST, WIDEST))
        return 8 + (SIDE - BOTTOM - 8) * (WIDEST - clipped) / (2 * WIDEST)

    edge = [*zip(expected, high, strict=True), *zip(expected[::-1], low[::-1], strict=True)]
    return draw(
        "quantiles",
        corners=" ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in edge),
        zero=[f"{place:.1f}" for place in (x(-end), y(-end), x(end), y(end))],
        dots=[
            (f"{x(a):.1f}", f"{y(b):.1f}", abs(b) > LIMIT) for a, b in zip(expected, z, strict=True)
        ],
        right=[(tick, f"{x(tick):.1f}") for tick in range(-3, 4)],
        up=[(tick, f"{y(tick) + 4:.1f}") for tick in (-8, -4, -2, 0, 2, 4, 8)],
        said=f"Observed z of {count} values against the quantiles of a standard normal "
        f"distribution; mean {z.mean():.2f}, standard deviation {z.std(ddof=1):.2f}",
    )


def dumbbells(lines: Iterable[Mapping[Any, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a dumbbell plot, a group for each quantity."""
    groups: dict[str, list[Mapping[Any, Any]]] = {}
    for line in filter(is_measured, lines):
        groups.setdefault(f"{line['column']}", []).append(line)
    if sum(map(len, groups.values())) < 3:
        return []
    return [_group(quantity, rows) for quantity, rows in groups.items()]


def is_measured(line: Mapping[Any, Any]) -> bool:
    """Tell whether a line has a number from repeated or sampled measurements on both sides."""
    if line["kind"] != "number" or not (line["z"] or line["std"] or line["n"]):
        return False
    return all(math.isfinite(_number(line[name])) for name in ("published", "reproduced"))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _group(quantity: str, lines: Sequence[Mapping[Any, Any]]) -> dict[str, Any]:
    ends = [end for line in lines for end in _ends(line)]
    smallest = min(_number(line[name]) for line in lines for name in ("published", "reproduced"))
    largest = max(_number(line[name]) for line in lines for name in ("published", "reproduced"))
    logarithmic = smallest > 0 and largest / smallest > LOGARITHMIC
    if logarithmic:
        low, high = math.log10(smallest) - 0.05, math.log10(largest) + 0.05
    else:
        low, high = min(ends), max(ends)
        if high == low:
            low, high = low - 0.5, high + 0.5
    back = (lambda end: 10**end) if logarithmic else float
    ordered = sorted(lines, key=lambda line: (-abs(_number(line["z"] or "0")), line["place"]))
    return {
        "quantity": quantity,
        "logarithmic": logarithmic,
        "low": format_like(_short(back(low))),
        "high": format_like(_short(back(high))),
        "rows": [{"line": line, "drawing": _row(line, low, high, logarithmic)} for line in ordered],
    }


def _short(value: float) -> float:
    return float(f"{value:.3g}")


def _ends(line: Mapping[Any, Any]) -> list[float]:
    """Return what a row reaches: both values with their spreads."""
    found = []
    for value, spread in (("published", "published_std"), ("reproduced", "std")):
        centre, half = _number(line[value]), _number(line[spread] or "0")
        half = 0.0 if math.isnan(half) else half
        found += [centre - half, centre + half]
    return found


def _row(line: Mapping[Any, Any], low: float, high: float, logarithmic: bool) -> Markup:
    def position(value: float) -> float:
        if logarithmic:
            value = math.log10(value) if value > 0 else low
        return across(value, low, high)

    published, reproduced = _number(line["published"]), _number(line["reproduced"])
    left, right = position(published), position(reproduced)
    band = None
    if line["sharpness"] and published:
        half = float(line["sharpness"]) * abs(published)
        start, end = position(published - half), position(published + half)
        band = start, max(end - start, 0.2)
    spreads = []
    for centre, spread, y, kind in (
        (published, line["published_std"], MIDDLE - 2, "of-published"),
        (reproduced, line["std"], MIDDLE + 2, "of-reproduced"),
    ):
        half = _number(spread or "nan")
        if half > 0:
            spreads.append((position(centre - half), position(centre + half), y, kind))
    spreads.append((left, right, MIDDLE, "between"))
    return draw("dumbbell", line=line, band=band, spreads=spreads, left=left, right=right)
