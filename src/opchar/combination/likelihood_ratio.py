"""The best ROC that any combination of crisp decisions can have: order by likelihood ratio."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from opchar.spaces.points import OperatingPoints, operating_points


@dataclass(frozen=True)
class LikelihoodRatio:
    """A combination by the likelihood ratio of joint outcomes.

    Parameters
    ----------
    outcomes : ndarray, shape (k, K)
        The distinct joint outcomes of K detectors in the fitting sample.
    ratio : ndarray of float, shape (k,)
        ``P(outcome | +) / P(outcome | -)`` of each; infinite where no negative has it.
    """

    outcomes: np.ndarray
    ratio: np.ndarray

    def score(self, outcomes: ArrayLike) -> np.ndarray:
        """Return the likelihood ratio of new samples, 1 for an outcome never seen in fitting.

        Parameters
        ----------
        outcomes : array_like, shape (n, K)

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        ValueError
            If the number of detectors differs from that in fitting.
        """
        new = _table(outcomes)
        if new.shape[1] != self.outcomes.shape[1]:
            raise ValueError(f"fitted on {self.outcomes.shape[1]} detectors, got {new.shape[1]}")
        seen = zip(map(tuple, self.outcomes.tolist()), self.ratio.tolist(), strict=True)
        ratios = dict(seen)
        return np.array([ratios.get(tuple(outcome), 1.0) for outcome in new.tolist()])


def likelihood_ratio(
    outcomes: ArrayLike, is_positive: ArrayLike, *, smoothing: float = 0.0
) -> LikelihoodRatio:
    """Fit the likelihood-ratio combination of crisp detectors.

    Parameters
    ----------
    outcomes : array_like, shape (M, K)
        Decisions (or any discrete outputs) of K detectors on M samples.
    is_positive : array_like of bool, shape (M,)
    smoothing : float
        Added to the count of every seen outcome in each class; 0 gives the reference that no
        combination of these detectors can exceed on the same sample.

    Returns
    -------
    LikelihoodRatio

    Raises
    ------
    ValueError
        If shapes differ, a class is missing or `smoothing` is negative.

    References
    ----------
    Barreno, Cardenas and Tygar, "Optimal ROC curve for a combination of classifiers", NIPS 2007.

    Examples
    --------
    >>> fitted = likelihood_ratio([[1, 1], [1, 0], [1, 0], [0, 0]], [True, True, False, False])
    >>> fitted.score([[1, 1], [1, 0], [0, 0], [0, 1]]).tolist()
    [inf, 1.0, 0.0, 1.0]
    """
    table, labels = _table(outcomes), np.asarray(is_positive, dtype=bool)
    if labels.shape != (len(table),):
        raise ValueError(f"{len(table)} outcomes, but labels of shape {labels.shape}")
    if not labels.any() or labels.all():
        raise ValueError("a likelihood ratio needs samples of both classes")
    if smoothing < 0:
        raise ValueError(f"smoothing must not be negative, got {smoothing}")
    seen, place = np.unique(table, axis=0, return_inverse=True)
    place = place.reshape(-1)
    positive = np.bincount(place[labels], minlength=len(seen)) + smoothing
    negative = np.bincount(place[~labels], minlength=len(seen)) + smoothing
    never_negative = np.full(len(seen), np.inf)
    ratio = np.divide(
        positive * negative.sum(),
        negative * positive.sum(),
        out=never_negative,
        where=negative > 0,
    )
    return LikelihoodRatio(seen, ratio)


def likelihood_ratio_roc(outcomes: ArrayLike, is_positive: ArrayLike) -> OperatingPoints:
    """Return the best operating points that any rule on these joint outcomes has on this sample.

    Parameters
    ----------
    outcomes : array_like, shape (M, K)
    is_positive : array_like of bool, shape (M,)

    Returns
    -------
    OperatingPoints
        A concave curve: its slopes are the likelihood ratios, in descending order.
    """
    fitted = likelihood_ratio(outcomes, is_positive)
    return operating_points(is_positive, fitted.score(outcomes))


def _table(outcomes: ArrayLike) -> np.ndarray:
    table = np.asarray(outcomes)
    if table.ndim != 2 or not table.size:
        raise ValueError(f"outcomes must be a table (samples, detectors), got shape {table.shape}")
    return table
