"""Error rates of a verification system over its threshold (tharwat2018, slides 69 to 72)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats
from opchar.arguments import scores as as_scores
from opchar.metrics.counts import Array
from opchar.spaces.det import equal_error_rate as rate_on_the_curve
from opchar.spaces.points import from_rates


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

    Raises
    ------
    ValueError
        For no scores, or NaN among scores or thresholds.
    """
    scores = _sort_scores(impostors)
    below = np.searchsorted(scores, _check_not_nan(thresholds, "thresholds"), side="left")
    return 1 - below / scores.size


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

    Raises
    ------
    ValueError
        For no scores, or NaN among scores or thresholds.
    """
    scores = _sort_scores(clients)
    return (
        np.searchsorted(scores, _check_not_nan(thresholds, "thresholds"), side="left") / scores.size
    )


def equal_error_rate(far: ArrayLike, frr: ArrayLike) -> float:
    """Return the rate at which false acceptance and false rejection are equal (slide 71).

    Parameters
    ----------
    far, frr : array_like, shape (n,)
        The two rates at the same thresholds, one falling while the other rises.

    Returns
    -------
    float
        Where the two are equal, on the line that joins neighbouring thresholds.

    Raises
    ------
    ValueError
        When the curves do not meet.
    """
    acceptance, rejection = floats(far, "far"), floats(frr, "frr")
    if acceptance.shape != rejection.shape or acceptance.ndim != 1:
        raise ValueError("far and frr must be equally long vectors")
    gap = acceptance - rejection
    if not gap.size or gap.min() > 0 or gap.max() < 0:
        raise ValueError("far and frr do not meet within the thresholds given")
    return rate_on_the_curve(from_rates(1 - rejection, acceptance)).rate


def _sort_scores(scores: ArrayLike) -> Array:
    values = np.sort(as_scores(scores))
    if values.ndim != 1 or not values.size:
        raise ValueError("scores must be a vector with at least one entry")
    return _check_not_nan(values, "scores")


def _check_not_nan(values: ArrayLike, name: str) -> Array:
    """Return numbers none of which is NaN: it is neither above nor below anything."""
    found = floats(values, name)
    if np.isnan(found).any():
        raise ValueError(f"{name} must not be NaN")
    return found
