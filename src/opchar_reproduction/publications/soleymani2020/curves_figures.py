"""Parts of the figures of classifiers in cost and F-measure space."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures.style import (
    COLOURS,
    PRIOR,
    PROBABILITY_COST,
    label_ends,
    label_on,
    letter,
    panels,
    right_end,
    series,
    series_label,
)

_MARK: dict[str, Any] = {"marker": "o", "color": COLOURS[6], "linestyle": "none", "zorder": 5}
LABELS = {"prior": PRIOR, "pc": PROBABILITY_COST, "f": r"$F_\alpha$", "cost": "EC"}


def select(frame: pd.DataFrame, **wanted: Any) -> pd.DataFrame:
    """Return the rows with the wanted values."""
    for column, value in wanted.items():
        frame = frame[frame[column] == value]
    return frame


def draw_families(panel: Axes, curve: pd.DataFrame, x: str, y: str) -> None:
    """Draw each series as a line with its own dash and colour; points for series without extent."""
    for number, (name, part) in enumerate(curve.groupby("series", sort=False)):
        if part[x].min() == part[x].max():
            first, label = part.iloc[:1], series_label(name)
            panel.plot(first[x], first[y], "s", color=COLOURS[number], label=label)
        else:
            panel.plot(part[x], part[y], label=series_label(name), **series(number))
    panel.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    panel.set(xlabel=LABELS.get(x, ""), ylabel=LABELS.get(y, ""))


def mark_crossing(panel: Axes, crossing: pd.DataFrame) -> None:
    """Mark where all curves of a family meet."""
    prior, f = float(crossing["prior"].iloc[0]), float(crossing["f"].iloc[0])
    panel.plot(prior, f, **_MARK)
    panel.annotate(
        f"{PRIOR} = {prior:.3f}", (prior, f), xytext=(-6, 6), textcoords="offset points", ha="right"
    )


def crisp_pairs(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the F curves of a dominated and of a crossing pair, marking P* (Figure 3)."""
    figure, axes = panels(1, 2, height=2.9)
    for panel, name in zip(axes, ("a", "b"), strict=True):
        draw_families(panel, select(curves["f"], panel=name), "prior", "f")
        for _, mark in select(curves["crossing"], panel=name).iterrows():
            _drop_line(panel, mark["prior"], mark["f"], rf"$P^*_{{1,2}}$ = {mark['prior']:.3f}")
        panel.legend(loc="lower right")
    letter(axes, ["no crossing", "one crossing"])
    return figure


def _drop_line(panel: Axes, x: float, y: float, label: str) -> None:
    panel.plot([x, x], [0, y], color=COLOURS[1], linewidth=0.8, linestyle=":")
    panel.plot(x, y, **(_MARK | {"color": COLOURS[1]}), label=label)


def name_ends(panel: Axes, curve: pd.DataFrame, x: str, y: str) -> None:
    """Name the lines that `draw_families` drew, at their right ends."""
    parts = curve.groupby("series", sort=False)
    last = [right_end(part, x, y) for _, part in parts]
    label_ends(
        panel, list(zip(last, [series_label(name) for name, _ in parts], COLOURS, strict=False))
    )


def name_lines(panel: Axes, curve: pd.DataFrame, x: str, y: str, *, at: float) -> None:
    """Name each line that `draw_families` drew on the line itself, near ``x = at``."""
    for number, (name, part) in enumerate(curve.groupby("series", sort=False)):
        if part[x].min() != part[x].max():
            place = part.iloc[int((part[x] - at).abs().to_numpy().argmin())]
            label_on(panel, place[x], place[y], series_label(name), COLOURS[number])
