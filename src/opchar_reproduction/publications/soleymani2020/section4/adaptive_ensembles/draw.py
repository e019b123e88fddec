"""Adaptive ensembles of classifiers of faces (Fig. 11)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from opchar.figures.style import COLOURS, DASHES, GREY, MARKERS, PRIOR, letter, panels, series
from opchar_reproduction.publications.soleymani2020.curves_figures import select
from opchar_reproduction.study import figure, printed_numbers

WAYS = {
    "score average": "adaptive Bag",
    "pairwise": "adaptive IBC",
    "iterative": "iterative combination",
    "single member": "best single member",
    "likelihood ratio": "likelihood ratio",
}

CHOSEN_BY_TEST = "test chooses"


@figure("figure-11", parameters={"better_below": printed_numbers("figure-11")})
def adaptive_ensembles(
    results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, better_below: Mapping[str, float]
) -> Figure:
    """Draw F over P(+) of adaptive Bag and adaptive IBC, and of what chose them (Figure 11).

    better_below: The prior below which the publication finds IBC better, by its printed row.
    """
    settings = list(dict.fromkeys(curves["f"]["setting"]))
    figure, axes = panels(3, len(settings), height=9.4)
    for place, share in enumerate(settings):
        f = select(curves["f"], setting=share)
        _draw_compared(axes[place], f)
        _draw_optimism(axes[len(settings) + place], f)
        gain = select(curves["difference"], setting=share)
        _draw_difference(axes[2 * len(settings) + place], gain)
        row = f"P_train=P_val=P_test={share:.4g}"
        _say_outcome(axes[2 * len(settings) + place], gain, better_below.get(row))
    for panel in axes:
        panel.set(xlim=(0, 1), xlabel=PRIOR)
    for panel in axes[: 2 * len(settings)]:
        panel.set(ylim=(0, 1.02), ylabel=r"$F_\alpha$")
    names = [rf"$P_{{train,val,test}}(+)$ = {share:g}" for share in settings]
    added = [f"added: {name}, {what}" for what in ("all methods", "gain") for name in names]
    letter(axes, [*names, *added])
    for place, side in ((0, "upper"), (len(settings), "lower")):
        handles, labels = axes[place].get_legend_handles_labels()
        title = f"({chr(97 + place)}) and ({chr(98 + place)})"
        where: Any = f"outside {side} center"
        figure.legend(handles, labels, title=title, loc=where, ncols=2 if side == "upper" else 3)
    return figure


def _say_outcome(panel: Axes, line: pd.DataFrame, limit: float | None) -> None:
    """Say in the picture where the publication finds IBC better, and how often it is here."""
    if limit is None:
        return
    below = line[line["prior"] <= limit]
    text = f"publication: IBC is better below P(+) = {limit:g}"
    text += f"\nhere: better at {(below['mean'] > 0).mean():.0%} of these priors".replace("%", " %")
    panel.text(0.02, 0.14, text, va="bottom", transform=panel.transAxes, fontsize=7)


def _draw_compared(panel: Axes, f: pd.DataFrame) -> None:
    """Draw means with bands of one standard deviation over rounds, from the variances."""
    tested = select(f, sample="test")
    for number, way in enumerate(list(WAYS)[:2]):
        line = select(tested, way=way)
        panel.plot(line["prior"], line["mean"], label=WAYS[way], **series(number))
        spread = line["variance"] ** 0.5
        panel.fill_between(
            line["prior"], line["mean"] - spread, line["mean"] + spread, color=COLOURS[number],
            alpha=0.18, linewidth=0, label=f"{WAYS[way]}, ± one standard deviation",
        )  # fmt: skip
        reference = select(tested, way=f"{way}, {CHOSEN_BY_TEST}")
        panel.plot(
            reference["prior"], reference["mean"], color=COLOURS[number], linewidth=0.9,
            linestyle=":", marker=MARKERS[number + 2], markersize=3, markerfacecolor="white",
            markevery=(5 + 6 * number, 12), label=f"{WAYS[way]}, rules chosen on the test set",
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
    panel.legend(loc="lower left")


def _draw_optimism(panel: Axes, f: pd.DataFrame) -> None:
    for number, (way, name) in enumerate(WAYS.items()):
        for sample, dashes in (("test", DASHES[0]), ("validation", (0, (3, 2)))):
            line = select(select(f, sample=sample), way=way)
            panel.plot(
                line["prior"], line["mean"], color=COLOURS[number], linestyle=dashes,
                linewidth=1.4 if sample == "test" else 0.9, marker=MARKERS[number],
                markersize=3, markevery=(3 * number, max(len(line) // 6, 1)),
                label=name if sample == "test" else None,
            )  # fmt: skip
    panel.plot([], [], color=GREY, linestyle=(0, (3, 2)), linewidth=0.9, label="on validation")
