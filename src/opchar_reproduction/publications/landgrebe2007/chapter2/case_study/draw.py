"""Figures of two-class operating points, the case study and skew (Secs. 2.2.2, 2.2.4, 2.3.1)."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from opchar.figures import style
from opchar_reproduction.study import figure

CLASS_GREYS = ("#949494", "#555555")
MARKS = {"lo": "v", "e": "o", "hi": "^"}


@figure("figure-2.3")
def case_study(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw data and boundaries of two classifiers, and their operating points (Fig. 2.3)."""
    figure, (left, right) = style.panels(1, 2, width=style.TWO_COLUMNS, height=3.6)
    for number, (_, part) in enumerate(curves["objects"].groupby("class")):
        left.plot(
            part["x1"],
            part["x2"],
            linestyle="none",
            marker=["+", "o"][number],
            markersize=[4, 2.5][number],
            color=CLASS_GREYS[number],
            markerfacecolor="none",
            markeredgewidth=0.6,
            alpha=0.7,
            label=rf"$\omega_{{{number + 1}}}$",
        )
    handles, labels = left.get_legend_handles_labels()
    for number, (name, part) in enumerate(curves["decisions"].groupby("model")):
        look = style.series(number)
        grid = part.pivot_table(index="x2", columns="x1", values="excess")
        left.contour(
            grid.columns,
            grid.index,
            grid.to_numpy(),
            levels=[0.0],
            colors=look["color"],
            linestyles=[look["linestyle"]],
            linewidths=1.6,
        )
        handles.append(Line2D([], [], **look))
        labels.append(f"classifier {name}")
    left.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    handles.append(Line2D([], [], linestyle="none", marker="o", color=style.GREY, alpha=0.4, ms=3))
    labels.append("(b), pale: other draws")
    figure.legend(handles, labels, loc="outside lower center", ncols=5)
    _operating_points(right, curves)
    style.letter(
        [left, right], ["data and boundaries at equal errors", "ROC; wide: range of the prior"]
    )
    return figure


def _operating_points(panel: Axes, curves: dict[str, pd.DataFrame]) -> None:
    """Draw both ROC curves about the range of the prior, which is drawn thick.

    Pale marks are the operating points of the other draws.
    """
    for number, (name, curve) in enumerate(curves["roc"].groupby("model")):
        look = style.series(number)
        panel.plot(curve["fpr"], curve["fnr"], **look)
        others = curves["places"][curves["places"]["model"] == name]
        for mark, part in others.groupby("mark"):
            panel.scatter(part["fpr"], part["fnr"], marker=MARKS[str(mark)], s=9, alpha=0.3,
                          color=look["color"], linewidths=0, clip_on=True)  # fmt: skip
        own = curves["marks"][curves["marks"]["model"] == name]
        low, high = own["fpr"].min(), own["fpr"].max()
        inside = curve[(curve["fpr"] >= low) & (curve["fpr"] <= high)]
        panel.plot(inside["fpr"], inside["fnr"], color=look["color"], linewidth=4, alpha=0.25)
        for mark, x, y in zip(own["mark"], own["fpr"], own["fnr"], strict=True):
            panel.plot(
                x, y, linestyle="none", marker=MARKS[mark], color=look["color"], markersize=5
            )
            above = name == "A"
            panel.annotate(
                f"${name}_{{{mark}}}$",
                (x, y),
                xytext=(5, 4) if above else (-4, -4),
                textcoords="offset points",
                ha="left" if above else "right",
                va="bottom" if above else "top",
                color=look["color"],
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.85},
                zorder=5,
            )
    reach = 1.5 * float(curves["marks"][["fpr", "fnr"]].to_numpy().max())
    panel.set(xlim=(-0.12 * reach, reach), ylim=(-0.12 * reach, reach), xlabel="$FP_r$")
    panel.set_ylabel("$FN_r$")
