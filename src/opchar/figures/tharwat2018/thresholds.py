"""How the counts change with the threshold (tharwat2018, slides 52 to 58)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style

BLUE, RED = style.COLOURS[0], style.COLOURS[1]
AREAS = {
    "TP": ("#8FC1E3", ""),
    "FN": ("#DCEBF5", ".."),
    "FP": ("#F0A882", "////"),
    "TN": ("#FBE6DC", ""),
}
OUTSIDE = 1.12


def overview(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw all chosen thresholds in one figure (slide 52)."""
    numbers = curves["shown"]["number"].astype(int)
    figure, axes = style.panels(3, 2, height=6.2)
    for panel, number in zip(axes, numbers, strict=True):
        _densities(panel, curves, number)
    for panel in axes[:4]:
        panel.set_xlabel("")
    _legend(figure, axes[0])
    return figure


def at_threshold(results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, number: int) -> Figure:
    """Draw the score densities cut at one threshold (slides 53 to 58).

    Parameters
    ----------
    results, curves
        Of the threshold sweep.
    number : int
        The threshold, from 1.

    Returns
    -------
    matplotlib.figure.Figure
        Densities of both classes, the samples as marks, the counts of the sample.
    """
    figure, [panel] = style.panels(width=5.0, height=2.9)
    _densities(panel, curves, number)
    _legend(figure, panel)
    return figure


def _densities(panel: Axes, curves: dict[str, pd.DataFrame], number: int) -> None:
    table = curves["shown"]
    shown = table[table["number"] == number].iloc[0]
    threshold = float(shown["threshold"])
    at = min(threshold, OUTSIDE)
    density = curves["density"]
    for name, sign, colour, dash, above, below in (
        ("positive", 1, BLUE, "-", "TP", "FN"),
        ("negative", -1, RED, "--", "FP", "TN"),
    ):
        part = density[density["class"] == name]
        score, height = part["score"].to_numpy(), sign * part["density"].to_numpy()
        for cell, where in ((above, score >= at), (below, score <= at + np.diff(score)[0])):
            face, hatch = AREAS[cell]
            panel.fill_between(
                score, height, where=where, facecolor=face, hatch=hatch, edgecolor="#888888",
                linewidth=0, label=cell,
            )  # fmt: skip
        panel.plot(score, height, color=colour, linestyle=dash, linewidth=1.0)
    samples = curves["samples"]
    for positive, marker, colour, sign in ((True, "o", BLUE, 1), (False, "s", RED, -1)):
        chosen = samples.loc[samples["positive"] == positive, "score"]
        panel.plot(
            chosen, np.full(len(chosen), sign * 0.12), marker, color=colour, markersize=3.2,
            markerfacecolor=colour if positive else "white",
        )  # fmt: skip
    panel.axvline(at, color="black", linewidth=1.1)
    panel.axhline(0, color="black", linewidth=0.5)
    value = "∞" if np.isinf(threshold) else f"{threshold:.2f}"
    panel.set_title(f"$t_{{{number}}}$ = {value}", loc="left")
    counts = "   ".join(f"{name.upper()} {shown[name]:.0f}" for name in ("tp", "fn", "fp", "tn"))
    panel.set_title(counts, loc="right", fontsize=7)
    panel.set(xlim=(-0.1, 1.15), ylim=(-2.4, 2.4), xlabel="score")
    panel.set_yticks([-2, -1, 0, 1, 2], ["2", "1", "0", "1", "2"])
    panel.set_ylabel("density\nnegative   positive")


def _legend(figure: Figure, panel: Axes) -> None:
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
