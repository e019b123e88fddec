"""Figures of two-class operating points, the case study and skew (Secs. 2.2.2, 2.2.4, 2.3.1)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.study import figure


@figure("figure-2.1")
def two_error_types(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw two overlapping densities, the boundary and both errors (Fig. 2.1)."""
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


@figure("figure-2.2")
def two_points_on_the_roc(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the trade-off of both errors with the equal-error and least-cost points (Fig. 2.2)."""
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
