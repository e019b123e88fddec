"""Thresholds chosen for a limit, or for priors and costs."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from opchar.spaces import roc
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import OperatingPoints
from opchar.spaces.scored.sample import by_condition, condition_of, points_of

Criterion = Literal["f", "cost"]


class Choice(NamedTuple):
    """One operating point that was chosen.

    Attributes
    ----------
    threshold : float
        Scores of at least so much are accepted.
    tpr, fpr : float
        Rates there, on the sample that it was chosen on.
    """

    threshold: float
    tpr: float
    fpr: float


def neyman_pearson(
    y_true: ArrayLike,
    y_score: ArrayLike,
    fpr_max: float,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> Choice:
    """Return the threshold with the largest TPR whose FPR is acceptable.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    fpr_max : float
        Largest acceptable FPR, in [0, 1].

    Returns
    -------
    Choice
        Among thresholds of equal TPR the one of smallest FPR.

    Raises
    ------
    ValueError
        If `fpr_max` is not between 0 and 1.

    Examples
    --------
    >>> neyman_pearson([1, 0, 1, 0], [4, 3, 2, 1], 0.5)
    Choice(threshold=2.0, tpr=1.0, fpr=0.5)
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    best = roc.neyman_pearson(points, fpr_max)
    return Choice(*(float(each[best]) for each in (points.thresholds, points.tpr, points.fpr)))


def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    criterion: Criterion = "f",
    alpha: float = 0.5,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
) -> Any:
    """Return the best threshold for given priors: of the F-measure or of the expected cost.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    prior : array_like of float, optional
        P(+), in [0, 1]; that of the sample when not given.
    criterion : {"f", "cost"}
        What is best.
    alpha : float
        Weight of precision in F, in [0, 1].
    cost_fn, cost_fp : float
        Cost of a missed positive and of a false alarm, not negative and not both zero.

    Returns
    -------
    float, ndarray or pandas.Series
        As `prior`. Choose it on other objects than those that it is judged on:
        `opchar.decisions.estimator.PriorThresholdClassifier` does.

    Raises
    ------
    ValueError
        For an unknown criterion, or costs that are negative or both zero.

    Examples
    --------
    >>> best_threshold([1, 0, 1, 0], [4, 3, 2, 1])
    2.0
    >>> best_threshold([1, 0, 1, 0], [4, 3, 2, 1], criterion="cost", cost_fp=5)
    4.0
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    at = points.prior if prior is None else prior
    return by_condition(
        threshold_for(points, at, criterion, alpha, cost_fn, cost_fp), at, "threshold"
    )


def threshold_for(
    points: OperatingPoints,
    prior: ArrayLike,
    criterion: Criterion = "f",
    alpha: float = 0.5,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
) -> np.ndarray:
    """Return the best thresholds of given operating points, see `best_threshold`.

    Parameters
    ----------
    points : OperatingPoints
        Of a sample with both classes, see `points_of`.
    prior, criterion, alpha, cost_fn, cost_fp
        See `best_threshold`.

    Returns
    -------
    ndarray of float
        In the shape of `prior`.

    Raises
    ------
    ValueError
        For an unknown criterion, or costs that are negative or both zero.
    """
    if criterion == "f":
        return upper_envelope(points, alpha).threshold(np.asarray(prior, float))
    if criterion == "cost":
        return lower_envelope(points).threshold(condition_of(prior, cost_fn, cost_fp))
    raise ValueError(f"criterion is 'f' or 'cost', not {criterion!r}")
