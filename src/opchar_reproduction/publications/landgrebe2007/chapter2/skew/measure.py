"""Accuracy and precision of one operating point as classes become skewed (Sec. 2.3.1)."""

import numpy as np

from opchar.scores import ScoreTable
from opchar.spaces.precision_recall import precision
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

DATA = "drawn from the classes of Highleyman"


@study(
    "skew",
    basis="simulation",
    scores=["highleyman-skew | drawn | ldc"],
    variants={"profiles": ["paper"], "frames": ["skew"]},
)
def accuracy_and_precision(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    positive: str = "w1",
    skews: list[float] = [1.0, 100.0],
    steps: int = 121,
) -> Results:
    """Follow accuracy and precision of a linear discriminant on Highleyman's classes over the skew.

    `skews`: Range of the skew, negative objects over positive ones.
    `steps`: Points of the curves, evenly spaced in the logarithm of the skew.

    landgrebe2007, Sec. 2.3.1 and Eq. 2.7.
    """
    results = Results()
    (table,) = scores.values()
    is_positive, log_odds = table.log_odds(positive)
    accepted = log_odds > 0
    tpr, fpr = float(accepted[is_positive].mean()), float(accepted[~is_positive].mean())
    skew = np.geomspace(skews[0], skews[1], steps)
    curves = {
        "skew": skew,
        "accuracy": (tpr + skew * (1 - fpr)) / (1 + skew),
        "precision": precision(tpr, fpr, 1 / (1 + skew)),
    }
    results.add_frame("skew", curves)
    for name, rate in (("TP_r", tpr), ("TN_r", 1 - fpr)):
        results.number("figure-2.4", "linear discriminant", name, rate, unit="rate", data=DATA)
    for index, row in ((0, f"skew {skews[0]:g}"), (-1, f"skew {skews[1]:g}")):
        for name in ("accuracy", "precision"):
            value = float(curves[name][index])
            results.number("figure-2.4", row, name, value, unit="rate", data=DATA)
    return results
