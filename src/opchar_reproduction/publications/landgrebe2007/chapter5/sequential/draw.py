"""Figures of classifiers in the plane and of the sequential combination (Sec. 5.2)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.study import figure


@figure("figure-5.5", parameters={"problems": ["Face A", "Face B", "Face C"]})
@figure("figure-5.6", parameters={"problems": ["Mfeat A", "Geo A", "Geo B", "Geo C"]})
def areas(results: pd.DataFrame, curves: dict[str, pd.DataFrame], *, problems: list[str]) -> Figure:
    """Draw mean areas with standard deviations of M, R and S (Figures 5.5 and 5.6)."""
    figure, panels = style.panels(1, len(problems), height=2.6)
    frame = curves["areas"]
    for panel, problem in zip(panels, problems, strict=True):
        part = frame[frame["problem"] == problem]
        for number, (name, own) in enumerate(part.groupby("classifier", sort=False)):
            table = own.groupby("measure")["area"].agg(["mean", "std"]).loc[["clf", "rej1", "rej2"]]
            panel.errorbar(
                np.arange(3) + 0.22 * (number - 1),
                table["mean"],
                table["std"],
                ls="",
                marker=style.MARKERS[number],
                color=style.COLOURS[number],
                capsize=2,
                label={"M": "M discriminant", "R": "R reject option", "S": "S SOCMC"}[str(name)],
            )
        panel.axhline(0.5, color=style.GREY, lw=0.7, ls=":", label="chance")
        panel.set_xticks(range(3), ["clf", "rej1", "rej2"])
        panel.set(ylim=(0.2, 1.02), xlim=(-0.5, 2.5))
        panel.set_title(problem, loc="left")
        if panel is not panels[0]:
            panel.tick_params(labelleft=False)
    panels[0].set_ylabel("AUC, mean ± s.d. over folds")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure
