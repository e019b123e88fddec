"""Figures of the thesis' introduction (Sec. 1.2)."""

from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from opchar.figures import style
from opchar_reproduction.study import figure

HIGH = 1.08


@figure("figure-1.2")
def design_chain(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the stages of a design and what operating characteristics do for them (Fig. 1.2)."""
    stages = curves["stages"]
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=2.1)
    panel.set(xlim=(0, len(stages)), ylim=(-0.05, 1.97))
    panel.set_axis_off()
    used = [place for place, use in enumerate(stages["use"]) if use]
    _frame(panel, used[0] + 0.1, 0.0, used[-1] - used[0] + 0.8, emphasised=True)
    for place, stage in stages.reset_index(drop=True).iterrows():
        middle = int(str(place)) + 0.5
        _frame(panel, middle - 0.4, HIGH, 0.8, emphasised=bool(stage["use"]))
        _words(panel, middle, HIGH, stage["name"], stage["done"])
        if middle > 1:
            _arrow(panel, (middle - 0.59, HIGH + 0.42), (middle - 0.41, HIGH + 0.42))
        if stage["use"]:
            _words(panel, middle, 0.0, "", stage["use"])
            _arrow(panel, (middle, 0.85), (middle, HIGH - 0.01))
    between = (used[0] + used[-1] + 1) / 2
    panel.text(between, 0.75, "operating characteristic", ha="center", va="top", fontsize=7,
               weight="bold")  # fmt: skip
    return figure


def _frame(panel: Axes, x: float, y: float, width: float, *, emphasised: bool) -> None:
    """Draw a box with its lower left corner at (x, y)."""
    panel.add_patch(
        FancyBboxPatch(
            (x, y),
            width,
            0.84,
            boxstyle="round,pad=0,rounding_size=0.05",
            facecolor="#dbe9f4" if emphasised else "#f2f2f2",
            edgecolor=style.COLOURS[0] if emphasised else style.GREY,
            linewidth=1.0,
        )
    )


def _words(panel: Axes, middle: float, y: float, title: str, text: str) -> None:
    """Write a title and a few words into the box that begins at height `y`."""
    heading, words = fill(title, 16), fill(text, 18)
    top = 0.77
    if heading:
        panel.text(middle, y + top, heading, ha="center", va="top", fontsize=7, weight="bold")
    top -= 0.13 * (1 + heading.count("\n")) + 0.03
    panel.text(middle, y + top / 2, words, ha="center", va="center", fontsize=6)


def _arrow(panel: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    panel.add_patch(
        FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=8, color="black", linewidth=0.8
        )
    )
