"""Displays over an operating condition: the prior, or the probability cost."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from opchar.displays.base import ConditionDisplay
from opchar.spaces.brier import brier_curve
from opchar.spaces.cost import lower_envelope
from opchar.spaces.decision_curve import believed_net_benefit, net_benefit
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

    Examples
    --------
    >>> display = FMeasureDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> display.ax_.get_xlabel()
    'P(+)'
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

    Examples
    --------
    >>> display = CostCurveDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> display.ax_.get_ylabel()
    'normalised expected cost'
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

    Examples
    --------
    >>> display = BrierCurveDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> display.ax_.get_ylabel()
    'normalised expected cost'
    """

    x_label = "PC(+)"
    y_label = "normalised expected cost"
    wants_probabilities = True

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the expected cost of believing the scores at given probability costs."""
        return brier_curve(points, condition)


class DecisionCurveDisplay(ConditionDisplay):
    """Net benefit over the threshold probability, beside accepting all and none.

    Its option ``prior`` is the prior of each sample when not given. `opchar.decision_curve` has
    intervals and a band.

    References
    ----------
    Vickers and Elkin, Medical Decision Making 26, 2006.

    Examples
    --------
    >>> display = DecisionCurveDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> display.ax_.get_ylabel()
    'net benefit'
    """

    x_label = "threshold probability"
    y_label = "net benefit"
    weights: ClassVar[dict[str, Any]] = {"prior": None}
    wants_probabilities = True
    bounds = (-np.inf, 1.0)

    @classmethod
    def grid(cls) -> np.ndarray:
        """Return the threshold probabilities, without 1 where no false alarm is acceptable."""
        return super().grid()[:-1]

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the net benefit of believing the scores at given threshold probabilities."""
        return believed_net_benefit(points, condition, weights.get("prior"))

    def _dress(self, ax: Any) -> None:
        # At threshold 0 every sensible curve accepts all, which is worth the prior.
        prior = float(np.clip(self.mean[0], 0, 1))
        everything = net_benefit(1.0, 1.0, prior, self.condition)
        kept = everything >= -0.2 * prior
        ax.plot(self.condition[kept], everything[kept], color="0.5", lw=1, ls="--", zorder=1)
        ax.axhline(0, color="0.5", lw=1, zorder=1)
        top = max(prior, float(self.mean.max()), 0.01)
        ax.set(xlim=(0, 1), ylim=(-0.2 * top, 1.1 * top))


class PriorDisplay(ConditionDisplay):
    """Area under precision over recall, over the prior P(+) (P-ROC).

    References
    ----------
    landgrebe2007, Sec. 2.3.3.

    Examples
    --------
    >>> display = PriorDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> display.ax_.get_ylabel()
    'area under precision-recall'
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
