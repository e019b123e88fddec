"""Areas under ROC and precision-recall curves with intervals, and paired differences of two."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from opchar.arguments import label_vector
from opchar.retired import accept_old_arguments
from opchar.spaces.p_roc import exact_auprec
from opchar.spaces.points import checked_weights
from opchar.spaces.scored.sample import check_same_index, points_of, positive_label, prior_of
from opchar.statistics.areas import CONSTANT, Areas, areas, constant_difference, normal_quantile
from opchar.statistics.ranking import rank_scores
from opchar.statistics.resampling import GROUPS, Resampled


class AreaInterval(NamedTuple):
    """An area under a curve with its interval."""

    area: float
    low: float
    high: float


class AreaDifference(NamedTuple):
    """The first area less the second, with its interval."""

    difference: float
    low: float
    high: float
    p: float


def roc_auc_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    confidence: float = 0.95,
) -> AreaInterval:
    """Return the area under the ROC curve with an interval, by DeLong's method.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `opchar.points_of`.
    groups : array_like, shape (n,), optional
        Which objects depend on each other, as those of one patient; each group has one class.
    confidence : float
        Coverage of the interval, in (0, 1).

    Returns
    -------
    AreaInterval
        Symmetric in the logit of the area, see `opchar.statistics.areas.Areas.interval`.

    Raises
    ------
    ValueError
        As `opchar.points_of`, for a class of less than two groups, or a number out of range.

    Examples
    --------
    >>> found = roc_auc_interval([0] * 50 + [1] * 50, [*range(50), *range(30, 80)])
    >>> round(found.area, 2), round(found.low, 2), round(found.high, 2)
    (0.92, 0.85, 0.96)
    """
    found = _areas(y_true, [y_score], pos_label, sample_weight, groups)
    low, high = found.interval(confidence)
    return AreaInterval(float(found.areas[0]), float(low[0]), float(high[0]))


def roc_auc_difference(
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    confidence: float = 0.95,
) -> AreaDifference:
    """Return the difference of two areas under ROC curves of the same objects.

    Parameters
    ----------
    y_true, pos_label, sample_weight, groups, confidence
        See `roc_auc_interval`.
    first, second : array_like of float, shape (n,)
        Scores of both models, in the order of `y_true`.

    Returns
    -------
    AreaDifference
        Paired, by DeLong's method.

    Raises
    ------
    ValueError
        As `roc_auc_interval`.

    Examples
    --------
    >>> y_true = [0] * 50 + [1] * 50
    >>> found = roc_auc_difference(y_true, [*range(50), *range(30, 80)], [*range(100)])
    >>> round(found.difference, 2), found.p < 0.05
    (-0.08, True)
    """
    found = _areas(y_true, [first, second], pos_label, sample_weight, groups)
    return AreaDifference(*found.difference(0, 1, confidence))


@accept_old_arguments(repeats="resamples")
def pr_auc_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    prior: float | None = None,
    confidence: float = 0.95,
    resamples: int = 400,
    random_state: int | np.random.Generator | None = 0,
) -> AreaInterval:
    """Return the area under precision over recall with a bootstrap interval.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, groups, confidence
        See `roc_auc_interval`.
    prior : float, optional
        P(+) in use, in (0, 1]; that of the sample when not given.
    resamples : int
        Drawn within the classes, at least two.
    random_state : int, Generator or None
        Source of the resamples; the same number gives the same answer.

    Returns
    -------
    AreaInterval
        The area as `opchar.pr_auc` has it.

    Raises
    ------
    ValueError
        As `opchar.pr_auc`, for groups of both classes, or a number out of range.

    Examples
    --------
    >>> found = pr_auc_interval([0] * 50 + [1] * 50, [*range(50), *range(30, 80)])
    >>> found.low < found.area < found.high
    True
    """
    found, degrees = _resampled_areas(
        *(y_true, [y_score], pos_label, sample_weight, groups, prior, resamples, random_state)
    )
    low, high = found.share_interval(0, confidence, degrees)
    return AreaInterval(float(found.estimates[0]), low, high)


@accept_old_arguments(repeats="resamples")
def pr_auc_difference(
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    prior: float | None = None,
    confidence: float = 0.95,
    resamples: int = 400,
    random_state: int | np.random.Generator | None = 0,
) -> AreaDifference:
    """Return the difference of two areas under precision over recall of the same objects.

    Parameters
    ----------
    y_true, pos_label, sample_weight, groups, prior, confidence, resamples, random_state
        See `pr_auc_interval`.
    first, second : array_like of float, shape (n,)
        Scores of both models, in the order of `y_true`.

    Returns
    -------
    AreaDifference
        Paired: both models are drawn with the same objects. Interval and p are normal.

    Raises
    ------
    ValueError
        As `pr_auc_interval`.

    Examples
    --------
    >>> y_true = [0] * 50 + [1] * 50
    >>> pr_auc_difference(y_true, [*range(50), *range(30, 80)], [*range(100)]).high < 0
    True
    """
    found, degrees = _resampled_areas(
        *(y_true, [first, second], pos_label, sample_weight, groups, prior, resamples, random_state)
    )
    change = float(found.estimates[0] - found.estimates[1])
    error = float((found.draws[:, 0] - found.draws[:, 1]).std(ddof=1))
    if error <= CONSTANT:
        same = np.array_equal(np.asarray(first), np.asarray(second))
        return AreaDifference(*constant_difference(change, degrees + 1, confidence, same))
    reach = normal_quantile(confidence) * error
    p = float(2 * ndtr(-abs(change) / error))
    return AreaDifference(change, max(change - reach, -1.0), min(change + reach, 1.0), p)


def _areas(
    y_true: ArrayLike,
    scores: list[ArrayLike],
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
) -> Areas:
    check_same_index(y_true, *scores, sample_weight, groups)
    for each in scores:
        points_of(y_true, each, pos_label=pos_label, sample_weight=sample_weight)
    labels = label_vector(y_true)
    weight = None if sample_weight is None else checked_weights(sample_weight, len(labels))
    positive = labels == positive_label(labels, pos_label)
    unit = None if groups is None else _units(groups, positive)
    rows = [np.asarray(each, dtype=float) for each in scores]
    return areas(positive, rows, weight, unit)


def _units(groups: ArrayLike | None, positive: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the number of each object's group; each object is one where none are given."""
    if groups is None:
        return np.arange(len(positive))
    given = label_vector(groups, "groups")
    if given.shape != positive.shape:
        raise ValueError(f"groups needs one for each of {len(positive)} objects")
    unit = np.unique(given, return_inverse=True)[1]
    if (np.bincount(unit[positive], minlength=unit.max() + 1) > 0)[unit[~positive]].any():
        raise ValueError("a group has objects of both classes; the interval needs groups of one")
    return unit


