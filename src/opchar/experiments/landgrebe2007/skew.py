"""Accuracy and precision of one operating point as classes become skewed (Sec. 2.3.1)."""

from __future__ import annotations

import numpy as np

from opchar.datasets.generators import highleyman
from opchar.models.gaussian import ldc
from opchar.results import Results
from opchar.seeds import Spawn
from opchar.spaces.precision_recall import precision


def accuracy_and_precision(
    *,
    spawn: Spawn,
    objects: int,
    test_objects: int,
    positive: int,
    skews: list[float],
    steps: int,
    negligible: float,
) -> Results:
    """Follow accuracy and precision of a linear discriminant on Highleyman's classes over the skew.

    Parameters
    ----------
    spawn : callable
        Generators by name.
    objects, test_objects : int
        A class.
    positive : {1, 2}
        Which class is the positive one.
    skews : [low, high]
        Range of the skew, negative objects over positive ones.
    steps : int
        Points of the curves, evenly spaced in the logarithm of the skew.
    negligible : float
        A change of accuracy below this counts as none.

    Returns
    -------
    Results
        figure-2.4; curve ``skew``.

    References
    ----------
    landgrebe2007, Sec. 2.3.1 and Eq. 2.7.
    """
    results = Results()
    classifier = ldc().fit(*highleyman([objects, objects], spawn("training")))
    X, y = highleyman([test_objects, test_objects], spawn("test"))
    accepted = classifier.predict(X) == positive - 1
    is_positive = y == positive - 1
    tpr, fpr = float(accepted[is_positive].mean()), float(accepted[~is_positive].mean())
    skew = np.geomspace(skews[0], skews[1], steps)
    curves = {
        "skew": skew,
        "accuracy": _accuracy(tpr, fpr, skew),
        "precision": precision(tpr, fpr, 1 / (1 + skew)),
    }
    results.curve("skew", curves)
    for name, rate in (("TP_r", tpr), ("TN_r", 1 - fpr)):
        results.number("figure-2.4", "linear discriminant", name, rate, unit="rate")
    for place, row in ((0, f"skew {skews[0]:g}"), (-1, f"skew {skews[1]:g}")):
        for name in ("accuracy", "precision"):
            results.number("figure-2.4", row, name, float(curves[name][place]), unit="rate")
    last = float(skew[-1])
    gap = abs(float(curves["accuracy"][-1]) - (1 - fpr))
    halved = tpr / 2
    lost = float(curves["accuracy"][-1] - _accuracy(halved, fpr, np.array(last)))
    before, after = (float(precision(rate, fpr, 1 / (1 + last))) for rate in (tpr, halved))
    results.claim(
        "figure-2.4",
        "accuracy vs precision",
        gap < negligible and lost < negligible and after < 0.75 * before,
        f"TP_r {tpr:.3f}, TN_r {1 - fpr:.3f}; at a skew of {last:g} accuracy is {gap:.4f} from "
        f"TN_r; were half of the positives lost, accuracy would fall by {lost:.4f}, precision "
        f"from {before:.3f} to {after:.3f}",
    )
    return results


def _accuracy(tpr: float, fpr: float, skew: np.ndarray) -> np.ndarray:
    return (tpr + skew * (1 - fpr)) / (1 + skew)
