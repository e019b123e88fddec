"""Decision curves of labels and probabilities with intervals and bands, and their differences."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats, label_vector, probabilities
from opchar.retired import accept_old_arguments
from opchar.seeds import generator
from opchar.spaces.decision_curve import believed_net_benefit, best_net_benefit, net_benefit
from opchar.spaces.scored.sample import as_given, check_same_index, points_of, positive_label
from opchar.statistics.cross_fitting import CrossFitted
from opchar.statistics.ranking import Floats, Ranked, rank_scores
from opchar.statistics.rate_curves import Bands, RateCurves, Value, rate_curves

GRID = np.arange(1, 100) / 100


class DecisionCurve(NamedTuple):
    """Net benefit over the threshold probability, in true positives an object.

    Shapes: `threshold` (k,); `net_benefit` (k,); `low` and `high` (k,); `band_low` and `band_high`
    (k,); `best` (k,); `accept_all` (k,).
    """

    threshold: Any
    net_benefit: Any
    low: Any
    high: Any
    band_low: Any
    band_high: Any
    best: Any
    accept_all: Any


class DecisionDifference(NamedTuple):
    """The net benefit of one model less that of another, on the same objects.

    Shapes: `threshold` (k,); `difference` (k,); `low` and `high` and `band_low` and `band_high`
    (k,).
    """

    threshold: Any
    difference: Any
    low: Any
    high: Any
    band_low: Any
    band_high: Any


@accept_old_arguments(level="confidence")
def decision_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    threshold: ArrayLike | None = None,
    prior: float | None = None,
    confidence: float = 0.95,
) -> DecisionCurve | Any:
    """Return the decision curve of probabilities, with intervals and a band.

    Parameters
    ----------
    y_true, pos_label, sample_weight
        See `opchar.spaces.scored.points_of`; two objects of each class or more.
    y_score : array_like of float, shape (n,)
        Probabilities of the positive class, in [0, 1].
    threshold : array_like of float, shape (k,), optional
        Threshold probabilities, ascending in (0, 1); 0.01 to 0.99 when not given.
    prior : float, optional
        P(+), in [0, 1], where the model is used; that of the sample when not given. Intervals are
        those for this prior: its own uncertainty is not in them.
    confidence : float
        Coverage of intervals and bands, in (0, 1).

    Returns
    -------
    DecisionCurve or pandas.DataFrame
        A data frame if one of the arguments is from pandas.

    Raises
    ------
    ValueError
        As `opchar.spaces.decision_curve.believed_net_benefit`, for thresholds that do not ascend,
        and for less than two objects of a class.

    Notes
    -----
    Wilson's intervals of both rates are joined by Zou and Donner's method; the band's width is the
    quantile of the largest deviation, see `opchar.statistics.rate_curves`.

    Examples
    --------
    >>> y_true, y_score = [1, 0, 1, 0, 0] * 10, [0.9, 0.8, 0.7, 0.3, 0.2] * 10
    >>> curve = decision_curve(y_true, y_score, threshold=[0.25, 0.5])
    >>> curve.net_benefit.round(4).tolist(), curve.best.round(4).tolist()
    ([0.2667, 0.2], [0.3333, 0.2])
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    at = _thresholds_from(threshold)
    share = points.prior if prior is None else float(probabilities(prior, "prior"))
    value = believed_net_benefit(points, at, share)
    curves = _curves(y_true, [y_score], pos_label, sample_weight, at)
    ends = _ends(curves.band(_value(share, at), generator(0, "decision curve"), confidence))
    best = best_net_benefit(points, at, share)
    found = DecisionCurve(at, value, *ends, best, net_benefit(1.0, 1.0, share, at))
    return as_given(found, y_true, y_score)


