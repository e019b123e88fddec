"""ROC space: corners, tied scores, the twenty samples, areas (tharwat2018, slides 43 to 62)."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures import style

X, Y = "false positive rate, FPR", "true positive rate, TPR"
BLUE, RED = style.COLOURS[0], style.COLOURS[1]
COMMON, LEAD_B, LEAD_A = "#CFCFCF", "#F2C1A5", "#A9CFE6"


def _space(panel: Axes) -> None:
    style.unit_square(panel, X, Y)
    panel.plot([0, 1], [0, 1], color=style.GREY, linewidth=0.7, linestyle=":", label="chance")


def points(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the four corners and the segments that tied scores allow (slides 43 and 44)."""
    figure, axes = style.panels(1, 2, height=3.5)
    _space(axes[0])
    offsets = {"A": (12, -3), "B": (9, -9), "C": (-12, 3), "D": (-9, 5)}
    meaning = {
        "A": "A: nothing predicted positive",
        "B": "B: everything right\n(ideal point)",
        "C": "C: everything predicted positive",
        "D": "D: everything wrong",
    }
    for place, (_, corner) in enumerate(curves["corners"].iterrows()):
        name = corner["name"]
        axes[0].plot(
            corner["fpr"], corner["tpr"], style.MARKERS[place], color=BLUE, markersize=6, zorder=4
        )
        axes[0].annotate(
            meaning[name],
            (corner["fpr"], corner["tpr"]),
            xytext=offsets[name],
            textcoords="offset points",
            ha="left" if corner["fpr"] == 0 else "right",
            va="top" if corner["tpr"] else "bottom",
            fontsize=7,
        )
    axes[0].text(0.56, 0.5, "chance", rotation=45, fontsize=7, color=style.GREY)
    _space(axes[1])
    for place, (reading, part) in enumerate(curves["tied"].groupby("reading", sort=False)):
        axes[1].plot(part["fpr"], part["tpr"], **style.series(place), label=str(reading))
    axes[1].legend(loc="lower right")
    style.letter(axes, ["four extreme classifiers", "samples with equal scores"])
    return figure


def perfect(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the perfect ROC curve (slide 45)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=3.2)
    _space(panel)
    panel.plot(
        curves["perfect"]["fpr"],
        curves["perfect"]["tpr"],
        color=style.COLOURS[2],
        linewidth=2.2,
        label="perfect classification",
        clip_on=False,
    )
    panel.annotate(
        "better",
        (0.2, 0.8),
        xytext=(0.42, 0.58),
        arrowprops={"arrowstyle": "->", "linewidth": 0.8},
        ha="center",
    )
    panel.legend(loc="lower right")
    return figure


