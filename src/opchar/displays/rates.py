"""Displays of one rate over another: ROC, precision-recall and DET space, errors over rejection."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullLocator
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from opchar.displays.base import ConditionDisplay
from opchar.spaces.points import OperatingPoints
from opchar.spaces.precision_recall import precision
from opchar.spaces.roc import with_corners

DEVIATES = 3.5
DET_TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)


class RocDisplay(ConditionDisplay):
    """TPR over FPR; several folds are averaged at equal FPR.

    References
    ----------
    landgrebe2007, Sec. 2.2; vertical averaging: Fawcett, Pattern Recognition Letters 27, 2006.

    Examples
    --------
    >>> display = RocDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> display.ax_.get_ylabel()
    'true positive rate'
    """

    x_label = "false positive rate"
    y_label = "true positive rate"

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the TPR of the straight-line ROC curve at given FPR, its top where it rises."""
        return highest_tpr(points, condition)


class DetDisplay(ConditionDisplay):
    """FNR over FPR on the scale of normal deviates; several folds are averaged at equal FPR.

    References
    ----------
    tharwat2018 (DET curve).

    Examples
    --------
    >>> display = DetDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> display.ax_.get_ylabel()
    'false negative rate'
    """

    x_label = "false positive rate"
    y_label = "false negative rate"

    @classmethod
    def grid(cls) -> np.ndarray:
        """Return the false positive rates, in even steps of their normal deviates."""
        return np.asarray(ndtr(np.linspace(-DEVIATES, DEVIATES, 701)))

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the FNR of the straight-line ROC curve at given FPR, the lowest where it falls."""
        return 1 - highest_tpr(points, condition)

    def _dress(self, ax: Axes) -> None:
        for axis, scale, limits in (
            (ax.xaxis, ax.set_xscale, ax.set_xlim),
            (ax.yaxis, ax.set_yscale, ax.set_ylim),
        ):
            scale("function", functions=(_deviate, ndtr))
            axis.set_major_locator(FixedLocator(DET_TICKS))
            axis.set_minor_locator(NullLocator())
            limits(float(ndtr(-DEVIATES)), float(ndtr(DEVIATES)))


class PrecisionRecallDisplay(ConditionDisplay):
    """Precision over recall under a prior; several folds are averaged at equal recall.

    Its option ``prior`` is the prior of each sample when not given. Between two thresholds the
    curve runs as the straight line of ROC space does.

    References
    ----------
    landgrebe2007, Sec. 2.3; soleymani2020, Sec. 2.2.

    Examples
    --------
    >>> display = PrecisionRecallDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> display.ax_.get_ylabel()
    'precision'
    """

    x_label = "recall"
    y_label = "precision"
    weights: ClassVar[dict[str, Any]] = {"prior": None}

    @classmethod
    def grid(cls) -> np.ndarray:
        """Return the recalls: 0, where precision is undefined, is left out."""
        return super().grid()[1:]

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the precision at given recalls, with the fewest false positives."""
        prior = points.prior if weights.get("prior") is None else weights["prior"]
        return precision(condition, least_fpr(points, condition), prior)


class RejectDisplay(ConditionDisplay):
    """Errors of what is accepted over the share that is rejected, for any number of classes.

    Predictions are posteriors, shape (n, C), with the classes in the order of their labels.

    References
    ----------
    landgrebe2007, Eq. 5.4, after Chow (1970).

    Examples
    --------
    >>> posteriors = [[0.1, 0.9], [0.6, 0.4], [0.4, 0.6], [0.8, 0.2]]
    >>> display = RejectDisplay.from_predictions([1, 0, 1, 0], posteriors)
    >>> display.ax_.get_ylabel()
    'error of the accepted'
    """

    x_label = "rejected"
    y_label = "error of the accepted"

    @classmethod
    def sample(cls, y_true: ArrayLike, y_score: ArrayLike, **given: Any) -> Any:
        """Return errors over rejection."""
        from opchar.reject.label_curve import (
            reject_curve,  # loads scikit-learn, which drawing need not
        )

        return reject_curve(np.asarray(y_true), np.asarray(y_score), **given)

    @classmethod
    def scores(cls, estimator: Any, X: Any, pos_label: Any) -> tuple[ArrayLike, dict[str, Any]]:
        """Return the posteriors of a fitted estimator."""
        if pos_label is not None:
            raise ValueError("errors over rejection count all classes: give no pos_label")
        return estimator.predict_proba(X), {"labels": estimator.classes_}

    @staticmethod
    def curve(points: Any, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the error of the accepted when so much is rejected; NaN when all is."""
        place = np.searchsorted(points.rejected, condition, side="left")
        heights = np.append(points.error_of_accepted, np.nan)
        return heights[place]


def highest_tpr(points: OperatingPoints, fpr: np.ndarray) -> np.ndarray:
    """Return the TPR of the straight-line ROC curve at given FPR.

    Shapes: `fpr` (g,); returned (g,).
    """
    return _highest(*with_corners(points), fpr)


def least_fpr(points: OperatingPoints, tpr: np.ndarray) -> np.ndarray:
    """Return the FPR of the straight-line ROC curve at given TPR.

    Shapes: `tpr` (g,); returned (g,).
    """
    x, y = with_corners(points)
    return 1 - _highest(1 - y[::-1], 1 - x[::-1], 1 - np.asarray(tpr))


def _highest(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the height of a rising chain of segments, the top where it rises straight up."""
    steps = np.flatnonzero(x[1:] != x[:-1])
    bottom, top = y[np.append(0, steps + 1)], y[np.append(steps, len(y) - 1)]
    places = x[np.append(0, steps + 1)]
    right = np.searchsorted(places, at, side="left").clip(1, len(places) - 1)
    left = right - 1
    share = (at - places[left]) / (places[right] - places[left])
    between = top[left] + share * (bottom[right] - top[left])
    return np.where(at == places[right], top[right], np.where(share > 0, between, top[left]))


def _deviate(rate: np.ndarray) -> np.ndarray:
    """Return normal deviates, those of 0 and 1 far outside instead of infinite."""
    return np.clip(ndtri(rate), -10.0, 10.0)
