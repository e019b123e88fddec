"""ROC space: its four corners, tied scores, areas, and two curves that cross (slides 43 to 63)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.special import ndtr, ndtri

from opchar.experiments.tharwat2018.threshold import as_sample
from opchar.metrics.counts import Array
from opchar.metrics.rates import fpr, tpr
from opchar.results import Results
from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc


def corners(*, samples: int, tied: dict[str, list[float]]) -> Results:
    """Place the four extreme classifiers and the three readings of tied scores.

    Parameters
    ----------
    samples : int
        Samples of each class behind the corners.
    tied : dict of str to list of float
        ``positive`` and ``negative`` scores with ties between the classes.

    Returns
    -------
    Results
        ``figure-roc-points`` and the curve of ``figure-roc-perfect``.
    """
    results = Results()
    n = samples
    classifiers = {
        "A (0,0)": ((0, n, 0, n), "no positive is called, no negative missed"),
        "B (0,1)": ((n, 0, 0, n), "everything right"),
        "C (1,1)": ((n, 0, n, 0), "all positives right, all negatives wrong"),
        "D (1,0)": ((0, n, n, 0), "everything wrong"),
    }
    for name, (counts, meaning) in classifiers.items():
        x, y = float(fpr(*counts)), float(tpr(*counts))
        results.claim(
            "figure-roc-points",
            name,
            f"({x:g},{y:g})" in name,
            f"{meaning}: TP, FN, FP, TN = {counts} lie at FPR {x:g}, TPR {y:g}",
        )
        results.curve("corners", {"name": name[0], "fpr": [x], "tpr": [y]})
    _tied(results, tied)
    perfect = operating_points([True] * n + [False] * n, np.arange(2 * n, 0, -1))
    results.curve("perfect", {"fpr": perfect.fpr, "tpr": perfect.tpr})
    results.number("figure-roc-perfect", "perfect", "AUC", auc(perfect), unit="area")
    return results


def _tied(results: Results, tied: dict[str, list[float]]) -> None:
    labels, scores = as_sample(tied["positive"], tied["negative"])
    readings = {
        "optimistic": break_ties(labels, scores, positives_first=True),
        "pessimistic": break_ties(labels, scores, positives_first=False),
        "expected": scores,
    }
    areas = {}
    for name, values in readings.items():
        points = operating_points(labels, values)
        areas[name] = auc(points)
        results.curve("tied", {"reading": name, "fpr": points.fpr, "tpr": points.tpr})
        results.number("figure-roc-points", name, "AUC", areas[name], unit="area")
    middle = (areas["optimistic"] + areas["pessimistic"]) / 2
    results.claim(
        "figure-roc-points",
        "expected is the mean of optimistic and pessimistic",
        abs(areas["expected"] - middle) < 1e-12,
        f"areas {areas['pessimistic']:.3f}, {areas['expected']:.3f}, {areas['optimistic']:.3f}",
    )


def break_ties(is_positive: np.ndarray, score: Array, *, positives_first: bool) -> Array:
    """Return ranks that order tied samples by class, so that no scores are equal.

    Parameters
    ----------
    is_positive : numpy.ndarray of bool, shape (n,)
        Labels.
    score : numpy.ndarray, shape (n,)
        Scores with ties.
    positives_first : bool
        Whether the positives of a tie come out on top (the optimistic ROC segment).

    Returns
    -------
    numpy.ndarray, shape (n,)
        Higher is more positive.
    """
    of_class = is_positive if positives_first else ~is_positive
    order = np.lexsort((of_class, score))
    ranks = np.empty(len(score))
    ranks[order] = np.arange(len(score))
    return ranks


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
        ``text-auc`` and ``figure-auc-two``, with the curves of ``figure-auc``.
    """
    results = Results()
    labels, scores = as_sample(positive_scores, negative_scores)
    example = operating_points(labels, scores)
    results.number("figure-auc", "20 samples", "AUC", auc(example), unit="area")
    results.curve("example", {"fpr": example.fpr, "tpr": example.tpr})
    _bounds(results, order_size)
    _crossing(results, spread, separation, crossing, points)
    return results


def _bounds(results: Results, size: int) -> None:
    places = np.arange(2 * size)
    found, reversed_ = [], []
    for chosen in combinations(range(2 * size), size):
        labels = np.isin(places, chosen)
        found.append(auc(operating_points(labels, places)))
        reversed_.append(auc(operating_points(labels, -places)))
    area, turned = np.array(found), np.array(reversed_)
    inside = bool((area >= 0).all() and (area <= 1).all())
    mendable = bool(np.allclose(area + turned, 1))
    results.claim(
        "text-auc",
        "bounds",
        inside and mendable,
        f"all {area.size} orders of {size}+{size} samples have an AUC in [{area.min():g}, "
        f"{area.max():g}]; {(area < 0.5).sum()} of them are below 0.5, and each of these is above "
        "it once its scores are turned round, which is why no realistic classifier stays there",
    )


def binormal_roc(false_positive_rate: Array, mean: float, spread: float) -> Array:
    """Return the TPR of normal scores against standard normal negatives.

    Parameters
    ----------
    false_positive_rate : numpy.ndarray
        In [0, 1].
    mean, spread : float
        Mean and standard deviation of the positives' scores.

    Returns
    -------
    numpy.ndarray
        In [0, 1].
    """
    return ndtr((mean + ndtri(false_positive_rate)) / spread)


def _crossing(
    results: Results, spread: dict[str, float], separation: float, crossing: float, points: int
) -> None:
    at = float(ndtri(crossing))
    means = {"B": separation, "A": (separation + at) * spread["A"] / spread["B"] - at}
    grid = np.linspace(0, 1, points)
    curves = {name: binormal_roc(grid, means[name], spread[name]) for name in ("A", "B")}
    exact = {name: float(ndtr(means[name] / np.hypot(1, spread[name]))) for name in curves}
    for name, curve in curves.items():
        results.curve("two", {"classifier": name, "fpr": grid, "tpr": curve})
        results.number("figure-auc-two", name, "AUC", exact[name], unit="area")
    inner = (grid > 0) & (grid < 1)
    lead = (curves["A"] - curves["B"])[inner]
    changes = np.flatnonzero(np.diff(np.sign(lead)) != 0)
    place = int(changes[0])
    met = float(np.interp(0, lead[place : place + 2], grid[inner][place : place + 2]))
    above = lead[grid[inner] > met]
    below = lead[grid[inner] < met]
    results.number("figure-auc-two", "A slightly better above", "FPR", met, unit="FPR")
    results.claim(
        "figure-auc-two",
        "classifiers A and B",
        bool(exact["B"] > exact["A"] and (above > 0).all() and (below < 0).all()),
        f"AUC {exact['A']:.3f} for A and {exact['B']:.3f} for B; B leads by up to "
        f"{-below.min():.3f} below FPR {met:.2f}, A by up to {above.max():.3f} above; the score "
        "distributions are ours, made to cross there",
    )