def samples(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the scored samples from the highest score down (slides 46 and 47)."""
    figure, [panel] = style.panels(height=2.1)
    table = curves["samples"]
    for positive, marker, colour, name in (
        (True, "o", BLUE, "positive"),
        (False, "s", RED, "negative"),
    ):
        chosen = table[table["positive"] == positive]
        panel.vlines(chosen.index + 1, 0, chosen["score"], color=colour, linewidth=0.8)
        panel.plot(
            chosen.index + 1,
            chosen["score"],
            marker,
            color=colour,
            markerfacecolor=colour if positive else "white",
            markersize=6,
            label=f"{name} class",
        )
    for place, score in enumerate(table["score"], start=1):
        panel.annotate(
            f"{score:.2f}", (place, score), xytext=(0, 6), textcoords="offset points",
            ha="center", fontsize=6,
        )  # fmt: skip
    panel.set(
        xlabel="sample, sorted by score", ylabel="score", ylim=(0, 1), xlim=(0.3, len(table) + 0.7)
    )
    panel.set_xticks(range(1, len(table) + 1))
    panel.grid(axis="x", visible=False)
    panel.legend(loc="upper right")
    return figure


def example(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the ROC curve of the twenty samples with its thresholds (slides 48 to 51)."""
    figure, [panel] = style.panels(width=4.8, height=4.4)
    _space(panel)
    table = curves["roc"]
    panel.plot(table["fpr"], table["tpr"], color=BLUE, marker="o", label="20 samples", zorder=4)
    before = table["tpr"].shift(fill_value=0.0)
    for (_, point), earlier in zip(table.iterrows(), before, strict=True):
        threshold = "∞" if point["threshold"] == float("inf") else f"{point['threshold']:.2f}"
        rose = point["tpr"] > earlier or point["number"] == 1
        panel.annotate(
            f"$t_{{{point['number']:.0f}}}$ = {threshold}",
            (point["fpr"], point["tpr"]),
            xytext=(-6, 0) if rose else (1, -3),
            textcoords="offset points",
            ha="right" if rose else "left",
            va="center" if rose else "top",
            rotation=0 if rose else -45,
            rotation_mode="anchor",
            fontsize=6,
        )
    best = results[
        (results["artefact"] == "figure-roc-example") & (results["row"] == "best accuracy")
    ]
    at = best.set_index("column")["value"]
    panel.plot(
        at["FPR"], at["TPR"], "o", color=RED, markersize=10, markerfacecolor="none",
        label=f"best accuracy, {at['Acc']:.0f} % at {at['threshold']:.2f}",
    )  # fmt: skip
    panel.set(xlim=(-0.16, 1.1), ylim=(-0.06, 1.08))
    panel.legend(loc="lower right")
    return figure


def area(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Shade the area under the ROC curve of the twenty samples (slide 61)."""
    figure, [panel] = style.panels(width=style.ONE_COLUMN, height=3.2)
    _space(panel)
    curve = curves["example"]
    panel.fill_between(curve["fpr"], curve["tpr"], facecolor=COMMON, linewidth=0)
    panel.plot(curve["fpr"], curve["tpr"], color=BLUE, label="20 samples")
    value = results.loc[results["artefact"] == "figure-auc", "value"].iloc[0]
    panel.text(
        0.6, 0.35, f"AUC = {value:.2f}", ha="center", bbox={"facecolor": "white", "linewidth": 0.4}
    )
    panel.legend(loc="lower right", frameon=True, framealpha=1)
    return figure


def two_classifiers(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Shade where each of two crossing ROC curves is ahead (slide 62)."""
    figure, axes = style.panels(1, 2, height=3.5)
    own = results[results["artefact"] == "figure-auc-two"].set_index("row")["value"]
    table = curves["two"]
    a, b = (table[table["classifier"] == name].reset_index(drop=True) for name in "AB")
    at = own["A slightly better above"]
    for panel in axes:
        panel.fill_between(a["fpr"], a["tpr"].clip(upper=b["tpr"]), color=COMMON, label="common")
        panel.fill_between(
            a["fpr"], a["tpr"], b["tpr"], where=b["tpr"] > a["tpr"], facecolor=LEAD_B,
            hatch="////", edgecolor="#C98F78", linewidth=0, label="B ahead",
        )  # fmt: skip
        panel.fill_between(
            a["fpr"], b["tpr"], a["tpr"], where=a["tpr"] > b["tpr"], facecolor=LEAD_A,
            hatch="\\\\\\\\", edgecolor="#5A93B5", linewidth=0, label="A ahead",
        )  # fmt: skip
        for place, (name, curve) in enumerate((("A", a), ("B", b))):
            label = f"{name}, AUC {own[name]:.2f}"
            panel.plot(curve["fpr"], curve["tpr"], **style.series(place), label=label)
        panel.axvline(at, color="black", linewidth=0.7, linestyle=":")
    style.unit_square(axes[0], X, Y)
    axes[0].legend(loc="lower right", frameon=True, framealpha=1)
    axes[1].set(xlim=(0.5, 1), ylim=(0.9, 1.002), xlabel=X, ylabel=Y)
    axes[1].set_box_aspect(1)
    axes[1].text(at + 0.01, 0.905, f"FPR = {at:.1f}")
    style.letter(axes, ["two classifiers", "where they cross"])
    return figure


def listing(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw what the printed listing gives beside the corrected one (slide 59)."""
    figure, axes = style.panels(1, 2, height=3.5)
    parts = {str(name): part for name, part in curves["roc"].groupby("listing", sort=False)}
    printed, whole = parts["as printed"], parts["corrected"]
    kept = set(zip(printed["fpr"], printed["tpr"], strict=True))
    lost = [p for p in zip(whole["fpr"], whole["tpr"], strict=True) if p not in kept]
    _space(axes[0])
    axes[0].plot(whole["fpr"], whole["tpr"], **style.series(0), marker="o", label="corrected")
    axes[0].plot(printed["fpr"], printed["tpr"], **style.series(1), marker="x", label="as printed")
    for x, y in lost:
        axes[0].annotate(
            f"lost: ({x:.1f}, {y:.1f})",
            (x, y),
            xytext=(0.45, 0.95),
            arrowprops={"arrowstyle": "->", "linewidth": 0.8},
            ha="center",
            va="center",
        )
    axes[0].legend(loc="lower right")
    _space(axes[1])
    axes[1].plot(whole["fpr"], whole["tpr"], **style.series(0), label="FP / negatives")
    by_all = parts["FP divided by all samples"]
    axes[1].plot(by_all["fpr"], by_all["tpr"], **style.series(1), label="FP / all samples")
    axes[1].legend(loc="lower right")
    style.letter(axes, ["the point after the loop", "the meaning of N"])
    return figure