@accept_old_arguments(level="confidence")
def decision_curve_difference(
    y_true: ArrayLike,
    y_score: ArrayLike,
    other_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    threshold: ArrayLike | None = None,
    prior: float | None = None,
    confidence: float = 0.95,
) -> DecisionDifference | Any:
    """Return the net benefit of one model less that of another on the same objects.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, threshold, prior, confidence
        See `decision_curve`.
    other_score : array_like of float, shape (n,)
        Probabilities of the other model, whose net benefit is taken away.

    Returns
    -------
    DecisionDifference or pandas.DataFrame
        Where the band excludes zero, one model is better, whichever thresholds were looked at.

    Raises
    ------
    ValueError
        As `decision_curve`.

    Examples
    --------
    >>> y_true = [1, 0, 1, 0, 0] * 10
    >>> first, second = [0.9, 0.8, 0.7, 0.3, 0.2] * 10, [0.6, 0.1, 0.2, 0.3, 0.4] * 10
    >>> found = decision_curve_difference(y_true, first, second, threshold=[0.5])
    >>> found.difference.round(4).tolist()
    [0.0]
    """
    at = _thresholds_from(threshold)
    given: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight}
    both = [points_of(y_true, score, **given) for score in (y_score, other_score)]
    share = both[0].prior if prior is None else float(probabilities(prior, "prior"))
    first, second = (believed_net_benefit(points, at, share) for points in both)
    curves = _curves(y_true, [y_score, other_score], pos_label, sample_weight, at)
    rng = generator(0, "decision curve")
    ends = _ends(curves.differences(_value(share, at), [(0, 1)], rng, confidence))
    return as_given(DecisionDifference(at, first - second, *ends), y_true, y_score, other_score)


def _thresholds_from(threshold: ArrayLike | None) -> Floats:
    at = GRID if threshold is None else np.atleast_1d(floats(threshold, "threshold"))
    if at.ndim != 1 or not len(at) or not ((at > 0) & (at < 1)).all() or (np.diff(at) <= 0).any():
        raise ValueError("threshold probabilities lie in (0, 1) and ascend")
    return at


def _curves(
    y_true: ArrayLike,
    scores: list[ArrayLike],
    pos_label: Any,
    sample_weight: ArrayLike | None,
    at: Floats,
) -> RateCurves:
    """Return the rates at thresholds that were given, not chosen, with their covariance."""
    check_same_index(y_true, *scores, sample_weight)
    labels = label_vector(y_true)
    is_positive = labels == positive_label(labels, pos_label)
    if sample_weight is not None:  # an object of weight zero is none, also in the widths
        weight = floats(sample_weight, "sample_weight")
        if weight.shape == labels.shape and (weight == 0).any():
            there = weight != 0
            is_positive, sample_weight = is_positive[there], weight[there]
            scores = [floats(score, "score")[there] for score in scores]
    models = [rank_scores(is_positive, score, sample_weight) for score in scores]
    # Along the conditions of rate curves more and more objects are accepted.
    descending = at[::-1][None]
    chosen = [_as_cross_fitted(model, descending) for model in models]
    fold = np.zeros(len(is_positive), dtype=np.intp)
    return rate_curves(models, chosen, [descending] * len(models), fold)


def _as_cross_fitted(model: Ranked, thresholds: Floats) -> CrossFitted:
    """Return what given thresholds do, as if each had been chosen on other objects."""
    totals = np.array([part.sum() for part in model.counts])[:, None]
    tpr, fpr = model.accepted_weights(thresholds[0], model.counts) / totals
    return CrossFitted(thresholds, tpr, fpr, thresholds[0], tpr, fpr)


def _value(prior: float, at: Floats) -> Value:
    return lambda tpr, fpr: net_benefit(tpr, fpr, prior, at[::-1])


def _ends(bands: Bands) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the ends of intervals and band with thresholds ascending again."""
    low, high, band_low, band_high = (
        part[0, ::-1] for part in (bands.low, bands.high, bands.band_low, bands.band_high)
    )
    return low, high, band_low, band_high
