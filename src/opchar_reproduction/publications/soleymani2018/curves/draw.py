"""Figure 1 of the conference paper: cost curves and F curves of one crisp classifier."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures.style import letter, panels
from opchar_reproduction.publications.soleymani2020.curves_figures import (
    crisp_pairs,
    draw_families,
    mark_crossing,
    name_ends,
    name_lines,
)
from opchar_reproduction.publications.soleymani2020.four_spaces_figures import (
    soft_classifier,
    two_soft_classifiers,
)
from opchar_reproduction.study import figure


@figure(
    "figure-1",
    sample=True,
    study="crisp-curves",
    title="Cost curves and F curves of one crisp classifier",
    caption="""A classifier of TPR 0.8 and FPR 0.15: expected cost for five cost weights m
        (left) and F-measure for five weights alpha (right), over the prior. All F curves meet
        where the dot is.""",
    lines=["figure-1", "text-3"],
    choices=[
        "values of m and alpha (m = 0, m = 1, alpha = 0 stated) -> 0, 0.25, 0.5, 0.75, 1",
        "horizontal axis of the cost curves -> P(+), over which EC depends on m",
    ],
)
def cost_and_f_families(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw EC over P(+) for several m, and F over P(+) for several alpha (Figure 1)."""
    figure, axes = panels(1, 2, height=2.9)
    draw_families(axes[0], curves["cost"], "prior", "cost")
    axes[0].set(ylim=(0.1, 0.25))
    name_lines(axes[0], curves["cost"], "prior", "cost", at=0.4)
    draw_families(axes[1], curves["f"], "prior", "f")
    mark_crossing(axes[1], curves["crossing"])
    letter(axes, ["cost curves, axis from 0.1", "F-measure curves"])
    axes[1].set_xlim(0, 1)
    name_ends(axes[1], curves["f"], "prior", "f")
    return figure


figure(
    "figure-2",
    by=soft_classifier,
    study="soft-classifier",
    title="A soft classifier of six thresholds in four spaces",
    caption="""The ROC convex hull, inverted precision-recall curves for three priors, cost
        lines with their lower envelope and F curves with their upper envelope (thick) of the
        same six operating points.""",
    choices=[
        "inverted precision-recall space (not defined) -> recall upwards over 1 - precision",
        "P(+) of the precision-recall curves -> 0.1, 0.5, 0.9, those of Figure 5",
        "precision at (0, 0), which is 0/0 -> not drawn",
        "between points -> the exact curve of randomised thresholds, a straight line in ROC space",
    ],
    parameters={"inverted": True},
)

figure(
    "figure-3",
    by=crisp_pairs,
    study="crisp-pairs",
    title="F curves of two crisp classifiers that do not cross, and that cross",
    caption="""Left: one classifier has the larger TPR and the smaller FPR and dominates.
        Right: the curves cross at the prior of Eq. 11, marked.""",
    lines=["figure-3-left", "figure-3-right"],
)

figure(
    "figure-4",
    by=two_soft_classifiers,
    study="two-soft-classifiers",
    title="Two soft classifiers compared in four spaces",
    caption="""ROC convex hulls, inverted precision-recall curves for three priors, lower
        envelopes of the cost lines and upper envelopes of the F curves of two classifiers with
        six thresholds each. Circles mark where the hulls cross, and between which conditions
        the envelopes are equal.""",
    choices=[
        "operating points of C_2 (not given here) -> those of the journal paper",
        "read-offs from the plot -> exact crossings of the envelopes",
    ],
    parameters={"inverted": True},
)
