"""The H-measure: how much of the cost of knowing nothing a score saves, over a range of costs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from opchar.arguments import probabilities
from opchar.spaces.cost import lower_envelope, probability_cost
from opchar.spaces.points import OperatingPoints, from_rates
from opchar.spaces.scored.sample import points_of


def h_measure(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: float | None = None,
    severity: float | None = None,
) -> float:
    """Return the H-measure of labels and scores.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `opchar.spaces.scored.points_of`.
    prior, severity : float, optional
        See `h_measure_of`.

    Returns
    -------
    float
        In [0, 1]: 0 for a score that saves nothing, 1 for one without error.

    Raises
    ------
    ValueError
        As `points_of` and `h_measure_of`.

    Examples
    --------
    >>> round(h_measure([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2]), 4)
    0.5916
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return h_measure_of(points, prior, severity)


def h_measure_of(
    points: OperatingPoints, prior: float | None = None, severity: float | None = None
) -> float:
    """Return the H-measure of operating points.

    Between two breakpoints of the envelope one point is best, and the integral is a difference of
    incomplete beta functions: no grid.

    Hand, Machine Learning 77, 2009; Hand and Anagnostopoulos, Pattern Recognition Letters 40, 2014
    (the weight).

    `severity`: cost of a false alarm over that of a miss around which the costs are spread,
    positive; when not given, ``prior / (1 - prior)``, at which both errors of all objects cost the
    same. Returned: one minus the ratio of two integrals over the cost weight ``m = C_FP / (C_FP +
    C_FN)``, both weighted by a Beta(2, 1 + 1 / severity) density. The first integrates the least
    expected cost of the points, by the lower envelope of the cost lines. The second integrates the
    cost of accepting all or none.
    """
    share = points.prior if prior is None else float(probabilities(prior, "prior"))
    if not 0 < share < 1:
        raise ValueError(f"prior must lie strictly between 0 and 1, got {share}")
    ratio = share / (1 - share) if severity is None else float(severity)
    if not 0 < ratio < np.inf:
        raise ValueError(f"severity must be positive and finite, got {severity}")
    second = 1 + 1 / ratio
    trivial = from_rates([0.0, 1.0], [0.0, 1.0])
    loss = _weighted_cost(points, share, second) / _weighted_cost(trivial, share, second)
    return float(np.clip(1 - loss, 0.0, 1.0))


def _weighted_cost(points: OperatingPoints, prior: float, second: float) -> float:
    """Return the integral of the least expected cost over m with a Beta(2, second) density."""
    envelope = lower_envelope(points)
    # The same formula leads from PC(+) back to m.
    m = probability_cost(prior, envelope.breakpoints)
    of_false_alarm = 2 / (2 + second) * betainc(3, second, m)
    of_miss = second / (2 + second) * betainc(2, second + 1, m)
    best = envelope.points
    return float(
        -(1 - prior) * best.fpr @ np.diff(of_false_alarm)
        - prior * (1 - best.tpr) @ np.diff(of_miss)
    )
