"""ROC space: its four corners, tied scores and the perfect curve (tharwat2018, slides 43 to 45)."""

from __future__ import annotations

from typing import get_args

import numpy as np

from opchar.experiments.tharwat2018.thresholds import as_sample
from opchar.metrics.counts import Counts
from opchar.metrics.indices.rates import fpr, tpr
from opchar.results import Results
from opchar.spaces.points import operating_points
from opchar.spaces.roc import Ties, auc, resolve_ties

FIGURE = "figure-roc-points"


def corners(*, samples: int, tied: dict[str, list[float]]) -> Results:
    """Place the four extreme classifiers and the three readings of tied scores.

    Parameters
    ----------
    samples : int
        Samples of each class.
    tied : dict of str to list of float
        ``positive`` and ``negative`` scores with ties between the classes.

    Returns
    -------
    Results
        ``figure-roc-points`` and the curve of ``figure-roc-perfect``; the frame ``matrices`` holds
        the place of every confusion matrix of so many samples in ROC space.
    """
    results = Results()
    _matrices(results, samples)
    _corners(results, samples)
    _tied(results, tied)
    perfect = operating_points([True] * samples + [False] * samples, np.arange(2 * samples, 0, -1))
    results.curve("perfect", {"fpr": perfect.fpr, "tpr": perfect.tpr})
    results.number("figure-roc-perfect", "perfect", "AUC", auc(perfect), unit="area")
    return results


def _matrices(results: Results, samples: int) -> None:
    called = np.arange(samples + 1.0)
    tp, fp = (grid.ravel() for grid in np.meshgrid(called, called, indexing="ij"))
    counts = Counts(tp, samples - tp, fp, samples - fp)
    results.curve("matrices", counts._asdict() | {"fpr": fpr(*counts), "tpr": tpr(*counts)})


def _corners(results: Results, n: int) -> None:
    classifiers = {
        "A": (0, n, 0, n),
        "B": (n, 0, 0, n),
        "C": (n, 0, n, 0),
        "D": (0, n, n, 0),
    }
    for name, counts in classifiers.items():
        x, y = float(fpr(*counts)), float(tpr(*counts))
        results.curve("corners", {"name": name, "fpr": [x], "tpr": [y]})


def _tied(results: Results, tied: dict[str, list[float]]) -> None:
    points = operating_points(*as_sample(tied["positive"], tied["negative"]))
    for reading in get_args(Ties):
        curve = resolve_ties(points, reading)
        results.curve("tied", {"reading": reading, "fpr": curve.fpr, "tpr": curve.tpr})
        results.number(FIGURE, reading, "AUC", auc(curve), unit="area", basis="illustration")
