"""The gap of certificates against the nodes that they may use (Sec. 4.2.6)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.chapter4_figures import Curves
from opchar_reproduction.study import figure


@figure("certified-budgets-drawn")
def certified_budgets(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the loss found and the gap proven against the nodes of branch and bound."""
    sets = list(curves["budgets"]["data set"].unique())
    rows = -(-len(sets) // 3)
    figure, panels = style.panels(rows, min(len(sets), 3), height=0.5 + 2.1 * rows)
    by_budget = curves["budgets"].groupby(["data set", "budget"])[["nodes", "above", "gap"]]
    budgets, errors = by_budget.mean(), by_budget.sem()
    others = curves["algorithms"].groupby(["data set", "algorithm"], sort=False)
    means = others[["line searches", "above"]].mean()
    lines = {"gap": "gap proven by branch and bound", "above": "loss found by it, above the best"}
    widest = 1.3 * max(budgets["nodes"].max(), means["line searches"].max())
    for panel, name in zip(panels, sets, strict=False):
        table = budgets.loc[name]
        for number, (column, label) in enumerate(lines.items()):
            look = style.series(number) | {"marker": style.MARKERS[number], "markersize": 3.5}
            error = errors.loc[name][column]
            panel.errorbar(table["nodes"], table[column], error, label=label, clip_on=False, **look)
        panel.axhline(
            means.loc[(name, "Default"), "above"],
            color=style.GREY,
            lw=0.8,
            ls=":",
            label="Default, above the best",
        )
        for number, algorithm in enumerate(("Greedy", "PairsG"), start=2):
            panel.plot(
                means.loc[(name, algorithm), "line searches"],
                means.loc[(name, algorithm), "above"],
                marker=style.MARKERS[number],
                color=style.COLOURS[number],
                markersize=5,
                lw=0,
                clip_on=False,
                label=f"{algorithm}, above the best",
            )
        panel.set_xscale("log")
        panel.set_yscale("symlog", linthresh=0.1, linscale=0.4)
        panel.set_yticks([0, 0.1, 1, 10, 100], ["0", "0.1", "1", "10", "100"])
        panel.set(xlim=(0.8, widest), ylim=(0, 300), xlabel="nodes examined or line searches")
    for panel in panels[::3]:
        panel.set_ylabel("% of the loss")
    for panel in panels[len(sets) :]:
        panel.set_axis_off()
    style.letter(panels[: len(sets)], sets)
    legend = panels[0].get_legend_handles_labels()
    title = "means over cost matrices; bars: standard error of branch and bound"
    figure.legend(*legend, loc="outside lower center", ncols=3, title=title)
    return figure
