"""Thinning a test set, so that its classes have another prior."""

from __future__ import annotations

import numpy as np


def subsample_to_prior(
    is_positive: np.ndarray, prior: float, rng: np.random.Generator
) -> np.ndarray:
    """Draw the largest sample in which the positive class has a given share.

    Parameters
    ----------
    is_positive : ndarray of bool, shape (n,)
        At least one object of each class.
    prior : float
        Share of the positive class, in (0, 1).
    rng : numpy.random.Generator
        Source of all random numbers.

    Returns
    -------
    ndarray of int
        Rows, drawn without replacement, with at least one of each class.

    Raises
    ------
    ValueError
        If a class has no objects, or the prior is not in (0, 1).

    Examples
    --------
    >>> labels = np.array([True, True, False, False, False, False])
    >>> labels[subsample_to_prior(labels, 0.5, np.random.default_rng(0))].mean()
    np.float64(0.5)
    """
    if not 0 < prior < 1:
        raise ValueError(f"prior must lie between 0 and 1, not be {prior:g}")
    positives, negatives = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
    if not len(positives) or not len(negatives):
        raise ValueError("is_positive has one class only; both are needed")
    size = min(len(positives) / prior, len(negatives) / (1 - prior))
    wanted = max(round(size * prior), 1), max(round(size * (1 - prior)), 1)
    drawn = [
        rng.permutation(rows)[:n] for rows, n in zip((positives, negatives), wanted, strict=True)
    ]
    return np.sort(np.concatenate(drawn))
