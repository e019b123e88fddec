"""Figures beyond the work: reject curves with bands, and what the VUC predicts."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.study import figure


@figure("table-5.3-radius-figure")
def volume_and_radius(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the VUC of each model against the radius, with the printed volumes on their lines."""
    frame = curves["radius"]
    found = results[results["column"] == "radius of the printed VUC"].set_index("row")["value"]
    sets = list(frame["set"].unique())
    figure, panels = style.panels(1, len(sets), height=3.4)
    for place, (panel, name) in enumerate(zip(panels, sets, strict=True)):
        own = frame[frame["set"] == name]
        for number, (model, line) in enumerate(own.groupby("model", sort=False)):
            look = style.series(number)
            panel.plot(line["radius"], line["vuc"], label=str(model), **look)
            panel.plot(
                found[f"{name} / {model}"],
                line["printed"].iloc[0],
                ls="",
                marker=style.MARKERS[number],
                color=style.COLOURS[number],
                ms=5,
            )
        panel.set_xscale("log", base=2)
        panel.set(xlabel="radius", ylim=(0.3, 1))
        panel.set_title(str(name).replace(" by ", "\nby "), loc="left", fontsize=7)
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), fontsize=6)
        if place:
            panel.set_yticklabels([])
    panels[0].set_ylabel("VUC")
    return figure
