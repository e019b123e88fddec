"""Published and reproduced values side by side, one row per value."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from opchar_reproduction.figures.notation import plain
from opchar_reproduction.figures.tables import format_like
from opchar_reproduction.report.charts.svg import across, per_cent
from opchar_reproduction.report.marks import slug

HEIGHT, MIDDLE = 18, 9
# Values of one sign that span more than this are set on a logarithmic axis.
LOGARITHMIC = 50.0


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


def _row(line: Mapping[Any, Any], low: float, high: float, logarithmic: bool) -> str:
    def position(value: float) -> float:
        if logarithmic:
            value = math.log10(value) if value > 0 else low
        return across(value, low, high)

    published, reproduced = _number(line["published"]), _number(line["reproduced"])
    left, right = position(published), position(reproduced)
    parts = []
    if line["sharpness"] and published:
        half = float(line["sharpness"]) * abs(published)
        start, end = position(published - half), position(published + half)
        parts.append(
            f'<rect x="{per_cent(start)}" y="2" width="{per_cent(max(end - start, 0.2))}" '
            f'height="{HEIGHT - 4}" class="band"/>'
        )
    for centre, spread, y, kind in (
        (published, line["published_std"], MIDDLE - 2, "of-published"),
        (reproduced, line["std"], MIDDLE + 2, "of-reproduced"),
    ):
        half = _number(spread or "nan")
        if half > 0:
            low, high = position(centre - half), position(centre + half)
            parts.append(_line(low, high, y, kind))
    parts.append(_line(left, right, MIDDLE, "between"))
    for place, kind in (left, "published"), (right, f"reproduced {slug(line['shown'])}"):
        parts.append(f'<circle cx="{per_cent(place)}" cy="{MIDDLE}" r="4" class="{kind}"/>')
    z = f", z = {float(line['z']):.1f}" if line["z"] else ""
    said = escape(f"published {line['published']}, reproduced {plain(line['reproduced_text'])}{z}")
    return Markup(
        f'<svg class="dumbbell" width="100%" height="{HEIGHT}" aria-hidden="true">'
        f"<title>{said}</title>{''.join(parts)}</svg>"
    )


def _line(start: float, end: float, y: int, kind: str) -> str:
    x1, x2 = per_cent(start), per_cent(end)
    return f'<line x1="{x1}" x2="{x2}" y1="{y}" y2="{y}" class="{kind}"/>'
