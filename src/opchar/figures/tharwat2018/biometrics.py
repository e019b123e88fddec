"""False acceptance, equal error and DET (tharwat2018, slides 70 to 72)."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style

BLUE, RED = style.COLOURS[0], style.COLOURS[1]


def _people(panel: Axes, curves: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    parts = {str(name): part for name, part in curves["density"].groupby("people", sort=False)}
    for name, colour, dash in (("impostors", RED, "--"), ("clients", BLUE, "-")):
        panel.plot(
            parts[name]["score"], parts[name]["density"], color=colour, linestyle=dash, label=name
        )
    panel.set(xlim=(0, 1), xlabel="similarity score", ylabel="density")
    panel.set_ylim(bottom=0)
    return parts


def false_acceptance(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Shade the impostors that are accepted and the clients that are refused (slide 70)."""
    figure, [panel] = style.panels(width=5.0, height=3.1)
    parts, chosen = _people(panel, curves), curves["accepted"].iloc[0]
    at = chosen["threshold"]
    for name, colour, hatch, low, text in (
        ("impostors", "#F0A882", "////", True, f"false acceptance, FAR = {chosen['far']:.3f}"),
        ("clients", "#A9CFE6", "..", False, f"false rejection, FRR = {chosen['frr']:.3f}"),
    ):
        part = parts[name]
        where = part["score"] >= at if low else part["score"] <= at
        panel.fill_between(
            part["score"], part["density"], where=where, facecolor=colour, hatch=hatch,
            edgecolor="#777777", linewidth=0, label=text,
        )  # fmt: skip
    panel.axvline(at, color="black", linewidth=1.0, label=f"threshold {at:.2f}")
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def equal_error(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw FAR and FRR against the threshold, with the equal error rate (slide 71)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=2.8)
    rates, equal = curves["rates"], curves["equal"].iloc[0]
    panel.plot(rates["threshold"], rates["far"], color=RED, linestyle="--", label="FAR (FMR)")
    panel.plot(rates["threshold"], rates["frr"], color=BLUE, label="FRR (FNMR)")
    panel.plot(equal["threshold"], equal["rate"], "D", color="black", zorder=4)
    panel.annotate(
        f"EER = {equal['rate']:.3f}\nat {equal['threshold']:.2f}",
        (equal["threshold"], equal["rate"]),
        xytext=(equal["threshold"] + 0.01, 0.66),
        arrowprops={"arrowstyle": "->", "linewidth": 0.8},
        ha="center",
    )
    panel.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="threshold", ylabel="error rate")
    panel.legend(loc="lower right", bbox_to_anchor=(1.02, 0.14))
    return figure


def det(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw FRR against FAR on plain and on normal deviate axes (slide 72)."""
    figure, axes = style.panels(1, 2, height=3.5)
    curve, equal, ticks = curves["det"], curves["equal"].iloc[0], curves["ticks"]
    x, y = "false acceptance rate, FAR", "false rejection rate, FRR"
    style.unit_square(axes[0], x, y)
    axes[0].plot(
        [0, 0, 1], [1, 0, 0], color=style.COLOURS[2], linewidth=2.2, linestyle="--", clip_on=False,
        label="perfect", zorder=3,
    )  # fmt: skip
    axes[0].plot(curve["far"], curve["frr"], color=BLUE, label="system", zorder=4)
    axes[0].plot(equal["rate"], equal["rate"], "D", color="black", zorder=5, label="equal errors")
    axes[0].plot([0, 1], [0, 1], color=style.GREY, linewidth=0.7, linestyle=":", label="FAR = FRR")
    axes[0].legend(loc="lower right", bbox_to_anchor=(1.0, 0.1))
    axes[1].plot(curve["far deviate"], curve["frr deviate"], color=BLUE)
    axes[1].plot(equal["deviate"], equal["deviate"], "D", color="black", zorder=5)
    names = [f"{100 * rate:g}" for rate in ticks["rate"]]
    ends = ticks["deviate"].min() - 0.1, ticks["deviate"].max() + 0.1
    axes[1].plot(ends, ends, color=style.GREY, linewidth=0.7, linestyle=":")
    axes[1].set_xticks(ticks["deviate"], names)
    axes[1].set_yticks(ticks["deviate"], names)
    axes[1].set(xlim=ends, ylim=ends, xlabel="FAR [%]", ylabel="FRR [%]", aspect="equal")
    style.letter(axes, ["linear axes", "normal deviate axes"])
    return figure