def _resampled_areas(
    y_true: ArrayLike,
    scores: list[ArrayLike],
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    prior: float | None,
    repeats: int,
    random_state: int | np.random.Generator | None,
) -> tuple[Resampled, float]:
    """Return areas on the sample and on resamples, and the degrees of freedom."""
    if repeats < 2:
        raise ValueError(f"a bootstrap needs two or more resamples, got {repeats}")
    check_same_index(y_true, *scores, sample_weight, groups)
    labels = label_vector(y_true)
    positive = labels == positive_label(labels, pos_label)
    points = [
        points_of(y_true, each, pos_label=pos_label, sample_weight=sample_weight) for each in scores
    ]
    at = prior_of(points[0], prior)
    weight = np.ones(len(labels))
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(labels), exact=False).astype(float)
    models = [rank_scores(positive, each).join_groups(GROUPS) for each in scores]
    unit, rng = _units(groups, positive), np.random.default_rng(random_state)
    members = [np.unique(unit[own & (weight > 0)]) for own in (positive, ~positive)]
    draws = np.empty((repeats, len(models)))
    for repeat in range(repeats):
        times = np.zeros(int(unit.max()) + 1)
        for part in members:
            times[part] = rng.multinomial(len(part), np.full(len(part), 1 / len(part)))
        drawn = times[unit] * weight
        for m, model in enumerate(models):
            above, below = (
                np.bincount(model.rank, drawn * own, len(model.distinct)).astype(float)
                for own in (positive, ~positive)
            )
            draws[repeat, m] = exact_auprec(model.points((above, below)), at)
    estimates = np.array([exact_auprec(each, at) for each in points])
    return Resampled(estimates, draws), float(min(map(len, members)) - 1)
