"""The noise of numbers that were counted on a finite sample, such as an error rate."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

_SAMPLE = re.compile(r"(?:(%|fraction|area) )?of (\d+)(?: \+ (\d+))?\b")


class Sample(NamedTuple):
    """What a number was counted on.

    Attributes
    ----------
    scale : float
        What a rate of one is written as: 1 for a fraction, 100 for a percentage, the number of
        trials for a count.
    size : int
        Number of objects or trials; of positive objects for an area under an ROC curve.
    negatives : int
        Number of negative objects for an area under an ROC curve, else zero.
    """

    scale: float
    size: int
    negatives: int = 0


def sample_of(unit: str) -> Sample | None:
    """Read from a unit what a number was counted on.

    Parameters
    ----------
    unit : str
        ``of 50 scenarios`` for a count, ``% of 50 scenarios`` or ``fraction of 800 objects`` for a
        rate, ``area of 120 + 80 objects`` for an area under an ROC curve (positives first).

    Returns
    -------
    Sample or None
        None for any other unit.

    Examples
    --------
    >>> sample_of("% of 50 scenarios"), sample_of("fraction")
    (Sample(scale=100.0, size=50, negatives=0), None)
    """
    match = _SAMPLE.match(unit)
    if match is None or int(match[2]) == 0 or (match[1] == "area") != (match[3] is not None):
        return None
    size = int(match[2])
    scale = {"%": 100.0, "fraction": 1.0, "area": 1.0, None: float(size)}[match[1]]
    return Sample(scale, size, int(match[3] or 0))


def samples_of(printed_unit: str, unit: str) -> tuple[Sample, Sample] | None:
    """Return the samples behind the printed number and ours; one known stands in for the other.

    Parameters
    ----------
    printed_unit, unit : str
        See `sample_of`.
    """
    theirs, ours = sample_of(printed_unit), sample_of(unit)
    if theirs is None and ours is None:
        return None
    known = theirs or ours
    assert known is not None
    return theirs or known, ours or known


def difference_variance(printed: float, value: float, theirs: Sample, ours: Sample) -> float:
    """Return the variance of the difference of two numbers counted on samples of their own.

    Parameters
    ----------
    printed, value : float
        Both on the scale of `theirs`.
    theirs, ours : Sample
        What they were counted on.

    Returns
    -------
    float
        For counts and rates that of two binomial rates under the hypothesis that they are equal,
        with the pooled rate; for areas the sum of both variances at their mean.

    References
    ----------
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
    """Return the variance of an area under an ROC curve, by Hanley and McNeil (1982).

    Parameters
    ----------
    area : float
        In [0, 1].
    positives, negatives : int
        Test objects, at least one each.
    """
    two_positives = area / (2 - area)
    two_negatives = 2 * area**2 / (1 + area)
    return (
        area * (1 - area)
        + (positives - 1) * (two_positives - area**2)
        + (negatives - 1) * (two_negatives - area**2)
    ) / (positives * negatives)


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0) if math.isfinite(value) else 0.0
