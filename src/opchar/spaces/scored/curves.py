"""Curves of labels and scores in every space."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from opchar.spaces import brier, precision_recall
from opchar.spaces.cost import lower_envelope
from opchar.spaces.det import missed_share
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.precision_recall import FirstPoint
from opchar.spaces.score_counts import ScoreCounts
from opchar.spaces.scored.sample import as_given, grid_of, points_of, prior_of


class RocCurve(NamedTuple):
    """ROC space: rates at each threshold, ascending.

    Attributes
    ----------
    fpr, tpr : ndarray of float, shape (n,)
        Rates in [0, 1], neither of which ever falls.
    threshold : ndarray of float, shape (n,)
        Scores of at least so much are accepted.
    """

    fpr: Any
    tpr: Any
    threshold: Any


class PrecisionRecallCurve(NamedTuple):
    """Precision-recall space under one prior, in ascending order of recall.

    Attributes
    ----------
    recall, precision : ndarray of float, shape (n,)
        In [0, 1]; precision is that under the prior in use.
    threshold : ndarray of float, shape (n,)
        Scores of at least so much are accepted; descending from infinity, or NaN where
        infinity is itself a score.
    """

    recall: Any
    precision: Any
    threshold: Any


class FCurve(NamedTuple):
    """F-measure space: the best F-measure over the prior.

    Attributes
    ----------
    prior : ndarray of float, shape (k,)
        Priors P(+) in [0, 1], in the given order, or ascending evenly.
    f : ndarray of float, shape (k,)
        Best F-measure of a threshold for each prior, in [0, 1].
    threshold : ndarray of float, shape (k,)
        The threshold that reaches it.
    """

    prior: Any
    f: Any
    threshold: Any


class CostCurve(NamedTuple):
    """Cost space: normalised expected cost over the probability cost.

    Attributes
    ----------
    pc : ndarray of float, shape (k,)
        Probability costs PC(+) in [0, 1], in the given order, or ascending evenly.
    cost : ndarray of float, shape (k,)
        Normalised expected cost at each, in [0, 1].
    threshold : ndarray of float, shape (k,)
        The threshold that is used.
    """

    pc: Any
    cost: Any
    threshold: Any


class DetCurve(NamedTuple):
    """DET space: error rates, which its axes show as normal deviates.

    Attributes
    ----------
    fpr, fnr : ndarray of float, shape (n,)
        Rates in [0, 1]: FPR never falls, FNR never rises.
    threshold : ndarray of float, shape (n,)
        Scores of at least so much are accepted; descending from infinity, or NaN where
        infinity is itself a score.
    """

    fpr: Any
    fnr: Any
    threshold: Any


def roc_curve(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    hull: bool = False,
) -> RocCurve | Any:
    """Return the ROC curve, or its convex hull.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    hull : bool
        Whether only the vertices of the convex hull.

    Returns
    -------
    RocCurve or pandas.DataFrame
        From (0, 0) to (1, 1), one point a distinct score, or a vertex of the hull; a data frame for
        pandas arguments.

    Raises
    ------
    ValueError
        As `points_of`.

    Examples
    --------
    >>> roc_curve([1, 0, 1, 0], [4, 3, 2, 1]).tpr.tolist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    points = points.hull if hull else points
    return as_given(RocCurve(points.fpr, points.tpr, points.thresholds), y_true, y_score)


