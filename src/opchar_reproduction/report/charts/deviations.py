"""All deviations of a run: on one axis, and against what chance alone would give."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from markupsafe import Markup, escape

from opchar_reproduction.report.charts.svg import (
    across,
    element,
    per_cent,
    svg_drawing,
    text,
    title,
)
from opchar_reproduction.report.comparison.verdicts import LIMIT
from opchar_reproduction.report.marks import slug

# Deviations beyond this stand at the border.
WIDEST = 8.0
BIN = 0.25
DOT = 3.5
# Many equal deviations stand closer, so that the drawing stays on one screen.
HIGHEST = 260.0
SIDE, LEFT, BOTTOM = 340, 40, 36


def on_one_axis(
    lines: Sequence[Mapping[Any, Any]],
    labels: Mapping[str, str],
    spoken: Mapping[tuple[str, str], str],
) -> Markup:
    """Draw every z as a dot, a row for each publication, with the band of agreement."""
    if not lines:
        return Markup("")
    rows = []
    for paper, label in labels.items():
        of_paper = [line for line in lines if line["paper"] == paper]
        if of_paper:
            dots, height = _stack_dots(of_paper)
            rows.append((label, dots, height))
    total = sum(height for *_, height in rows)
    band = [across(end, -WIDEST, WIDEST) for end in (-LIMIT, LIMIT)]
    parts = [
        element(
            "rect",
            x=per_cent(band[0]),
            y=0,
            width=per_cent(band[1] - band[0]),
            height=total,
            class_="band",
        ),
        element("line", x1="50%", x2="50%", y1=0, y2=total, class_="zero"),
    ]
    top = 0.0
    for label, dots, height in rows:
        if top:
            parts.append(element("line", x1="0%", x2="100%", y1=top, y2=top, class_="rule"))
        parts.append(text(label, x="2%", y=top + 14, class_="row"))
        for line, up in dots:
            parts.append(_dot(line, top + height - DOT - 2 - up, spoken))
        top += height
    for tick in (-8, -6, -4, -2, 0, 2, 4, 6, 8):
        x = per_cent(across(tick, -WIDEST, WIDEST))
        more = {-8: "≤ −8", 8: "≥ 8"}.get(tick, f"{tick}".replace("-", "−"))
        anchor = {-8: "start", 8: "end"}.get(tick, "middle")
        parts.append(text(more, x=x, y=total + 14, text_anchor=anchor, class_="tick"))
    outside = sum(abs(float(line["z"])) > LIMIT + 1e-9 for line in lines)
    whole = f"z of {len(lines)} values, {outside} of them outside ±{LIMIT:g}"
    drawn = element("g", *parts)
    return Markup(
        f'<svg class="deviations" width="100%" height="{total + 20:g}" role="group" '
        f'aria-label="{escape(whole)}">{drawn}</svg>'
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
    text = f"{names[line['paper'], line['artefact']]}, {line['row']}, {line['column']}: z = {z:.1f}"
    inside = line["shown"] != "differs"
    if inside:
        return element(
            "circle", title(text), cx=x, cy=f"{y:g}", r=DOT - 0.5, class_=slug(line["shown"])
        )
    shape = element("circle", title(text), cx=x, cy=f"{y:g}", r=DOT, class_="differs")
    return element("a", shape, href=line["address"], aria_label=text)


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
    parts = [
        element(
            "polygon", points=" ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in edge), class_="band"
        ),
        element(
            "line",
            x1=f"{x(-end):.1f}",
            y1=f"{y(-end):.1f}",
            x2=f"{x(end):.1f}",
            y2=f"{y(end):.1f}",
            class_="zero",
        ),
    ]
    parts += [
        element(
            "circle",
            cx=f"{x(a):.1f}",
            cy=f"{y(b):.1f}",
            r=2.5,
            class_="differs" if abs(b) > LIMIT else "agrees",
        )
        for a, b in zip(expected, z, strict=True)
    ]
    parts += _labels_of_quantiles(x, y)
    text = (
        f"Observed z of {count} values against the quantiles of a standard normal "
        f"distribution; mean {z.mean():.2f}, standard deviation {z.std(ddof=1):.2f}"
    )
    return svg_drawing(parts, SIDE, text, "quantiles", SIDE)


def _labels_of_quantiles(x: Callable[[float], float], y: Callable[[float], float]) -> Iterator[str]:
    """Yield ticks and names of the axes."""
    for tick in (-3, -2, -1, 0, 1, 2, 3):
        low = SIDE - BOTTOM + 14
        yield text(
            _signed_tick(tick), x=f"{x(tick):.1f}", y=low, text_anchor="middle", class_="tick"
        )
    for tick in (-8, -4, -2, 0, 2, 4, 8):
        level = f"{y(tick) + 4:.1f}"
        yield text(_signed_tick(tick), x=LEFT - 5, y=level, text_anchor="end", class_="tick")
    yield text("expected z", x=(SIDE + LEFT) / 2, y=SIDE - 4, text_anchor="middle")
    turned = f"translate(11 {(SIDE - BOTTOM) / 2:g}) rotate(-90)"
    yield text("observed z", x=0, y=0, text_anchor="middle", transform=turned)


def _signed_tick(tick: int) -> str:
    return f"{tick}".replace("-", "\N{MINUS SIGN}")
