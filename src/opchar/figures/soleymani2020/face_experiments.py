"""Experiments on faces: three classifiers, their thresholds, adaptive ensembles (Figs. 9 to 11)."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures.soleymani2020.four_spaces import draw_cost, draw_f
from opchar.figures.style import (
    COLOURS,
    DASHES,
    GREY,
    MARKERS,
    PRIOR,
    PROBABILITY_COST,
    letter,
    named,
    panels,
    series,
    unit_square,
)

EXACT: dict[str, Any] = {"color": COLOURS[1], "linewidth": 1.3}
OF_GRID: dict[str, Any] = {"color": COLOURS[0], "linewidth": 3.2, "alpha": 0.45}
NEIGHBOUR: dict[str, Any] = {"color": COLOURS[0], "linewidth": 0.7, "linestyle": ":"}
KINDS = {"neighbour": NEIGHBOUR, "grid": OF_GRID, "exact": EXACT}
WAYS = {
    "score average": "adaptive Bag",
    "pairwise": "adaptive IBC",
    "iterative": "iterative combination",
    "single member": "best single member",
    "likelihood ratio": "likelihood ratio",
}
CHOSEN_BY_TEST = "test chooses"


def three_classifiers(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw three classifiers in ROC, precision-recall, cost and F-measure space (Figure 9).

    Parameters
    ----------
    results : pandas.DataFrame
        Not needed.
    curves : dict of str to pandas.DataFrame
        ``roc`` (series, fpr, tpr), ``pr`` (series, prior, recall, precision), ``cost-envelope``
        (series, pc, cost) and ``f-envelope`` (series, prior, f).
    """
    figure, axes = panels(2, 3, height=5.3)
    _draw_series(axes[0], curves["roc"], "fpr", "tpr")
    unit_square(axes[0], "FPR", "TPR")
    priors = sorted(curves["pr"]["prior"].unique())
    for panel, prior in zip(axes[1:4], priors, strict=True):
        _draw_series(panel, _of(curves["pr"], prior=prior), "recall", "precision")
        unit_square(panel, "Re", "Pr")
    axes[1].set(yscale="log", ylim=(priors[0] / 2, 1.1), aspect="auto")
    axes[1].set_box_aspect(1)
    draw_cost(axes[4], curves)
    draw_f(axes[5], curves)
    titles = [f"precision-recall, {PRIOR} = {prior:g}" for prior in priors]
    letter(axes, ["ROC space", *titles, "cost space", "F-measure space"])
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3)
    return figure


def _draw_series(panel: Axes, curve: pd.DataFrame, x: str, y: str) -> None:
    for number, (name, line) in enumerate(curve.groupby("series", sort=False)):
        panel.plot(line[x], line[y], label=named(name), **series(number))


