"""Error rates of a verification system over its threshold (tharwat2018, slides 69 to 72)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.metrics.counts import Array


def false_acceptance(impostors: ArrayLike, thresholds: ArrayLike) -> Array:
    """Return FAR, the fraction of impostors' scores at or above each threshold (slide 70).

    Parameters
    ----------
    impostors : array_like, shape (n,)
        Scores of people unknown to the system, at least one.
    thresholds : array_like, shape (...)
        Thresholds.

    Returns
    -------
    numpy.ndarray, shape (...)
        Falls from 1 to 0 as the threshold rises.
    """
    scores = _sorted(impostors)
    return 1 - np.searchsorted(scores, thresholds, side="left") / scores.size


def false_rejection(clients: ArrayLike, thresholds: ArrayLike) -> Array:
    """Return FRR, the fraction of clients' scores below each threshold (slide 71).

    Parameters
    ----------
    clients : array_like, shape (n,)
        Scores of people known to the system, at least one.
    thresholds : array_like, shape (...)
        Thresholds.

    Returns
    -------
    numpy.ndarray, shape (...)
        Rises from 0 to 1 with the threshold.
    """
    scores = _sorted(clients)
    return np.searchsorted(scores, thresholds, side="left") / scores.size


def equal_error_rate(far: ArrayLike, frr: ArrayLike) -> float:
    """Return the rate at which false acceptance and false rejection are equal (slide 71).

    Parameters
    ----------
    far, frr : array_like, shape (n,)
        The two rates at the same thresholds, in the order of the thresholds (rising or falling),
        from ``far >= frr`` to ``far <= frr`` or the reverse.

    Returns
    -------
    float
        Where the two are equal between neighbouring thresholds, on the line that joins the
        neighbours; the middle when they are equal on a stretch.

    Raises
    ------
    ValueError
        When the curves do not meet.
    """
    acceptance, rejection = np.asarray(far, np.float64), np.asarray(frr, np.float64)
    if acceptance.shape != rejection.shape or acceptance.ndim != 1:
        raise ValueError("far and frr must be equally long vectors")
    gap = acceptance - rejection
    if gap.size and gap[0] < gap[-1]:
        gap, acceptance = gap[::-1], acceptance[::-1]
    if not gap.size or gap[0] < 0 or gap[-1] > 0:
        raise ValueError("far and frr do not meet within the thresholds given")
    if (gap == 0).any():
        meeting = acceptance[gap == 0]
        return float((meeting.min() + meeting.max()) / 2)
    after = int(np.argmax(gap < 0))
    before = after - 1
    step = gap[before] / (gap[before] - gap[after])
    return float(acceptance[before] + step * (acceptance[after] - acceptance[before]))


def _sorted(scores: ArrayLike) -> Array:
    values = np.sort(np.asarray(scores, np.float64))
    if values.ndim != 1 or not values.size:
        raise ValueError("scores must be a vector with at least one entry")
    return values
