"""Figures of soft classifiers in four spaces (Figures 2 and 4)."""

from opchar_reproduction.publications.soleymani2020.four_spaces_figures import (
    soft_classifier,
    two_soft_classifiers,
)
from opchar_reproduction.study import figure

figure("figure-2", by=soft_classifier)

figure("figure-4", by=two_soft_classifiers)