def best_thresholds(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the optima of one classifier in cost and F-measure space for some P(+) (Figure 10).

    Parameters
    ----------
    results : pandas.DataFrame
        Not needed.
    curves : dict of str to pandas.DataFrame
        Those of `opchar.experiments.soleymani2020.section4.best_thresholds.choose_thresholds`.
    """
    conditions = sorted(curves["choice"]["condition"].unique())
    figure, axes = panels(len(conditions), 3, height=2.0 * len(conditions))
    for row, prior in enumerate(conditions):
        cost, f, roc = axes[3 * row : 3 * row + 3]
        _draw_choice(cost, curves, "cost", prior)
        _draw_choice(f, curves, "F", prior)
        _draw_rates(roc, curves, prior)
        cost.set(ylabel="EC", ylim=(0, 0.5))
        f.set(ylabel=r"$F_\alpha$", ylim=(0, 1))
        cost.set_xlabel(PROBABILITY_COST if prior == conditions[-1] else "")
        f.set_xlabel(PRIOR if prior == conditions[-1] else "")
        roc.set(xlim=(-0.02, 1), ylim=(-0.02, 1.02), ylabel="TPR")
        roc.set_xlabel("FPR" if prior == conditions[-1] else "")
    by_column = [axes[3 * row + column] for column in range(3) for row in range(len(conditions))]
    letter(by_column, [f"{PRIOR} = {prior:g}" for _ in range(3) for prior in conditions])
    _common_legend(figure, axes)
    return figure


def _common_legend(figure: Figure, axes: list[Axes]) -> None:
    found: dict[str, Any] = {}
    for panel in axes:
        handles, labels = panel.get_legend_handles_labels()
        found |= dict(zip(labels, handles, strict=True))
    figure.legend(list(found.values()), list(found), loc="outside upper center", ncols=3)


def _draw_choice(panel: Axes, curves: dict[str, pd.DataFrame], space: str, prior: float) -> None:
    span, coarse = _of(curves["range"], space=space), _of(curves["coarse"], space=space)
    panel.fill_between(
        span["x"], span["low"], span["high"], color="#dddddd", linewidth=0, label="all thresholds"
    )
    panel.plot(
        coarse["x"],
        coarse["y"],
        ".",
        color="black",
        markersize=2,
        label="envelope at the grid's conditions",
    )
    panel.axvline(prior, color=GREY, linewidth=0.6)
    labels = {
        "exact": "best threshold, exact",
        "grid": "best threshold, by grid",
        "neighbour": "adjacent thresholds of the grid",
    }
    lines = _of(curves["choice-lines"], space=space, condition=prior)
    for kind, look in KINDS.items():
        part = lines[lines["kind"] == kind]
        for place, (_, line) in enumerate(part.groupby("number")):
            panel.plot(line["x"], line["y"], label=labels[kind] if not place else None, **look)
    panel.set_xlim(0, float(span["x"].max()))


def _draw_rates(panel: Axes, curves: dict[str, pd.DataFrame], prior: float) -> None:
    """Draw the chosen points on the ROC convex hull, and again in an inset about low FPR."""
    inset = panel.inset_axes((0.42, 0.1, 0.56, 0.6))
    for part in (panel, inset):
        _draw_chosen(part, curves, prior)
    inset.set(xlim=(-0.01, 0.11), ylim=(-0.02, 1.02), xticks=[0, 0.1], yticks=[0, 0.5, 1])
    inset.tick_params(labelsize=6, pad=1.5)
    inset.set_title("FPR up to 0.1", fontsize=6, pad=2)


def _draw_chosen(panel: Axes, curves: dict[str, pd.DataFrame], prior: float) -> None:
    roc = curves["chosen-roc"]
    panel.plot(roc["fpr"], roc["tpr"], color="black", linewidth=0.8, label="ROC convex hull")
    for space, marker, size in (("cost", "s", 4), ("F", "o", 3)):
        points = _of(curves["choice"], space=space, condition=prior)
        best, grid = (_of(points, kind=kind) for kind in ("exact", "grid"))
        panel.plot(
            best["fpr"], best["tpr"], marker, color=EXACT["color"], markersize=size, zorder=4,
            label=f"exact, in {space} space",
        )  # fmt: skip
        panel.plot(
            grid["fpr"], grid["tpr"], marker, mfc="none", mec=OF_GRID["color"], linestyle="none",
            markersize=size + 4, zorder=3, label=f"by grid, in {space} space",
        )  # fmt: skip


def adaptive_ensembles(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw F over P(+) of adaptive Bag and adaptive IBC, and of what chose them (Figure 11).

    Parameters
    ----------
    results : pandas.DataFrame
        Not needed.
    curves : dict of str to pandas.DataFrame
        ``f`` (setting, way, sample, rounds, prior, mean, variance) and ``difference`` (setting,
        targets, prior, mean, low, high).
    """
    settings = list(dict.fromkeys(curves["f"]["setting"]))
    figure, axes = panels(3, len(settings), height=9.4)
    for place, share in enumerate(settings):
        f = _of(curves["f"], setting=share)
        _draw_compared(axes[place], f)
        _draw_optimism(axes[len(settings) + place], f)
        _draw_difference(axes[2 * len(settings) + place], _of(curves["difference"], setting=share))
    for panel in axes:
        panel.set(xlim=(0, 1), xlabel=PRIOR)
    for panel in axes[: 2 * len(settings)]:
        panel.set(ylim=(0, 1.02), ylabel=r"$F_\alpha$")
    names = [rf"$P_{{train,val,test}}(+)$ = {share:g}" for share in settings]
    added = [f"added: {name}, {what}" for what in ("all methods", "gain") for name in names]
    letter(axes, [*names, *added])
    axes[0].legend(loc="lower right")
    axes[len(settings)].legend(loc="lower right")
    return figure


def _draw_compared(panel: Axes, f: pd.DataFrame) -> None:
    """Draw means with bands of one standard deviation over rounds, from the variances."""
    tested = _of(f, sample="test")
    for number, way in enumerate(list(WAYS)[:2]):
        line = _of(tested, way=way)
        panel.plot(line["prior"], line["mean"], label=WAYS[way], **series(number))
        spread = line["variance"] ** 0.5
        panel.fill_between(
            line["prior"], line["mean"] - spread, line["mean"] + spread, color=COLOURS[number],
            alpha=0.18, linewidth=0, label=f"{WAYS[way]}, ± one standard deviation",
        )  # fmt: skip
        reference = _of(tested, way=f"{way}, {CHOSEN_BY_TEST}")
        panel.plot(
            reference["prior"], reference["mean"], color=COLOURS[number], linewidth=0.9,
            linestyle=":", label=f"{WAYS[way]}, rules chosen on the test set",
        )  # fmt: skip


def _draw_difference(panel: Axes, line: pd.DataFrame) -> None:
    """Draw what adaptive IBC gains over adaptive Bag, with the interval of its mean."""
    panel.axhline(0, color=GREY, linewidth=0.6)
    panel.plot(line["prior"], line["mean"], **series(1))
    targets = int(line["targets"].iloc[0])
    label = f"95 % interval of the mean over {targets} targets"
    panel.fill_between(
        line["prior"], line["low"], line["high"], color=COLOURS[1], alpha=0.18, linewidth=0,
        label=label if targets > 1 else "one target: no interval",
    )  # fmt: skip
    panel.set_ylabel(r"$F_\alpha$: adaptive IBC $-$ adaptive Bag")
    panel.legend(loc="upper right")


def _draw_optimism(panel: Axes, f: pd.DataFrame) -> None:
    for number, (way, name) in enumerate(WAYS.items()):
        for sample, dashes in (("test", DASHES[0]), ("validation", (0, (3, 2)))):
            line = _of(_of(f, sample=sample), way=way)
            panel.plot(
                line["prior"], line["mean"], color=COLOURS[number], linestyle=dashes,
                linewidth=1.4 if sample == "test" else 0.9, marker=MARKERS[number],
                markersize=3, markevery=(3 * number, max(len(line) // 6, 1)),
                label=name if sample == "test" else None,
            )  # fmt: skip
    panel.plot([], [], color=GREY, linestyle=(0, (3, 2)), linewidth=0.9, label="on validation")


def _of(frame: pd.DataFrame, **wanted: Any) -> pd.DataFrame:
    """Return the rows with the wanted values."""
    for column, value in wanted.items():
        frame = frame[frame[column] == value]
    return frame
