"""The noise of numbers that were counted on a finite sample, such as an error rate."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

_SAMPLE = re.compile(r"(?:(%|fraction|area) )?of (\d+)(?: \+ (\d+))?\b")


class Sample(NamedTuple):
    """What a number was counted on."""

    scale: float
    size: int
    negatives: int = 0


def sample_of(unit: str) -> Sample | None:
    """Read the sample of a counted number from its unit.

    `unit`: ``of 50 scenarios`` for a count, ``% of 50 scenarios`` or ``fraction of 800 objects``
    for a rate, ``area of 120 + 80 objects`` for an area under an ROC curve (positives first).
    """
    match = _SAMPLE.match(unit)
    if match is None or int(match[2]) == 0 or (match[1] == "area") != (match[3] is not None):
        return None
    size = int(match[2])
    scale = {"%": 100.0, "fraction": 1.0, "area": 1.0, None: float(size)}[match[1]]
    return Sample(scale, size, int(match[3] or 0))


def samples_of(printed_unit: str, unit: str) -> tuple[Sample, Sample] | None:
    """Return the samples behind the printed number and ours; one known stands in for the other."""
    theirs, ours = sample_of(printed_unit), sample_of(unit)
    if theirs is None and ours is None:
        return None
    known = theirs or ours
    assert known is not None
    return theirs or known, ours or known


def difference_variance(printed: float, value: float, theirs: Sample, ours: Sample) -> float:
    """Return the variance of the difference of two numbers counted on samples of their own.

    J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating
    characteristic (ROC) curve", Radiology 143, 1982.
    """
    if theirs.negatives:
        area = _share((printed + value) / 2)
        return area_variance(area, theirs.size, theirs.negatives) + area_variance(
            area, ours.size, ours.negatives
        )
    total = theirs.size + ours.size
    rate = _share((printed * theirs.size + value * ours.size) / (theirs.scale * total))
    return theirs.scale**2 * rate * (1 - rate) * (1 / theirs.size + 1 / ours.size)


def area_variance(area: float, positives: int, negatives: int) -> float:
    """Return the variance of an area under an ROC curve, by Hanley and McNeil (1982)."""
    two_positives = area / (2 - area)
    two_negatives = 2 * area**2 / (1 + area)
    return (
        area * (1 - area)
        + (positives - 1) * (two_positives - area**2)
        + (negatives - 1) * (two_negatives - area**2)
    ) / (positives * negatives)


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0) if math.isfinite(value) else 0.0
