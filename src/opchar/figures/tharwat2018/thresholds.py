"""How the counts change with the threshold (tharwat2018, slides 52 to 58)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from opchar.figures import style

BLUE, RED = style.COLOURS[0], style.COLOURS[1]
# Colour and shape tell the class, filled or open what the sample is predicted to be.
CELLS = {"TP": ("o", BLUE, True), "FN": ("o", BLUE, False),
         "FP": ("s", RED, True), "TN": ("s", RED, False)}  # fmt: skip
WIDTH = 0.03
INFINITE, BREAK = 1.04, 0.93


def overview(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw all chosen thresholds in one figure (slide 52)."""
    numbers = curves["shown"]["number"].astype(int)
    figure, axes = style.panels(3, 2, height=5.4)
    cells = [
        cell
        for panel, number in zip(axes, numbers, strict=True)
        for cell in _samples(panel, curves, number)
    ]
    for panel in axes[:4]:
        panel.set_xlabel("")
    for panel in axes[1::2]:
        panel.set_ylabel("")
    _legend(figure, cells)
    return figure


def at_threshold(results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, number: int) -> Figure:
    """Draw the samples cut at one threshold (slides 53 to 58).

    Parameters
    ----------
    results, curves
        Of the threshold sweep.
    number : int
        The threshold, from 1.

    Returns
    -------
    matplotlib.figure.Figure
        Each sample at its score, positives above the line and negatives below it.
    """
    figure, [panel] = style.panels(width=5.0, height=2.4)
    _legend(figure, _samples(panel, curves, number))
    return figure


def _samples(panel: Axes, curves: dict[str, pd.DataFrame], number: int) -> list[str]:
    """Draw every sample once and return the cells of the confusion matrix that are not empty."""
    table, samples = curves["shown"], curves["samples"]
    shown = table[table["number"] == number].iloc[0]
    threshold = float(shown["threshold"])
    at = INFINITE if np.isinf(threshold) else threshold
    found = []
    for positive, sign, above, below in ((True, 1, "TP", "FN"), (False, -1, "FP", "TN")):
        chosen = samples[samples["positive"] == positive].sort_values("score")
        level = sign * (_stacked(chosen["score"]) + 0.75)
        reached = (chosen["score"] >= threshold).to_numpy()
        for cell, where in ((above, reached), (below, ~reached)):
            if where.any():
                found.append(cell)
                panel.plot(chosen["score"][where], level[where], **_look(cell))
    panel.axvspan(at, 1.12, color="#EFEFEF", linewidth=0, zorder=0)
    panel.axvline(at, color="black", linewidth=1.1, zorder=1)
    panel.axhline(0, color="black", linewidth=0.5)
    if at > 0.35:
        panel.text(at - 0.01, 3.45, "predicted negative", ha="right", va="center", fontsize=6)
    if at < 0.85:
        panel.text(at + 0.01, 3.45, "predicted positive", ha="left", va="center", fontsize=6)
    value = "∞" if np.isinf(threshold) else f"{threshold:.2f}"
    panel.set_title(f"$t_{{{number}}}$ = {value}", loc="left")
    counts = "   ".join(f"{name.upper()} {shown[name]:.0f}" for name in ("tp", "fn", "fp", "tn"))
    panel.set_title(counts, loc="right", fontsize=7)
    panel.set(xlim=(0, 1.12), ylim=(-3.2, 3.9), xlabel="score")
    panel.set_yticks([-1.5, 1.5], ["negative", "positive"])
    panel.tick_params(axis="y", length=0)
    panel.grid(axis="y", visible=False)
    _score_axis(panel, broken=np.isinf(threshold))
    return found


def _score_axis(panel: Axes, *, broken: bool) -> None:
    """Label the scores; a threshold of infinity stands beyond a break of the axis."""
    ticks = np.arange(0, 0.9, 0.2)
    if broken:
        panel.set_xticks([*ticks, INFINITE], [*(f"{tick:.1f}" for tick in ticks), "∞"])
        panel.plot(BREAK, 0, transform=panel.get_xaxis_transform(), marker=[(-0.5, -1), (0.5, 1)],
                   markersize=8, color="black", clip_on=False)  # fmt: skip
        panel.plot(BREAK + 0.015, 0, transform=panel.get_xaxis_transform(),
                   marker=[(-0.5, -1), (0.5, 1)], markersize=8, color="black",
                   clip_on=False)  # fmt: skip
    else:
        panel.set_xticks([*ticks, 1], [f"{tick:.1f}" for tick in [*ticks, 1]])


def _stacked(scores: pd.Series) -> np.ndarray:
    """Return the lowest level, from 0, at which each sample touches none before it."""
    ends: list[float] = []
    levels = []
    for score in scores:
        level = next((k for k, end in enumerate(ends) if score - end >= WIDTH), len(ends))
        ends[level : level + 1] = [score]
        levels.append(level)
    return np.array(levels, dtype=float)


def _look(cell: str) -> dict[str, Any]:
    marker, colour, filled = CELLS[cell]
    return {"marker": marker, "color": colour, "linestyle": "none", "markersize": 6,
            "markerfacecolor": colour if filled else "white", "markeredgewidth": 1.1,
            "zorder": 3}  # fmt: skip


def _legend(figure: Figure, cells: Iterable[str]) -> None:
    shown = [cell for cell in CELLS if cell in set(cells)]
    handles = [Line2D([], [], **_look(cell)) for cell in shown]
    names = {"TP": "true positive", "FN": "false negative", "FP": "false positive",
             "TN": "true negative"}  # fmt: skip
    figure.legend(handles, [f"{cell}, {names[cell]}" for cell in shown],
                  loc="outside lower center", ncols=4)  # fmt: skip
