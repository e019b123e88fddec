"""Displays over an operating condition: the prior, or the probability cost."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from opchar.displays.base import ConditionDisplay
from opchar.spaces.brier import brier_curve
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.p_roc import exact_auprec
from opchar.spaces.points import OperatingPoints

STEPS = 200


class FMeasureDisplay(ConditionDisplay):
    """Best F-measure over the prior P(+): the upper envelope of all thresholds' F curves.

    Its option ``alpha`` is the weight of precision, 0.5 when not given.

    References
    ----------
    soleymani2020, Sec. 3.
    """

    x_label = "P(+)"
    y_label = r"$F_\alpha$"
    weights: ClassVar[dict[str, Any]] = {"alpha": 0.5}

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the best F-measure at given priors."""
        return upper_envelope(points, weights["alpha"])(condition)


class CostCurveDisplay(ConditionDisplay):
    """Least normalised expected cost over PC(+): the lower envelope of all cost lines.

    References
    ----------
    soleymani2020, Sec. 2.3.
    """

    x_label = "PC(+)"
    y_label = "normalised expected cost"

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the least normalised expected cost at given probability costs."""
        return lower_envelope(points)(condition)


class BrierCurveDisplay(ConditionDisplay):
    """Expected cost over PC(+) when scores are taken for probabilities.

    References
    ----------
    soleymani2020, Sec. 2.3.
    """

    x_label = "PC(+)"
    y_label = "normalised expected cost"
    wants_probabilities = True

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the expected cost of believing the scores at given probability costs."""
        return brier_curve(points, condition)


class PriorDisplay(ConditionDisplay):
    """Area under precision over recall, over the prior P(+) (P-ROC).

    References
    ----------
    landgrebe2007, Sec. 2.3.3.
    """

    x_label = "P(+)"
    y_label = "area under precision-recall"

    @classmethod
    def grid(cls) -> np.ndarray:
        """Return the priors: 0, where every precision is 0 or undefined, is left out."""
        return np.linspace(0, 1, STEPS + 1)[1:]

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the exact area under precision over recall at given priors."""
        return np.array([exact_auprec(points, prior) for prior in condition.tolist()])
