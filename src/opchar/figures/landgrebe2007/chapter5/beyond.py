"""Figures beyond the work: reject curves with bands, and what the VUC predicts."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style


def curves_with_bands(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw missed targets and accepted hidden objects against the share of rejected targets."""
    frame = curves["curves"]
    sets = list(dict.fromkeys(frame["series"].str.split(" / ").str[0]))
    figure, panels = style.panels(1, len(sets), height=2.8)
    for panel, data in zip(panels, sets, strict=True):
        part = frame[frame["series"].str.startswith(f"{data} / ")]
        for number, ((series, kind), own) in enumerate(
            part.groupby(["series", "kind"], sort=False)
        ):
            colour = style.COLOURS[number // 2]
            model = str(series).split(" / ")[1].replace("reject ", "")
            panel.fill_between(own["share"], own["low"], own["high"], color=colour, alpha=0.2, lw=0)
            panel.plot(
                own["share"],
                own["rate"],
                color=colour,
                ls=style.DASHES[number % 2],
                marker=style.MARKERS[number % 2],
                ms=3,
                label=f"{model}: {kind}",
            )
        panel.set(ylim=(-0.02, 1.02), xlabel="training targets rejected")
        panel.set_title(data, loc="left")
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), fontsize=6)
    panels[0].set_ylabel("rate")
    return figure


def volume_and_loss(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw for each data set the loss on a hidden class against the VUC, a point a model."""
    frame = curves["vuc and loss"]
    means = frame.groupby(["data set", "model"], sort=False)[["vuc", "loss"]].mean().reset_index()
    sets, models = means["data set"].unique(), means["model"].unique()
    columns = -(-len(sets) // 2)
    figure, panels = style.panels(2, columns, height=4.4)
    found = results.query("column == 'VUC and loss'").set_index("row")["value"]
    for place, (panel, data) in enumerate(zip(panels, sets, strict=False)):
        for number, model in enumerate(models):
            point = means[(means["data set"] == data) & (means["model"] == model)]
            panel.plot(
                point["vuc"],
                point["loss"],
                ls="",
                marker=style.MARKERS[number],
                color=style.COLOURS[number],
                ms=5,
                label=model.replace("reject ", ""),
            )
        panel.set_title(f"{data}\nSpearman {found[data]:.2f}", loc="left", fontsize=7)
        panel.set(xlabel="VUC", ylabel="" if place % columns else "loss")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


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
