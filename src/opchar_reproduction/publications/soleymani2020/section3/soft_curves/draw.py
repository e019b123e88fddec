"""Figures of soft classifiers in four spaces (Figures 2 and 4)."""

from opchar_reproduction.publications.soleymani2020.four_spaces_figures import (
    soft_classifier,
    two_soft_classifiers,
)
from opchar_reproduction.study import figure

figure(
    "figure-2",
    by=soft_classifier,
    study="soft-classifier",
    title="A soft classifier of six thresholds in four spaces",
    caption="""The ROC convex hull, precision-recall curves for three priors, cost lines
        with their lower envelope and F curves with their upper envelope (thick) of the same six
        operating points.""",
    choices=[
        "P(+) of the precision-recall curves -> 0.1, 0.5, 0.9",
        "between points -> the exact curve of randomised thresholds, a straight line in ROC space",
    ],
)

figure(
    "figure-4",
    by=two_soft_classifiers,
    study="two-soft-classifiers",
    title="Two soft classifiers compared in four spaces",
    caption="""ROC convex hulls, precision-recall curves for three priors, lower envelopes
        of the cost lines and upper envelopes of the F curves of two classifiers with six
        thresholds each. Circles mark where the hulls cross, and between which conditions the
        envelopes are equal.""",
    lines=["figure-4a", "figure-4b", "figure-4c", "figure-4d"],
    choices=[
        "P(+) of the precision-recall curves -> 0.1, 0.5, 0.9",
        "read-offs from the plot -> exact crossings of the envelopes",
        "point (0.93, 0.6) of C_2 lies under its hull -> drawn, but on no envelope",
    ],
)
