"""The rule for costs that differ between objects: calibrated probabilities against thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit

from opchar.arguments import floats, probabilities
from opchar.decisions.smooth_curves import check_labelled
from opchar.decisions.threshold_rules import check_rule
from opchar.spaces.preferences import bayes_threshold
from opchar.statistics.calibration import Calibration, Method, calibration

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ObjectRule:
    """Accepts an object where that costs less than not to, by its score and its own costs."""

    calibration: Calibration
    prior: float

    def probabilities(self, y_score: ArrayLike) -> Floats:
        """Return P(+) of objects under the prior in use, by their scores."""
        return self.calibration.probabilities(floats(y_score, "y_score"), self.prior)

    def thresholds(self, **costs: Any) -> Any:
        """Return the score from which each object is accepted."""
        shift = logit(self.calibration.prior) - logit(self.prior)
        with np.errstate(divide="ignore"):
            odds = logit(np.asarray(bayes_threshold(**costs))) + shift
        return self.calibration.threshold(odds)

    def accept(self, y_score: ArrayLike, **costs: Any) -> NDArray[np.bool_]:
        """Return which objects to accept.

        Shapes: `y_score` (n,); returned (n,).
        """
        return self.probabilities(y_score) >= np.asarray(bayes_threshold(**costs))


def object_rule(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    prior: float | None = None,
    calibrate: Method = "sigmoid",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ObjectRule:
    """Return the rule that accepts objects by their scores and their own costs.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `opchar.points_of`; of objects that the scorer was not trained on.
    prior : float, optional
        P(+) in use, in (0, 1); that of the sample when not given.
    calibrate : {"sigmoid", "beta", "isotonic", "none"}
        How scores become probabilities, see `opchar.statistics.calibration`.

    Returns
    -------
    ObjectRule
        To apply to new objects.

    Raises
    ------
    ValueError
        As `opchar.choose_threshold`, or if `prior` is 0 or 1.

    Examples
    --------
    >>> rule = object_rule([0, 0, 1, 0, 1, 1], [-2, -1, -0.5, 0.5, 1, 2])
    >>> rule.accept([0.2, 0.2], cost_fn=[100.0, 1.0], cost_fp=5.0).tolist()
    [True, False]
    """
    check_rule("theory", calibrate)
    data = check_labelled(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    found = calibration(data.positive, data.scores, calibrate, data.weight)
    at = found.prior if prior is None else float(probabilities(prior, "prior"))
    if not 0 < at < 1:
        raise ValueError(f"prior must lie between 0 and 1, both excluded, got {at:g}")
    return ObjectRule(found, at)
