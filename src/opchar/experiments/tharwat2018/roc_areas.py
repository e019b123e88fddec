"""Areas under ROC curves, and two curves that cross (tharwat2018, slides 61 and 62)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.special import ndtri

from opchar.experiments.tharwat2018.thresholds import as_sample
from opchar.results import Results
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc, binormal_auc, binormal_roc

TWO = "figure-auc-two"


def areas(
    *,
    positive_scores: list[float],
    negative_scores: list[float],
    order_size: int,
    spread: dict[str, float],
    separation: float,
    crossing: float,
    points: int,
) -> Results:
    """Compute areas under ROC curves: of the samples, of all orders, of two crossing classifiers.

    Parameters
    ----------
    positive_scores, negative_scores : list of float
        The tutorial's samples.
    order_size : int
        Every order of so many positives and as many negatives is tried for the bounds of the AUC.
    spread : dict of str to float
        Standard deviation of the positives' scores of classifiers ``A`` and ``B``; the negatives'
        scores are standard normal.
    separation : float
        Mean of the positives' scores of classifier B.
    crossing : float
        FPR at which the curves are made to cross, which fixes the mean of A.
    points : int
        Resolution of the two curves.

    Returns
    -------
    Results
        ``figure-auc`` and ``figure-auc-two``; the frame ``orders`` holds the area of every order of
        the samples and of its reverse.
    """
    results = Results()
    labels, scores = as_sample(positive_scores, negative_scores)
    example = operating_points(labels, scores)
    results.number("figure-auc", "20 samples", "AUC", auc(example), unit="area")
    results.curve("example", {"fpr": example.fpr, "tpr": example.tpr})
    _orders(results, order_size)
    _crossing(results, spread, separation, crossing, points)
    return results


def _orders(results: Results, size: int) -> None:
    places = np.arange(2 * size)
    orders = [np.isin(places, chosen) for chosen in combinations(places, size)]
    results.curve(
        "orders",
        {
            "area": [auc(operating_points(labels, places)) for labels in orders],
            "reversed": [auc(operating_points(labels, -places)) for labels in orders],
        },
    )


def _crossing(
    results: Results, spread: dict[str, float], separation: float, crossing: float, points: int
) -> None:
    at = float(ndtri(crossing))
    means = {"B": separation, "A": (separation + at) * spread["A"] / spread["B"] - at}
    grid = np.linspace(0, 1, points)
    curves = {name: binormal_roc(grid, means[name], spread[name]) for name in ("A", "B")}
    for name, curve in curves.items():
        area = float(binormal_auc(means[name], spread[name]))
        results.curve("two", {"classifier": name, "fpr": grid, "tpr": curve, "auc": area})
        results.number(TWO, name, "AUC", area, unit="area", basis="illustration")
    inner = (grid > 0) & (grid < 1)
    lead = (curves["A"] - curves["B"])[inner]
    place = int(np.flatnonzero(np.diff(np.sign(lead)) != 0)[0])
    met = float(np.interp(0, lead[place : place + 2], grid[inner][place : place + 2]))
    results.number(TWO, "A slightly better above", "FPR", met, unit="FPR", basis="input")
