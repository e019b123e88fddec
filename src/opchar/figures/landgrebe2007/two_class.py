"""Figures of two-class operating points, the case study and skew (Secs. 2.2.2, 2.2.4, 2.3.1)."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from opchar.figures import style

CLASS_GREYS = ("#949494", "#555555")
MARKS = {"lo": "v", "e": "o", "hi": "^"}


def two_error_types(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw two overlapping densities, the boundary and both errors (Fig. 2.1).

    Parameters
    ----------
    results : pandas.DataFrame
        Lines of ``figure-2.1``: the boundary and both rates.
    curves : dict of str to pandas.DataFrame
        ``densities`` with ``class``, ``x`` and ``density``.

    Returns
    -------
    matplotlib.figure.Figure
    """
    at = results.query("artefact == 'figure-2.1'").set_index("column")["value"]
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=2.5)
    errors = [("$FN_r$", True), ("$FP_r$", False)]
    for number, (_, curve) in enumerate(curves["densities"].groupby("class")):
        x, density = curve["x"].to_numpy(), curve["density"].to_numpy()
        panel.plot(x, density, label=rf"$p(x\,|\,\omega_{{{number + 1}}})$", **style.series(number))
        label, right = errors[number]
        wrong = x >= at["boundary"] if right else x <= at["boundary"]
        panel.fill_between(
            x[wrong],
            density[wrong],
            color=style.COLOURS[number],
            alpha=0.35,
            lw=0,
            hatch="///" if right else "\\\\\\",
            label=f"{label} = {at['FN_r' if right else 'FP_r']:.3f}",
        )
    panel.axvline(at["boundary"], color="black", linewidth=0.8)
    panel.annotate(
        r"$\theta_d$", (at["boundary"], 0.31), xytext=(3, 0), textcoords="offset points", va="top"
    )
    panel.set(xlabel="$x$", ylabel="density", ylim=(0, 0.32))
    panel.margins(x=0)
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def two_points_on_the_roc(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the trade-off of both errors with the equal-error and the least-cost point (Fig. 2.2).

    Parameters
    ----------
    results : pandas.DataFrame
        Lines of ``figure-2.2``: rates at points A and B.
    curves : dict of str to pandas.DataFrame
        ``roc`` with ``fpr`` and ``fnr``.

    Returns
    -------
    matplotlib.figure.Figure
    """
    lines = results.query("artefact == 'figure-2.2' and kind == 'number'")
    at = lines.set_index(["row", "column"])["value"]
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=style.ONE_COLUMN)
    panel.plot(curves["roc"]["fpr"], curves["roc"]["fnr"], **style.series(0))
    panel.plot([0, 1], [0, 1], color=style.GREY, linewidth=0.6, linestyle=":")
    panel.text(0.8, 0.8, "$FN_r = FP_r$", rotation=45, ha="right", va="bottom", fontsize=6,
               color=style.GREY, rotation_mode="anchor")  # fmt: skip
    for number, (name, meaning) in enumerate(
        {"A": "equal errors", "B": "$c_1 = 0.2$, $c_2 = 0.8$"}.items(), start=1
    ):
        x, y = at[f"point {name}", "FP_r"], at[f"point {name}", "FN_r"]
        panel.plot(
            x,
            y,
            linestyle="none",
            marker=style.MARKERS[number],
            color=style.COLOURS[number],
            markersize=6,
            label=f"{name}: {meaning}",
        )
        panel.annotate(name, (x, y), xytext=(6, 4), textcoords="offset points")
    style.unit_square(panel, "$FP_r$", "$FN_r$")
    panel.legend(loc="upper right")
    return figure


def case_study(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw data and boundaries of two classifiers, and their operating points (Fig. 2.3).

    Parameters
    ----------
    results : pandas.DataFrame
        Not drawn; all renderers have it.
    curves : dict of str to pandas.DataFrame
        ``objects``; ``decisions`` with the log odds in excess of the threshold on a grid; ``roc``;
        ``marks``: the operating points lo, e and hi.

    Returns
    -------
    matplotlib.figure.Figure
    """
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
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    _operating_points(right, curves)
    style.letter(
        [left, right], ["data and boundaries at equal errors", "ROC and range of the prior"]
    )
    return figure


def _operating_points(panel: Axes, curves: dict[str, pd.DataFrame]) -> None:
    """Draw both ROC curves about the range of the prior, which is drawn thick."""
    for number, (name, curve) in enumerate(curves["roc"].groupby("model")):
        look = style.series(number)
        panel.plot(curve["fpr"], curve["fnr"], **look)
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
            )
    reach = 1.5 * float(curves["marks"][["fpr", "fnr"]].to_numpy().max())
    panel.set(xlim=(-0.12 * reach, reach), ylim=(-0.12 * reach, reach), xlabel="$FP_r$")
    panel.set_ylabel("$FN_r$")


def accuracy_and_precision(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw accuracy and precision of one operating point over the skew (Fig. 2.4).

    Parameters
    ----------
    results : pandas.DataFrame
        Lines of ``figure-2.4``: the rates of the classifier.
    curves : dict of str to pandas.DataFrame
        ``skew`` with ``skew``, ``accuracy`` and ``precision``.

    Returns
    -------
    matplotlib.figure.Figure
    """
    lines = results.query("artefact == 'figure-2.4' and row == 'linear discriminant'")
    at = lines.set_index("column")["value"]
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=2.6)
    curve, ends = curves["skew"], []
    for number, name in enumerate(("accuracy", "precision")):
        panel.semilogx(curve["skew"], curve[name], label=name, **style.series(number))
        ends.append((curve[name].iloc[-1], name, style.COLOURS[number]))
    panel.axhline(at["TN_r"], color=style.GREY, linewidth=0.8, linestyle=":")
    ends.append((at["TN_r"], f"$TN_r$ = {at['TN_r']:.3f}", style.GREY))
    panel.set(xlabel=r"skew $\lambda$", ylabel="rate", ylim=(0, 1.02))
    panel.margins(x=0)
    style.label_ends(panel, ends)
    return figure
