"""Samples of scored objects, and Gaussian models of the scores of several classifiers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Sample = tuple[dict[str, np.ndarray], np.ndarray]


def gaussian_scores(
    rng: np.random.Generator,
    *,
    positives: int,
    negatives: int,
    shifts: Sequence[float],
    correlation: float,
) -> Sample:
    """Draw scores of soft classifiers: equally correlated Gaussians, positives shifted."""
    is_positive = np.arange(positives + negatives) < positives
    shared = np.sqrt(correlation) * rng.normal(size=len(is_positive))
    scores = {}
    for number, shift in enumerate(shifts, start=1):
        noise = np.sqrt(1 - correlation) * rng.normal(size=len(is_positive))
        scores[f"C{number}"] = shared + noise + shift * is_positive
    return scores, is_positive
