"""Thresholds that keep limits on several rates at once for the scorer that made the scores."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats, label_vector
from opchar.spaces.scored.sample import check_one_score, check_same_index, positive_label
from opchar.statistics.proportions import guaranteed_threshold

Floats = NDArray[np.float64]
# Places at which precision is tested: one for so many objects, at least and at most so many.
OBJECTS_A_PLACE, FEWEST_PLACES, MOST_PLACES = 25, 8, 200


class Control(NamedTuple):
    """The thresholds that keep all limits with the stated confidence."""

    threshold: float
    lowest: float
    highest: float


def controlled_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    max_fpr: float | None = None,
    max_fnr: float | None = None,
    min_precision: float | None = None,
    max_alert_rate: float | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
) -> Control:
    """Return the threshold that keeps limits on the rates of all future objects.

    The limits are kept by the scorer that made the scores, and by no other: one that is retrained,
    on these objects too, has another distribution of scores.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels of objects that the scorer was not trained on, drawn independently as those of use
        will be. For limits on `max_fpr` and `max_fnr` alone, the share of positives may differ.
    y_score : array_like of float, shape (n,)
        Higher means more positive.
    max_fpr, max_fnr : float, optional
        Largest rate of accepted negatives, and of missed positives, in (0, 1).
    min_precision : float, optional
        Least share of positives among the accepted objects, in (0, 1).
    max_alert_rate : float, optional
        Largest share of accepted objects among all, in (0, 1): 50 a day of 2,000 are 0.025.
    pos_label : object, optional
        The positive class; when not given, as `opchar.points_of` says.
    confidence : float
        Probability, over draws of such a sample, that all limits are kept; in (0, 1).

    Returns
    -------
    Control
        The threshold, and for each limit the bound that is kept.

    Raises
    ------
    ValueError
        Without a limit, for numbers out of range or NaN among the scores, and when no threshold
        keeps all limits with this confidence, as above a score of infinity.

    Notes
    -----
    Objects have no weights here: the binomial distribution assumes objects drawn alike.

    Limits on FPR, FNR and alert rate: the order statistic whose rate is within the limit by the
    binomial distribution, exact whatever the scores are. FPR and alert rate both fall with the
    threshold: testing thresholds from infinity downwards in a fixed sequence, each for both limits,
    keeps both without a correction.

    Precision is not monotone. It is tested at up to `MOST_PLACES` places among the ordered scores,
    which are set before any label is seen. Each test uses the binomial distribution of the
    positives strictly above the place. Given the threshold, the objects above it are independent
    draws, so each test is exact. The places have equal shares of the error and are tested from the
    fewest accepted objects up; one that is found precise hands its share to the next (fallback
    procedure). A limit on the alert rate does not look at labels: its threshold is the last place,
    and has half of the error. With thresholds that are fixed beforehand this keeps the confidence
    whatever precision does. Ours move with the scores. Let positives grow rarer as scores fall.
    Then objects between the last place that keeps the limit and the first that breaks it are
    positive less often than the limit asks. So the first false place still passes with no more than
    its share. Where they do not, the tests of this module count how often it is broken. Limits of
    different kinds share the error.

    References
    ----------
    Tong, Feng and Li, Science Advances 4, 2018 (umbrella algorithm); Angelopoulos, Bates, Candes,
    Jordan and Lei, Annals of Applied Statistics 19, 2025 (learn then test); Wiens, Pharmaceutical
    Statistics 2, 2003 (fallback procedure).

    Examples
    --------
    >>> y_true, y_score = [0] * 100 + [1] * 100, [*range(100), *range(60, 160)]
    >>> controlled_threshold(y_true, y_score, max_fpr=0.1).threshold > 94
    True
    >>> found = controlled_threshold(y_true, y_score, max_fpr=0.2, max_fnr=0.6)
    >>> 80 < found.lowest < found.highest < 120
    True
    """
    limits = {
        "max_fpr": max_fpr,
        "max_fnr": max_fnr,
        "min_precision": min_precision,
        "max_alert_rate": max_alert_rate,
    }
    found = find_control(*_check_scores(y_true, y_score, pos_label), limits, confidence)
    if not np.isfinite(found.threshold):
        decision = "none" if found.threshold > 0 else "all"
        warnings.warn(
            f"only accepting {decision} keeps the limit with this confidence; relax the limit or "
            "give more objects",
            UserWarning,
            stacklevel=2,
        )
    return found


def find_control(
    is_positive: NDArray[np.bool_],
    score: Floats,
    limits: Mapping[str, float | None],
    confidence: float = 0.95,
) -> Control:
    """Return what `controlled_threshold` does, without a warning where only one decision is left.

    Shapes: `is_positive` and `score` (n,).
    """
    max_fpr, max_fnr, min_precision, max_alert_rate = (
        limits.get(name) for name in ("max_fpr", "max_fnr", "min_precision", "max_alert_rate")
    )
    upper = max_fpr is not None or max_alert_rate is not None
    kinds = upper + (max_fnr is not None) + (min_precision is not None)
    if not kinds:
        raise ValueError("give a limit: max_fpr, max_fnr, min_precision or max_alert_rate")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie in (0, 1), got {confidence}")
    share = 1 - (1 - confidence) / kinds
    lowest, highest, alerts = -np.inf, np.inf, -np.inf
    if max_alert_rate is not None:
        lowest = alerts = _lowest(score, max_alert_rate, share)
    if max_fpr is not None:
        lowest = max(lowest, _lowest(score[~is_positive], max_fpr, share))
    if max_fnr is not None:
        highest = -guaranteed_threshold(-score[is_positive], max_fnr, share)
    if min_precision is not None:
        lowest = _precise(is_positive, score, min_precision, share, (lowest, alerts))
    if lowest == np.inf and np.isposinf(score).any():
        raise ValueError(
            "only accepting none keeps the limits, and no threshold lies above an infinite score; "
            "give finite scores, such as ranks"
        )
    if lowest > highest:
        least = "by accepting none" if lowest == np.inf else f"from {lowest:.6g} up"
        most = "by accepting all" if highest == -np.inf else f"up to {highest:.6g}"
        raise ValueError(
            f"no threshold keeps all limits with this confidence: one is kept only {least}, "
            f"another only {most}; relax a limit or give more objects"
        )
    only_misses = not upper and min_precision is None
    return Control(highest if only_misses else lowest, lowest, highest)


def allowed_beyond(size: int, limit: float, confidence: float = 0.95) -> int:
    """Return how many objects of a sample may lie beyond a threshold that keeps a limit."""
    at = guaranteed_threshold(np.arange(size), limit, confidence)
    return size - 1 - int(at) if np.isfinite(at) else -1


def _lowest(score: Floats, limit: float, confidence: float) -> float:
    """Return the lowest threshold above which at most `limit` of such objects lie."""
    at = guaranteed_threshold(score, limit, confidence)
    return float(np.nextafter(at, np.inf))


def _precise(
    is_positive: NDArray[np.bool_],
    score: Floats,
    least: float,
    confidence: float,
    floors: tuple[float, float],
) -> float:
    """Return the lowest threshold that is found precise enough.

    It is at least the first of the lower limits. The other one, set without labels, ends the
    places.
    """
    from scipy.stats import binom

    if not 0 < least < 1:
        raise ValueError(f"min_precision must lie in (0, 1), got {least}")
    floor, last = floors
    order = np.argsort(-score, kind="stable")
    descending = score[order]
    number = int(np.count_nonzero(score >= last))
    places = int(np.clip(number // OBJECTS_A_PLACE, FEWEST_PLACES, MOST_PLACES))
    bounded = last > -np.inf
    share = (1 - confidence) * (0.5 if bounded else 1.0) / places
    fewest = int(np.ceil(np.log(share) / np.log(least)))
    if bounded and number:
        fewest = min(fewest, number)
    if not 0 < fewest <= number:
        return np.inf
    sizes = np.unique(np.geomspace(fewest, number, places).round().astype(int))
    shares = np.full(len(sizes), share)
    shares[-1] += (1 - confidence) / 2 if bounded else 0.0
    below = np.append(descending, -np.inf)[sizes]
    accepted = np.searchsorted(-descending, -below, side="left")
    found = np.append(0, np.cumsum(is_positive[order]))[accepted]
    chances = binom.sf(found - 1, accepted, least)
    best, level = np.inf, 0.0
    for threshold, chance, own in zip(below.tolist(), chances.tolist(), shares, strict=True):
        level += own
        if chance > level:
            level = 0.0
        elif threshold == -np.inf or np.nextafter(threshold, np.inf) >= floor:
            best = float(np.nextafter(threshold, np.inf)) if threshold > -np.inf else threshold
    return best


def _check_scores(
    y_true: ArrayLike, y_score: ArrayLike, pos_label: Any
) -> tuple[NDArray[np.bool_], Floats]:
    check_same_index(y_true, y_score)
    check_one_score(y_score)
    labels, score = label_vector(y_true), floats(y_score, "y_score")
    if labels.ndim != 1 or labels.shape != score.shape or not len(labels):
        raise ValueError(f"labels and scores differ: shapes {labels.shape} and {score.shape}")
    if np.isnan(score).any():
        raise ValueError("a score is NaN; it cannot be ranked")
    return labels == positive_label(labels, pos_label), score