def precision_recall_curve(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: float | None = None,
    first: FirstPoint = "next",
) -> PrecisionRecallCurve | Any:
    """Return precision and recall under a prior.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    prior : float, optional
        P(+) in use, in (0, 1]; that of the sample when not given.
    first : {"next", "one", "zero"}
        Precision where nothing is accepted, see `opchar.spaces.precision_recall.auprec`.

    Returns
    -------
    PrecisionRecallCurve or pandas.DataFrame
        From recall 0 to 1, one point a distinct score; a data frame for pandas arguments.

    Raises
    ------
    ValueError
        As `points_of`.

    Examples
    --------
    >>> precision_recall_curve([1, 0, 1, 0], [4, 3, 2, 1]).recall.tolist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    >>> precision_recall_curve([1, 0, 1, 0], [4, 3, 2, 1]).precision.round(3).tolist()
    [1.0, 1.0, 0.5, 0.667, 0.5]
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    recall, height = precision_recall.precision_recall_curve(points, prior_of(points, prior), first)
    return as_given(PrecisionRecallCurve(recall, height, points.thresholds), y_true, y_score)


def f_curve(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    alpha: float = 0.5,
) -> FCurve | Any:
    """Return the best F-measure for each prior, and the threshold that reaches it.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    prior : array_like of float, shape (k,), optional
        Priors P(+) in [0, 1]; an even grid when not given.
    alpha : float
        Weight of precision, in [0, 1].

    Returns
    -------
    FCurve or pandas.DataFrame
        One row per prior, in the given order; a data frame for pandas arguments.

    Raises
    ------
    ValueError
        As `points_of`, or a condition is outside [0, 1].

    References
    ----------
    soleymani2020, Sec. 3.

    Examples
    --------
    >>> f_curve([1, 0, 1, 0], [4, 3, 2, 1], prior=[0.1, 0.5, 0.9]).f.round(3).tolist()
    [0.667, 0.8, 0.973]
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    envelope, at = upper_envelope(points, alpha), grid_of(prior)
    return as_given(FCurve(at, envelope(at), envelope.threshold(at)), y_true, y_score, prior)


def cost_curve(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    pc: ArrayLike | None = None,
) -> CostCurve | Any:
    """Return the least normalised expected cost for each probability cost.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    pc : array_like of float, shape (k,), optional
        Probability costs PC(+) in [0, 1], see `opchar.spaces.cost.probability_cost`; an even grid
        when not given.

    Returns
    -------
    CostCurve or pandas.DataFrame
        One row a probability cost, in the given order; a data frame for pandas arguments.

    Raises
    ------
    ValueError
        As `points_of`, or a condition is outside [0, 1].

    References
    ----------
    soleymani2020, Sec. 2.3.

    Examples
    --------
    >>> cost_curve([1, 0, 1, 0], [4, 3, 2, 1], pc=[0.25, 0.5, 0.75]).cost.tolist()
    [0.125, 0.25, 0.125]
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    envelope, at = lower_envelope(points), grid_of(pc)
    return as_given(CostCurve(at, envelope(at), envelope.threshold(at)), y_true, y_score, pc)


def brier_curve(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    pc: ArrayLike | None = None,
) -> CostCurve | Any:
    """Return the normalised expected cost of probabilities that are believed.

    Parameters
    ----------
    y_true, pos_label, sample_weight
        See `points_of`.
    y_score : array_like of float, shape (n,)
        Probabilities of the positive class, in [0, 1].
    pc : array_like of float, shape (k,), optional
        Probability costs PC(+) in [0, 1]; an even grid when not given.

    Returns
    -------
    CostCurve or pandas.DataFrame
        The threshold is ``1 - pc``, whatever would have been best.

    Raises
    ------
    ValueError
        As `points_of`, or a condition is outside [0, 1].

    Examples
    --------
    >>> brier_curve([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1], pc=[0.25, 0.5, 0.75]).cost.tolist()
    [0.125, 0.5, 0.125]
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    at = grid_of(pc)
    return as_given(CostCurve(at, brier.brier_curve(points, at), 1 - at), y_true, y_score, pc)


def det_curve(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> DetCurve | Any:
    """Return both error rates at each threshold.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.

    Returns
    -------
    DetCurve or pandas.DataFrame
        Rates; `opchar.spaces.det.normal_deviate` gives the scale of the axes.

    Raises
    ------
    ValueError
        As `points_of`.

    Examples
    --------
    >>> det_curve([1, 0, 1, 0], [4, 3, 2, 1]).fnr.tolist()
    [1.0, 0.5, 0.5, 0.0, 0.0]
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return as_given(DetCurve(points.fpr, missed_share(points), points.thresholds), y_true, y_score)
