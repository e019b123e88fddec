"""An operating point of two thresholds: classification and rejection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class OperatingPoint:
    """One pair of thresholds, and its rates and loss on the sample.

    Attributes
    ----------
    theta, t_d : float
        An object is called target when its classification score is at least `theta` and its
        typicality at least `t_d`; infinity accepts none, minus infinity rejects none.
    tpr, fpr_outlier, fpr_unseen : float
        Shares of targets, known outliers and unseen objects that are called target; NaN for a kind
        without objects.
    loss, loss_of_rejecting_all : float
        The loss that was minimised, and that of calling nothing target; NaN where none was.
    """

    theta: float
    t_d: float
    tpr: float
    fpr_outlier: float
    fpr_unseen: float
    loss: float = np.nan
    loss_of_rejecting_all: float = np.nan

    @property
    def rejects_all(self) -> bool:
        """Whether no object of any kind is called target."""
        return not any(rate > 0 for rate in (self.tpr, self.fpr_outlier, self.fpr_unseen))


def mean_error(point: OperatingPoint) -> float:
    """Return the mean of the three error rates, ``eps_rej`` (landgrebe2007, Eq. 5.16).

    Parameters
    ----------
    point : OperatingPoint
        Of three rates.

    Returns
    -------
    float
        NaN when a kind has no objects.
    """
    return ((1 - point.tpr) + point.fpr_outlier + point.fpr_unseen) / 3
