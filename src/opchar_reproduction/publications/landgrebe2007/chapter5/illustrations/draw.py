"""Figures of classifiers in the plane and of the sequential combination (Sec. 5.2)."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.chapter5.planar_figures import (
    boundary,
    region,
    scatter,
)
from opchar_reproduction.study import figure


@figure("figure-5.1")
def unseen_class(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw a quadratic discriminant in training, and in use with an unseen class (Figure 5.1)."""
    figure, panels = style.panels(1, 2, height=3.2)
    for panel, part in zip(panels, ("train", "test"), strict=True):
        boundary(panel, curves["boundary"])
        objects = curves["scatter"]
        scatter(panel, objects[objects["part"] == part])
    style.letter(panels, ["training", "use, with an unseen class"])
    handles = [*panels[1].get_legend_handles_labels()[0], region()]
    figure.legend(handles=handles, loc="outside upper center", ncols=4)
    return figure


@figure(
    "figure-5.2",
    parameters={"models": ["linear", "mixture"], "object_a": [0.0, 0.0]},
)
@figure("figure-5.4", parameters={"models": ["SOCMC"], "object_a": [0.0, 0.0]})
def two_models(
    results: pd.DataFrame,
    curves: dict[str, pd.DataFrame],
    *,
    models: list[str],
    object_a: list[float],
) -> Figure:
    """Draw the regions that models with a reject option call target (Figures 5.2 and 5.4)."""
    figure, panels = style.panels(1, len(models), width=3.4 * len(models) + 0.2, height=3.5)
    for panel, model in zip(panels, models, strict=True):
        grid = curves["boundary"]
        boundary(panel, grid[grid["model"] == model])
        scatter(panel, curves["scatter"].query("part == 'train' and `class` != 'unseen'"))
        panel.plot(
            object_a[0], object_a[1], marker="*", ms=9, color="black", ls="", label="object A"
        )
        panel.annotate(
            "A",
            (object_a[0], object_a[1]),
            xytext=(5, 4),
            textcoords="offset points",
            weight="bold",
        )
    style.letter(panels, [model if model == "SOCMC" else f"{model} model" for model in models])
    handles = [*panels[0].get_legend_handles_labels()[0], region()]
    figure.legend(handles=handles, loc="outside upper center", ncols=4 if len(models) > 1 else 2)
    return figure


@figure("figure-5.3")
def block_diagram(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the two stages of the sequential combination (Figure 5.3)."""
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=1.7)
    panel.set_axis_off()
    panel.set(xlim=(0, 10), ylim=(0, 3))
    boxes = [
        (2.2, "$D_{OCC}$\none-class model of $\\omega_t$"),
        (6.0, "$D_{MCC}$\n$\\omega_t$ against $\\omega_o$"),
    ]
    for x, text in boxes:
        panel.add_patch(FancyBboxPatch((x, 1.4), 2.2, 1.1, boxstyle="round,pad=0.05", fc="#eef4f9"))
        panel.text(x + 1.1, 1.95, text, ha="center", va="center")
    arrows = [
        ((0.6, 1.95), (2.1, 1.95), "$x$"),
        ((4.5, 1.95), (5.9, 1.95), r"accepted $\tilde{x}$"),
        ((8.3, 1.95), (9.6, 1.95), "target"),
        ((3.3, 1.3), (3.3, 0.3), "outlier"),
        ((7.1, 1.3), (7.1, 0.3), "outlier"),
    ]
    for start, end, text in arrows:
        panel.add_patch(
            FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=9, color="black")
        )
        upright = start[0] == end[0]
        place = (start[0] + 0.15, 0.75) if upright else ((start[0] + end[0]) / 2, 2.15)
        panel.text(
            *place, text, ha="left" if upright else "center", va="center" if upright else "bottom"
        )
    return figure
