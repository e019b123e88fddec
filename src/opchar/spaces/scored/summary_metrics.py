"""Areas, best values and thresholds of labels and scores."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import label_vector, probabilities
from opchar.spaces import brier, det, precision_recall, roc
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.p_roc import exact_auprec
from opchar.spaces.score_counts import ScoreCounts
from opchar.spaces.scored.sample import (
    by_condition,
    check_same_index,
    condition_of,
    points_of,
    positive_label,
    prior_of,
)


def roc_auc(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    low: float = 0.0,
    high: float = 1.0,
    standardised: bool = False,
) -> float:
    """Return the area under the ROC curve, or under a part of it.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    low, high : float
        Range of FPR, all when not given; see `opchar.spaces.roc.partial_auc`.
    standardised : bool
        Whether to map a part's area of the diagonal to 0.5 and the largest one to 1.

    Returns
    -------
    float
        In [0, 1]. Of a part it is at most ``high - low``, unless `standardised`.

    Raises
    ------
    ValueError
        If the range is not one.

    Examples
    --------
    >>> roc_auc([1, 0, 1, 0], [4, 3, 2, 1])
    0.75
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    if (low, high) == (0.0, 1.0):
        return roc.auc(points)
    return roc.partial_auc(points, low, high, standardised=standardised)


def pr_auc(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: float | None = None,
    method: Literal["exact", "trapezoid", "steps", "gain"] = "exact",
) -> float:
    """Return the area under precision over recall, under a prior.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    prior : float, optional
        P(+) in use, in (0, 1]; that of the sample when not given.
    method : {"exact", "trapezoid", "steps", "gain"}
        How points are joined: as on the straight ROC curve (`opchar.spaces.p_roc.exact_auprec`),
        straight in precision-recall space (`auprec`), in steps (`average_precision`), or straight
        in gain space (`auprg`).

    Returns
    -------
    float
        In [0, 1]; with ``gain`` at most 1, and negative where precision is below the prior.

    Raises
    ------
    ValueError
        For an unknown method.

    Examples
    --------
    >>> round(pr_auc([1, 0, 1, 0], [4, 3, 2, 1]), 3)
    0.797
    >>> round(pr_auc([1, 0, 1, 0], [4, 3, 2, 1], prior=0.1), 3)
    0.571
    """
    functions = {
        "exact": exact_auprec,
        "trapezoid": precision_recall.auprec,
        "steps": precision_recall.average_precision,
        "gain": precision_recall.auprg,
    }
    if method not in functions:
        raise ValueError(f"method is one of {', '.join(functions)}, not {method!r}")
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return functions[method](points, prior_of(points, prior))


def mean_pr_auc(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None,
    low: float,
    high: float,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the mean area under precision over recall for all priors of a range (P-ROC).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    low, high : float
        Range of P(+), ``0 <= low < high <= 1``.

    Returns
    -------
    float
        In [0, 1]: mean over evenly weighted priors, each area by the trapezoidal rule.

    Raises
    ------
    ValueError
        If the range is not one.

    References
    ----------
    landgrebe2007, Eq. 2.9.

    Examples
    --------
    >>> round(mean_pr_auc([1, 0, 1, 0], [4, 3, 2, 1], 0.1, 0.5), 3)
    0.687
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    # Sums of weights may round to more than one.
    return min(precision_recall.iauprec(points, low, high), 1.0)


def best_f(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    alpha: float = 0.5,
) -> Any:
    """Return the best F-measure that a threshold reaches under given priors.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    prior : array_like of float, optional
        P(+), in [0, 1]; that of the sample when not given.
    alpha : float
        Weight of precision, in [0, 1].

    Returns
    -------
    float, ndarray or pandas.Series
        As `prior`. The threshold is chosen on the sample that it is judged on.

    Raises
    ------
    ValueError
        As `points_of`, or a condition is outside [0, 1].

    Examples
    --------
    >>> best_f([1, 0, 1, 0], [4, 3, 2, 1])
    0.8
    >>> round(best_f([1, 0, 1, 0], [4, 3, 2, 1], prior=0.1), 3)
    0.667
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    at = points.prior if prior is None else prior
    return by_condition(upper_envelope(points, alpha)(probabilities(at, "prior")), at, "f")


def least_cost(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
) -> Any:
    """Return the least normalised expected cost that a threshold reaches under given priors.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    prior : array_like of float, optional
        P(+), in [0, 1]; that of the sample when not given.
    cost_fn, cost_fp : float
        Cost of a missed positive and of a false alarm, not negative and not both zero.

    Returns
    -------
    float, ndarray or pandas.Series
        As `prior`. The threshold is chosen on the sample that it is judged on.

    Raises
    ------
    ValueError
        For negative costs, or two that are zero.

    Examples
    --------
    >>> least_cost([1, 0, 1, 0], [4, 3, 2, 1])
    0.25
    >>> round(least_cost([1, 0, 1, 0], [4, 3, 2, 1], prior=0.1, cost_fn=5), 3)
    0.179
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    at = points.prior if prior is None else prior
    return by_condition(lower_envelope(points)(condition_of(at, cost_fn, cost_fp)), at, "cost")


def brier_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: float | None = None,
) -> float:
    """Return the Brier score of a sample reweighted to a prior.

    The objects are not sorted; whole weights give what repeated objects give, but for rounding.

    Parameters
    ----------
    y_true, pos_label, sample_weight
        See `points_of`.
    y_score : array_like of float, shape (n,)
        Probabilities of the positive class, in [0, 1].
    prior : float, optional
        P(+) in use, in [0, 1]; that of the sample when not given.

    Returns
    -------
    float
        Mean squared error of the probabilities, in [0, 1].

    Raises
    ------
    ValueError
        As `points_of`, and if a score or the prior is outside [0, 1].

    Examples
    --------
    >>> round(brier_score([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]), 3)
    0.185
    """
    check_same_index(y_true, y_score, sample_weight)
    labels = label_vector(y_true)
    positive = positive_label(labels, pos_label)
    score = brier.sample_brier_score(labels == positive, y_score, prior, sample_weight)
    if np.isnan(score):
        raise ValueError(f"y_true needs objects of class {positive!r} and others")
    return score


def equal_error_rate(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the rate at which both errors are equal, on the straight-line ROC curve.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.

    Returns
    -------
    float
        FPR and FNR where they are equal, in [0, 1].

    Raises
    ------
    ValueError
        As `points_of`.

    Examples
    --------
    >>> equal_error_rate([1, 0, 1, 0], [4, 3, 2, 1])
    0.5
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return det.equal_error_rate(points).rate
