"""Charts of the pages, as inline SVG that keeps its text at one size on every screen.

Places across are per cent of the width, so that a drawing fits every screen.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import numpy as np
from markupsafe import Markup, escape

from opchar_reproduction.figures.notation import plain
from opchar_reproduction.figures.tables import format_like
from opchar_reproduction.report.comparison.outcomes import TESTED
from opchar_reproduction.report.comparison.verdicts import LIMIT
from opchar_reproduction.report.marks import OUTCOME_SIGNS, slug

# What stands inside must not touch the border.
MARGIN = 2.0
# Segments of a larger share of the scale have room for their sign and number.
NAMED = 0.06
# Deviations beyond this stand at the border.
WIDEST = 8.0
BIN = 0.25
DOT = 3.5
# Many equal deviations stand closer, so that the drawing stays on one screen.
HIGHEST = 260.0
SIDE, LEFT, BOTTOM = 340, 40, 36
HEIGHT, MIDDLE = 18, 9
# Values of one sign that span more than this are set on a logarithmic axis.
LOGARITHMIC = 50.0


def across(value: float, low: float, high: float) -> float:
    """Return the place of a value between two ends, in per cent of the width."""
    share = (value - low) / (high - low) if high > low else 0.5
    return MARGIN + (100 - 2 * MARGIN) * min(max(share, 0.0), 1.0)


def per_cent(position: float) -> str:
    """Write a place."""
    return f"{position:.4g}%"


def bar(counts: Mapping[str, int], longest: int, address: str, what: str) -> Markup:
    """Draw a bar whose segments are outcomes, each a link to its values."""
    parts = []
    for outcome in TESTED:
        count = counts.get(outcome, 0)
        if not count:
            continue
        text = f"{what}: {count} {outcome}"
        shown = f"{OUTCOME_SIGNS[outcome]} {count}" if count > NAMED * longest else ""
        parts.append(
            f'<a class="segment {slug(outcome)}" style="width:{100 * count / longest:.4g}%" '
            f'href="{escape(f"{address}&outcome={quote(outcome)}")}" title="{escape(text)}">'
            f'<span aria-hidden="true">{shown}</span>'
            f'<span class="hidden">{escape(text)}</span></a>'
        )
    return Markup(f'<div class="stacked">{"".join(parts)}</div>')


def on_one_axis(
    lines: Sequence[Mapping[Any, Any]],
    labels: Mapping[str, str],
    spoken: Mapping[tuple[str, str], str],
) -> Markup:
    """Draw every z as a dot, a row for each publication, with the band of agreement."""
    if not lines:
        return Markup("")
    by_paper = {paper: [line for line in lines if line["paper"] == paper] for paper in labels}
    rows = [(labels[paper], *_stack_dots(own)) for paper, own in by_paper.items() if own]
    total = sum(height for *_, height in rows)
    low, high = (across(end, -WIDEST, WIDEST) for end in (-LIMIT, LIMIT))
    parts = [
        f'<rect x="{per_cent(low)}" y="0" width="{per_cent(high - low)}" height="{total}" '
        'class="band"/>',
        f'<line x1="50%" x2="50%" y1="0" y2="{total}" class="zero"/>',
    ]
    top = 0.0
    for label, dots, height in rows:
        if top:
            parts.append(f'<line x1="0%" x2="100%" y1="{top}" y2="{top}" class="rule"/>')
        parts.append(f'<text x="2%" y="{top + 14}" class="row">{escape(label)}</text>')
        parts += [_dot(line, top + height - DOT - 2 - up, spoken) for line, up in dots]
        top += height
    for tick in (-8, -6, -4, -2, 0, 2, 4, 6, 8):
        x = per_cent(across(tick, -WIDEST, WIDEST))
        shown = {-8: "≤ −8", 8: "≥ 8"}.get(tick, _with_sign(tick))
        anchor = {-8: "start", 8: "end"}.get(tick, "middle")
        parts.append(_text(shown, x, total + 14, f'text-anchor="{anchor}" class="tick"'))
    outside = sum(abs(float(line["z"])) > LIMIT + 1e-9 for line in lines)
    whole = f"z of {len(lines)} values, {outside} of them outside ±{LIMIT:g}"
    return Markup(
        f'<svg class="deviations" width="100%" height="{total + 20:g}" role="group" '
        f'aria-label="{escape(whole)}"><g>{"".join(parts)}</g></svg>'
    )


def _stack_dots(
    lines: Sequence[Mapping[Any, Any]],
) -> tuple[list[tuple[Mapping[Any, Any], float]], float]:
    """Return each line with its height above the axis, so that no dot hides another."""
    filled: dict[int, int] = {}
    dots = []
    for line in sorted(lines, key=lambda line: (float(line["z"]), line["id"])):
        bin_index = round(float(np.clip(float(line["z"]), -WIDEST, WIDEST)) / BIN)
        dots.append((line, filled.get(bin_index, 0)))
        filled[bin_index] = filled.get(bin_index, 0) + 1
    step = min(2 * DOT, HIGHEST / max(filled.values()))
    return [(line, up * step) for line, up in dots], max(filled.values()) * step + 24


def _dot(line: Mapping[Any, Any], y: float, names: Mapping[tuple[str, str], str]) -> str:
    z = float(line["z"])
    bin_index = round(float(np.clip(z, -WIDEST, WIDEST)) / BIN) * BIN
    x = per_cent(across(bin_index, -WIDEST, WIDEST))
    said = escape(
        f"{names[line['paper'], line['artefact']]}, {line['row']}, {line['column']}: z = {z:.1f}"
    )
    differs = line["shown"] == "differs"
    radius = DOT if differs else DOT - 0.5
    circle = (
        f'<circle cx="{x}" cy="{y:g}" r="{radius}" class="{slug(line["shown"])}">'
        f"<title>{said}</title></circle>"
    )
    if not differs:
        return circle
    return f'<a href="{escape(line["address"])}" aria-label="{said}">{circle}</a>'


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
    corners = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in edge)
    parts = [
        f'<polygon points="{corners}" class="band"/>',
        f'<line x1="{x(-end):.1f}" y1="{y(-end):.1f}" x2="{x(end):.1f}" y2="{y(end):.1f}" '
        'class="zero"/>',
    ]
    parts += [
        f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="2.5" '
        f'class="{"differs" if abs(b) > LIMIT else "agrees"}"/>'
        for a, b in zip(expected, z, strict=True)
    ]
    below, middle = SIDE - BOTTOM + 14, 'text-anchor="middle"'
    for tick in (-3, -2, -1, 0, 1, 2, 3):
        parts.append(_text(_with_sign(tick), f"{x(tick):.1f}", below, f'{middle} class="tick"'))
    for tick in (-8, -4, -2, 0, 2, 4, 8):
        level = f"{y(tick) + 4:.1f}"
        parts.append(_text(_with_sign(tick), LEFT - 5, level, 'text-anchor="end" class="tick"'))
    parts.append(_text("expected z", (SIDE + LEFT) / 2, SIDE - 4, middle))
    turned = f'transform="translate(11 {(SIDE - BOTTOM) / 2:g}) rotate(-90)"'
    parts.append(_text("observed z", 0, 0, f"{middle} {turned}"))
    said = (
        f"Observed z of {count} values against the quantiles of a standard normal "
        f"distribution; mean {z.mean():.2f}, standard deviation {z.std(ddof=1):.2f}"
    )
    return Markup(
        f'<svg class="quantiles" width="{SIDE}" height="{SIDE}" viewBox="0 0 {SIDE} {SIDE}" '
        f'role="img" aria-label="{said}">{"".join(parts)}</svg>'
    )


def _text(content: str, x: object, y: object, look: str) -> str:
    return f'<text x="{x}" y="{y}" {look}>{content}</text>'


def _with_sign(tick: int) -> str:
    return f"{tick}".replace("-", "\N{MINUS SIGN}")


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
            parts.append(_line(position(centre - half), position(centre + half), y, kind))
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
