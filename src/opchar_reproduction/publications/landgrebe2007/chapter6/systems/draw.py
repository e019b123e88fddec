"""Figures of recognition systems (Secs. 6.2.2 and 6.2.4)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.study import figure

SHOWN = 250


@figure("figure-6.1")
def two_stages(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw what the detector lets pass, and what the classifier makes of it (Figure 6.1)."""
    figure, panels = style.panels(1, 2, height=3.6)
    frame = curves["passing"]
    looks = {
        "outlier": ("+", style.GREY),
        "target 1": ("o", style.COLOURS[0]),
        "target 2": ("s", style.COLOURS[1]),
    }
    for name, (marker, colour) in looks.items():
        part = frame[frame["class"] == name].iloc[:SHOWN]
        for passes, alpha in ((0.0, 0.6), (1.0, 0.9)):
            own = part[part["passes"] == passes]
            panels[0].plot(
                own["x"],
                own["y"],
                marker if passes else marker.replace("+", "."),
                ms=2.5 if passes else 3.0,
                color=colour,
                mfc=colour if passes or name == "outlier" else "none",
                mew=0.6,
                alpha=alpha,
                label=name if passes else None,
            )
        passed = part[part["passes"] == 1.0]
        for first, called in ((1.0, "target 1"), (0.0, "target 2")):
            own = passed[passed["first"] == first]
            right = name == called
            panels[1].plot(
                own["x"],
                own["y"],
                ls="",
                marker=marker,
                ms=2.5 if right else 4.5,
                color=looks[called][1],
                alpha=0.35 if right else 1.0,
                mec=None if right or marker == "+" else "black",
                mew=0.0 if right else 0.8,
                zorder=2 if right else 3,
            )
    for panel in panels:
        panel.set_aspect("equal")
        panel.grid(visible=False)
        panel.set(xlabel="$x_1$", ylabel="$x_2$")
    panels[1].set(xlim=panels[0].get_xlim(), ylim=panels[0].get_ylim())
    style.letter(
        panels,
        ["detector: dots, open marks: rejected", "classifier: colour, the decision; large, wrong"],
    )
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure
